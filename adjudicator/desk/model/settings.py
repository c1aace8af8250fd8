"""The settings of a game, which the GM chooses besides the rules, with their defaults."""

from typing import Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from adjudicator.core.document import Document
from adjudicator.core.forms.fault_messages import join_words
from adjudicator.desk.model.deadlines import (
    Pace,
    find_zone,
    list_schedule_faults,
    parse_length,
    parse_pace,
)
from adjudicator.desk.model.errors import Refused


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every setting; lengths of time as the GM wrote them (`90m`, `72h`, `3d`)."""

    pace: str = "none"
    """none, a length of time, or a schedule: `mon,thu 20:00`."""
    zone: str = "UTC"
    """The time zone of the schedule, and of readers who have not named one."""
    least: str = "24h"
    """With a schedule: no step gets less than this, from the deadline that opened it."""
    grace: str = "30m"
    settle: str = "10m"
    interrupt_pace: str = "24h"
    """The least time for a sub-request when the turn's deadline is kept."""
    nmr_limit: int = 3
    nmr: Literal["idle", "bot", "substitute"] = "idle"
    """What happens to a seat that misses so many steps in a row."""
    substitutes: tuple[str, ...] = ()
    """Players who wait for a seat, in this order."""
    late_visible: bool = False
    remind: tuple[str, ...] = ("24h",)
    """How long before a deadline late seats are reminded; never in the first half of the time."""
    press: Literal["none", "white", "grey"] = "white"
    """Whether players may write to each other; grey: also without a name."""
    press_messages: int = 20
    """So many messages of a seat are mailed during a step; as many again wait for the report."""
    press_kilobytes: int = 20
    luck: Literal["start", "each-turn"] = "start"
    """When players give luck words: at the start, or with each set of orders, too."""
    vote_count: bool = True
    """Whether the receipt of a vote says how many have voted so."""
    anonymous: bool = False
    """Whether players learn only at the end who played which seat."""
    smallest: int = 0
    """The smallest number of players to start with; 0: all seats must be taken."""
    expires: str = "30d"
    """The time after which an open game that is not full is cancelled."""
    invited: tuple[str, ...] = ()
    """The addresses that may join; empty: anybody."""
    away: int = 14
    """How many days a player may be absent in a game."""
    outage: str = "1h"
    auth: Literal["key", "dkim"] = "key"
    """dkim: orders also need a registered address, and proof that they come from there."""
    auth_host: str = ""
    """The name of the mail server whose Authentication-Results are believed."""
    host: str = "adjudicator.invalid"
    """The right half of Message-IDs."""


EACH_TURN = "each-turn"
"""Of `luck`: the next word of a luck sheet is asked for with each set of orders."""
NEXT = "next"
"""Among the settings of a game: those that apply from the next step on; None is the default."""


def next_settings(document: Document) -> Document:
    """Return the settings of a game as they are when the next step opens."""
    whole = {**document, **document.get(NEXT, {}), NEXT: None}
    return {name: value for name, value in whole.items() if value is not None}


def read_settings(document: Document) -> Settings:
    """Read the settings that apply in a game now, with their defaults."""
    applying = dict(document)
    applying.pop(NEXT, None)
    try:
        return msgspec.convert(applying, Settings)
    except msgspec.ValidationError as wrong:
        raise Refused(f"settings: {_explain_fault(str(wrong))}") from wrong


def _explain_fault(fault: str) -> str:
    """Explain what msgspec finds, with the name of the setting first and its possible values."""
    message, _, path = fault.partition(" - at `$.")
    name = path.rstrip("`")
    if values := list_choices(name):
        return f"{name}: write {join_words(values)}"
    if name:
        return f"{name}: {message[:1].lower()}{message[1:]}"
    return f"{message} (the settings are {', '.join(Settings.__struct_fields__)})"


def list_choices(name: str) -> tuple[str, ...]:
    """List the only values that a setting can have; none for numbers and free texts."""
    hint = get_type_hints(Settings).get(name)
    if hint is bool:
        return ("yes", "no")
    return get_args(hint) if get_origin(hint) is Literal else ()


def describe_setting(value: object) -> str:
    """Describe the value of a setting as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value) or "none"


def settings_of(document: Document) -> Settings:
    """Check new settings; Refused names what cannot be."""
    settings = read_settings(document)
    find_pace(settings)
    for name in ("least", "grace", "settle", "interrupt_pace", "outage", "expires"):
        parse_length(getattr(settings, name), name)
    for text in settings.remind:
        parse_length(text, "remind")
    if settings.auth == "dkim" and not settings.auth_host:
        raise Refused("settings: auth: dkim needs auth_host, your own mail server's name")
    if settings.nmr_limit < 1:
        raise Refused(f"settings: nmr_limit is at least 1, not {settings.nmr_limit}")
    for name in ("press_messages", "press_kilobytes"):
        if getattr(settings, name) < 1:
            raise Refused(f"settings: {name} is at least 1, not {getattr(settings, name)}")
    for name in ("smallest", "away"):
        if getattr(settings, name) < 0:
            raise Refused(f"settings: {name} is at least 0, not {getattr(settings, name)}")
    return settings


def find_pace(settings: Settings) -> Pace:
    """Find the pace of a game's steps."""
    find_zone(settings.zone)
    return parse_pace(
        settings.pace, zone=settings.zone, least=parse_length(settings.least, "least")
    )


def schedule_faults(settings: Settings) -> tuple[str, ...]:
    """List why steps cannot keep the days of the game's schedule, a sentence each."""
    return list_schedule_faults(find_pace(settings), parse_length(settings.grace, "grace"))
