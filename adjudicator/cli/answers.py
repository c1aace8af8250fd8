"""Whether an answer to a question of `new` will do; what will not is refused, and asked again."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from adjudicator.desk.errors import Refused

if TYPE_CHECKING:
    from adjudicator.cli.wiring import Office


def name(office: "Office", said: str) -> None:
    """A game can be called so."""
    from adjudicator.desk.new import callable_so

    taken: list[str] = []
    if not office.empty:
        with office.reading() as books:
            taken = [game.id for game in books.games()]
    callable_so(said, [*office.library.kinds()], taken)


def pace(said: str) -> None:
    """Steps can come at this pace."""
    from adjudicator.desk.settings import settings_of

    settings_of({"pace": said})


def player(said: str, seated: Collection[str]) -> None:
    """Somebody can sit down under this name: a name, an address, or both."""
    from adjudicator.desk.people import checked

    for word in said.split():
        if "@" in word:
            checked(word)
    if said in seated and said.lower() not in ("bot", "-"):
        raise Refused(f"{said} has a seat already; nobody holds two seats of a game")
