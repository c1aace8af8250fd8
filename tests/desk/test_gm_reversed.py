"""Every word of the GM's is recorded with who did it, and has another that undoes it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from adjudicator.core.document import decode
from adjudicator.desk.acts import TABLE as ACTS
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
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
    "adjust": (
        {"adjust": {"pace": "24h", "remind": ["6h"]}},
        "adjust pace=72h remind=default",
        lambda desk: desk.game().settings,
        (),
    ),
    "archive": (
        "archive",
        "archive back",
        lambda desk: desk.game().archived,
        ("end drawn enough",),
    ),
    "end": ('end red "they agreed"', "rollback 2-end", _position, ()),
}
"""What is done, what undoes it, what must be as it was, and what comes before."""
ONLY_WORDS = {"note", "message"}
"""They change nothing but the history, and what is written has its readers."""


def test_every_word_has_one_that_undoes_it() -> None:
    # `accept` is undone by going back to the program that was, and accepting that
    assert set(PAIRS) | ONLY_WORDS | {"accept", "undo", "delete"} == set(ACTS)


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


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_undo_takes_back_every_act(desk: Desk, name: str) -> None:
    done, _, look, before = PAIRS[name]
    desk.new(start=name not in ("start", "announce"), settings={"pace": "72h"})
    for said in before:
        assert order(desk, said).not_taken == ()
    was = look(desk)
    desk.later(seconds=1)
    assert order(desk, done).not_taken == ()
    number = [note.number for note in _notes(desk) if note.act == name][-1]
    desk.later(seconds=1)
    tried = order(desk, f"undo {number}", preview=True)
    assert "nothing was changed" in tried.done[0]
    told = order(desk, "undo")
    assert told.not_taken == ()
    assert told.done[0].startswith("undo: ")
    if name in ("pause", "resume"):
        assert look(desk)[0] == was[0]
    else:
        assert look(desk) == was
    undone = [note for note in _notes(desk) if note.act == "undo"]
    assert undone[-1].text.startswith(f"undid {number}, {name}: ")
    (why,) = order(desk, f"undo {number}").not_taken
    assert "is undone already" in why
    assert verify(desk) == ()


def _notes(desk: Desk) -> Any:
    return desk.see(lambda books: books.notes(GAME))


def verify(desk: Desk) -> Any:
    """What a replay and the chain find wrong."""
    record = desk.see(lambda books: read_record(books, GAME))
    kind = desk.library.kind(record.game.kind)
    return (*check_chain(record), *replay_game(record, kind))


def test_a_start_that_was_taken_back_wants_a_yes_and_is_undone_whole(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.play()
    desk.close()
    desk.close()
    was = _position(desk), desk.game().luck, desk.game().seats
    (why,) = order(desk, "start back").not_taken
    assert "would undo the start and 2 closed steps" in why
    assert "write `start back yes`" in why
    assert order(desk, "start back yes").not_taken == ()
    assert desk.game().status is Status.OPEN
    assert order(desk, "undo").not_taken == ()
    assert (_position(desk), desk.game().luck, desk.game().seats) == was
    assert verify(desk) == ()
    desk.close()
    assert verify(desk) == ()


def test_nobody_undoes_what_somebody_has_acted_on(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    order(desk, "extend 24h")
    first = _notes(desk)[-2].number
    order(desk, "close now")
    second = _notes(desk)[-2].number
    (why,) = order(desk, f"undo {first}").not_taken
    assert f"cannot be undone, since entry {second} (close:" in why
    assert f"write `undo {second}`" in why
    desk.play(seats=("red",))
    (why,) = order(desk, "undo").not_taken
    assert "submit" in why


def test_undo_goes_back_act_by_act_and_what_was_undone_is_redone_by_its_number(
    desk: Desk,
) -> None:
    desk.new(settings={"pace": "72h"})
    was = desk.step().deadline
    order(desk, "extend 24h")
    order(desk, "pause")
    assert order(desk, "undo", "undo").not_taken == ()
    assert (desk.game().status, desk.step().deadline) == (Status.RUNNING, was)
    redo = [note.number for note in _notes(desk) if note.act == "extend"][-1]
    assert order(desk, f"undo {redo}").not_taken == ()
    assert desk.step().deadline == was + timedelta(hours=24) if was else False
    order(desk, "note by the way")
    assert order(desk, "undo").not_taken == ()
    struck = next(note for note in reversed(_notes(desk)) if note.act == "undo")
    assert struck.text.endswith("note: by the way")


def test_a_message_taken_back_is_followed_by_another_to_the_same_readers(desk: Desk) -> None:
    desk.new(settings={"press": "none"})
    order(desk, 'message red "The server was away."')
    assert order(desk, "undo").not_taken == ()
    first, second = desk.see(lambda books: books.press(GAME))
    assert first.to == second.to == ("red",)
    assert second.text == 'Please ignore my message "The server was away."'
