"""How a person likes letters: their zone, how wide, how many, with pictures or without."""

from datetime import datetime
from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import Document
from adjudicator.core.finding import path_text
from adjudicator.core.names import match
from adjudicator.core.reading import Text
from adjudicator.desk.case import Case
from adjudicator.desk.deadlines import zone_named
from adjudicator.desk.errors import Refused
from adjudicator.desk.letters import person
from adjudicator.desk.log import log
from adjudicator.desk.receipt import Sender
from adjudicator.desk.values import Player
from adjudicator.desk.wish import Told, refused

MAILS = "mails"
FINAL = "final"
JSON = "json"
UTC = "UTC"
FORMAT = "format"
TEXT = "text"
PICTURES = "pictures"
COLUMNS = "width"
WIDTH = 78
"""Of a letter's text, where nobody wants it narrower."""


def prefer(case: Case, sender: Sender, value: Any, at: datetime) -> Told:
    """Keep what a player prefers, for all games of this person."""
    player = person(case, sender.seating)
    if player is None:
        return refused(f"Nobody plays {sender.seat}, so there is nobody to prefer anything.")
    wanted, wrong = read(case, value)
    told = Told(not_taken=wrong)
    if "seats" in wanted:
        told += refused("seats: your seat is given already; this counts only when you join a game.")
    kept = {key: wanted[key] for key in wanted if key != "seats"}
    if not kept:
        return told
    case.books.save_player(preferring(player, kept))
    text = f"{sender.seat} changed its preferences"
    log(case.books, case.game.id, "prefer", text, at=at, by="player", data={"seat": sender.seat})
    return told + Told(
        done=(f"Your preferences are kept: {in_words(kept)}.{_before(player, kept)}",)
    )


def _before(player: Player, changed: Document) -> str:
    """What was preferred already and is not touched."""
    on = {**player.preferences, **({"zone": player.zone} if player.zone != UTC else {})}
    rest = {key: on[key] for key in on if key not in changed}
    return f" As before: {in_words(rest)}." if rest else ""


def read(case: Case, value: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What can be kept of somebody's preferences, and what is wrong with the rest."""
    reading = case.kind.around(Text(value={"prefer": value}), case.game.seats)
    wrong = [f"{path_text(f.path)}: {f.message}" for f in reading.findings]
    wanted = dict((reading.orders or {}).get("prefer", {}))
    if "zone" in wanted:
        try:
            wanted["zone"] = zone_named(wanted["zone"])
        except Refused as error:
            wrong.append(f"prefer.zone: {error}")
            del wanted["zone"]
    unknown = [one for one in wanted.get("seats", ()) if match(str(one), case.game.seats) is None]
    seats = ", ".join(case.game.seats)
    wrong += [f'prefer.seats: "{one[:40]}" is no seat here; there are {seats}' for one in unknown]
    return wanted, tuple(wrong)


def preferring(player: Player, wanted: Document) -> Player:
    """The player with these preferences changed and the others as they were."""
    rest = {key: wanted[key] for key in wanted if key not in ("zone", "seats")}
    return replace(
        player,
        zone=wanted.get("zone", player.zone),
        preferences={**player.preferences, **rest},
    )


def each(player: Player) -> bool:
    """Whether press goes to this person by itself, and a report after each step."""
    return player.preferences.get(MAILS) != FINAL


def columns(preferences: Document) -> int:
    """How many columns the text of this person's letters has."""
    return int(preferences.get(COLUMNS, WIDTH))


def in_words(wanted: Document) -> str:
    """What is preferred, for a receipt."""
    return "; ".join(_said(key, value) for key, value in wanted.items())


def _said(key: str, value: Any) -> str:
    if key == MAILS:
        if value == FINAL:
            return "messages of others with the next report, reports once a turn"
        return "messages of others and reports as they come"
    if key == FORMAT:
        return "letters as plain text only" if value == TEXT else "letters as text and as HTML"
    if key == PICTURES:
        return "letters with pictures" if value else "letters without pictures"
    if key == COLUMNS:
        return f"letters whose text is at most {value} columns wide"
    if key == JSON:
        return "reports also as JSON" if value else "reports without JSON"
    return f"deadlines in the time of {value}"
