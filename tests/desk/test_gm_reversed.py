"""Every word of the GM's is recorded with who did it, and has another that undoes it."""

from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.core.document import decode
from adjudicator.desk.acts.gm_words import ACTS
from tests.desk.conftest import GAME, Desk
from tests.desk.wishing import order

Look = Callable[[Desk], Any]


def _status(desk: Desk) -> Any:
    game = desk.game()
    seats = desk.see(lambda books: books.seatings(GAME))
    return game.status, game.seats, [(one.seat, one.player) for one in seats]


def _plays(desk: Desk) -> Any:
    return desk.seating("blue").kind, desk.seating("blue").player


def _addresses(desk: Desk) -> Any:
    player = desk.see(lambda books: books.player("Bo"))
    assert player is not None
    return player.addresses


def _on_file(desk: Desk) -> Any:
    sets = desk.see(lambda books: books.orders(GAME, desk.step().number))
    return [decode(one.orders) for one in sets if one.seat == "blue"][-1:] or [None]


def _position(desk: Desk) -> Any:
    return desk.game().status, desk.step().phase, desk.state()


def _deadline(desk: Desk) -> Any:
    return desk.game().status, desk.step().deadline


def _waiting(desk: Desk) -> Any:
    return [one for one in desk.letters("reminder") if one.status == "queued"]


CHANGE = {"edit": {"reason": "a slip", "change": {"round": "2"}}}
PAIRS: dict[str, tuple[Any, Any, Look, tuple[Any, ...]]] = {
    "start": ("start", "start back", _status, ()),
    "announce": ("announce ada@example.org", "announce back", _addresses, ()),
    "address": (
        "address blue bo@example.org",
        "address blue bo@example.net",
        _addresses,
        ("address blue bo@example.net",),
    ),
    "replace": ("replace blue Zoe", "replace blue Bo", _plays, ()),
    "bot": ("bot blue", "replace blue Bo", _plays, ()),
    "resign": ("resign blue", "replace blue Bo", _plays, ()),
    "submit": (
        {"submit": {"blue": {"standing": {"prize": "pass"}}}},
        {"submit": {"blue": {"clear": "yes"}}},
        _on_file,
        (),
    ),
    "close": ("close now", "rollback 1-pick", _position, ()),
    "remind": ("remind", "remind back", _waiting, ()),
    "extend": ("extend 24h", "extend 24h back", _deadline, ()),
    "pause": ("pause", "resume", _deadline, ()),
    "resume": ("resume", "pause", _deadline, ("pause",)),
    "edit": (CHANGE, "rollback 2-ruling", _position, ()),
    "rollback": ("rollback 1-pick", "rollback 1-pick back", _position, ("close now",)),
    "end": ('end red "they agreed"', "rollback 2-end", _position, ()),
}
"""What is done, what undoes it, what must be as it was, and what comes before."""
ONLY_WORDS = {"note"}
"""It changes nothing but the history, of which nothing is ever taken out."""


def test_every_word_has_one_that_undoes_it() -> None:
    # `accept` is undone by going back to the program that was, and accepting that
    assert set(PAIRS) | ONLY_WORDS | {"accept"} == set(ACTS)


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_what_is_done_is_undone_and_both_are_in_the_history(desk: Desk, name: str) -> None:
    done, undone, look, before = PAIRS[name]
    desk.new(start=name not in ("start", "announce"), settings={"pace": "72h"})
    for said in before:
        assert order(desk, said).not_taken == ()
    was = look(desk)
    for said in (done, undone):
        word = next(iter(said)) if isinstance(said, dict) else said.partition(" ")[0]
        known = len(desk.see(lambda books: books.notes(GAME)))
        desk.later(seconds=1)
        told = order(desk, said)
        assert told.not_taken == ()
        new = desk.see(lambda books: books.notes(GAME))[known:]
        assert [(one.act, one.by, one.at) for one in new if one.act == word][:1] == [
            (word, "gm", desk.at)
        ]
        assert (new[-1].act, new[-1].by, new[-1].text) == ("gm", "gm", f"by letter: {word}")
        if said is done and name != "announce":
            assert (desk.game().open_step is None) or look(desk) != was
    if name in ("pause", "resume"):
        assert look(desk)[0] == was[0]  # the deadline has moved by as long as the clock stood
    else:
        assert look(desk) == was
