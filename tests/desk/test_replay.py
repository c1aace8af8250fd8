"""Replay: what was tampered with is found, and changed rules stop a game."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.core.chain import forge_link
from adjudicator.core.document import decode, encode
from adjudicator.desk.acts.notes import accept_rules
from adjudicator.desk.model.errors import Changed, Refused
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.close import close_step
from adjudicator.desk.steps.record import Record, check_chain, check_links, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.desk.conftest import GAME, Desk
from tests.desk.post import Post, hand, letter


def _record(desk: Desk, steps: int = 3) -> Record:
    desk.new(options={"rounds": 5}, settings={"pace": "72h", "nmr_limit": 9})
    for _ in range(steps):
        desk.play()
        desk.close()
    return desk.see(lambda books: read_record(books, GAME))


def _found(desk: Desk, record: Record) -> set[tuple[str, str]]:
    return {(d.step, d.part) for d in replay_game(record, desk.library.kind("toy-duel"))}


def _chained(record: Record) -> set[tuple[str, str]]:
    return {(d.step, d.part) for d in check_chain(record)}


def _step(record: Record, number: int, **changes: Any) -> Record:
    steps = tuple(replace(s, **changes) if s.number == number else s for s in record.steps)
    return replace(record, steps=steps)


def test_a_record_that_was_let_alone_holds(desk: Desk) -> None:
    record = _record(desk)
    assert _found(desk, record) == set()
    assert _chained(record) == set()
    assert len(record.links) == 4


@pytest.mark.parametrize("kind", ["jump-wars", "jump-gate", "jump-gate-2010", "jump-drive"])
def test_a_game_of_a_version_that_remembered_less_holds(
    desk: Desk, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = desk.library.kind(kind).rules
    set_up = rules.setup
    with monkeypatch.context() as earlier:
        earlier.setattr(rules, "setup", lambda *given: rules.forget(set_up(*given)))
        desk.new(kind=kind, settings={"pace": "72h", "nmr_limit": 9})
    desk.play()
    desk.close()
    record = desk.see(lambda books: read_record(books, GAME))
    assert replay_game(record, desk.library.kind(kind)) == ()
    kept = decode(record.steps[1].state or b"")
    assert not {"kept_out", "open_discards"} & kept.keys()


def test_a_changed_state_is_found_where_it_was_changed(desk: Desk) -> None:
    record = _record(desk)
    state = decode(record.steps[2].state or b"")
    state["scores"]["red"] += 1
    forged = _step(record, 2, state=encode(state))
    assert ("2", "state") in {(s.partition("-")[0], part) for s, part in _found(desk, forged)}
    assert {part for step, part in _chained(forged) if step.startswith("2-")} == {"state"}


def test_changed_events_are_found(desk: Desk) -> None:
    record = _record(desk)
    forged = _step(record, 1, events=record.steps[1].events.replace(b'"tied"', b'"tide"', 1))
    if forged == record:
        forged = _step(record, 1, events=record.steps[1].events.replace(b"scored", b"scorer", 1))
    assert _found(desk, forged) == {("1-pick", "events")}
    assert _chained(forged) == {("1-pick", "events")}


def test_changed_orders_are_found(desk: Desk) -> None:
    record = _record(desk)
    hand = decode(record.steps[0].state or b"")["hands"]["red"]
    other = next(card for card in hand if card != hand[0])
    orders = tuple(
        replace(o, orders=encode({"play": other})) if (o.step, o.seat) == (1, "red") else o
        for o in record.orders
    )
    forged = replace(record, orders=orders)
    found = _found(desk, forged)
    assert ("1-pick", "orders/red") in found
    assert ("1-pick", "state") in found
    assert _chained(forged) == {("1-pick", "orders/red")}


@pytest.mark.parametrize("seat", ["red", None])
def test_a_changed_report_is_found(desk: Desk, seat: str | None) -> None:
    record = _record(desk)
    papers = tuple(
        replace(p, document=p.document.replace(b'"headline":"', b'"headline":"Ha! ', 1))
        if (p.step, p.seat) == (1, seat)
        else p
        for p in record.papers
    )
    part = f"report/{seat}" if seat else "report"
    assert _found(desk, replace(record, papers=papers)) == {("1-pick", part)}
    assert _chained(replace(record, papers=papers)) == {("1-pick", part)}


def test_the_chain_binds_what_a_replay_must_take_from_the_report(desk: Desk) -> None:
    record = _record(desk)
    papers = tuple(
        replace(p, document=p.document.replace(b'"deadline":"2026', b'"deadline":"2027', 1))
        if (p.step, p.seat) == (1, "red")
        else p
        for p in record.papers
    )
    forged = replace(record, papers=papers)
    assert _found(desk, forged) == set()
    assert _chained(forged) == {("1-pick", "report/red")}


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda r: replace(r, papers=r.papers[1:]), "report"),
        (lambda r: replace(r, orders=r.orders[1:]), "orders/red"),
        (lambda r: replace(r, game=replace(r.game, seed=b"x" * 32)), "state"),
    ],
)
def test_what_is_missing_or_of_another_seed_is_found(
    desk: Desk, change: Callable[[Record], Record], part: str
) -> None:
    assert part in {
        found.partition("/")[0] if part != "orders/red" else found
        for _, found in _chained(change(_record(desk)))
    }


class _Seen(tuple[Any, ...]):
    """Counts how often it is looked through."""

    times = 0

    def __iter__(self) -> Iterator[Any]:
        self.times += 1
        return super().__iter__()


def test_a_long_game_is_not_looked_through_for_every_step(desk: Desk) -> None:
    """Ten times the steps are ten times the work, not a hundred times."""
    record = _record(desk)
    seen = replace(record, orders=_Seen(record.orders), papers=_Seen(record.papers))
    assert len(record.steps) > 3
    assert [*check_chain(seen), *replay_game(seen, desk.library.kind("toy-duel"))] == []
    assert (seen.orders.times, seen.papers.times) == (1, 1)


def test_state_that_is_no_state_is_a_difference_and_no_crash(desk: Desk) -> None:
    record = _record(desk)
    found = replay_game(_step(record, 1, state=b"[]"), desk.library.kind("toy-duel"))
    assert {d.part for d in found} >= {"state"}
    assert any("cannot be computed again" in d.message for d in found)


def test_what_differs_is_told_by_its_place_and_not_by_its_value(desk: Desk) -> None:
    record = _record(desk)
    state = decode(record.steps[1].state or b"")
    state["hands"]["blue"] = ["drake", "drake"]
    found = replay_game(_step(record, 1, state=encode(state)), desk.library.kind("toy-duel"))
    (told,) = [d.message for d in found if (d.step, d.part) == ("1-pick", "state")]
    assert told.startswith("differs at hands.blue")
    assert "drake" not in told


def test_a_link_cannot_be_changed_left_out_or_made_anew(desk: Desk) -> None:
    record = _record(desk)
    links = record.links
    broken = replace(links[1], step="9-pick")
    assert check_links((links[0], broken, *links[2:]))[0].step == "9-pick"
    assert check_links((links[0], *links[2:]))
    assert ("3", "link") in {
        (step.partition("-")[0], part) for step, part in _chained(replace(record, links=links[:-1]))
    }
    forged = forge_link(
        links[-2],
        kind="step",
        step=links[-1].step,
        after="0-setup",
        commitments=links[-1].commitments,
    )
    found = check_chain(replace(record, links=(*links[:-1], forged)))
    assert [d.message for d in found] == [
        f"link 3: it follows 0-setup, but the step follows {links[-1].after}"
    ]


@dataclass
class _Program:
    """The library after an update: another digest, and perhaps steps that come out otherwise."""

    library: Any
    twist: Callable[[Any], Any] | None = None

    def kind(self, kind: str, components: Any = None) -> Any:
        found = self.library.kind(kind, components)
        rules = _Twisted(found.rules, self.twist) if self.twist else found.rules
        return _Kind(found, rules)


class _Kind:
    digest = "f" * 64

    def __init__(self, kind: Any, rules: Any) -> None:
        self._kind = kind
        self.rules = rules
        self.replayed: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kind, name)


class _Twisted:
    """Rules after which a step comes out in another way."""

    def __init__(self, rules: Any, twist: Callable[[Any], Any]) -> None:
        self._rules = rules
        self._twist = twist

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def resolve(self, state: Any, orders: Any, dice: Any, *, cut: bool = False) -> Any:
        after, events = self._rules.resolve(state, orders, dice, cut=cut)
        return self._twist(after), events


def _be_generous(after: Any) -> Any:
    """Everybody has ten points more."""
    return replace(after, scores={seat: points + 10 for seat, points in after.scores.items()})


def _shuffle(after: Any) -> Any:
    """Only what nobody sees is another: the order of the hands."""
    return replace(after, hands={seat: hand[::-1] for seat, hand in after.hands.items()})


def test_an_update_that_changes_nothing_is_noted_and_the_game_goes_on(desk: Desk) -> None:
    _record(desk)
    desk.library = _Program(desk.library)  # type: ignore[assignment] # stands in for a library
    desk.close()
    assert desk.game().rules_digest == "f" * 64
    notes = [n.text for n in desk.see(lambda books: books.notes(GAME)) if n.act == "pin"]
    assert notes == ["the program changed; a replay gave the same result for every step"]
    desk.close()
    assert len([n for n in desk.see(lambda books: books.notes(GAME)) if n.act == "pin"]) == 1


def test_changed_rules_stop_a_game_until_the_gm_accepts_them(desk: Desk) -> None:
    _record(desk)
    old = desk.library
    new: Any = _Program(old, _be_generous)
    desk.library = new
    with pytest.raises(Changed, match="continue under the changed rules") as stop:
        desk.close()
    assert "1-pick, state: differs at scores.blue;" in str(stop.value)
    with pytest.raises(Changed):
        desk.send("red", "play: owl")
    desk.act(accept_rules)
    accepted = desk.game()
    assert accepted.rules_digest == "f" * 64
    told = [x for x in desk.letters("notice") if "rules have changed" in x.document.decode()]
    assert {x.seat for x in told} == set(accepted.seats)
    number = desk.step().number
    assert desk.close().step.number == number
    assert min(desk.state()["scores"].values()) >= 10
    record = desk.see(lambda books: read_record(books, GAME))
    assert record.since == number
    assert replay_game(record, new.kind("toy-duel")) == ()
    assert check_chain(record) == ()
    assert replay_game(replace(record, since=0), new.kind("toy-duel"))


def test_letters_to_a_game_whose_rules_have_changed_are_taken_after_all(post: Post) -> None:
    """Nothing is noted of them and nobody is answered, so they can be read again as they are."""
    desk = post.desk
    desk.play()
    desk.close()
    desk.library = _Program(desk.library, _be_generous)  # type: ignore[assignment] # stands in for a library
    letters = [letter(post.form(line)) for line in (f"play: {hand(post)[0]}", "ask: status")]
    known = desk.see(lambda books: (books.letters(GAME), books.last_arrival()))
    for one in letters:
        with pytest.raises(Changed):
            post.take(one)
    assert desk.see(lambda books: (books.letters(GAME), books.last_arrival())) == known
    desk.act(accept_rules)
    reasons = [post.take(one).reason for one in letters]
    assert "the rules have changed" not in " ".join(reasons)
    assert post.on_file() != []


def test_a_finished_game_answers_whatever_became_of_its_rules(post: Post) -> None:
    while post.desk.game().status is not Status.OVER:
        last = post.desk.step().name
        post.desk.play()
        post.desk.close()
    post.desk.library = _Program(post.desk.library, _be_generous)  # type: ignore[assignment] # stands in for a library
    assert post.take(letter(post.form("ask: status", step=last))).outcome == "answer"


def test_accepting_tells_the_first_five_differences_in_words(desk: Desk) -> None:
    _record(desk)
    desk.library = _Program(desk.library, _be_generous)  # type: ignore[assignment] # stands in for a library
    done = desk.act(accept_rules)
    first, *told = done.details
    assert first == "The changed rules give other results:"
    assert len(told) == 6
    assert re.fullmatch(
        r"- round 1, pick \(1-pick\): scores.blue was \d+ and would be \d+", told[0]
    )
    assert re.fullmatch(r"- and \d+ more", told[5])


def test_what_is_hidden_is_not_told_by_accepting(desk: Desk) -> None:
    """The GM may hold a seat."""
    _record(desk)
    desk.library = _Program(desk.library, _shuffle)  # type: ignore[assignment] # stands in for a library
    details = " ".join(desk.act(accept_rules).details)
    assert "something hidden would be different" in details
    assert not any(card in details for hand in desk.state()["hands"].values() for card in hand)


def test_going_back_to_the_old_program_works_as_well(desk: Desk) -> None:
    _record(desk)
    old = desk.library
    desk.library = _Program(old, _be_generous)  # type: ignore[assignment] # stands in for a library
    with pytest.raises(Changed):
        desk.close()
    desk.library = old
    desk.close()


def test_there_is_nothing_to_accept_when_nothing_changed(desk: Desk) -> None:
    desk.new()
    with pytest.raises(Refused, match="nothing to accept"):
        desk.act(accept_rules)
    assert desk.act(close_step, now=True).step.name == "1-pick"
