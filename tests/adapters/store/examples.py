"""Values for the books, with everything filled in that can be."""

from datetime import UTC, datetime, timedelta
from typing import Any

from adjudicator.adapters.store.store import SqlStore
from adjudicator.core.chain import Link, forge_link
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import (
    Game,
    HistoryNote,
    OrderSet,
    OutgoingLetter,
    Paper,
    Player,
    Seating,
    Status,
    Step,
)

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=72, microseconds=1)
SEATS = ("red", "blue", "amber")


def game(name: str = "ember", **changes: Any) -> Game:
    given: dict[str, Any] = {
        "id": name,
        "kind": "jump-wars",
        "status": Status.RUNNING,
        "seats": SEATS,
        "options": {"grid": "hex", "turn_limit": 60},
        "settings": {"pace": "72h"},
        "seed": bytes(range(32)),
        "luck": (("red", "grün und blau"), ("blue", "")),
        "verifiable": False,
        "rules_digest": "d1",
        "components": {"deck": [{"name": "mine", "count": 3}]},
        "created": NOON,
        "open_step": 1,
        "next_number": 2,
        "paused": LATER,
    }
    return Game(**given | changes)


def step(number: int = 1, name: str = "ember", **changes: Any) -> Step:
    given: dict[str, Any] = {
        "game": name,
        "number": number,
        "phase": "plan",
        "predecessor": number - 1 if number else None,
        "dice": f"{number}-plan",
        "opened": NOON,
        "deadline": LATER,
    }
    return Step(**given | changes)


def closed(number: int = 1, **changes: Any) -> Step:
    given: dict[str, Any] = {"closed": LATER, "state": b'{"turn":1}', "events": b'[{"number":1}]'}
    return step(number, **given | changes)


def order_set(seat: str = "red", number: int = 1, **changes: Any) -> OrderSet:
    given: dict[str, Any] = {
        "game": "ember",
        "step": 1,
        "seat": seat,
        "number": number,
        "orders": b'{"jump":[]}',
        "digest": "abc",
        "arrived": NOON,
        "ready": False,
        "by": "player",
    }
    return OrderSet(**given | changes)


def paper(seat: str | None = "red", number: int = 1, **changes: Any) -> Paper:
    given: dict[str, Any] = {
        "game": "ember",
        "step": 1,
        "seat": seat,
        "number": number,
        "document": b'{"report":1}',
    }
    return Paper(**given | changes)


def letter(seat: str = "red", number: int = 1, **changes: Any) -> OutgoingLetter:
    kind = changes.get("kind", "report")
    given: dict[str, Any] = {
        "game": "ember",
        "step": 1,
        "seat": seat,
        "kind": kind,
        "number": number,
        "document": b"{}",
        "template": "report/1",
        "message_id": f"<ember.{changes.get('step', 1)}.{seat}.{kind}.{number}@example.org>",
        "made": NOON,
    }
    return OutgoingLetter(**given | changes)


def note(number: int = 1, **changes: Any) -> HistoryNote:
    given: dict[str, Any] = {
        "game": "ember",
        "number": number,
        "at": NOON,
        "act": "extend",
        "by": "gm",
        "text": "Ada is away: 24 h more",
        "data": {"until": "2026-11-19"},
    }
    return HistoryNote(**given | changes)


def link(previous: Link | None = None) -> Link:
    number = previous.number + 1 if previous else 0
    return forge_link(
        previous,
        kind="step" if previous else "setup",
        step=f"{number}-plan" if previous else "0-setup",
        after=previous.step if previous else None,
        commitments={"state": "c" * 64, "report/red": "d" * 64},
    )


def seating(seat: str = "red", number: int = 1, **changes: Any) -> Seating:
    given: dict[str, Any] = {
        "game": "ember",
        "seat": seat,
        "number": number,
        "kind": "player",
        "player": "Ada",
        "since": NOON,
        "until": LATER,
        "missed": 2,
        "vote": "draw",
    }
    return Seating(**given | changes)


def player(name: str = "Ada", **changes: Any) -> Player:
    given: dict[str, Any] = {
        "name": name,
        "zone": "Europe/Berlin",
        "addresses": ("ada@example.org", "ada@example.net"),
        "preferences": {"format": "text"},
    }
    return Player(**given | changes)


def begin(store: SqlStore) -> None:
    """A running game whose step 1 is open."""
    with store.writing() as books:
        books.add_game(game())
        books.save(step(0, phase="setup", closed=NOON, state=b"{}"))
        books.save(step(1))


def close(books: Books, number: int = 1) -> None:
    """Everything that closing this step writes."""
    books.locked("ember")
    books.save(closed(number))
    books.save(step(number + 1))
    for seat in SEATS:
        books.save(order_set(seat, 0, step=number, executed=True))
    books.save(paper(None, number, step=number))
    for seat in SEATS:
        books.save(paper(seat, number, step=number))
    for seat in SEATS:
        books.save(letter(seat, number, step=number))
    books.save_link("ember", link(books.last_link("ember")))
    books.save(note(number))
    books.save(game(open_step=number + 1, next_number=number + 2))


def closings(books: Books) -> int:
    """How many steps of such a game are closed; all that belongs to them is there, once."""
    count = sum(1 for one in books.steps("ember") if one.closed and one.number)
    assert books.game("ember").open_step == count + 1
    assert [one.number for one in books.steps("ember")] == list(range(count + 2))
    assert len(books.orders("ember")) == count * len(SEATS)
    assert len(books.papers("ember")) == count * (len(SEATS) + 1)
    assert len(books.letters("ember")) == count * len(SEATS)
    assert [one.number for one in books.links("ember")] == list(range(count))
    assert [one.number for one in books.notes("ember")] == list(range(1, count + 1))
    return count
