"""Tell what game is open, and how to join it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from adjudicator.core.canonical import digest
from adjudicator.core.document import Document, Seat
from adjudicator.desk import deadlines
from adjudicator.desk.answers import answer, part
from adjudicator.desk.case import Case, take
from adjudicator.desk.deadlines import length
from adjudicator.desk.ended import REOPENED
from adjudicator.desk.errors import Refused
from adjudicator.desk.letters import ANSWER, to_address
from adjudicator.desk.log import log
from adjudicator.desk.people import checked
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.seating import BOT, IDLE, current
from adjudicator.desk.unannounce import ANNOUNCE, reopen
from adjudicator.desk.values import Letter, Seating, Status

YOUR_NAME = "Your Name"
YOUR_WORDS = "any words you like"
"""What stands in a form where its reader's own words belong."""


def announce(
    books: Books,
    library: Library,
    game: str,
    addresses: Sequence[str] = (),
    *,
    at: datetime,
) -> tuple[Letter, ...]:
    """Write to these addresses that the game is open and how to join.

    A game that was withdrawn or given up is open again.
    """
    case = take(books, library, game, at=at, status=(Status.OPEN, Status.OVER))
    to = list(dict.fromkeys(checked(address) for address in addresses))
    if not to:
        raise Refused(f"{game}: name the addresses that the announcement goes to")
    if case.game.status is Status.OVER:
        case = reopen(case, at=at)
    document = announcement(case)
    letters = tuple(
        to_address(case, address, ANSWER, document, at=at, template="answer/1") for address in to
    )
    text = f"announced to {len(to)} {'address' if len(to) == 1 else 'addresses'}"
    log(books, game, ANNOUNCE, text, at=at, data={"letters": [one.number for one in letters]})
    return letters


def announcement(case: Case) -> dict[str, Any]:
    """The letter that says what is open; the seed's digest stands in it before any luck words."""
    headline = f"{case.kind.title}: the game {case.game.id} is open"
    parts = [*about(case), part("HOW TO JOIN", _how(case))]
    return answer(case, None, None, headline, parts, blank_form(case))


def about(case: Case) -> list[Document]:
    """What somebody should know before joining."""
    return [part("THE GAME", _game(case)), part("FAIR DICE", _dice(case))]


def blank_form(case: Case) -> Document:
    """The block with which somebody asks to join; letters that may be passed on hold no key."""
    blank = join_form(case, {"name": YOUR_NAME, "luck": YOUR_WORDS})
    return {**blank, "envelope": {"join": case.game.id}}


def join_form(case: Case, wishes: Document) -> Document:
    """A joining block; the sender of the letter puts in the key where its reader needs one."""
    return {
        "envelope": {"join": case.game.id, "key": None},
        "orders": dict(wishes),
        "comments": [],
        "example": {},
        "prefill": False,
    }


def free_seats(case: Case) -> tuple[Seat, ...]:
    """The seats of an open game that nobody has, in seat order."""
    seatings = current(case.books, case.game.id)
    return tuple(seat for seat in case.game.seats if _free(seatings.get(seat)))


def how_free(case: Case) -> str:
    """How many seats are free, in a sentence."""
    free, seats = len(free_seats(case)), len(case.game.seats)
    return f"{free} of {seats} seats {'is' if free == 1 else 'are'} free."


def _free(seating: Seating | None) -> bool:
    return seating is None or seating.kind == IDLE


def who(case: Case, seating: Seating | None) -> str:
    """Who plays a seat, as far as other players may know."""
    if seating is None or seating.kind == IDLE:
        return "free" if case.game.status is Status.OPEN else "nobody"
    if seating.kind == BOT:
        return "a bot"
    hidden = case.settings.anonymous and case.game.status is not Status.OVER
    return "taken" if hidden else seating.player or "taken"


def _game(case: Case) -> list[str]:
    game, settings = case.game, case.settings
    seatings = current(case.books, game.id)
    held = "; ".join(f"{seat}: {who(case, seatings.get(seat))}" for seat in game.seats)
    lines = [
        f"{game.id} is a game of {case.kind.title} for {len(game.seats)} players, by letters.",
        f"The seats are {held}.",
        how_free(case),
        _begins(case),
        _pace(case),
        _press(settings.press),
    ]
    if settings.anonymous:
        lines.append("Who plays which seat stays hidden until the end.")
    if settings.invited:
        lines.append("Only those whom the GM invited may join.")
    if game.options:
        lines.append(f"Options: {', '.join(_option(*pair) for pair in game.options.items())}.")
    return lines


def _option(key: str, value: Any) -> str:
    said = {True: "yes", False: "no", None: "none"}.get(value) if _plain(value) else None
    if isinstance(value, Mapping):
        said = " and ".join(f"{one} {other}" for one, other in value.items())
    return f"{key.replace('_', ' ')}: {value if said is None else said}"


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, bool)


def _begins(case: Case) -> str:
    until = deadlines.words(expiry(case), case.settings.zone)
    smallest = case.settings.smallest
    enough = f", or by the GM with at least {smallest} players" if smallest else ""
    return (
        f"It begins when all seats are taken{enough}. Later ones go on a waiting list. If it has "
        f"not begun by {until}, it is given up."
    )


def expiry(case: Case) -> datetime:
    """When an open game is given up."""
    notes = case.books.notes(case.game.id)
    opened = [case.game.created, *(note.at for note in notes if REOPENED in note.data)]
    return max(opened) + length(case.settings.expires, "expires")


def _pace(case: Case) -> str:
    pace, zone = case.settings.pace, case.settings.zone
    if pace == "none":
        return "The GM closes each step by hand; there are no fixed deadlines."
    if deadlines.pace_of(pace).length:
        return f"Each step may take {pace}, and closes earlier when everybody has written."
    return f"Deadlines: {pace} ({zone}); a step closes earlier when everybody has written."


def _press(allowed: str) -> str:
    return {
        "none": "Players do not write to each other through the house.",
        "white": "Players may write to each other through the house, under their seat's name.",
        "grey": "Players may write to each other through the house, also without a name.",
    }[allowed]


def _dice(case: Case) -> list[str]:
    if not case.game.verifiable:
        return ["The seed of this game was chosen by the GM, so its dice prove nothing."]
    return [
        "All chance in the game comes from a seed that was drawn before you wrote. Its SHA-256 is",
        digest(case.game.seed),
        (
            "Your luck words, any words, are mixed into it when the game begins, so that the "
            "house cannot have chosen the dice. At the end the seed is told, and all can check."
        ),
    ]


def _how(case: Case) -> list[str]:
    return [
        (
            "Reply to this letter with the lines below, your own name and luck words in them. "
            "You may leave out luck, and add a line like "
            "`prefer: {zone: Europe/Berlin, seats: [red, blue]}`."
        ),
        f"To look on only, write `observe: yes` instead of a name, with `join: {case.game.id}`.",
        "You get a letter with a key, and have joined when you reply to that.",
    ]
