"""Tables of a report: empires, VP, income, what the cards in hand would be worth."""

from collections.abc import Mapping, Sequence

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import format_count, format_list, label_seat
from adjudicator.rules.jump_drive.orders import check
from adjudicator.rules.jump_drive.phases.costs import (
    Holdings,
    find_development_cost,
    find_specialist,
    find_world_cost,
    make_placement,
)
from adjudicator.rules.jump_drive.phases.faults import find_first_fault
from adjudicator.rules.jump_drive.position.components import (
    DEVELOPMENT,
    Card,
    Components,
    Name,
)
from adjudicator.rules.jump_drive.position.counting import (
    Earning,
    Empire,
    count_general,
    count_icons,
    count_income,
    count_points,
    count_strength,
    list_earnings,
    list_others,
    sum_earnings,
)
from adjudicator.rules.jump_drive.position.order_forms import Placing
from adjudicator.rules.jump_drive.position.state import View
from adjudicator.rules.jump_drive.telling import chart
from adjudicator.rules.jump_drive.telling.card_words import describe_benefits, describe_card


def make_hand_sections(
    own: Holdings,
    others: Sequence[Empire],
    now: tuple[int, int],
    components: Components,
    *,
    is_placing: bool,
) -> Sequence[Document]:
    """Make the hand's table, and say what its cards do.

    Where cards are placed, that on the table is one more that can be. `now`: the VP and the income
    that the empire brings without them.
    """
    team = [components.team] if is_placing and not own.surveyed else []
    names = dict.fromkeys([*own.hand, *team])
    if not names:
        return [{"title": "Your hand", "lines": ["no cards"]}]
    rows = [_make_row(name, own, others, now, components) for name in names]
    words = [
        f"{format_count(len(own.hand), 'card')}; a card being placed cannot pay for itself.",
        "VP and income: how much more your empire would bring each round, as things stand.",
    ]
    if team:
        words.append(
            f"{team[0]} is no card of your hand: it lies on the table, once a game (JD-9)."
        )
    if not is_placing:
        words.append(
            "These rows count the whole hand: a card that you discard now cannot pay later."
        )
    columns = ["card", "costs now", "can you", "VP", "income"]
    does = [describe_card(name, components) for name in names]
    return [
        {"title": "Your hand", "columns": columns, "rows": rows, "words": words},
        {"title": "What your cards do", "lines": does},
    ]


def _make_row(
    name: Name,
    own: Holdings,
    others: Sequence[Empire],
    now: tuple[int, int],
    components: Components,
) -> Sequence[str]:
    card, empire = components.cards[name], components.find_cards(own.empire)
    new_empire = (*empire, card)
    copies = own.hand.count(name)
    gains = [
        sum([what(one, new_empire, others) for one in new_empire]) - before
        for what, before in zip((count_points, count_income), now, strict=True)
    ]
    return [
        f"{name} x{copies}" if copies > 1 else name,
        _describe_cost(card, empire),
        _describe_placing(card, own, components),
        *map(str, gains),
    ]


def _describe_cost(card: Card, empire: Empire) -> str:
    if card.kind == DEVELOPMENT:
        costs = [find_development_cost(empire, card, alone=alone) for alone in (True, False)]
        return f"{costs[0]}, beside a world {costs[1]}" if costs[0] != costs[1] else str(costs[0])
    if card.defense is None:
        return str(find_world_cost(empire, card))
    needs = f"strength {card.defense}, you have {count_strength(card, empire)}"
    power = find_specialist(empire)
    if power is None or power.except_world == card.colour:
        return needs
    return f"{needs}; or {find_world_cost(empire, card)}"


def _describe_placing(card: Card, own: Holdings, components: Components) -> str:
    """Say whether it can be placed alone; if not, what is missing, and the rule that forbids it."""
    if card.kind == DEVELOPMENT:
        forms = [Placing(development=card.slug)]
    else:
        forms = [Placing(world=card.slug), Placing(world=card.slug, contact_specialist=True)]
    faults = [find_first_fault(make_placement(own, form, components)) for form in forms]
    if any(fault is None for fault in faults):
        return "yes"
    first = faults[0]
    return f"no, {first.lacks}; {first.rule}" if first else "yes"


def make_sections(view: View, components: Components) -> Sequence[Document]:
    """Make the sections with everything that the reader may know of the position."""
    table, seat = view.table, view.seat
    empires = {one: components.find_cards(empire) for one, empire in table.empires.items()}
    earnings = list_earnings(table.empires, components)
    sections: list[Document] = [
        {
            "title": f"Race to {components.constants.goal}",
            "lines": list(chart.draw_chart(table, components)),
            "words": list(chart.describe_chart(table, components, seat)),
        },
        _make_players_table(view, empires, earnings, components),
    ]
    if seat is not None:
        others, now = list_others(empires, seat), sum_earnings(earnings[seat])
        sections.append(_make_empire_table(empires[seat], earnings[seat], components))
        holdings, is_placing = check.find_holdings(view), table.step == "place"
        sections += make_hand_sections(holdings, others, now, components, is_placing=is_placing)
    sections.append(_make_others_section(view, earnings))
    deck, pile = format_count(view.deck_size, "card"), format_count(view.discard_size, "card")
    lines = [f"Deck: {deck}. Discard pile, face-down: {pile}."]
    sections.append({"title": "Cards", "lines": lines})
    return sections


def _make_players_table(
    view: View,
    empires: Mapping[Seat, Empire],
    earnings: Mapping[Seat, Sequence[Earning]],
    components: Components,
) -> Document:
    """Make the table of the players, clockwise."""
    table = view.table
    rows = []
    for seat, empire in empires.items():
        numbers = [
            table.vp[seat],
            *sum_earnings(earnings[seat]),
            view.hand_sizes[seat],
            count_general(empire),
            count_icons(empire, "explore"),
            table.explores[seat],
        ]
        team = "taken" if seat in table.surveyed else "there"
        name = label_seat(seat, view.seat)
        rows.append([name, *map(str, numbers), team])
    columns = ["seat", "VP", "a round", "income", "cards", "strength", "explore", "markers"]
    words = [f"{table.dealer} is the dealer of round {table.round}."]
    if table.idle:
        remaining = components.constants.idle - table.idle
        rounds = "1 more round" if remaining == 1 else f"{remaining} more rounds"
        ends = "ends" if remaining == 1 else "end"
        words.append(f"{rounds} without a card placed or a VP {ends} the game.")
    return {
        "title": "Players",
        "columns": [*columns, "team"],
        "rows": rows,
        "words": words,
    }


def _make_empire_table(
    empire: Empire, earnings: Sequence[Earning], components: Components
) -> Document:
    """Make the table of the reader's empire, card by card, and the sum."""
    if not empire:
        return {"title": "Your empire", "lines": ["no cards yet"]}
    numbers = [_list_numbers(one) for one in earnings]
    rows = [[one.card.name, *map(str, row)] for one, row in zip(earnings, numbers, strict=True)]
    rows.append(["together", *(str(sum(column)) for column in zip(*numbers, strict=True))])
    columns = ["card", "VP", "income", "military", "explore", "chromosomes"]
    words = [f"General strength {count_general(empire)}.", *describe_benefits(empire, components)]
    return {"title": "Your empire", "columns": columns, "rows": rows, "words": words}


def _list_numbers(earning: Earning) -> Sequence[int]:
    card = earning.card
    return (earning.points, earning.income, card.military, card.explore, card.chromosomes)


def _make_others_section(view: View, earnings: Mapping[Seat, Sequence[Earning]]) -> Document:
    """Make the other empires' section, each card with what it brings a round there."""
    lines = []
    for seat, earned in earnings.items():
        if seat != view.seat:
            cards = list(map(_describe_earning, earned))
            lines.append(f"{seat}: {format_list(cards) or 'no cards yet'}.")
    title = "Empires" if view.seat is None else "The other empires"
    return {"title": title, "lines": lines}


def _describe_earning(earning: Earning) -> str:
    brings = [f"{earning.points} VP"] if earning.points else []
    brings += [f"{earning.income} income"] if earning.income else []
    return f"{earning.card.name} ({', '.join(brings)})" if brings else earning.card.name
