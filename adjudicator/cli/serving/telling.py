"""A letter's way as the log tells it: fetched, read, taken in, written, sent, done with."""

from collections.abc import Sequence
from typing import Any

from adjudicator.cli.serving.logs import Log
from adjudicator.core.document import Seat
from adjudicator.desk.mail import Incoming, Parcel
from adjudicator.desk.receive import REPEAT, Received
from adjudicator.desk.sending import Dispatch

Caused = Sequence[tuple[str, Seat, int]]


def tell_read(log: Log, postbox: str, parcel: Parcel, letter: Incoming) -> None:
    """What was fetched, and what was found in it; nothing of what it says."""
    log.info("letter fetched", postbox=postbox, bytes=parcel.size)
    facts: dict[str, Any] = {
        "blocks": len(letter.blocks),
        "problems": len(letter.problems) or None,
        "automatic": letter.automatic,
        "bounced": len(letter.bounced) or None,
    }
    log.info("letter read", **_known(facts))


def tell_taken(log: Log, received: Received, caused: Caused) -> None:
    """What became of it in the books, and which letters it caused at once."""
    repeat = received.outcome == REPEAT
    facts = {
        "game": received.game,
        "seat": received.seat,
        "outcome": received.outcome,
        "reason": received.reason or None,
        "caused": None if repeat else named(caused) or None,
    }
    log.info("letter in", **_known(facts))


def tell_written(log: Log, dispatch: Dispatch) -> None:
    """A letter out has its bytes."""
    letter = dispatch.letter
    facts = {"game": letter.game or "-", "kind": letter.kind, "seat": letter.seat}
    size, to = len(dispatch.posting.content), len(dispatch.posting.recipients)
    log.info("letter written", **facts, number=letter.number, bytes=size, recipients=to)


def named(caused: Caused) -> str:
    """Letters by kind, number and reader."""
    return ", ".join(f"{kind} {number} to {seat}" for kind, seat, number in caused)


def _known(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: fact for name, fact in facts.items() if fact is not None}
