"""Finding what the GM named; what is not there is told with the nearest name."""

from collections.abc import Iterable, Sequence

from adjudicator.core.names import exact, match, suggest
from adjudicator.desk.errors import Unknown
from adjudicator.desk.ports import Books, Kind, Library
from adjudicator.desk.values import Game


def did_you_mean(text: str, names: Iterable[str]) -> str:
    """` Did you mean "ember"?`, or nothing."""
    nearest = suggest(text, names)
    return f' Did you mean "{nearest}"?' if nearest else ""


def _listed(names: Sequence[str], most: int = 12) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def game_of(books: Books, text: str) -> Game:
    """The game of exactly this id."""
    try:
        return books.game(text)
    except Unknown:
        ids = [game.id for game in books.games()]
    if not ids:
        raise Unknown(f'there is no game "{text}"; there are none yet: adjudicator new')
    hint = did_you_mean(text, ids) or f" The games are {_listed(ids)}."
    raise Unknown(f'there is no game "{text}".{hint}')


def seat_of(game: Game, text: str) -> str:
    """The seat of the game that is meant, to look at: an unambiguous beginning is enough."""
    return _seat(game, text, match(text, game.seats))


def whole_seat_of(game: Game, text: str) -> str:
    """The seat of the game that is named in full: something is done to it."""
    return _seat(game, text, exact(text, game.seats))


def _seat(game: Game, text: str, found: str | None) -> str:
    if found is None:
        hint = did_you_mean(text, game.seats) or f" Its seats are {', '.join(game.seats)}."
        raise Unknown(f'{game.id} has no seat "{text}".{hint}')
    return found


def step_of(books: Books, game: Game, text: str) -> str:
    """The step of the game that is meant: by name, or by number."""
    names = [step.name for step in books.steps(game.id)]
    wanted = text.lstrip("0") if text.isdigit() else text
    for name in names:
        if name == text or name.split("-")[0] == (wanted or "0"):
            return name
    hint = did_you_mean(text, names) or f" The last ones are {', '.join(names[-4:])}."
    raise Unknown(f'{game.id} has no step "{text}".{hint if names else " It has none yet."}')


def kind_of(library: Library, text: str) -> Kind:
    """The kind of game that is meant; an unambiguous beginning is enough."""
    kinds = library.kinds()
    found = match(text, kinds)
    if found is None:
        hint = did_you_mean(text, kinds) or f" The kinds are {', '.join(kinds)}."
        raise Unknown(f'there is no kind of game "{text}".{hint}')
    return library.kind(found)
