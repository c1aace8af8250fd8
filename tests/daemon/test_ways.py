"""A letter's whole way stands under one id in the log, with all that it causes."""

from collections.abc import Sequence
from typing import Any

from adjudicator.cli.demo.mail_programs import read_envelope
from adjudicator.desk.model.history import act_trace_id, trace_id
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.values import Arrival, OutgoingLetter
from adjudicator.desk.outbox.keys import make_key
from tests.daemon import people
from tests.daemon.conftest import SEATS, House, address
from tests.daemon.people import HOUSE, Bots, reply
from tests.daemon.running import Running, until

WAY_IN = ["letter fetched", "letter read", "letter in", "letter done with"]
WAY_OUT = ["letter written", "letter out"]
GAME = "ember"


def _letter(sender: str, name: str, *lines: str, **headers: str) -> bytes:
    message = people.EmailMessage()
    message["From"], message["To"], message["Message-ID"] = sender, HOUSE, f"<{name}>"
    for header, value in headers.items():
        message[header.replace("_", "-")] = value
    message.set_content("\n".join([*lines, "# end of orders"]))
    return message.as_bytes()


def _block(house: House, seat: str, *lines: str, step: str = "1-plan") -> list[str]:
    number = 0 if seat == GM else 1
    secret = house.office.home.secret()
    given = make_key(secret, game=GAME, seat=seat, seating=number, step=step, epoch=1)
    return [f"game: {GAME}", f"step: {step}", f"key: {given}", *lines]


def _kept(house: House) -> tuple[Sequence[Arrival], Sequence[OutgoingLetter]]:
    with house.office.reading() as books:
        return books.arrivals(), [*books.letters(GAME), *books.letters("")]


def _all_out(house: House) -> bool:
    return all(one.status == "sent" for one in _kept(house)[1])


def _events(daemon: Running, cause: str) -> list[dict[str, Any]]:
    return [line for line in daemon.lines() if line.get("trace") == cause]


def _post_everything(house: House, daemon: Running) -> None:
    """Press, orders, questions, a GM's wish, a stranger, a program, and what closes the step."""
    until(lambda: house.letters("Ada", "0-setup"), what="the first report")
    ada, bo, gm = address("Ada"), address("Bo"), "gm@players.test"
    hello = 'press: [{to: [blue], text: "Hello"}]'
    each = "prefer: {press: each}"
    letters = [
        _letter(bo, "each@bo", *_block(house, "blue", each)),
        _letter(ada, "press@ada", *_block(house, "red", hello, "ask: [status]")),
        _letter(gm, "wish@gm", *_block(house, GM, "gm: [extend 24h, remind]")),
        _letter("stranger@else.test", "hello@stranger", "ask: help"),
        _letter(bo, "away@bo", *_block(house, "blue"), Auto_Submitted="auto-replied"),
    ]
    for number, letter in enumerate(letters, start=1):
        house.post(letter)
        until(lambda n=number: len(daemon.logged("letter in")) >= n, what=f"letter {number}")
    until(lambda: _all_out(house), what="reminders, which a closing withdraws")
    _, wanted = Bots(house.office, GAME).wanted()
    for number, (seat, name) in enumerate(SEATS.items(), start=len(letters) + 1):
        (report, *_) = house.letters(name, "0-setup")
        facts = read_envelope(report)
        house.post(reply(address(name), report, facts, wanted[seat], number))
        until(lambda n=number: len(daemon.logged("letter in")) >= n, what=f"letter {number}")
    until(lambda: house.letters("Cleo", "1-plan.green.report"), what="the next report")
    until(lambda: _all_out(house), what="the end of the outbox")
    until(lambda: len(daemon.logged("letter done with")) >= len(_kept(house)[0]))


def test_every_letter_and_all_that_it_causes_stand_under_one_id(house: House) -> None:
    house.game()
    daemon = house.serve()
    _post_everything(house, daemon)
    assert daemon.stop() == 0
    arrivals, letters = _kept(house)
    assert len(arrivals) == 8
    outs = 0
    for arrival in arrivals:
        cause = trace_id(arrival.message_id, arrival.digest)
        lines = _events(daemon, cause)
        caused = [one for one in letters if one.cause == cause]
        assert [x["event"] for x in lines if x["event"] in WAY_IN] == WAY_IN, arrival
        for one in caused:
            facts = {"game": one.game or "-", "kind": one.kind, "seat": one.seat}
            mine = [x for x in lines if facts.items() <= x.items()]
            assert {x["event"] for x in mine} >= set(WAY_OUT), one.message_id
        outs += len([x for x in lines if x["event"] == "letter out"])
        assert len([x for x in lines if x["event"] == "letter out"]) == len(caused)
        (taken,) = (x for x in lines if x["event"] == "letter in")
        assert (arrival.outcome == "silence") == (not caused)
        told = taken.get("caused", "").split(", ") if caused else []
        named = [f"{one.kind} {one.number} to {one.seat}" for one in caused]
        assert named[: len(told)] == told
    assert outs + 3 == len(letters)  # with the first reports, which no letter caused


def test_whose_letter_caused_what(house: House) -> None:
    house.game()
    daemon = house.serve()
    _post_everything(house, daemon)
    assert daemon.stop() == 0
    _, letters = _kept(house)

    def caused(name: str) -> set[tuple[str, str]]:
        return {(one.kind, one.seat) for one in letters if one.cause == trace_id(name)}

    assert ("press", "blue") in caused("<press@ada>")
    wish = caused("<wish@gm>")
    assert ("answer", "gm") in wish
    assert wish >= {(kind, seat) for kind in ("notice", "reminder") for seat in SEATS}
    assert caused("<hello@stranger>") == {("answer", "nobody")}
    assert caused("<away@bo>") == set()
    (last,) = {one.cause for one in letters if one.kind == "report" and one.step == 1}
    (receipt,) = (x for x in letters if (x.kind, x.seat) == ("receipt", "green"))
    assert last == receipt.cause  # what completed the step closed it
    (closed,) = daemon.logged("clock", acts="close")
    assert closed["trace"] == last
    assert "@players.test" not in "\n".join(str(x) for x in _events(daemon, last) if "out" in x)


def test_what_a_hand_causes_stands_under_the_id_of_its_act(house: House) -> None:
    house.game()
    daemon = house.serve()
    until(lambda: house.letters("Cleo", "0-setup"), what="the first reports")
    until(lambda: len(daemon.logged("letter out")) == len(SEATS))
    assert daemon.stop() == 0
    _, letters = _kept(house)
    (cause,) = {one.cause for one in letters}
    assert cause == act_trace_id("hand", house.office.at)
    assert {x["event"] for x in _events(daemon, cause)} == set(WAY_OUT)
