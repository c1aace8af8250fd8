"""Going back: numbers are never used again, orders come back as a form, players are told."""

import pytest
from msgspec.structs import replace

from adjudicator.core.document import decode
from adjudicator.desk.acts.end import end_game
from adjudicator.desk.acts.rollback import roll_back, undo_rollback
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.desk.conftest import GAME, Desk


def _played(desk: Desk, steps: int = 2) -> None:
    """So many steps, in which everybody plays the weakest card and nobody takes a prize."""
    desk.new(settings={"pace": "72h"}, options={"rounds": 5})
    for seat in ("red", "blue", "green"):
        desk.send(seat, "standing: {prize: pass}\nready: yes")
    for _ in range(steps):
        for seat in ("red", "blue", "green"):
            standing = "\nstanding: {prize: pass}" if desk.step().number == 1 else ""
            desk.send(seat, f"play: {desk.state()['hands'][seat][0]}{standing}")
        desk.later(hours=1)
        desk.close()


def test_numbers_are_never_used_again(desk: Desk) -> None:
    _played(desk)
    assert desk.step().name == "3-pick"
    desk.later(hours=1)
    done = desk.act(roll_back, "1-pick", same_dice=False)
    assert (done.step.name, done.step.void) == ("1-pick", True)
    step = desk.step()
    assert (step.name, step.predecessor, step.dice) == ("4-pick", 0, "4-pick")
    assert step.opened == desk.at
    assert step.deadline is not None
    assert (step.deadline - desk.at).total_seconds() == 72 * 3600
    void = {s.name: s.void for s in desk.see(lambda books: books.steps(GAME))}
    assert void == {
        "0-setup": False,
        "1-pick": True,
        "2-pick": True,
        "3-pick": True,
        "4-pick": False,
    }
    desk.play()
    assert desk.close().next_step.name == "5-pick"  # type: ignore[union-attr] # the game goes on


def test_the_chain_tells_of_it_and_all_of_it_replays(desk: Desk) -> None:
    _played(desk)
    desk.act(roll_back, "2-pick", same_dice=False)
    desk.play()
    desk.close()
    links = desk.see(lambda books: books.links(GAME))
    assert [(link.kind, link.step, link.after) for link in links] == [
        ("setup", "0-setup", None),
        ("step", "1-pick", "0-setup"),
        ("step", "2-pick", "1-pick"),
        ("rollback", "2-pick", "1-pick"),
        ("step", "4-pick", "1-pick"),
    ]
    record = desk.see(lambda books: read_record(books, GAME))
    assert check_chain(record) == ()
    assert replay_game(record, desk.library.kind("toy-duel")) == ()


def test_orders_come_back_as_a_form_and_are_not_in(desk: Desk) -> None:
    _played(desk)
    card = desk.see(lambda books: books.orders(GAME, 2))[0]
    desk.act(roll_back, "2-pick", same_dice=False)
    notice = decode(next(x for x in desk.made if x.seat == "red").document)
    assert notice["form"]["orders"] == decode(card.orders)
    assert notice["form"]["prefill"]
    assert "round 2, pick; round 3, pick" in notice["notices"][0]["lines"][0]
    assert notice["position"]
    with pytest.raises(Refused, match="waiting for orders from red, blue, green"):
        desk.close(now=False)
    receipt = desk.send("red", "game: tiny")
    assert not receipt["standing"]["in"]
    assert receipt["form"]["prefill"]
    receipt = desk.send("red", "ready: yes")
    assert receipt["outcome"] == "taken"
    assert (receipt["form"]["orders"], receipt["form"]["prefill"]) == (decode(card.orders), False)
    assert [one["mark"] for one in receipt["entries"]] == ["fine"]


def test_going_back_twice_still_finds_the_orders(desk: Desk) -> None:
    _played(desk)
    orders = decode(desk.see(lambda books: books.orders(GAME, 2))[0].orders)
    desk.act(roll_back, "2-pick", same_dice=False)
    desk.close()
    desk.act(roll_back, "4-pick", same_dice=False)
    assert desk.step().name == "6-pick"
    assert desk.send("red", "game: tiny")["form"]["orders"] == orders


def test_letters_that_did_not_go_out_stay_in(desk: Desk) -> None:
    _played(desk)
    desk.act(roll_back, "2-pick", same_dice=False)
    status = {(x.step, x.status) for x in desk.letters("report")}
    assert status == {(0, "queued"), (1, "queued"), (2, "withdrawn")}


def test_new_dice_unless_the_same_are_wanted(desk: Desk) -> None:
    _played(desk)
    desk.act(roll_back, "2-pick", same_dice=True)
    assert (desk.step().name, desk.step().dice) == ("4-pick", "2-pick")
    desk.close()
    assert (desk.step().name, desk.step().dice) == ("5-pick", "5-pick")


def test_the_same_dice_only_before_anybody_has_read_the_reports(desk: Desk) -> None:
    _played(desk)
    sent = next(x for x in desk.letters("report", "red") if x.step == 2)
    with desk.store.writing() as books:
        books.save(replace(sent, status="sent"))
    with pytest.raises(Refused, match="reports of 2-pick went out"):
        desk.act(roll_back, "2-pick", same_dice=True)
    assert desk.step().name == "3-pick"
    desk.act(roll_back, "2-pick", same_dice=False)


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("7-pick", "1-pick, 2-pick"),
        ("3-pick", "still open"),
        ("0-setup", "undo the start"),
    ],
)
def test_where_one_cannot_go(desk: Desk, step: str, told: str) -> None:
    _played(desk)
    with pytest.raises(Refused, match=told):
        desk.act(roll_back, step, same_dice=False)


def test_a_struck_step_does_not_count_any_more(desk: Desk) -> None:
    _played(desk)
    desk.act(roll_back, "1-pick", same_dice=False)
    with pytest.raises(Unknown, match='there is no step "2-pick", or it was undone'):
        desk.act(roll_back, "2-pick", same_dice=False)


def test_a_game_that_was_over_goes_on_with_a_warning(desk: Desk) -> None:
    _played(desk)
    while (done := desk.close()).next_step is not None:
        pass
    last = done.step.name
    done = desk.act(roll_back, last, same_dice=False)
    assert done.game.status is Status.RUNNING
    assert "seed was revealed" in done.notes[0]
    assert desk.step().phase == "pick"


# taken back


def test_a_rollback_taken_back_lets_the_struck_steps_count_again(desk: Desk) -> None:
    _played(desk)
    was, orders = desk.state(), desk.see(lambda books: books.orders(GAME, 2))
    desk.act(roll_back, "1-pick", same_dice=False)
    desk.play()
    desk.close()
    done = desk.act(undo_rollback, "1-pick")
    assert (done.step.name, done.step.void) == ("1-pick", False)
    assert (desk.step().name, desk.step().predecessor) == ("6-pick", 2)
    assert desk.state() == was
    assert desk.see(lambda books: books.orders(GAME, 2)) == orders
    void = {s.name for s in desk.see(lambda books: books.steps(GAME)) if s.void}
    assert void == {"3-pick", "4-pick", "5-pick"}
    assert desk.close().step.name == "6-pick"


def test_the_chain_tells_of_that_too_and_all_of_it_replays(desk: Desk) -> None:
    _played(desk)
    desk.act(roll_back, "2-pick", same_dice=False)
    desk.close()
    desk.act(undo_rollback, "2-pick")
    desk.close()
    desk.act(roll_back, "1-pick", same_dice=False)
    record = desk.see(lambda books: read_record(books, GAME))
    assert [(link.kind, link.step, link.after) for link in record.links[3:]] == [
        ("rollback", "2-pick", "1-pick"),
        ("step", "4-pick", "1-pick"),
        ("restore", "2-pick", "1-pick"),
        ("step", "6-pick", "2-pick"),
        ("rollback", "1-pick", "0-setup"),
    ]
    assert check_chain(record) == ()
    assert replay_game(record, desk.library.kind("toy-duel")) == ()
    bent = [replace(s, void=False) if s.number == 1 else s for s in record.steps]
    told = [one.message for one in check_chain(replace(record, steps=tuple(bent)))]
    assert told == ["a rollback undid it, but it still counts"]
    bent = [replace(s, void=True) if s.number == 0 else s for s in record.steps]
    told = [one.message for one in check_chain(replace(record, steps=tuple(bent)))]
    assert told == ["it was undone, but the chain has no rollback for it"]


def test_orders_of_the_step_that_was_open_come_back_as_a_form(desk: Desk) -> None:
    _played(desk)
    desk.send("red", f"play: {desk.state()['hands']['red'][0]}")
    orders = decode(desk.see(lambda books: books.orders(GAME, 3))[0].orders)
    desk.act(roll_back, "2-pick", same_dice=False)
    desk.act(undo_rollback, "2-pick")
    notice = decode(next(x for x in desk.made if x.seat == "red").document)
    assert notice["form"]["orders"] == orders
    assert notice["form"]["prefill"]
    assert "These steps count again: round 2, pick." in notice["notices"][0]["lines"][0]


def test_reports_that_were_kept_in_go_out_after_all(desk: Desk) -> None:
    _played(desk)
    sent = next(x for x in desk.letters("report", "red") if x.step == 2)
    with desk.store.writing() as books:
        books.save(replace(sent, status="sent"))
    desk.act(roll_back, "2-pick", same_dice=False)
    desk.act(undo_rollback, "2-pick")
    again = desk.made
    assert sorted((x.seat, x.kind) for x in again) == [
        ("blue", "answer"),
        ("green", "answer"),
        ("red", "answer"),
    ]
    for one in again:
        report = decode(one.document)
        assert (report["step"], report["due"]["step"]) == ("2-pick", "5-pick")


def test_a_game_that_had_ended_is_over_again(desk: Desk) -> None:
    _played(desk)
    while (done := desk.close()).next_step is not None:
        pass
    farewells = len([x for x in desk.told() if x["reader"] != "gm"])
    desk.act(roll_back, done.step.name, same_dice=False)
    back = desk.act(undo_rollback, done.step.name)
    assert back.next_step is None
    assert (desk.game().status, desk.game().open_step) == (Status.OVER, None)
    told = [x for x in desk.told() if x["reader"] != "gm"]
    assert len(told) == farewells + 9  # the rollback, its taking back, and the end with it
    record = desk.see(lambda books: read_record(books, GAME))
    assert check_chain(record) == ()


def test_a_game_that_goes_on_after_all_has_dice_that_can_be_foreseen(desk: Desk) -> None:
    _played(desk)
    desk.act(roll_back, "2-pick", same_dice=False)
    desk.act(end_game, winners=[], reason="it rains")
    back = desk.act(undo_rollback, "2-pick")
    assert desk.game().status is Status.RUNNING
    assert "can foresee the dice" in back.notes[0]


@pytest.mark.parametrize("step", ["1-pick", "4-pick"])
def test_only_the_last_rollback_is_taken_back_and_only_once(desk: Desk, step: str) -> None:
    _played(desk)
    with pytest.raises(Refused, match="there is no rollback to undo"):
        desk.act(undo_rollback, "2-pick")
    desk.act(roll_back, "2-pick", same_dice=False)
    with pytest.raises(Refused, match="went back to before 2-pick"):
        desk.act(undo_rollback, step)
    desk.act(undo_rollback, "2-pick")
    with pytest.raises(Refused, match="there is no rollback to undo"):
        desk.act(undo_rollback, "2-pick")
