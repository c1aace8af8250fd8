"""Missed in a row, after going back: what stood before, for whoever sits there now."""

from adjudicator.desk.acts.edit import edit_position, open_position
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.context import Context
from adjudicator.desk.questions.answer import issue_new_key
from adjudicator.desk.steps.handover import replace_player, resign_seat
from adjudicator.desk.steps.lock import lock_context
from tests.desk.conftest import GAME, Desk


def _begin(desk: Desk) -> None:
    desk.new(options={"rounds": 5}, settings={"nmr_limit": 9})


def _played(desk: Desk, silent: str = "") -> str:
    """A turn in which all but one seat send cards, and nobody takes a prize; its name."""
    while desk.step().phase != "pick":
        desk.close()
    desk.play(seats=tuple(seat for seat in ("red", "blue", "green") if seat != silent))
    name = desk.step().name
    desk.later(minutes=10)
    desk.close()
    return name


def _missed(desk: Desk, seat: str = "green") -> int:
    return desk.seating(seat).missed


def _back(desk: Desk, step: str) -> None:
    desk.act(roll_back, step, same_dice=False)


def test_what_was_missed_in_the_steps_undone_counts_no_longer(desk: Desk) -> None:
    _begin(desk)
    _played(desk, "green")
    second = _played(desk, "green")
    _played(desk, "green")
    assert _missed(desk) == 3
    _back(desk, second)
    assert _missed(desk) == 1


def test_orders_in_a_step_undone_forget_nothing(desk: Desk) -> None:
    _begin(desk)
    _played(desk, "green")
    second = _played(desk)
    assert _missed(desk) == 0
    _back(desk, second)
    assert _missed(desk) == 1


def test_a_substitute_has_not_missed_what_came_before_a_clock_was_set_back(desk: Desk) -> None:
    _begin(desk)
    _played(desk, "green")
    desk.later(hours=-1)
    desk.act(replace_player, "green", "Dan")
    second = _played(desk)
    _back(desk, second)
    assert (desk.seating("green").player, _missed(desk)) == ("Dan", 0)


def test_what_was_missed_after_a_clock_was_set_back_still_counts(desk: Desk) -> None:
    _begin(desk)
    desk.later(days=-1)
    _played(desk, "green")
    second = _played(desk, "green")
    _back(desk, second)
    assert _missed(desk) == 1


def test_a_player_who_comes_back_begins_anew(desk: Desk) -> None:
    _begin(desk)
    _played(desk, "green")
    desk.act(replace_player, "green", "Dan")
    _played(desk, "green")
    desk.act(replace_player, "green", "Cleo")
    third = _played(desk, "green")
    assert _missed(desk) == 1
    _back(desk, third)
    assert (desk.seating("green").player, _missed(desk)) == ("Cleo", 0)


def test_a_player_who_comes_back_has_not_missed_what_nobody_played(desk: Desk) -> None:
    _begin(desk)
    _played(desk)
    desk.act(resign_seat, "green", by="player")
    _played(desk, "green")
    desk.act(replace_player, "green", "Cleo")
    third = _played(desk, "green")
    _back(desk, third)
    assert _missed(desk) == 0


def test_new_keys_forget_nothing(desk: Desk) -> None:
    _begin(desk)
    _played(desk, "green")
    with desk.store.writing() as books:
        issue_new_key(lock_context(books, desk.library, GAME, at=desk.at), "green")
    assert (_missed(desk), desk.seating("green").number) == (1, 2)
    second = _played(desk, "green")
    assert _missed(desk) == 2
    _back(desk, second)
    assert _missed(desk) == 1


def test_a_ruling_is_no_step_that_anybody_missed(desk: Desk) -> None:
    _begin(desk)
    _played(desk, "green")
    document = desk.see(lambda books: open_position(Context(books, desk.library, GAME)))
    desk.act(
        edit_position, {**document, "scores": {**document["scores"], "red": 7}}, reason="a slip"
    )
    second = _played(desk, "green")
    _back(desk, second)
    assert _missed(desk) == 1


def test_what_the_end_did_not_count_is_not_counted_by_going_back(desk: Desk) -> None:
    _begin(desk)
    counted = 0
    while True:
        counted = _missed(desk)
        desk.play(seats=("red", "blue"))
        done = desk.close()
        if done.next_step is None:
            break
    _back(desk, done.step.name)
    assert _missed(desk) == counted > 0
