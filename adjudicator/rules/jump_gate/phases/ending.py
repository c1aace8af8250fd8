"""How each edition ends, the scores, and who has won (JGA-10 to JGA-13, JGB-8 to JGB-11)."""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.core.game import Over
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_gate.phases.scoring import (
    count_claims,
    count_scans,
    find_most_markers,
    score_parts,
    score_resources,
)
from adjudicator.rules.jump_gate.phases.working_copy import Work, count_markers
from adjudicator.rules.jump_gate.position.components import Components
from adjudicator.rules.jump_gate.position.resources import (
    Resource,
    has_icon,
    list_collectable,
    sort_cards,
)
from adjudicator.rules.jump_gate.position.state import State, Table

Rank = tuple[int, ...]
Hidden = Mapping[Seat, tuple[Resource, ...]]
"""The hidden resources that count, by seat."""
Ranking = Callable[[Table, Seat, Hidden], Rank]


def settle_scores(work: Work, hidden: Hidden, rules: tuple[str, str], ranks: Ranking) -> None:
    """Show everybody's points and the winners; `hidden` are the hidden cards that count."""
    table = work.make_state().table
    scores: dict[Seat, int] = {}
    for seat in work.seats:
        points = score_parts(table, seat, work.components, hidden.get(seat, ()))
        scores[seat] = sum(points.values())
        work.tell("scored", rules[0], seat=seat, parts=points, total=scores[seat])
    reached = {seat: (scores[seat], *ranks(table, seat, hidden)) for seat in work.seats}
    best = max(reached.values())
    winners = tuple(seat for seat in work.seats if reached[seat] == best)
    work.over = Over(winners, scores)
    work.tell("won", rules[1], winners=list(winners))


def score(state: State, components: Components, ranks: Ranking) -> Mapping[Seat, int]:
    """Count how many seats each one is publicly ahead of; at the end winners lead.

    Before the end hidden resources are left out: whoever looks at the score may play in the game.
    What the Black Hole would take at random counts with its mean.
    """
    table, over = state.table, state.table.over
    if over:
        hidden: Hidden = state.hidden
        points: Mapping[Seat, Fraction | int] = over.scores
    else:
        hidden = {}
        points = {seat: _score_now(table, seat, components) for seat in table.seats}
        table = _take_losses(table, components)
    winners = over.winners if over else ()
    reached = {
        seat: (seat in winners, points[seat], ranks(table, seat, hidden)) for seat in table.seats
    }
    return {seat: sum(1 for one in reached.values() if one < reached[seat]) for seat in reached}


def _score_now(table: Table, seat: Seat, components: Components) -> Fraction | int:
    """Score a seat's public points if the game ended now, a random loss by its mean (JGA-11)."""
    points = sum(score_parts(table, seat, components).values())
    number = _count_losses(table, components).get(seat, 0)
    if not number:
        return points
    cards = table.collected[seat]
    outcomes = Counter(combinations(cards, len(cards) - number))
    total = sum(
        times * sum(score_resources(ones, components).values()) for ones, times in outcomes.items()
    )
    before = sum(score_resources(cards, components).values())
    return points - before + Fraction(total, outcomes.total())


def _take_losses(table: Table, components: Components) -> Table:
    """Take as many resources as the Black Hole would, whichever they are."""
    losses = _count_losses(table, components)
    remaining = {seat: cards[losses.get(seat, 0) :] for seat, cards in table.collected.items()}
    return replace(table, collected=remaining)


def _count_losses(table: Table, components: Components) -> Mapping[Seat, int]:
    """Count the resources that seats would lose if the game ended now (JGA-11)."""
    if components.is_second or not _is_full(table.black_hole, components):
        return {}
    number = components.find_by_players(components.constants.black_hole_loss, len(table.seats))
    losers = find_most_markers(table.black_hole)
    return {seat: min(number, len(table.collected[seat])) for seat in losers}


_END_2010: Final = "JGA-10"
_BLACK_HOLE: Final = "black-hole"


def end_action_2010(_work: Work) -> None:
    """Do nothing: the end is checked at the end of a turn only."""


def end_turn_2010(work: Work) -> None:
    """End the game by the Black Hole, or when nothing without its icon is left (JGA-10)."""
    if _is_full(work.black_hole, work.components):
        work.ended = _BLACK_HOLE
    elif _is_nothing_left(work):
        work.ended = "all-claimed"


def finish_2010(work: Work) -> None:
    """Take the losses to the Black Hole, then settle the scores."""
    work.tell("ended", _END_2010, why=work.ended)
    if work.ended == _BLACK_HOLE:
        _lose_resources(work)
    settle_scores(work, {}, ("JGA-12", "JGA-13"), rank_seat_2010)


def rank_seat_2010(table: Table, seat: Seat, _hidden: Hidden) -> Rank:
    """Rank a seat among equal scores (JGA-13)."""
    return (
        count_claims(table, seat),
        count_scans(table, seat),
        table.jump_gate[seat],
        -table.black_hole[seat],
        len(table.collected[seat]),
    )


def _is_nothing_left(work: Work) -> bool:
    sites = work.planets.items()
    if any(site.claim is None for _, site in sites):
        return False
    cards = [card for planet, site in sites for card in (*site.face_up, *work.face_down[planet])]
    return all(has_icon(card) for card in list_collectable(cards))


def _lose_resources(work: Work) -> None:
    """Take random resources from all who have most markers on the Black Hole (JGA-11)."""
    assert work.dice is not None
    table = work.components.constants.black_hole_loss
    number = work.components.find_by_players(table, len(work.seats))
    for seat in find_most_markers(work.black_hole):
        shuffled = work.dice.draw("black hole", seat).shuffled(work.collected[seat])
        losses = list(sort_cards(shuffled[:number]))
        work.collected[seat] = remove_cards(work.collected[seat], losses)
        work.tell("lost", "JGA-11", seat=seat, resources=losses)


_END_SECOND: Final = "JGB-8"


def end_action_second(work: Work) -> None:
    """End the game at once by the Black Hole, or when no resource is left (JGB-8)."""
    if _is_full(work.black_hole, work.components):
        work.ended = _BLACK_HOLE
    elif not any(
        site.face_up or work.face_down[planet] or work.haze[planet]
        for planet, site in work.planets.items()
    ):
        work.ended = "nothing-left"


def end_turn_second(work: Work) -> None:
    """End the game when everybody has had the turn after the last claim (JGB-8)."""
    if work.final_turns and work.final_turns[0] == work.active:
        work.final_turns = work.final_turns[1:]
        if not work.final_turns:
            work.ended = "final-turns"


def finish_second(work: Work) -> None:
    """Take or show hidden resources, then settle the scores."""
    work.tell("ended", _END_SECOND, why=work.ended)
    full = _is_full(work.black_hole, work.components)
    losers = find_most_markers(work.black_hole) if full else ()
    for seat in work.seats:
        cards = work.hidden[seat]
        if seat in losers:
            work.hidden[seat] = ()
            work.tell("hidden-lost", "JGB-9", seat=seat, number=len(cards))
        else:
            work.tell("hidden-shown", "JGB-9", seat=seat, resources=list(cards))
    settle_scores(work, work.hidden, ("JGB-10", "JGB-11"), rank_seat_second)


def rank_seat_second(table: Table, seat: Seat, hidden: Hidden) -> Rank:
    """Rank a seat among equal scores (JGB-11), with the hidden cards that count."""
    cards = (*table.collected[seat], *hidden.get(seat, ()))
    return count_claims(table, seat), len(cards), -table.black_hole[seat]


def _is_full(black_hole: Mapping[Seat, int], components: Components) -> bool:
    """Whether enough markers are on the Black Hole to end the game (JGA-10, JGB-8, JGB-9)."""
    return count_markers(black_hole) >= components.constants.black_hole_end.markers
