"""The protocol that every game implements."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol, TypeVar, get_args

from msgspec import Struct

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.events import Event
from adjudicator.core.finding import Finding

Strength = Literal["easy", "normal", "hard"]
"""How well a bot plays."""
STRENGTHS: Final[tuple[Strength, ...]] = get_args(Strength)

_S = TypeVar("_S")
_V = TypeVar("_V")


class Due(Struct, frozen=True):
    """The orders that a seat owes: a form, and how its deadline is counted."""

    form: str
    clock: Literal["new", "kept", "short"] = "new"
    """The deadline: one of the game's pace, the turn's, or a short one for an answer."""
    counts_as_missed: bool = True


class Over(Struct, frozen=True):
    """The game has ended; without winners it is drawn."""

    winners: tuple[Seat, ...]
    scores: Mapping[Seat, int] = {}
    """Where the game counts points; empty where votes or the GM ended it."""


class Rules(Protocol[_S, _V]):
    """One game, bound to its components.

    Besides the functions there are three facts: the kind, the title, and the public lists of
    names (`{"card": [...], "tech": [...]}`) against which players' spellings are matched.
    A game may also name `secrets`, the parts of its state document that not everybody may know
    (`hands`, or `planets.*.face_down`, or `take of active`, where the document says whose it is),
    so that a GM can make a ruling without seeing them. And it may name `unnamed`, the defaults of
    keys that a state document leaves out, for which scenarios may ask.
    A game whose states remember more than those of an earlier version has `forget(state)`, which
    makes the state of a new game what it was there: so games of that version are replayed exactly.
    A game that can tell at the receipt what orders will do has `foretell(view, seat, orders)`,
    which gives sentences. One in which orders can come to nothing without an event has
    `list_vain_orders(before, view, seat, orders, events)`, called after the step with what the
    seat knew before it, which holds what an earlier form of the turn left for later: it gives
    their entries in the report (orders/common/report.yaml), without the number.
    A game that can tell from the position what a sentence probably means has
    `guess_orders(view, seat, text)`, which gives orders to ask back about, or None. The sentence
    comes without polite words and articles, with numbers in digits.
    One whose players name a place otherwise than its forms do, `from home to B9`, has
    `name_places(view, seat, text)`, which gives the text with the names of the forms.
    One that can say what a thing with a name is or does has `explain_name(name)`, which gives a
    sentence, or None; players ask for it.
    A game whose bot plays at several `strengths` (easy, normal, hard) takes one of them as a
    fourth argument of `bot`; without it the bot is normal.
    A game whose orders ahead can depend on conditions (orders/<game>/ahead.yaml) has
    `holds(view, seat, word, value)`, which says whether one of them is true; None: it never will
    be, so that no plan with it waits any longer.
    """

    kind: str
    title: str
    names: Mapping[str, Sequence[str]]

    def setup(self, options: Document, seats: Sequence[Seat], dice: Dice) -> _S:
        """Make the state in which the first orders are owed; raises Impossible for bad options."""

    def due(self, state: _S) -> Mapping[Seat, Due] | Over:
        """List who owes what. Only a state cut short by `resolve(..., cut=True)` owes nothing."""

    def check(self, view: _V, seat: Seat, orders: Document) -> Sequence[Finding]:
        """Check what the seat can see of these orders' fate (doomed, doubtful, refused)."""

    def resolve(
        self, state: _S, orders: Orders, dice: Dice, *, cut: bool = False
    ) -> tuple[_S, Sequence[Event]]:
        """Adjudicate to the next point where somebody owes orders.

        With `cut` it stops before the automatic start of a new turn or round.
        """

    def view(self, state: _S, seat: Seat | None) -> _V:
        """Build what a seat may know from nothing; None is somebody without a seat."""

    def report(self, view: _V, events: Sequence[Event]) -> Document:
        """Make the game's part of a report/1 document, from what the view's seat may know."""

    def score(self, state: _S) -> Mapping[Seat, int]:
        """Return a number per seat that orders the seats as the game would if it ended now."""

    def dump(self, state: _S) -> Document:
        """Write the state document of the rulebook, with `options` and `seats`."""

    def load(self, document: Document, dice: Dice | None = None) -> _S:
        """Load the state that the document describes; raises Impossible.

        What the document leaves to chance is drawn from the dice; without dice it is required.
        """

    def legal(self, view: _V, seat: Seat, dice: Dice) -> Document:
        """Choose random orders that keep the rules, as far as the view shows."""

    def bot(self, view: _V, seat: Seat, dice: Dice) -> Document:
        """Choose sensible orders from the view alone."""

    def imagine(self, view: _V, seat: Seat | None, dice: Dice) -> _S:
        """Make a random state that the seat cannot tell from the true one.

        Its view is this view. What the view leaves open is as likely one way as any other; a
        game says in a sentence what it means by that.
        """


AnyRules = Rules[Any, Any]


def choose_orders(
    rules: AnyRules, view: Any, seat: Seat, dice: Dice, strength: Strength
) -> Document:
    """Let the game's bot choose orders; a game without this strength has one bot for all."""
    if strength not in getattr(rules, "strengths", ()):
        return rules.bot(view, seat, dice)
    bot: Callable[..., Document] = rules.bot
    return bot(view, seat, dice, strength)
