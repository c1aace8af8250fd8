"""Both editions of Jump Gate as the functions of a game."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.events import Event
from adjudicator.core.finding import Finding
from adjudicator.core.game import STRENGTHS, Due, Over, Rules, Strength
from adjudicator.rules.jump_gate.orders import check, conditions, legal
from adjudicator.rules.jump_gate.phases import ending, turn
from adjudicator.rules.jump_gate.phases.editions import find_edition
from adjudicator.rules.jump_gate.phases.specials import BLACK_HOLE, JUMP_GATE
from adjudicator.rules.jump_gate.position import components, documents, imagining
from adjudicator.rules.jump_gate.position.state import NONE, State, View, make_view
from adjudicator.rules.jump_gate.telling import foretell, report, vain_orders

if TYPE_CHECKING:
    from adjudicator.rules.jump_gate.bot.almanac import Almanac


class JumpGate(Rules[State, View]):
    """The rules, bound to the components of an edition."""

    def __init__(self, document: Document) -> None:
        self.components = components.read(document)
        self.kind = self.components.kind
        self.title = self.components.title
        self.names = {
            "card": tuple(self.components.cards),
            "planet": tuple(self.components.worlds),
            "resource": (*self.components.resource_cards, NONE),
            "place": (BLACK_HOLE, JUMP_GATE, *self.components.worlds),
        }
        self.strengths = STRENGTHS
        self._find_almanac = cache(self._make_almanac)
        self.secrets = (
            "planets.*.face_down", "hands", "hidden", "navcomp_deck", "standing",
            "take of active"
        )  # fmt: skip
        """Parts of the state document that not everybody may know."""

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

    def resolve(
        self,
        state: State,
        orders: Orders,
        dice: Dice,
        *,
        cut: bool = False,  # noqa: ARG002 - no automatic step follows that could be cut off
    ) -> tuple[State, Sequence[Event]]:
        return turn.resolve(state, orders, dice, self.components)

    def view(self, state: State, seat: Seat | None) -> View:
        return make_view(state, seat)

    def report(self, view: View, events: Sequence[Event]) -> Document:
        return report.report(view, events, self.components)

    def guess_orders(self, view: View, seat: Seat, text: str) -> Document | None:
        """Guess the orders that a sentence means, where it can mean one thing."""
        from adjudicator.rules.jump_gate.orders import plain_words  # letters alone need it

        return plain_words.guess_orders(view, seat, text, self.components)

    def list_vain_orders(
        self, before: View, view: View, seat: Seat, orders: Document, events: Sequence[Event]
    ) -> Sequence[Document]:
        """List the orders that were fine and came to nothing, of which no event tells."""
        return vain_orders.list_vain_orders(before, view, seat, orders, events, self.components)

    def score(self, state: State) -> Mapping[Seat, int]:
        """Count how many seats each one is ahead of if the game ended now; winners lead."""
        ranks = find_edition(self.components).ranks
        return ending.score(state, self.components, ranks)

    def dump(self, state: State) -> Document:
        return documents.dump(state, self.components)

    def load(self, document: Document, dice: Dice | None = None) -> State:
        return documents.load(document, self.components, dice)

    def legal(self, view: View, seat: Seat, dice: Dice) -> Document:
        return legal.legal(view, seat, dice, self.components)

    def bot(self, view: View, seat: Seat, dice: Dice, strength: Strength = "normal") -> Document:
        from adjudicator.rules.jump_gate import bot  # few commands need it

        almanac = self._find_almanac(len(view.table.seats))
        return bot.bot(view, seat, dice, almanac, strength)

    def _make_almanac(self, seats: int) -> "Almanac":
        from adjudicator.rules.jump_gate.bot.almanac import Almanac

        return Almanac(self.components, seats)

    def forget(self, state: State) -> State:
        """Forget what a game begun before version 0.3.0 does not remember."""
        return replace(state, table=replace(state.table, kept_out=None))

    def imagine(self, view: View, seat: Seat | None, dice: Dice) -> State:  # noqa: ARG002
        return imagining.imagine(view, dice, self.components)
