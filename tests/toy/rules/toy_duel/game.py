"""Toy Duel as the functions of a game."""

from collections.abc import Mapping, Sequence

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.events import Event
from adjudicator.core.finding import Finding
from adjudicator.core.game import Due, Over
from adjudicator.rules.toy_duel import bot
from adjudicator.rules.toy_duel.orders import check, legal
from adjudicator.rules.toy_duel.phases import rounds, setup
from adjudicator.rules.toy_duel.position import components, documents, imagining, view
from adjudicator.rules.toy_duel.position.state import State
from adjudicator.rules.toy_duel.position.view import View
from adjudicator.rules.toy_duel.telling import foretell, report


class ToyDuel:
    """The rules, bound to a box of cards."""

    def __init__(self, given: Document) -> None:
        self.box = components.read_box(given)
        self.kind = self.box.kind
        self.title = self.box.title
        self.names: Mapping[str, Sequence[str]] = {"card": tuple(self.box.cards)}
        self.secrets = ("hands", "deck", "standing")
        """Parts of the state document that not everybody may know."""

    def setup(self, options: Document, seats: Sequence[Seat], dice: Dice) -> State:
        """The state in which the first orders are owed."""
        return setup.deal(self.box, options, seats, dice)

    def due(self, state: State) -> Mapping[Seat, Due] | Over:
        """Who owes what."""
        return rounds.due(state)

    def check(self, view: View, seat: Seat, orders: Document) -> Sequence[Finding]:
        """What the seat can see to fail."""
        return check.check(view, seat, orders)

    def foretell(self, view: View, seat: Seat, orders: Document) -> Sequence[str]:
        """What these orders will do."""
        return foretell.foretell(self.box, view, seat, orders)

    def resolve(
        self, state: State, orders: Orders, dice: Dice, *, cut: bool = False
    ) -> tuple[State, Sequence[Event]]:
        """Adjudicate to the next point where somebody owes orders."""
        return rounds.resolve(self.box, state, orders, dice, cut=cut)

    def view(self, state: State, seat: Seat | None) -> View:
        """What a seat may know."""
        return view.view(state, seat)

    def report(self, view: View, events: Sequence[Event]) -> Document:
        """The game's part of a report."""
        return report.report(view, events)

    def score(self, state: State) -> Mapping[Seat, int]:
        """The points."""
        return state.scores

    def dump(self, state: State) -> Document:
        """The state document."""
        return documents.dump(state)

    def load(self, document: Document, dice: Dice | None = None) -> State:
        """The state that the document describes."""
        return documents.load(self.box, document, dice)

    def legal(self, view: View, seat: Seat, dice: Dice) -> Document:
        """Random orders that keep the rules."""
        return legal.legal(view, seat, dice)

    def bot(self, view: View, seat: Seat, dice: Dice) -> Document:
        """Sensible orders."""
        return bot.bot(view, seat, dice)

    def imagine(self, view: View, seat: Seat | None, dice: Dice) -> State:
        """A random state that the seat cannot tell from the true one."""
        return imagining.imagine(self.box, view, seat, dice)
