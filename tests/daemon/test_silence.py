"""What the daemon does it logs; what is secret it does not: keys, seeds, luck, orders, press."""

import re
from collections.abc import Iterable
from email.message import EmailMessage

from msgspec.structs import replace

from adjudicator.cli.demo.mail_programs import read_envelope
from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import decode
from tests.daemon import people
from tests.daemon.conftest import House, address
from tests.daemon.people import HOUSE, Bots, reply
from tests.daemon.running import until

KEY = re.compile(r"\b[2-9a-hjkmnp-z]{4}-[2-9a-hjkmnp-z]{4}\b")
WORDS = "the owl flies at midnight"


def _letter(house: House, number: int, text: str, sender: str = "ada@players.test") -> None:
    message = EmailMessage()
    message["From"], message["To"] = sender, HOUSE
    message["Message-ID"], message["Subject"] = f"<{number}@x.test>", f"{WORDS} {number}"
    message.set_content(text)
    house.post(message.as_bytes())


def _bodies(letters: Iterable[people.EmailMessage]) -> str:
    return "\n".join(one.as_string() for one in letters)


def test_a_daemon_that_plays_a_step_logs_no_secret(house: House) -> None:
    house.game(remind=["71h"])
    with house.office.acting() as books:
        made = books.game("ember")
        books.save(replace(made, luck=(("red", WORDS),)))
    daemon = house.serve(ADJUDICATOR_PASSWORD="hunter2")
    _, wanted = Bots(house.office, "ember").wanted()
    reports = {}
    for seat, player in (("red", "Ada"), ("blue", "Bo"), ("green", "Cleo")):
        (reports[seat], *_) = until(lambda p=player: house.letters(p, "0-setup"))
    key = read_envelope(reports["red"])["key"]
    head = f"game: ember\nkey: {key}\n"
    _letter(house, 1, f"{head}press: [{{to: all, text: {WORDS}}}]\nask: [status, why 1]")
    _letter(house, 2, f"{head}build: [unclosed {WORDS}")
    _letter(house, 3, f"game: ember\nkey: 2222-2222\nbuild: max\n# {WORDS}", "eve@x.test")
    _letter(house, 4, f"{head}build: {WORDS}\nsteal: {WORDS}")
    for seat, player in (("red", "Ada"), ("blue", "Bo"), ("green", "Cleo")):
        facts = read_envelope(reports[seat])
        house.post(reply(address(player), reports[seat], facts, wanted[seat], 9))
    for seat, player in (("red", "Ada"), ("blue", "Bo"), ("green", "Cleo")):
        until(lambda p=player, s=seat: house.letters(p, f"1-plan.{s}.report"), what="the report")
    until(lambda: len(daemon.logged("letter in")) >= 7, what="all letters")
    assert daemon.stop() == 0
    log = house.log.read_text()
    told = _bodies(one for name in ("Ada", "Bo", "Cleo") for one in house.letters(name))
    keys = set(KEY.findall(told))
    secret = (house.office.home.path / "secret").read_bytes()
    assert len(keys) >= 3
    assert len(daemon.logged("letter in")) >= 7
    assert len(daemon.logged("letter out")) >= 10
    for words in (*keys, "2222-2222", WORDS, "hunter2", seed_from_number(7).hex()):
        assert words not in log
    assert secret.hex() not in log
    assert secret.decode("latin-1") not in log
    with house.office.reading() as books:
        hands = decode(books.step("ember", 0).state or b"{}")["hands"]
        orders = books.orders("ember", 1)
    assert not [hand for hand in hands.values() if ", ".join(hand) in log]
    assert not [one for one in orders if one.orders != b"{}" and one.orders.decode() in log]
