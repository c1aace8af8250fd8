"""The jump step: raises, then all lists are revealed (JW-11, JW-13, JW-28).

Events, seen by everybody; those of raises.py and, without a reveal step, of execution.py too:
revealed   JW-28  orders: {seat: [{number, order}]}; only when a reveal step follows
"""

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.event import Event
from adjudicator.core.finding import Finding, Grade, Path
from adjudicator.rules.jump_wars import execution, raises, reveal
from adjudicator.rules.jump_wars.components import Card, Components
from adjudicator.rules.jump_wars.fight import bomb_fault
from adjudicator.rules.jump_wars.serve import Verdict, serve
from adjudicator.rules.jump_wars.space import NEIGHBOURS, Space
from adjudicator.rules.jump_wars.state import (
    NOTHING_KEPT,
    Kept,
    State,
    Table,
    View,
    Written,
    highest,
    without,
)
from adjudicator.rules.jump_wars.written import Move, entries_of, kept_of, text_of, written_of


def adjudicate(
    state: State, orders: Orders, _dice: Dice, components: Components
) -> tuple[State, tuple[Event, ...]]:
    """Reveal the lists; stop there if somebody may answer, else go on to the end of the turn."""
    state, events = raises.adjudicate(state, orders, components)
    state = _on_the_table(state, orders)
    if not reveal.due(state):
        state, more = execution.adjudicate(state, reveal.lists_of(state.table), components)
        return state, events + more
    state = replace(state, table=replace(state.table, step="reveal"))
    return state, (*events, _revealed(state.table))


def _on_the_table(state: State, orders: Orders) -> State:
    """Every list that holds an order, and of every form what stays private for now."""
    listed: dict[Seat, Written] = {}
    kept: dict[Seat, Kept] = {}
    for seat in state.table.seats:
        if seat not in orders:
            continue
        written, rest = written_of(orders[seat]), kept_of(orders[seat])
        if written.lists_anything:
            listed[seat] = written
        if rest != NOTHING_KEPT:
            kept[seat] = rest
    return replace(state, table=replace(state.table, written=listed), kept=kept)


def _revealed(table: Table) -> Event:
    told = {
        seat: [
            {"number": entry.number, "order": text_of(entry.order)}
            for entry in entries
            if entry.order is not None
        ]
        for seat, entries in reveal.lists_of(table).items()
    }
    return Event(kind="revealed", rule="JW-28", seen_by=None, data={"orders": told})


def check(view: View, seat: Seat, orders: Document, components: Components) -> tuple[Finding, ...]:
    """What the seat can see of how its jump form will fare; raises in the same form count."""
    table, found = raises.foreseen(view, seat, orders, components)
    verdicts = serve(table, seat, entries_of(written_of(orders)))
    kept = kept_of(orders)
    standing = orders.get("standing") or view.standing
    spy = standing.get("reveal") != "pass" and highest(table.players, reveal.ESPIONAGE) == seat
    return (
        *found,
        *_list_findings(table, seat, verdicts, spy=spy),
        *_bomb_findings(table, seat, verdicts, kept),
        *_discard_findings(view, orders, kept),
    )


def _list_findings(
    table: Table, seat: Seat, verdicts: Iterable[Verdict], *, spy: bool
) -> Iterable[Finding]:
    for verdict in verdicts:
        path = verdict.entry.path
        if verdict.fault:
            stood = reveal.stood_at(table, seat, verdict)
            yield reveal.finding_of(table, verdict, stood=stood, spy=spy)
        elif isinstance(verdict.order, Move) and _may_clash(table, seat, verdict.order.target):
            why = f"Another homeworld may enter {verdict.order.target} too; then neither moves."
            yield _doubtful("JW-35", why, path)


def _may_clash(table: Table, seat: Seat, target: Space) -> bool:
    beside = NEIGHBOURS[table.options.grid][target]
    return any(
        "planet-jump" in player.specials and table.homes.get(other) in beside
        for other, player in table.players.items()
        if other != seat
    )


def _bomb_findings(
    table: Table, seat: Seat, verdicts: Iterable[Verdict], kept: Kept
) -> Iterable[Finding]:
    own = _after_the_jumps(table, seat, verdicts)
    enemies = {space for side, stacks in table.fleets.items() if side != seat for space in stacks}
    for place, (space, ships) in enumerate(kept.nova_bombs):
        path: Path = ("fight", "nova_bombs", place)
        why = bomb_fault(table, seat, space, ships)
        if why:
            yield Finding(grade=Grade.DOOMED, rule="JW-56", message=why, path=path, entry=path)
            continue
        if own[space] < 1:
            why = f"None of your fleets will stand at {space} that is not to be sacrificed already."
            yield _doubtful("JW-56", why, path)
        elif space not in enemies:
            why = f"There is no enemy at {space} yet; without a fight no bomb goes off."
            yield _doubtful("JW-56", why, path)
        own[space] -= ships


def _after_the_jumps(table: Table, seat: Seat, verdicts: Iterable[Verdict]) -> Counter[Space]:
    """Where the seat's own fleets will stand if all its orders fare as they look now."""
    own = Counter(table.fleets.get(seat, {}))
    for verdict in verdicts:
        if verdict.fault is None and not isinstance(verdict.order, Move):
            own[verdict.order.source] -= verdict.fleets
            own[verdict.order.target] += verdict.fleets
    return own


def _discard_findings(view: View, orders: Document, kept: Kept) -> Iterable[Finding]:
    """The preferences of JW-59 are no orders: what is not there is passed over."""
    hand = list(view.hand)
    raised: Iterable[Card] = orders.get("cutting_edge") or ()
    for card in raised:
        hand = list(without(hand, (card,))) if card in hand else hand
    for place, card in enumerate(kept.discard):
        if card in hand:
            hand.remove(card)
        else:
            why = f"You will hold no {card} card by then; it will be passed over."
            yield _doubtful("JW-59", why, ("final", "discard", place))


def _doubtful(rule: str, message: str, path: Path) -> Finding:
    return Finding(grade=Grade.DOUBTFUL, rule=rule, message=message, path=path, entry=path)
