"""The announcement of an open game: what is open, how to join, who has joined."""

from datetime import datetime
from typing import Any

from adjudicator.core.document import Document, Seat, digest
from adjudicator.core.events import format_count
from adjudicator.desk.model import deadlines
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import parse_length
from adjudicator.desk.model.lineage import REOPENED
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import BOT, IDLE, describe_bot
from adjudicator.desk.model.settings import EACH_TURN
from adjudicator.desk.model.values import Seating, Status
from adjudicator.desk.outbox.form import answer_document, answer_part
from adjudicator.desk.outbox.introduction import describe_game_options, describe_length

_TAKEN = "taken"
YOUR_NAME = "Your Name"
YOUR_WORDS = "any words you like"
"""What stands in a form where its reader's own words belong."""


def announcement_document(context: Context) -> dict[str, Any]:
    """Make the letter that says what is open; it has the seed's digest before any luck words."""
    headline = f"{context.kind.title}: the game {context.id} is open"
    *about, dice = game_parts(context)
    invited = answer_part(None, [_INVITED.format(context.kind.title)])
    parts = [invited, *about, answer_part("HOW TO JOIN", _describe_joining(context)), dice]
    blank = join_form(context, {"name": YOUR_NAME, "luck": YOUR_WORDS})
    # letters that may be passed on hold no key
    form = {**blank, "envelope": {"join": context.id}}
    return answer_document(context, None, None, headline, parts, form)


_INVITED = "You are invited to a game of {} by mail. To join, reply with the one word `join`."


def game_parts(
    context: Context, *, has_joined: bool = False, has_read: bool = False
) -> list[Document]:
    """Describe what somebody should know before joining, in short to whoever has joined.

    Only they see names, which players choose themselves. Who answers a letter about the game has
    read it all and gets the seed's digest alone.
    """
    dice = {**answer_part("FAIR DICE", _describe_dice(context)), "small": True}
    if has_read and not has_joined:
        return [dice]
    turn = [one for one in (context.kind.guide.get("turn"), _BY_MAIL) if one]
    about = [
        answer_part("THE GAME", _describe_game(context)),
        answer_part("HOW LONG IT TAKES", [*describe_length(context), _describe_pace(context)]),
        answer_part("A TURN", [" ".join(turn)]),
    ]
    return [
        *(() if has_joined else about),
        answer_part("WHO PLAYS", _describe_players(context, names=has_joined)),
        dice,
    ]


_BY_MAIL = (
    "You do all of it by mail: a report says what is due, you reply with a few lines, and a "
    "receipt shows how they were understood."
)


def join_form(context: Context, wishes: Document) -> Document:
    """Make a joining block; the letter's sender puts in the key if its reader needs one."""
    return {
        "envelope": {"join": context.id, "key": None},
        "orders": dict(wishes),
        "comments": [],
        "example": {},
        "prefill": False,
    }


def free_seats(context: Context) -> tuple[Seat, ...]:
    """List the seats of an open game that nobody has, in seat order."""
    held_seats = {seat for seat, seating in context.seatings.items() if seating.kind != IDLE}
    return tuple(seat for seat in context.game.seats if seat not in held_seats)


def count_free_seats(context: Context) -> str:
    """Say how many seats are free, in a sentence."""
    free, seats = len(free_seats(context)), len(context.game.seats)
    return f"{free} of {seats} seats {'is' if free == 1 else 'are'} free."


def seat_player_name(context: Context, seating: Seating | None) -> str:
    """Name who plays a seat, as far as other players may know."""
    if seating is None or seating.kind == IDLE:
        return "free" if context.game.status is Status.OPEN else "nobody"
    if seating.kind == BOT:
        return describe_bot(seating)
    hidden = context.settings.anonymous and context.game.status is not Status.OVER
    return _TAKEN if hidden else seating.player or _TAKEN


def _describe_game(context: Context) -> list[str]:
    lines = [" ".join(context.kind.guide.get("about", ()))]
    return [*filter(None, lines), *describe_game_options(context)]


def _describe_players(context: Context, *, names: bool) -> list[str]:
    game, settings = context.game, context.settings
    seatings, free = context.seatings, free_seats(context)
    players = {
        seat: seat_player_name(context, seatings.get(seat)) if names else _TAKEN
        for seat in game.seats
        if seat not in free
    }
    holders = [seat if who == _TAKEN else f"{seat} ({who})" for seat, who in players.items()]
    seats = [f"It is a game for {len(game.seats)} players. {count_free_seats(context)}"]
    seats += [f"Free: {', '.join(free)}."] if free else []
    seats += [f"Taken: {', '.join(holders)}."] if holders else []
    lines = [" ".join(seats), _describe_beginning(context), _describe_press(settings.press)]
    if settings.anonymous:
        lines.append("Who plays which seat stays hidden until the end.")
    if settings.invited:
        lines.append("Only people invited by the GM may join.")
    return lines


def _describe_beginning(context: Context) -> str:
    until = deadlines.format_deadline(expiry_of(context), context.settings.zone)
    smallest = context.settings.smallest
    enough = f", or by the GM with at least {format_count(smallest, 'player')}" if smallest else ""
    return (
        f"It begins when all seats are taken{enough}. Later players go on a waiting list. If it "
        f"has not begun by {until}, it is cancelled."
    )


def expiry_of(context: Context) -> datetime:
    """Find when an open game is given up."""
    notes = context.books.notes(context.id)
    instants = [context.game.created, *(note.at for note in notes if REOPENED in note.data)]
    return max(instants) + parse_length(context.settings.expires, "expires")


def _describe_pace(context: Context) -> str:
    pace, zone = context.settings.pace, context.settings.zone
    if pace == "none":
        return "The GM closes each step by hand; there are no fixed deadlines."
    if deadlines.parse_pace(pace).length:
        return f"Each step may take {pace}, and closes early once all orders are in."
    return f"Deadlines: {pace} ({zone}); a step closes early once all orders are in."


def _describe_press(press: str) -> str:
    return {
        "none": "Players do not write to each other through the server.",
        "white": "Players may write to each other through the server, under their seat's name.",
        "grey": "Players may write to each other through the server, also anonymously.",
    }[press]


def _describe_dice(context: Context) -> list[str]:
    if not context.game.verifiable:
        return ["The seed of this game was chosen by the GM, so its dice prove nothing."]
    return [
        (
            "All chance comes from a seed that was drawn before you wrote, and luck words of the "
            "players are mixed into it. At the end everything is revealed, so that everybody can "
            "check it; `ask: trust` says how. The SHA-256 of the seed is"
        ),
        digest(context.game.seed),
        *([_EACH_TURN] if context.settings.luck == EACH_TURN else ()),
    ]


_EACH_TURN = (
    "This game also asks for a luck word with each set of orders. Then neither the server nor the "
    "last player to write can choose the dice of a step. `ask: help` says how to make a sheet of "
    "words: join with the first as your luck words, and send the next one with each set of orders."
)


def _describe_joining(context: Context) -> list[str]:
    return [
        (
            "Reply with `join`, or with `join as Ada` to choose your name. You get a letter to "
            "confirm that it was you: reply `yes`, and you have joined."
        ),
        (
            "The lines at the end of this letter choose more: send them with your name and luck "
            "words, and with a line like `prefer: {zone: Europe/Berlin, seats: [red, blue]}`. With "
            f"`observe: yes` after `join: {context.id}`, instead of a name, you follow the game "
            "without a seat. A letter with only `ask: help` gets you the player's guide."
        ),
    ]


def list_open_games(books: Books, library: Library, address: str | None) -> tuple[str, ...]:
    """List each game that this address can join, a line each, for letters about no game."""
    open_games = (Context(books, library, one.id) for one in books.games(are_open=True))
    return tuple(
        f"{context.id}: {context.kind.title}, {len(free_seats(context))} of "
        f"{len(context.game.seats)} seats free; write `join: {context.id}`"
        for context in open_games
        if may_join(context, address)
    )


def may_join(context: Context, address: str | None) -> bool:
    """Whether a game is open to everybody, or to this address."""
    invited = [one.strip().lower() for one in context.settings.invited]
    return not invited or address in invited
