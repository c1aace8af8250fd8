"""The order form as it is offered: what the reader could write now, with their own cards."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import format_count
from adjudicator.rules.jump_drive.orders import check
from adjudicator.rules.jump_drive.orders.check import list_choices, list_second_worlds
from adjudicator.rules.jump_drive.phases import placing
from adjudicator.rules.jump_drive.phases.costs import Holdings, find_specialist, make_placement
from adjudicator.rules.jump_drive.phases.turn import list_seats_owing
from adjudicator.rules.jump_drive.phases.valuation import choose_least_valuable
from adjudicator.rules.jump_drive.position.components import Components
from adjudicator.rules.jump_drive.position.counting import KEPT, count_cards_seen
from adjudicator.rules.jump_drive.position.order_forms import ASK, AUTO, Placing, Second, write_form
from adjudicator.rules.jump_drive.position.powers import SecondWorld
from adjudicator.rules.jump_drive.position.state import View

Example = dict[str, Any]

_ASKED: Final = {
    "opening": "which cards of your first hand you discard",
    "place": "round {round}, what you place",
    "second": "round {round}, a second world",
    "explore": "round {round}, what you discard after exploring",
    "trim": "round {round}, what you discard for the hand limit",
}


_COUNTED: Final = {
    "opening": "discard {cards} of the {hand} in your first hand",
    "explore": "round {round}, discard {cards} of the {hand} in your hand",
    "trim": "round {round}, discard {cards} of the {hand} in your hand, for the hand limit",
}


def describe_due(view: View) -> str:
    """Describe what is due, to whoever owes cards with their number."""
    table = view.table
    if table.over:
        return "nothing"
    template = _COUNTED.get(table.step) if view.owed else None
    cards = format_count(view.owed, "card")
    return (template or _ASKED[table.step]).format(
        round=table.round, cards=cards, hand=len(view.hand)
    )


def offer_form(view: View, components: Components) -> Document:
    """Offer comments that say what is possible, and a legal example; nothing for a bystander."""
    table, seat = view.table, view.seat
    if seat is None or table.over is not None or seat not in list_seats_owing(table):
        return {"comments": [], "example": {}}
    comments, example = _MAKERS[table.step](view, seat, components)
    return {"comments": list(comments), "example": example}


Draft = tuple[Sequence[str], Example]


def _draft_discard(view: View, seat: Seat, components: Components) -> Draft:
    hand, empire = view.hand, view.table.empires[seat]
    cards = choose_least_valuable(hand, view.owed, empire, components)
    comments = [
        (
            f"Discard {format_count(view.owed, 'card')} of the {len(hand)} in your hand. "
            "Below stands the"
        ),
        "program's choice: those worth least to you (JD-31).",
        "`pass: yes` discards these.",
    ]
    return comments, {"discard": list(cards)}


def _draft_place(view: View, _: Seat, components: Components) -> Draft:
    own = check.find_holdings(view)
    draws = count_cards_seen(own.empire, components)
    comments = [
        "A development, a world, one of each, or explore; see your hand in this report.",
        f"`explore: true` draws {format_count(draws, 'card')}; then you discard {draws - KEPT}",
        f"of your whole hand: `discard: {AUTO}` leaves these to the program, else you are asked.",
        "`pass: yes` explores, and the program discards for you.",
        "Without `pay` the program pays with the cards worth least to you (JD-31).",
    ]
    comments += _list_hints(own, components)
    plays = list_choices(own, components)
    play = next(plays, None)
    if play is not None and play.form.contact_specialist:  # better one that takes a single line
        play = next((one for one in plays if not one.form.contact_specialist), play)
    if play is None:
        return [*comments, "In words: `explore, discard auto`."], {"explore": True, "discard": AUTO}
    if not play.form.contact_specialist:
        name = play.form.development or play.form.world
        comments.append(f"In words: `place {name}`, or `explore, discard auto`.")
    # the first of the choices has no second world
    return comments, write_form(replace(play.form, pay=placing.choose_payments(play) or None))


def _list_hints(own: Holdings, components: Components) -> Sequence[str]:
    """List what else the form can say; a card also helps in the form that places it."""
    cards, hints = components.find_cards((*own.empire, *own.hand)), []
    if not own.surveyed:
        team = components.cards[components.team]
        hints.append(f"`development: {team.slug}` takes it from the table, once a game (JD-9).")
    if find_specialist(cards) and any(components.cards[card].is_military for card in own.hand):
        hints.append("`contact_specialist: yes` beside a military world pays for it, its defense")
        hints.append("less 1, where it is not yellow (JD-20).")
    convoys = dict.fromkeys(card.slug for card in cards if card.list_powers(SecondWorld))
    bring = "brings a second world (JD-21);"
    hints += [f"`second: {{world: CARD, by: {by}}}` {bring}" for by in convoys]
    if convoys:
        hints.append(f"`second: {ASK}` puts that off until all placements are known.")
    return hints


def _draft_second(view: View, seat: Seat, components: Components) -> Draft:
    own = placing.add_first_world(check.find_holdings(view), view.table.placed[seat])
    plays = list(list_second_worlds(make_placement(own, Placing(), components)))
    if not plays:
        return ["No card of your hand can be a second world now."], {"pass": True}
    seconds = [play.form.second for play in plays if play.form.second]
    worlds = list(dict.fromkeys(map(_write_second, seconds)))
    play = plays[0]
    assert play.form.second is not None
    payments = placing.choose_second_payments(play) or None
    example = write_form(replace(play.form.second, pay=payments))
    return [f"Possible: {', '.join(worlds)}. `pass: yes` places none."], example


def _write_second(second: Second) -> str:
    """Write a second world in words, as the form takes it."""
    words = f"`{second.world} by {second.by}`"
    return f"{words} (with `contact_specialist: yes`)" if second.contact_specialist else words


_MAKERS: Final[Mapping[str, Callable[[View, Seat, Components], Draft]]] = {
    "opening": _draft_discard,
    "place": _draft_place,
    "second": _draft_second,
    "explore": _draft_discard,
    "trim": _draft_discard,
}
