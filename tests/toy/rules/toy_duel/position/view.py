"""What a seat may know, built from nothing."""

from collections.abc import Mapping

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.rules.toy_duel.position.components import Card
from adjudicator.rules.toy_duel.position.state import Options, State


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know; without a seat: what everybody knows."""

    options: Options
    seats: tuple[Seat, ...]
    round: int
    step: str
    scores: Mapping[Seat, int]
    hand_sizes: Mapping[Seat, int]
    deck_size: int
    played: tuple[Card, ...]
    scorer: Seat | None
    winners: tuple[Seat, ...] | None
    seat: Seat | None
    hand: tuple[Card, ...] = ()
    standing: Mapping[str, str] = {}

    @property
    def victims(self) -> tuple[Seat, ...]:
        """The others who hold a card."""
        return tuple(s for s in self.seats if s != self.seat and self.hand_sizes[s])


def view(state: State, seat: Seat | None) -> View:
    """What this seat may know of the state."""
    return View(
        options=state.options,
        seats=state.seats,
        round=state.round,
        step=state.step,
        scores=state.scores,
        hand_sizes={s: len(state.hands[s]) for s in state.seats},
        deck_size=len(state.deck),
        played=state.played,
        scorer=state.scorer,
        winners=state.winners,
        seat=seat,
        hand=state.hands[seat] if seat else (),
        standing=state.standing.get(seat, {}) if seat else {},
    )
