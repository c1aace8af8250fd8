"""What a game is, how long it takes and how to begin, for people who have never played it.

The words about the game are its own (orders/<game>/guide.yaml); the rest follows from settings.
"""

from datetime import timedelta

from adjudicator.core.document import Document, Seat, decode, encode
from adjudicator.core.events import format_count
from adjudicator.core.forms.orders_as_text import describe_options
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import parse_pace
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.model.seats import BOT, IDLE, PLAYER, describe_bot
from adjudicator.desk.model.values import Paper, Seating, Status
from adjudicator.desk.outbox.reader_preferences import gets_every_letter

_WEEK = timedelta(weeks=1)
_DAYS_UP_TO = 2
"""A game of at most so many weeks is told in days."""
_RECEIPTS = "and a receipt within a minute for everything that you send"


def describe_length(context: Context) -> list[str]:
    """Say how many turns the game takes, and how many weeks and letters at its pace."""
    length = context.kind.guide.get("length")
    if length is None:
        return []
    turn = length.get("turn_word", "turn")
    fewest, most = length["turns"]
    weekly = count_weekly_steps(context.settings.pace)
    steps = len(context.game.seats) if length.get("alone") else length["sets"]
    who = "Each player has" if length.get("alone") else "The game takes"
    sets = format_count(length["sets"], "set of orders", "sets of orders")
    how = f"{who} about {fewest} to {most} {turn}s, with {sets} in each."
    if weekly is None:
        return [f"{how} The GM closes each step by hand, so the GM sets the pace."]
    weeks = _format_weeks(fewest * steps / weekly, most * steps / weekly)
    reports = format_count(max(1, round(weekly)), "report")
    at_most = f"If everybody uses all the time there is, that is {weeks}"
    letters = f"Expect about {reports} a week, {_RECEIPTS}."
    return [f"{how} {at_most}; it is less when orders come early. {letters}"]


def describe_game_options(context: Context) -> list[str]:
    """Say in a sentence which options the game is played with; none where there are none."""
    options = ", ".join(describe_options(context.kind.form("options"), context.game.options))
    return [f"In this game: {options}."] if options else []


def describe_table(context: Context) -> tuple[str, tuple[str, ...]]:
    """Say who plays which seat and with which options, a line each, under a headline."""
    names: tuple[str, ...] = ()
    if not context.settings.anonymous:
        seats = context.game.seats
        names = tuple(f"{seat}: {_name_player(context.seatings[seat])}" for seat in seats)
    return "Who plays" if names else "The game", (*names, *describe_game_options(context))


def _name_player(seating: Seating) -> str:
    if seating.kind == BOT:
        return describe_bot(seating)
    return "nobody" if seating.kind == IDLE else seating.player or ""


def count_weekly_steps(pace: str) -> float | None:
    """Count the deadlines in a week; None when the GM closes by hand."""
    schedule = parse_pace(pace)
    if schedule.length is not None:
        return _WEEK / schedule.length
    return float(len(schedule.days)) or None


def _format_weeks(fewest: float, most: float) -> str:
    """Format a span of weeks, a short one in days."""
    days = most < _DAYS_UP_TO
    low, high = (max(1, round(one * 7 if days else one)) for one in (fewest, most))
    span = f"{low} to {high}" if low < high else f"{high}"
    return f"{span} {'day' if days else 'week'}{'s' if high > 1 else ''}"


# ---- the first report

_HOW = "Reply with your lines; a receipt shows how they were understood."
_EXAMPLES = "In the form at the end, # marks an example: remove the # to use the line."
_LATER = "It is not your turn yet. This is what to do when it comes."
_MORE = "More: `ask: help`, `ask: words`, `ask: example`, `ask: map`, `ask: rules`."
_WRITE = "To write to others: `to {}: hello`. "
_AWAY = "If away: `away from 24 to 31 May`."
_SELDOM = "Fewer letters: `prefer: mails due`."
"""For games in which players take their turns one after the other: each turn is a report to all."""


def add_welcome(context: Context, paper: Paper, player: str | None) -> bytes:
    """Open somebody's first report of a kind of game with how to play; others stay as they are."""
    seat, step = paper.seat, context.game.open_step
    if seat is None or player is None or step is None or not _is_first_game(context, player):
        return paper.document
    return encode({**decode(paper.document), "welcome": welcome_part(context, seat)})


def welcome_part(context: Context, seat: Seat) -> Document:
    """Make the opening of a first report: what the game is, and how to play this turn."""
    kind = context.kind
    guide, due = kind.guide, context.due.get(seat)
    form = due.form if due else context.open_step().phase
    first = guide.get("start", {}).get(form) or guide.get("turn", "")
    about = " ".join(guide.get("about", ()))
    lines = [about, first if due else f"{_LATER} {first}"]
    seatings, others = context.seatings, (one for one in context.game.seats if one != seat)
    readers = (one for one in others if seatings[one].kind == PLAYER)
    write = _WRITE.format(next(readers, GM)) if context.settings.press != "none" else ""
    player = context.player(context.seatings.get(seat))
    wants_all = player is None or gets_every_letter(player)
    is_seldom_due = wants_all and guide.get("length", {}).get("alone")
    lines += [f"{_HOW} {_EXAMPLES}" if due else _HOW]
    lines += [f"{write}{_SELDOM if is_seldom_due else _AWAY}", _MORE]
    return {
        "title": f"Your first game of {kind.title}",
        "lines": [line for line in lines if line],
        "words": describe_words(kind),
    }


def describe_words(kind: Kind) -> list[str]:
    """Explain the words of a game's reports and forms, each with its rule."""
    return [describe_word(one) for one in kind.guide.get("words", ())]


def describe_word(one: Document) -> str:
    """Explain a word; an equals sign, since a quoted line with a colon may be read as an order."""
    return f"{one['word']} = {one['means']} [{one['rule']}]"


def _is_first_game(context: Context, player: str) -> bool:
    """Whether somebody has never had a report of another game of this kind."""
    books = context.books
    others = (books.game(name) for name in books.games_of(player) if name != context.id)
    return not any(one.kind == context.game.kind and one.status != Status.OPEN for one in others)
