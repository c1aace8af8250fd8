"""The daemon as a process, over folders: letters in and out, stop, reload, a second one."""

import signal
import time

from tests.daemon import people
from tests.daemon.conftest import House
from tests.daemon.running import until


def _orders(house: House, player: str, seat: str, number: int = 1) -> bytes:
    (report, *_) = until(lambda: house.letters(player, "report"), what="the report")
    _, wanted = people.Bots(house.office, "ember").wanted()
    sender = f"{player.lower()}@players.test"
    return people.reply(sender, report, people.envelope(report), wanted[seat], number)


def test_a_letter_in_is_answered_by_a_receipt_under_one_id(house: House) -> None:
    house.game()
    daemon = house.serve()
    letter = _orders(house, "Ada", "red")
    house.post(letter)
    began = time.monotonic()
    (receipt,) = until(lambda: house.letters("Ada", "receipt"), what="the receipt")
    assert time.monotonic() - began < 2
    assert receipt["In-Reply-To"] == people.read_letter(letter)["Message-ID"]
    assert "IN" in receipt.get_body().get_content()
    (came,) = daemon.logged("letter in", seat="red")
    (went,) = until(lambda: daemon.logged("letter out", kind="receipt"))
    assert came["letter"] == went["letter"]
    assert daemon.stop() == 0


def test_sigterm_ends_it_within_five_seconds(house: House) -> None:
    house.game()
    daemon = house.serve()
    until(lambda: house.letters("Ada", "report"))
    began = time.monotonic()
    assert daemon.stop(signal.SIGTERM) == 0
    assert time.monotonic() - began < 5
    assert daemon.logged("stopped", code=0)
