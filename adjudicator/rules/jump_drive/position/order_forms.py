"""The order forms as values (JD-4a)."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from adjudicator.core.document import Document, to_stored
from adjudicator.rules.jump_drive.position.components import Name

ASK: Final = "ask"
AUTO: Final = "auto"


class Second(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A second world, and the convoy that brings it (JD-21)."""

    world: Name
    by: Name
    pay: tuple[Name, ...] | None = None
    contact_specialist: bool = False


class Placing(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A place form; nothing ordered is exploring (JD-4)."""

    development: Name | None = None
    world: Name | None = None
    contact_specialist: bool = False
    pay: tuple[Name, ...] | None = None
    second: Second | None = None
    ask: bool = False
    """Whether the second world is decided later (JD-21)."""
    explore: bool = False
    discard: tuple[Name, ...] | None = None
    """What an explorer discards first; empty: the program chooses; None: to be asked."""
    trim: tuple[Name, ...] | None = None


def parse_placing(form: Document) -> Placing:
    """Parse the place form as written; the program chooses the discards of an empty one (JD-4)."""
    second = form.get("second")
    explore = bool(form.get("explore"))
    asks = explore or "development" in form or "world" in form
    return Placing(
        development=form.get("development"),
        world=form.get("world"),
        contact_specialist=bool(form.get("contact_specialist")),
        pay=_read_cards(form, "pay"),
        second=parse_second(second) if isinstance(second, Mapping) else None,
        ask=second == ASK,
        explore=explore,
        discard=_read_discard(form, is_asked=asks),
        trim=_read_cards(form, "trim"),
    )


def parse_second(form: Mapping[str, Any]) -> Second:
    """Parse a second world as written."""
    return Second(
        world=form["world"],
        by=form["by"],
        pay=_read_cards(form, "pay"),
        contact_specialist=bool(form.get("contact_specialist")),
    )


def write_form(form: Placing | Second) -> dict[str, Any]:
    """Write the form as a player does, with only what is ordered."""
    values: dict[str, Any] = to_stored(form)
    return {**values, "second": ASK} if values.pop("ask", False) else values


def _read_discard(form: Document, *, is_asked: bool) -> tuple[Name, ...] | None:
    cards = form.get("discard")
    if cards is None:
        return None if is_asked else ()
    return () if cards == AUTO else tuple(cards)


def _read_cards(form: Mapping[str, Any], key: str) -> tuple[Name, ...] | None:
    cards = form.get(key)
    return None if cards is None else tuple(cards)
