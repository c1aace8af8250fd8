"""What a form will do, for its receipt: the step's own code plays it on what the seat can see."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import NEGATED, Event, format_list
from adjudicator.rules.jump_wars.phases import ending, homeworlds, turn
from adjudicator.rules.jump_wars.phases.jump import execution, reveal
from adjudicator.rules.jump_wars.phases.plan import tech
from adjudicator.rules.jump_wars.phases.plan.production import find_fleet_cost
from adjudicator.rules.jump_wars.phases.working_copy import Luck, Work
from adjudicator.rules.jump_wars.position.components import Card, Components
from adjudicator.rules.jump_wars.position.order_forms import (
    list_entries,
    parse_private,
    parse_revealed,
)
from adjudicator.rules.jump_wars.position.space import Space
from adjudicator.rules.jump_wars.position.state import (
    EMPIRE,
    NO_PRIVATE_ORDERS,
    NOTHING,
    Player,
    Side,
    State,
    Table,
    View,
    find_hand_limit,
    order_seats,
)
from adjudicator.rules.jump_wars.telling.report import (
    describe_outcome,
    find_writer,
)
from adjudicator.rules.jump_wars.telling.sentences import describe_income
from adjudicator.rules.jump_wars.telling.vain_orders import (
    ONE_CARD,
    find_spare_cards,
    find_vain_builds,
)


def foretell(view: View, seat: Seat, orders: Document, components: Components) -> Sequence[str]:
    """Describe in sentences what the form will do, as far as the seat can know."""
    teller = _TELLERS.get(view.table.step) if view.table.winners is None else None
    return tuple(teller(view, seat, orders, components)) if teller else ()


def _foretell_homeworld(
    view: View, seat: Seat, orders: Document, components: Components
) -> Iterator[str]:
    table = view.table
    homes = homeworlds.add_empire(table, components)
    if seat in homes:
        return
    space, rank = homeworlds.serve_seat(table.options, homes, orders.get("homeworld") or ())
    if order_seats(table)[0] == seat:
        yield f"You are served first, so your homeworld will be {space}."
    elif rank is None:
        yield "You get the free space farthest from the homeworlds placed before yours (JW-4)."
    else:
        yield f"Your homeworld will be {space}, unless somebody served before you is too near."


def _foretell_plan(
    view: View, seat: Seat, orders: Document, components: Components
) -> Iterator[str]:
    work = Work.from_view(view, components, Luck.WORST)
    turn.play_plan(work, {seat: orders})
    tokens = work.players[seat].tokens
    tokens += sum(event.data["paid"] for event in work.events if event.kind == "built")
    for event in work.events:
        facts = event.data
        if event.kind == "mined" and facts["seat"] == seat:
            income = f"{facts['rt']} RT: {describe_income(facts)}" if facts["rt"] else "nothing"
            yield f"You will mine {income}. Then you have {tokens} RT."
        elif event.kind == "built":
            what = f"{facts['asked']} at {facts['at']}"
            yield _describe_build(what, facts["fleets"], facts["price"], tokens)
            tokens -= facts["paid"]
        else:
            yield from _describe_own(event, seat)
    after = replace(view, table=replace(view.table, players=work.players))
    for number, at in find_vain_builds(after, seat, orders, work.events):
        yield _describe_build(f"{number} at {at}", 0, find_fleet_cost(work.players[seat]), tokens)
    spare = find_spare_cards(work.hands[seat], seat, orders, work.events)
    if spare:
        yield f"advance {format_list(spare)}: kept. {ONE_CARD}"
    if any(entry.get("want") for entry in orders.get("trade") or ()):
        yield "Trades that need a partner are not counted here."


def _describe_build(what: str, fleets: int, price: int, tokens: int) -> str:
    if fleets:
        rest = tokens - fleets * price
        return f"build {what} builds {fleets} for {price} RT each; then you have {rest} RT."
    return f"build {what} builds {fleets}: a fleet then costs {price} RT, you will have {tokens}."


def _describe_own(event: Event, seat: Seat) -> Iterator[str]:
    """Describe what the seat's own order does, in the words of the report."""
    if event.kind != NEGATED and find_writer(event) == seat:
        yield f"{describe_outcome(0, event)['text']}."


def _foretell_jump(
    view: View, seat: Seat, orders: Document, components: Components
) -> Iterator[str]:
    table, hand = view.table, view.hand
    if tech.has_raises(orders):
        work = Work.from_view(view, components, Luck.WORST)
        tech.make_raises(work, {seat: orders})
        table, hand = replace(table, players=work.players), tuple(work.hands[seat])
        for event in work.events:
            yield from _describe_own(event, seat)
    lists = {seat: list_entries(parse_revealed(orders))}
    after, events = execution.move_fleets(table, lists)
    yield from _foretell_moves(seat, after, events, now=" now")
    home, stacks = after.homes.get(seat), after.fleets.get(seat, NOTHING)
    if home not in stacks and table.homes.get(seat) in table.fleets.get(seat, NOTHING):
        yield _warn_of_open_home(seat, home, table.seats)
    rest = parse_private(orders)
    if rest.fight.targets:
        yield from _foretell_targets(seat, after, rest.fight.targets)
    yield from _foretell_discards(table.players[seat], hand, rest.final.discard, components)


def _foretell_targets(seat: Seat, after: Table, targets: Sequence[Side]) -> Iterator[str]:
    """Say that targets count in fights only, where none of them is met as the others stand."""
    own = after.fleets.get(seat, NOTHING)
    if all(own.keys().isdisjoint(after.fleets.get(one, NOTHING)) for one in targets):
        names = format_list(list(targets))
        yield f"As the others stand you meet no fleet of {names}; targets count in fights (JW-55)."


def _foretell_reveal(
    view: View, seat: Seat, orders: Document, components: Components
) -> Iterator[str]:
    table = view.table
    hands = {**dict.fromkeys(table.seats, ()), seat: view.hand}
    state = State(table=table, hands=hands, deck=())
    state, lists, answers = reveal.answer_lists(state, {seat: orders})
    for event in answers:
        yield from _describe_own(event, seat)
    after, events = execution.move_fleets(table, lists)
    yield from _foretell_moves(seat, after, events, now="")
    private = view.kept or NO_PRIVATE_ORDERS
    if private.fight.targets:
        yield from _foretell_targets(seat, after, private.fight.targets)
    preference = private.final.discard
    yield from _foretell_discards(table.players[seat], state.hands[seat], preference, components)


def _foretell_moves(
    seat: Seat, after: Table, events: Iterable[Event], *, now: str
) -> Iterator[str]:
    """Describe where the seat's fleets will stand after their jumps, and who is there."""
    own = after.fleets.get(seat, NOTHING)
    jumped = False
    for event in events:
        facts = event.data
        if facts["seat"] != seat or event.kind != "jumped":
            yield from _describe_own(event, seat)
            continue
        jumped = True
        source, target, others = facts["from"], facts["to"], ""
        for side, stacks in after.fleets.items():
            if side != seat and target in stacks:
                name = "the old empire" if side == EMPIRE else side
                others += f"{' and' if others else ', where'} {name} has {stacks[target]}{now}"
        stand = f"{own.get(source, 0)} at {source} and {own[target]} at {target}"
        yield f"{facts['order']}: after all jumps you have {stand}{others}."
    if own and not jumped:
        yield "All your fleets stay where they are."


def _warn_of_open_home(seat: Seat, home: Space | None, seats: Sequence[Seat]) -> str:
    """Say that the last fleets leave the homeworld, which with two players may end the game."""
    warning = (
        f"No fleet of yours will be at {home}, your homeworld: a player who jumps there takes it"
    )
    others = [one for one in seats if one != seat]
    if len(others) > 1:
        return f"{warning}."
    return f"{warning}, and wins; if you take {others[0]}'s in the same turn, both win (JW-60)."


def _foretell_discards(
    player: Player, hand: Sequence[Card], preference: Sequence[Card], components: Components
) -> Iterator[str]:
    """Describe what the hand limit takes at the end of the turn (JW-59)."""
    limit = find_hand_limit(player)
    if len(hand) > limit:
        cards = format_list(ending.choose_excess(player, hand, preference, components))
        yield f"At the end of the turn you discard {cards}; your limit is {limit}."
    elif preference:
        yield f"You will discard nothing: you hold no more than your limit of {limit} (JW-59)."


_TELLERS: Final = {
    "homeworlds": _foretell_homeworld,
    "plan": _foretell_plan,
    "jump": _foretell_jump,
    "reveal": _foretell_reveal,
}
