"""How a person likes letters: their zone, how wide, how many, with pictures or without."""

from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import Document
from adjudicator.core.names import match
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import find_zone_named
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Player

MAILS = "mails"
FINAL = "final"
DUE = "due"
JSON = "json"
UTC = "UTC"
FORMAT = "format"
TEXT_ONLY = "text"
PICTURES = "pictures"
RATINGS = "ratings"
COLUMNS = "width"
DEFAULT_WIDTH = 78
"""Of a letter's text, where nobody wants it narrower."""


def read_preferences(context: Context, value: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Read which preferences can be kept, and what is wrong with the rest."""
    content, faults = context.read_request("prefer", value)
    preferences, wrong = dict(content or {}), list(faults)
    if "zone" in preferences:
        try:
            preferences["zone"] = find_zone_named(preferences["zone"])
        except Refused as error:
            wrong.append(f"prefer.zone: {error}")
            del preferences["zone"]
    unknown = [
        one for one in preferences.get("seats", ()) if match(str(one), context.game.seats) is None
    ]
    seats = ", ".join(context.game.seats)
    wrong += [
        f'prefer.seats: "{one[:40]}" is not a seat here; the seats are {seats}' for one in unknown
    ]
    return preferences, tuple(wrong)


def with_preferences(player: Player, preferences: Document) -> Player:
    """Return the player with these preferences changed and the others as they were."""
    rest = {key: preferences[key] for key in preferences if key not in ("zone", "seats")}
    return replace(
        player,
        zone=preferences.get("zone", player.zone),
        preferences={**player.preferences, **rest},
    )


def gets_every_letter(player: Player) -> bool:
    """Whether this person is mailed press at once, and a report after each step."""
    return player.preferences.get(MAILS) not in (FINAL, DUE)


def find_columns(preferences: Document) -> int:
    """Find how many columns the text of this person's letters has."""
    return int(preferences.get(COLUMNS, DEFAULT_WIDTH))


def describe_preferences(preferences: Document) -> str:
    """Describe the preferences, for a receipt."""
    return "; ".join(_describe(key, value) for key, value in preferences.items())


def _describe(key: str, value: Any) -> str:
    if key == MAILS:
        if value == FINAL:
            return "messages of others with the next report, reports once a turn"
        if value == DUE:
            return "messages of others and reports only when something is due from you"
        return "messages of others and reports as they come"
    if key == FORMAT:
        return "letters as plain text only" if value == TEXT_ONLY else "letters as text and HTML"
    if key == PICTURES:
        return "letters with pictures" if value else "letters without pictures"
    if key == COLUMNS:
        return f"letters whose text is at most {value} columns wide"
    if key == RATINGS:
        return "in the table of players" if value else "not in the table of players"
    if key == JSON:
        return "reports also as JSON" if value else "reports without JSON"
    return f"deadlines in the zone {value}"
