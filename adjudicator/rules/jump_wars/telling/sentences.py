"""Every kind of event as sentences for its reader: one function per kind."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from adjudicator.core import events
from adjudicator.core.events import (
    NEGATED,
    Event,
    EventText,
    Facts,
    Teller,
    format_count,
    format_list,
    tell_by,
)
from adjudicator.rules.jump_wars.position.state import EMPIRE, Side


class Reader(events.Reader, frozen=True):
    """The reader; the old empire has a name of its own."""

    def name_side(self, side: Side) -> str:
        """Name the side inside a sentence."""
        return "the old empire" if side == EMPIRE else super().name_side(side)


def tell(event: Event, reader: Reader) -> EventText:
    """Describe the event in words; a kind without words of its own is described by its facts."""
    return events.describe_event(event, reader, TELLERS)


def _tell_homeworld(facts: Facts, reader: Reader) -> str:
    rank = facts["wish"]
    how = f"choice {rank} of the list" if rank else "the free space farthest away"
    return f"{reader.begin_with_owner(facts['seat'])} homeworld is {facts['space']}, {how}."


def _tell_dealt(facts: Facts, _: Reader) -> str:
    again = facts["deals"] - 1
    more = f" {format_count(again, 'deal')} left a homeworld out of reach." if again else ""
    return f"The map was dealt.{more}"


def _name_cards(facts: Facts) -> str:
    """Name the cards, if the reader may know them."""
    return f": {format_list(facts['named'])}" if facts.get("named") else ""


def _tell_traded(facts: Facts, reader: Reader) -> str:
    goods = [f"{facts['rt']} RT"] if facts["rt"] else []
    if facts["cards"]:
        goods.append(format_count(facts["cards"], "card"))
    gift = " as a gift" if facts["gift"] else " in trade"
    by, to = reader.begin_with(facts["by"]), reader.name_side(facts["to"])
    return f"{by} gave {to} {' and '.join(goods)}{gift}{_name_cards(facts)}."


def _tell_trade_failed(facts: Facts, reader: Reader) -> str:
    goods = [f"{facts['rt']} RT"] if facts["rt"] else []
    goods_text = format_list([*goods, *facts["cards"]])
    by = reader.begin_with(facts["by"])
    return (
        f"{by} wanted to give {reader.name_side(facts['to'])} {goods_text}, but could not pay it."
    )


def _tell_gained(facts: Facts, reader: Reader) -> str:
    cost = format_list(
        [
            f"{format_count(levels, 'level')} of {tech}"
            for tech, levels in sorted(facts["cost"].items())
        ]
    )
    price = f" for {cost}" if cost else ""
    return f"{reader.begin_with(facts['seat'])} gained the ability {facts['special']}{price}."


_SOURCES = {
    "own-homeworld": "homeworld",
    "enemy-homeworld": "enemy homeworlds",
    "star-field": "star fields",
    "cluster": "clusters",
    "nebula": "nebulas",
    "cards": "discarded cards",
}


def _tell_mined(facts: Facts, reader: Reader) -> str:
    start = reader.begin_with(facts["seat"])
    if not facts["rt"]:
        return f"{start} mined nothing."
    return f"{start} mined {facts['rt']} RT: {describe_income(facts)}."


def describe_income(facts: Facts) -> str:
    """Describe what the tokens that a player mines are made of."""
    parts = " + ".join(f"{_SOURCES.get(name, name)} {rt}" for name, rt in facts["sum"].items())
    times = f", times manufacturing {facts['times']}" if facts["times"] != 1 else ""
    return f"{parts}{times}"


def _tell_revealed(facts: Facts, reader: Reader) -> EventText:
    lists = [
        f"{reader.begin_with(seat)}: {_add_number(orders)}"
        for seat, orders in facts["orders"].items()
    ]
    return EventText("The jump orders are revealed; nothing has moved yet.", tuple(lists))


def _add_number(orders: Sequence[Facts]) -> str:
    return ", ".join(f"{one['number']} {one['order']}" for one in orders)


def _tell_won(facts: Facts, reader: Reader) -> str | EventText:
    start = reader.begin_with(facts["seat"])
    verb = "win" if start == "You" else "wins"
    if "homeworlds" in facts:
        homes = format_list(facts["homeworlds"])
        return f"{start} {verb} the game: every opponent's homeworld is occupied ({homes})."
    if "turns" in facts:
        return f"{start} {verb} the game: the old empire's homeworld held for 3 turns."
    shared = "shares the victory" if start != "You" else "share the victory"
    text = f"{start} {shared if facts['shared'] else f'{verb} the game'} at the turn limit."
    return EventText(text, tuple([_describe_standing(one, reader) for one in facts["standings"]]))


def _describe_standing(one: Facts, reader: Reader) -> str:
    """Describe what JW-62 compares, in its order."""
    homes, fleets = (
        format_count(one["homeworlds"], "enemy homeworld"),
        format_count(one["fleets"], "fleet"),
    )
    what = f"{homes}, {one['mine']} RT to mine, {fleets}, {one['tokens']} RT"
    return f"{reader.begin_with(one['seat'])}: {what}."


def _tell_fight(facts: Facts, reader: Reader) -> EventText:
    losses = format_list(
        [
            f"{reader.name_side(one['side'])} lost {facts['lost'][one['side']]} of {one['fleets']}"
            for one in facts["sides"]
        ]
    )
    survivors = [
        f"{reader.name_side(side)} with {number}" for side, number in facts["left"].items()
    ]
    end = f"; {survivors[0]} left" if survivors else "; nobody is left"
    return EventText(
        f"Fight at {facts['at']}: {losses}{end}.", tuple(_describe_rounds(facts, reader))
    )


_ROUNDS_TOLD: Final = 20
"""Of a longer fight the rest is summed up; the data of the event have every round."""


def _describe_rounds(facts: Facts, reader: Reader) -> list[str]:
    """Describe the fight round by round, with the numbers that decided it."""
    lines = [_describe_strength(one, reader) for one in facts["sides"]]
    rounds = facts["rounds"]
    for number, one in enumerate(rounds[:_ROUNDS_TOLD], start=1):
        lines += [
            f"Round {number}, initiative {act['initiative']}: {_describe_action(act, reader)}."
            for act in one["actions"]
        ]
    return [*lines, *_sum_up_rounds(facts["sides"], rounds[_ROUNDS_TOLD:], reader)]


def _sum_up_rounds(
    sides: Sequence[Facts], rounds: Sequence[Facts], reader: Reader
) -> Iterator[str]:
    """Sum up the rounds of a long fight that are not told one by one."""
    if not rounds:
        return
    losses = dict.fromkeys((one["side"] for one in sides), 0)
    for one in rounds:
        for action in one["actions"]:
            for loss in action["losses"]:
                losses[loss["side"]] += loss["destroyed"]
    parts = [f"{reader.name_side(side)} lost {number}" for side, number in losses.items() if number]
    first, last = _ROUNDS_TOLD + 1, _ROUNDS_TOLD + len(rounds)
    which = f"Rounds {first} to {last}" if last > first else f"Round {first}"
    what = "every round is" if last > first else "it is"
    yield f"{which}: {format_list(parts) or 'nobody lost a fleet'}; {what} in the report's JSON."


def _describe_strength(one: Facts, reader: Reader) -> str:
    bonuses = format_list([bonus["why"] for bonus in one["bonuses"]])
    because = f" ({bonuses})" if bonuses else ""
    levels = f"initiative {one['initiative']}, attack {one['attack']}, defense {one['defense']}"
    start, fleets = reader.begin_with(one["side"]), format_count(one["fleets"], "fleet")
    return f"{start}: {fleets}, {levels}{because}."


def _describe_action(action: Facts, reader: Reader) -> str:
    parts = [
        f"{reader.name_side(bomb['side'])} sacrificed {format_count(bomb['ships'], 'ship')}, "
        f"{bomb['damage']} damage to every fleet"
        for bomb in action["bombs"]
    ]
    for shots in action["shots"]:
        damage = [f"{hit} damage to {reader.name_side(at)}" for at, hit in shots["at"].items()]
        rest = shots["fleets"] * shots["attack"] - sum(shots["at"].values())
        more = f" ({rest} more than it took)" if rest else ""
        parts.append(f"{reader.name_side(shots['side'])} dealt {format_list(damage)}{more}")
    parts += [
        f"{reader.name_side(loss['side'])} lost {loss['destroyed'] or 'none'}, {loss['left']} left"
        for loss in action["losses"]
    ]
    return "; ".join(parts)


TELLERS: Mapping[str, Teller[Reader]] = {
    NEGATED: "{seat:Who}: {order} did not happen: {why:clause}.",
    "turn": "Turn {turn} begins.",
    "homeworld": _tell_homeworld,
    "dealt": _tell_dealt,
    "drew": (
        "{seat:Who} drew {cards:card}",
        "{extra:if} more, for the highest research",
        ": {named:and}",
        ".",
    ),
    "ruins": "{seat:Who} discarded the progenitor ruins to draw more cards.",
    "brains": "{seat:Who} paid {paid} RT for one more card.",
    "shuffled": "The deck ran out: the discard pile, {cards:card}, was shuffled.",
    "raised": tell_by(
        "card",
        {None: "{seat:Who} raised {tech} to {level} until the end of the turn, by leadership."},
        ("{seat:Who} raised {tech} to {level} until the end of the turn, by discarding the card."),
    ),
    "traded": _tell_traded,
    "trade-failed": _tell_trade_failed,
    "stolen": ("{thief:Who} took a random card from {victim:whose} hand", ": {named:and}", "."),
    "allied": (
        "{who:Who} {who:are} {of:whose} ally this turn and may not jump to where "
        "{of:whose} fleets stand now."
    ),
    "advanced": tell_by(
        "cards",
        {
            1: "{seat:Who} advanced {tech} to {level} for good, with a card.",
            2: "{seat:Who} advanced {tech} to {level} for good, with two cards.",
        },
    ),
    "gained": _tell_gained,
    "melted": "{seat:Who} discarded {cards:and} to mine more.",
    "mined": _tell_mined,
    "raided": "The cluster at {at} yielded {seat:who} {less} less, raided by {by:sides}.",
    "built": "{seat:Who} built {fleets:fleet} at {at} for {paid} RT.",
    "sabotaged": "{seat:Who} sabotaged 1 of {side:whose} fleets at {at}, discarding {card}.",
    "revealed": _tell_revealed,
    "espionage": (
        "{seat:Who} cancelled order {number}, {cancelled}, "
        "and wrote {rewritten:|nothing} in its place."
    ),
    "time-jump": "{seat:Who} negated {player:whose} order {number}, {order}, discarding {discard}.",
    "jumped": "{seat:Who} jumped from {from} to {to} with {fleets:fleet}.",
    "homeworld-moved": "{seat:Whose} homeworld moved from {from} to {to}.",
    "fight": _tell_fight,
    "assimilated": "{side:Who} assimilated {fleets:fleet} at {at}, after {destroyed} kills.",
    "hand-limit": "{seat:Who} discarded {cards:and} down to the limit of {limit}.",
    "empire-held": tell_by(
        "by",
        {None: "Nobody holds the old empire's homeworld any more; the count starts again."},
        ("{by:Who} {by:have} held the old empire's homeworld for {turns:turn} in a row; 3 win."),
    ),
    "won": _tell_won,
    "drawn": "The game is drawn: nobody has a fleet, a token or a card left.",
}
