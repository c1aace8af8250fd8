"""Jump Drive as the functions of a game."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.events import Event
from adjudicator.core.finding import Finding
from adjudicator.core.game import STRENGTHS, Due, Over, Rules, Strength
from adjudicator.rules.jump_drive.orders import check, conditions, legal
from adjudicator.rules.jump_drive.phases import turn
from adjudicator.rules.jump_drive.position import components, documents, imagining
from adjudicator.rules.jump_drive.position.components import WORLD
from adjudicator.rules.jump_drive.position.powers import SecondWorld
from adjudicator.rules.jump_drive.position.state import State, View, make_view
from adjudicator.rules.jump_drive.telling import card_words, foretell, report, vain_orders

if TYPE_CHECKING:
    from adjudicator.rules.jump_drive.bot.almanac import Almanac


class JumpDrive(Rules[State, View]):
    """The rules, bound to the components."""

    def __init__(self, document: Document) -> None:
        self.components = components.read(document)
        components.check_box(document, self.components)
        self.kind = self.components.kind
        self.title = self.components.title
        cards = self.components.cards
        self.names = {
            "card": tuple(cards),
            "development": tuple(name for name, card in cards.items() if card.kind != WORLD),
            "world": tuple(name for name, card in cards.items() if card.kind == WORLD),
            "convoy": tuple(name for name, card in cards.items() if card.list_powers(SecondWorld)),
        }
        self.secrets = ("hands", "deck", "discard", "trims", "drawn")
        """Parts of the state document that not everybody may know."""
        self.strengths = STRENGTHS

    def setup(self, options: Document, seats: Sequence[Seat], dice: Dice) -> State:
        return turn.setup(options, seats, dice, self.components)

    def due(self, state: State) -> Mapping[Seat, Due] | Over:
        return turn.due(state)

    def check(self, view: View, seat: Seat, orders: Document) -> Sequence[Finding]:
        return check.check(view, seat, orders, self.components)

    def holds(self, view: View, seat: Seat, word: str, value: Any) -> bool | None:
        """Whether a condition of orders ahead is true of what the seat can see; None: never."""
        return conditions.holds(view, seat, word, value, self.components)

    def foretell(self, view: View, seat: Seat, orders: Document) -> Sequence[str]:
        """Describe in sentences what these orders will do, as far as the seat can know."""
        return foretell.foretell(view, seat, orders, self.components)

    def explain_name(self, name: str) -> str | None:
        """Explain a card, with the rules about it; None for any other name."""
        return (
            card_words.explain_card(name, self.components) if name in self.names["card"] else None
        )

    def resolve(
        self, state: State, orders: Orders, dice: Dice, *, cut: bool = False
    ) -> tuple[State, Sequence[Event]]:
        return turn.resolve(state, orders, dice, self.components, cut=cut)

    def view(self, state: State, seat: Seat | None) -> View:
        return make_view(state, seat, self.components)

    def report(self, view: View, events: Sequence[Event]) -> Document:
        return report.report(view, events, self.components)

    def guess_orders(self, view: View, seat: Seat, text: str) -> Document | None:  # noqa: ARG002
        """Guess the orders that a sentence means, where it can mean one thing."""
        from adjudicator.rules.jump_drive.orders import plain_words  # letters alone need it

        return plain_words.guess_orders(view, text, self.components)

    def list_vain_orders(
        self, before: View, view: View, seat: Seat, orders: Document, events: Sequence[Event]
    ) -> Sequence[Document]:
        """List the orders that were fine and came to nothing, of which no event tells."""
        return vain_orders.list_vain_orders(before, view, seat, orders, events, self.components)

    def score(self, state: State) -> Mapping[Seat, int]:
        """Count the victory points of every seat."""
        return state.table.vp

    def dump(self, state: State) -> Document:
        return documents.dump(state)

    def load(self, document: Document, dice: Dice | None = None) -> State:
        return documents.load(document, self.components, dice)

    def legal(self, view: View, seat: Seat, dice: Dice) -> Document:
        return legal.legal(view, seat, dice, self.components)

    def bot(self, view: View, seat: Seat, dice: Dice, strength: Strength = "normal") -> Document:
        from adjudicator.rules.jump_drive import bot  # few commands need it

        return bot.bot(view, seat, dice, self._almanac, strength)

    @cached_property
    def _almanac(self) -> "Almanac":
        from adjudicator.rules.jump_drive.bot.almanac import Almanac

        return Almanac(self.components)

    def forget(self, state: State) -> State:
        """Forget what a game begun before version 0.3.0 does not remember."""
        return replace(state, table=replace(state.table, open_discards=None))

    def imagine(self, view: View, seat: Seat | None, dice: Dice) -> State:  # noqa: ARG002
        return imagining.imagine(view, dice, self.components)
