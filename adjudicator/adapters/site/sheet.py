"""game.json: the contents of a game's folder, for tools and for the next writing."""

from collections.abc import Mapping

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.desk.model.values import Status
from adjudicator.desk.questions.ratings import Ended

_STATES = {
    Status.OPEN: "open, not begun",
    Status.RUNNING: "being played",
    Status.PAUSED: "paused",
    Status.OVER: "finished",
}
SITE_VERSION = "site/2"
SHEET_FILE = "game.json"


def describe_status(status: str, *, has_begun: bool) -> str:
    """Describe the status of a game as a whole."""
    return _STATES[Status(status)] if has_begun or status != Status.OVER else "withdrawn"


class Shot(Struct, frozen=True, kw_only=True):
    """A picture as a page refers to it."""

    name: str
    """Of its template: map."""
    file: str
    """Seen from the game's folder."""
    alt: str
    width: int
    height: int


class Stop(Struct, frozen=True, kw_only=True):
    """A step of the game."""

    step: str
    turn: str
    headline: str
    closed: str
    """RFC 3339."""
    page: str
    """Of its turn, seen from the game's folder."""
    report: str
    """The public's report document, seen from the game's folder."""
    digest: str
    """Its SHA-256."""
    pictures: tuple[Shot, ...] = ()


class GameSheet(Struct, frozen=True, kw_only=True):
    """A game as the index and the next writing know it."""

    site: str = SITE_VERSION
    id: str
    kind: str
    title: str
    status: str
    created: str
    seats: tuple[Seat, ...]
    players: Mapping[Seat, tuple[str, ...]]
    shown: tuple[Seat, ...]
    """The seats of which everything is shown."""
    winners: tuple[str, ...] | None
    said: str
    """How it ended, or where it stands."""
    ended: Ended | None = None
    """What it came to for everybody."""
    links: int = 0
    """The number of the chain's last link: nothing happens to a position without one."""
    version: str
    """Of the templates; others may draw other pictures."""
    steps: tuple[Stop, ...]
    thumb: Shot | None = None
    """The picture that stands for it in the index, if it is another than that of the last step."""
    score: tuple[str, Mapping[Seat, float]] | None = None
    """What counts first in this kind of game, and how everybody stands."""
    made: Mapping[str, str] = {}
    """Of pages of turns, a digest of all that is on them."""
    facts: str = ""
    """A digest of the public facts of the game: while it is the same, so are the pages."""
    files: Mapping[str, str]
    """SHA-256 of every other file of the folder."""

    @property
    def private(self) -> bool:
        """Whether the folder holds anything that is not public."""
        return bool(self.shown) and self.status != Status.OVER

    @property
    def state(self) -> str:
        """The status of the game as a whole."""
        return describe_status(self.status, has_begun=bool(self.steps))

    @property
    def turn(self) -> str:
        """The turn of the last step; empty before the first."""
        return self.steps[-1].turn if self.steps else ""

    @property
    def cover(self) -> Shot | None:
        """What stands for it in the index: the first picture of the last step, if nothing else."""
        return self.thumb or next(iter(self.steps[-1].pictures), None) if self.steps else None

    @property
    def words(self) -> str:
        """The text that a search of the index looks at."""
        players = [f"{seat} {' '.join(names)}" for seat, names in self.players.items()]
        texts = [self.id, self.kind, self.title, self.state, self.turn, *players, self.said]
        return " ".join(texts).lower()  # as the page's script does, which leaves a ß
