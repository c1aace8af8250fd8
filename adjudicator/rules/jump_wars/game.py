"""Jump Wars as the functions of a game."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.events import Event
from adjudicator.core.finding import Finding
from adjudicator.core.game import STRENGTHS, Due, Over, Rules, Strength
from adjudicator.rules.jump_wars.orders import check, conditions, legal
from adjudicator.rules.jump_wars.phases import ending, turn
from adjudicator.rules.jump_wars.position import components, documents, imagining
from adjudicator.rules.jump_wars.position.state import EMPIRE, START_LEVEL, State, View, make_view
from adjudicator.rules.jump_wars.telling import foretell, report, vain_orders


class JumpWars(Rules[State, View]):
    """The rules, bound to the components."""

    def __init__(self, document: Document) -> None:
        self.components = components.read(document)
        self.kind = self.components.kind
        self.title = self.components.title
        self.names = {
            "tech": tuple(self.components.technologies),
            "card": tuple(self.components.cards),
            "side": (EMPIRE,),
        }
        self.strengths = STRENGTHS
        self.secrets = ("deck", "hands", "kept", "standing")
        """Parts of the state document that not everybody may know."""
        self.unnamed: Document = {"levels": START_LEVEL, "map": "void", "fleets": 0, "raised": 0}
        """What levels, spaces, fleets and raises are of which the state document says nothing."""

    def setup(self, options: Document, seats: Sequence[Seat], dice: Dice) -> State:
        return turn.setup(options, seats, dice, self.components)

    def due(self, state: State) -> Mapping[Seat, Due] | Over:
        return turn.due(state)

    def check(self, view: View, seat: Seat, orders: Document) -> Sequence[Finding]:
        return check.check(view, seat, orders, self.components)

    def holds(self, view: View, seat: Seat, word: str, value: Any) -> bool | None:
        """Whether a condition of orders ahead is true of what the seat can see; None: never."""
        return conditions.holds(view, seat, word, value)

    def foretell(self, view: View, seat: Seat, orders: Document) -> Sequence[str]:
        """Describe in sentences what these orders will do, as far as the seat can know."""
        return foretell.foretell(view, seat, orders, self.components)

    def explain_name(self, name: str) -> str | None:
        """Explain a special card; None for any other name."""
        special = self.components.specials.get(name)
        return f"{name} = {special.does} [{special.rule}]" if special else None

    def resolve(
        self, state: State, orders: Orders, dice: Dice, *, cut: bool = False
    ) -> tuple[State, Sequence[Event]]:
        return turn.resolve(state, orders, dice, self.components, cut=cut)

    def view(self, state: State, seat: Seat | None) -> View:
        return make_view(state, seat)

    def report(self, view: View, events: Sequence[Event]) -> Document:
        return report.report(view, events, self.components)

    def guess_orders(self, view: View, seat: Seat, text: str) -> Document | None:
        """Guess the orders that a sentence means, where it can mean one thing."""
        from adjudicator.rules.jump_wars.orders import plain_words  # letters alone need it

        return plain_words.guess_orders(view, seat, text, self.components)

    def name_places(self, view: View, seat: Seat, text: str) -> str:
        """Write the seat's homeworld as a space where a jump begins or ends at home."""
        from adjudicator.rules.jump_wars.orders import plain_words  # letters alone need it

        return plain_words.name_places(view, seat, text)

    def list_vain_orders(
        self, before: View, view: View, seat: Seat, orders: Document, events: Sequence[Event]
    ) -> Sequence[Document]:
        """List the orders that were fine and came to nothing, of which no event tells."""
        return vain_orders.list_vain_orders(before, view, seat, orders, events)

    def score(self, state: State) -> Mapping[Seat, int]:
        return ending.rank_seats(state.table, self.components)

    def dump(self, state: State) -> Document:
        return documents.dump(state)

    def load(self, document: Document, dice: Dice | None = None) -> State:
        return documents.load(document, self.components, dice)

    def legal(self, view: View, seat: Seat, dice: Dice) -> Document:
        return legal.legal(view, seat, dice, self.components)

    def bot(self, view: View, seat: Seat, dice: Dice, strength: Strength = "normal") -> Document:
        from adjudicator.rules.jump_wars import bot  # few commands need it

        return bot.bot(view, seat, dice, self.components, strength)

    def forget(self, state: State) -> State:
        """Forget what a game begun before version 0.3.0 does not remember."""
        return replace(state, table=replace(state.table, kept_out=None))

    def imagine(self, view: View, seat: Seat | None, dice: Dice) -> State:  # noqa: ARG002
        return imagining.imagine(view, dice, self.components)
