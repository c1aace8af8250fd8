"""The end of a round: propaganda, scoring, income, hand limit, game end (JD-12 to JD-16)."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from adjudicator.core.document import Seat
from adjudicator.core.game import Over
from adjudicator.core.tabletop import list_seats_after
from adjudicator.rules.jump_drive.phases.working_copy import Forms, Work, find_listed_discards
from adjudicator.rules.jump_drive.position.components import Components, Name
from adjudicator.rules.jump_drive.position.counting import (
    count_general,
    count_income,
    count_points,
    count_totals,
)
from adjudicator.rules.jump_drive.position.powers import MovesTo


class CardMove(Struct, frozen=True, kw_only=True):
    """A copy that changes hands."""

    card: Name
    origin: Seat
    to: Seat
    strength: int
    """General strength of who gets it."""


def move_propaganda(work: Work) -> None:
    """Move every copy to where it belongs."""
    for move in find_moves(work.empires, work.table.seats, work.components):
        work.empires[move.origin].remove(move.card)
        work.empires[move.to].append(move.card)
        work.tell("moved", "JD-12", **structs.asdict(move))


def find_moves(
    empires: Mapping[Seat, Sequence[Name]], seats: tuple[Seat, ...], components: Components
) -> tuple[CardMove, ...]:
    """Find every copy that moves; all are judged before the first one moves."""
    strengths = {seat: count_general(components.find_cards(empires[seat])) for seat in seats}
    destinations = [
        (seat, name, _find_strongest(seat, strengths, seats))
        for seat in seats
        for name in empires[seat]
        if components.cards[name].list_powers(MovesTo)
    ]
    return tuple(
        CardMove(card=name, origin=seat, to=to, strength=strengths[to])
        for seat, name, to in destinations
        if to != seat
    )


def _find_strongest(owner: Seat, strengths: Mapping[Seat, int], seats: tuple[Seat, ...]) -> Seat:
    """Find who gets it: the highest, the owner before others, then the next to the owner's left."""
    highest = max(strengths.values())
    if strengths[owner] == highest:
        return owner
    return next(seat for seat in list_seats_after(seats, owner) if strengths[seat] == highest)


def score_round(work: Work) -> bool:
    """Give everybody the VP of their empire; return whether anybody gained one."""
    gained = count_totals(work.empires, work.components, count_points)
    for seat in work.table.seats:
        work.vp[seat] += gained[seat]
        work.tell("scored", "JD-13", seat=seat, gained=gained[seat], total=work.vp[seat])
    return any(gained.values())


def draw_income(work: Work) -> None:
    """Let everybody draw income; all of it is counted before the first card is drawn."""
    incomes = count_totals(work.empires, work.components, count_income)
    for seat in order_by_points(work):
        work.tell_drawn(seat, "JD-14", work.draw(seat, incomes[seat]), "income")


def order_by_points(work: Work) -> tuple[Seat, ...]:
    """Order the seats clockwise from the most VP; of equals the first to the dealer's left."""
    first = max(work.order, key=lambda seat: work.vp[seat])
    return (first, *(seat for seat in list_seats_after(work.table.seats, first) if seat != first))


def count_over_limit(work: Work, seat: Seat) -> int:
    """Count how many cards the seat has too many."""
    return max(0, len(work.hands[seat]) - work.components.constants.limit)


def trim_by_preference(work: Work) -> None:
    """Discard for those whose place form says what goes first; it holds for one round."""
    preferences, work.trims = work.trims, {}
    for seat in work.order:
        if seat in preferences:
            _discard_excess(work, seat, preferences[seat])


def list_seats_over_limit(work: Work) -> tuple[Seat, ...]:
    """List the seats with too many cards, in seat order."""
    return tuple(seat for seat in work.table.seats if count_over_limit(work, seat))


def resolve_trim(work: Work, forms: Forms) -> None:
    """Resolve the step trim: the cards named go, else the program's choice (JD-31)."""
    for seat in work.order:
        _discard_excess(work, seat, find_listed_discards(forms, seat))


def _discard_excess(work: Work, seat: Seat, preference: Sequence[Name]) -> None:
    number = count_over_limit(work, seat)
    if number:
        work.discard(seat, preference, number, "JD-15", "trim")


def find_reason_to_end(work: Work, idle: int) -> str | None:
    """Find why the game ends after this scoring; None when it goes on."""
    constants = work.components.constants
    if max(work.vp.values()) >= constants.goal:
        return "goal"
    return "idle" if idle >= constants.idle else None


def end_game(work: Work, why: str) -> Over:
    """End the game: most VP win, then most hand cards and income still to draw, then all share."""
    incomes = count_totals(work.empires, work.components, count_income)
    spare = {seat: len(work.hands[seat]) + incomes[seat] for seat in work.table.seats}
    reached = {seat: (work.vp[seat], spare[seat]) for seat in work.table.seats}
    highest = max(reached.values())
    winners = tuple(seat for seat in reached if reached[seat] == highest)
    work.tell("ended", "JD-13" if why == "goal" else "JD-28", why=why)
    for seat in work.table.seats:
        work.tell("final-score", "JD-16", seat=seat, total=work.vp[seat], spare=spare[seat])
    work.tell("won", "JD-16", winners=list(winners))
    return Over(winners, dict(work.vp))
