"""The daemon as a process, over folders: letters in and out, stop, reload, a second one."""

import json
import os
import signal
import socket
from typing import Any

from adjudicator.cli.demo.mail_programs import open_message, read_envelope
from tests.cli.conftest import Gm
from tests.daemon import people
from tests.daemon.conftest import House
from tests.daemon.people import Bots, reply
from tests.daemon.running import PATIENCE, Running, config, start_program, until
from tests.servers.nursery import open_nursery


def _orders(house: House, player: str, seat: str, number: int = 1) -> bytes:
    """A player's reply to the first report."""
    (report, *_) = until(lambda: house.letters(player, "0-setup"), what="the report")
    _, wanted = Bots(house.office, "ember").wanted()
    sender = f"{player.lower()}@players.test"
    return reply(sender, report, read_envelope(report), wanted[seat], number)


def _receipts(house: House, player: str) -> list[people.EmailMessage]:
    return [one for one in house.letters(player) if ".receipt." in str(one["Message-ID"])]


def _status(house: House, code: int) -> Any:
    told = open_nursery().run("status", "--config", house.config, "--json")
    assert told.returncode == code, told.stderr
    return json.loads(told.stdout)


def test_a_letter_in_is_answered_by_a_receipt_under_one_id(house: House) -> None:
    house.game()
    daemon = house.watch(start_program(house.config, house.log)).ready()
    letter = _orders(house, "Ada", "red")
    house.post(letter)
    (receipt,) = until(lambda: _receipts(house, "Ada"), what="the receipt")
    assert receipt["In-Reply-To"] == open_message(letter)["Message-ID"]
    (came,) = until(lambda: daemon.logged("letter in", seat="red"))
    (went,) = until(lambda: daemon.logged("letter out", kind="receipt"))
    assert came["trace"] == went["trace"]
    key = read_envelope(receipt)["key"]
    assert key not in house.log.read_text()

    told = _status(house, code=0)
    assert told["daemon"]["running"]
    assert told["queued"] == 0
    assert told["problems"] == []
    assert told["last_letter_in"]["outcome"] == "receipt"
    assert told["last_letter_out"]["kind"] == "receipt"
    assert [game["id"] for game in told["games"]] == ["ember"]
    assert told["next_deadline"] == told["games"][0]["deadline"]["at"]
    assert [box["name"] for box in told["postboxes"]] == ["postbox 1"]

    text = open_nursery().run("--home", house.office.home.path, "status").stdout
    assert f"process {daemon.process.pid}" in text
    assert "UTC: ember receipt taken" in text
    assert "UTC: receipt of ember" in text

    assert daemon.stop(signal.SIGTERM) == 0
    assert not _status(house, code=1)["daemon"]["running"]


def test_status_knows_at_once_that_the_daemon_was_killed(house: House) -> None:
    house.game()
    daemon = house.serve()
    until(lambda: daemon.logged("serving"))
    assert _status(house, code=0)["daemon"]["running"]
    daemon.stop(signal.SIGKILL)
    assert not _status(house, code=1)["daemon"]["running"]


def test_the_same_letter_twice_is_answered_once(house: House) -> None:
    house.game()
    daemon = house.serve()
    letter = _orders(house, "Ada", "red")
    house.post(letter)
    house.post(letter)
    until(lambda: daemon.logged("letter in", outcome="repeat"))
    assert daemon.stop() == 0
    assert len(_receipts(house, "Ada")) == 1


def test_a_step_closes_when_all_orders_are_in_however_seldom_the_clock_is_read(
    house: House,
) -> None:
    boxes = [{"kind": "maildir", "folder": name, "poll": "0.02"} for name in ("in", "idle")]
    house.config = config(house.folder, house.settings(postboxes=boxes, round=300))
    house.game()
    daemon = house.serve()
    for name, seat in (("Ada", "red"), ("Bo", "blue"), ("Cleo", "green")):
        house.post(_orders(house, name, seat))
    until(lambda: daemon.logged("clock", acts="close"), what="the closing")
    assert daemon.stop() == 0


def test_sighup_reads_the_settings_again(house: House) -> None:
    house.game()
    daemon = house.serve()
    first = until(lambda: house.letters("Ada"))
    assert "Other House" not in first[0]["From"]
    good = house.config.read_text()
    house.config.write_text(good.replace("postman", "postmen"))
    daemon.process.send_signal(signal.SIGHUP)
    (told,) = until(lambda: daemon.logged("settings refused, the old ones stay in force"))
    assert 'did you mean "postman"?' in told["words"]

    config(house.folder, house.settings(title="Other House"))
    daemon.process.send_signal(signal.SIGHUP)
    until(lambda: daemon.logged("settings reloaded"))
    house.post(_orders(house, "Ada", "red"))
    (receipt,) = until(lambda: _receipts(house, "Ada"))
    assert "Other House" in receipt["From"]
    assert daemon.stop(signal.SIGINT) == 0


def test_a_second_daemon_stands_by_and_takes_over(house: House) -> None:
    house.game()
    first = house.serve()
    second, third = house.start(), house.start()
    told = f"standing by: process {first.process.pid} serves this home"
    until(lambda: second.logged(told) and third.logged(told), what="those that stand by")
    assert third.stop() == 0
    config(house.folder, house.settings(title="Other House"))
    second.process.send_signal(signal.SIGHUP)
    until(lambda: second.logged("settings reloaded"), what="the new settings")
    first.kill()
    second.ready()
    house.post(_orders(house, "Ada", "red"))
    (receipt,) = until(lambda: _receipts(house, "Ada"), what="the receipt")
    assert "Other House" in receipt["From"]
    assert not first.logged("letter in")
    assert _status(house, code=0)["daemon"]["pid"] == second.process.pid
    fourth = house.start()
    told = f"standing by: process {second.process.pid} serves this home"
    until(lambda: fourth.logged(told), what="the next that stands by")
    assert second.stop() == 0
    assert fourth.ready().stop() == 0


def test_a_daemon_that_does_only_a_part_says_so_and_status_tells_the_rest(house: House) -> None:
    house.game()
    process = open_nursery().serve(house.config, os.environ, "--only", "post-in,clock")
    daemon = house.watch(Running(process, house.log)).ready()
    assert daemon.logged("serving", only="post-in,clock")
    house.post(_letter_from_nobody())
    until(lambda: daemon.logged("letter in"), what="the letter")
    told = _status(house, code=1)
    assert [one["roles"] for one in told["daemons"]] == [["post-in", "clock"]]
    assert [one["place"] for one in told["problems"]] == ["post-out", "site"]
    assert told["queued"] == 4, "nobody sends the reports and the answer"
    shown = open_nursery().run("--home", house.office.home.path, "status").stdout
    assert f"process {process.pid} on {socket.gethostname()}, only post-in, clock" in shown
    assert daemon.stop() == 0
    refused = open_nursery().run("serve", "--config", house.config, "--only", "post")
    assert refused.returncode == 2
    assert "expected some of post-in, clock, post-out, site" in refused.stderr


def _letter_from_nobody() -> bytes:
    return b"From: x@else.test\r\nTo: games@game.test\r\nMessage-ID: <1@x>\r\n\r\nask: help\r\n"


def test_systemd_hears_how_it_is(house: House) -> None:
    house.game()
    path = house.folder / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.bind(str(path))
        channel.settimeout(PATIENCE)
        daemon = house.start(NOTIFY_SOCKET=str(path), WATCHDOG_USEC="300000")
        heard = [channel.recv(500).decode()]
        assert heard[0].startswith("READY=1\n")
        while heard.count("WATCHDOG=1") < 3:
            heard.append(channel.recv(500).decode())
        daemon.process.send_signal(signal.SIGHUP)
        while sum(word.startswith("READY=1") for word in heard) < 2:
            heard.append(channel.recv(500).decode())
        assert any(word.startswith("RELOADING=1\nMONOTONIC_USEC=") for word in heard)
        assert daemon.stop() == 0
        while heard[-1] != "STOPPING=1":
            heard.append(channel.recv(500).decode())


def test_archives_that_are_behind_are_written(house: House) -> None:
    house.game()
    daemon = house.serve()
    chain = house.folder / "home" / "jump_wars" / "ember" / "chain.txt"
    until(chain.exists, what="the archive")
    assert daemon.stop() == 0
    told = open_nursery().run("verify", chain.parent)
    assert told.returncode == 0, told.stdout


def test_pages_follow_the_game_where_the_settings_name_a_folder(house: House) -> None:
    house.config = config(house.folder, house.settings(site="pages"))
    house.game()
    gm = Gm(house.office.home.path)  # the pages of amber would be written before those of ember
    invited = ("--setting", "invited=[ada@players.test]")
    gm("new", "amber", "--kind", "jump-wars", "--seat", "red", "--seat", "blue", *invited)
    daemon = house.serve()
    sheet = house.folder / "pages" / "jump-wars" / "ember" / "game.json"

    def steps() -> list[str]:
        # a sheet without steps lists what is being written
        shown = json.loads(sheet.read_text())["steps"] if sheet.exists() else []
        return [one["step"] for one in shown]

    assert until(steps, what="the pages") == ["0-setup"]
    for name, seat in [("Ada", "red"), ("Bo", "blue"), ("Cleo", "green")]:
        house.post(_orders(house, name, seat))
    until(lambda: len(steps()) == 2, what="the next step")
    assert 'id="1-plan"' in (sheet.parent / "index.html").read_text("utf-8")
    assert not (house.folder / "pages" / "jump-wars" / "amber").exists(), "it is for the invited"
    assert "amber" not in (house.folder / "pages" / "index.html").read_text("utf-8")
    assert daemon.stop() == 0
