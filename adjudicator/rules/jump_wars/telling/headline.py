"""The news of a step: captures and fights, trade and production, the reader's own first."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from adjudicator.core.events import (
    NEGATED,
    Event,
    Facts,
    fill_template,
    format_count,
    format_list,
    has_part,
)
from adjudicator.core.headline import News, Rank, make_headline
from adjudicator.rules.jump_wars.position.space import Space
from adjudicator.rules.jump_wars.position.state import Side, Table, View
from adjudicator.rules.jump_wars.telling.sentences import Reader, tell


def choose_headline(view: View, events: Sequence[Event], turn: int) -> str:
    """Choose what a report tells first: the end, own gains and losses, own fights, the rest."""
    table = view.table
    otherwise = f"turn {turn} passed without a fight"
    if not events and table.turn == 1 and table.step in ("homeworlds", "plan"):
        otherwise = f"the game begins, you are {view.seat}" if view.seat else "the game begins"
    elif table.step == "jump":
        otherwise = f"nobody built a fleet in turn {table.turn}"
    return make_headline(_list_news(table, events, Reader(view.seat)), otherwise)


def _list_news(table: Table, events: Sequence[Event], reader: Reader) -> Iterator[News]:
    fought: list[Space] = []
    changes = Counter[tuple[Side, Space]]()
    for event in events:
        kind, facts = event.kind, event.data
        if kind == "fight":
            fought.append(facts["at"])
            yield _rank_fight(facts, reader)
        elif kind == "jumped":
            changes[facts["seat"], facts["to"]] += facts["fleets"]
            changes[facts["seat"], facts["from"]] -= facts["fleets"]
        elif kind == "revealed" and table.step != "reveal":
            continue  # seats that were not asked read of it after the moves
        elif kind in _RANKS and (kind != "empire-held" or facts["by"]):
            yield _rank_event(event, reader)
    for (side, space), number in changes.items():
        was_there = table.fleets[side].get(space) != number  # before the jumps, or it is gone
        if space not in fought and number > 0 and not was_there:
            yield from _rank_arrival(table, side, space, reader)


# homeworlds and other spaces that change hands

_HOMEWORLD: Final = 500
"""The weight of a homeworld, which is more than that of any number of fleets."""
_FIGHT: Final = 100
"""The weight of a fight among others, which is more than that of other things they do."""


def _rank_arrival(table: Table, side: Side, space: Space, reader: Reader) -> Iterator[News]:
    """Rank the arrival of fleets where nobody fought them and none of theirs stood before."""
    owners = dict(zip(table.homes.values(), table.homes, strict=True))
    kind = table.terrain.get(space, "")
    if space in owners:
        yield _take_homeworld(reader, side, space, owners[space])
    elif side == reader.seat and kind:
        yield News(rank=Rank.OWN, text=f"you reached {space}, a {kind.replace('-', ' ')}")


def _take_homeworld(reader: Reader, side: Side, space: Space, home: Side, price: str = "") -> News:
    who, verb = reader.name_side(side), "retook" if side == home else "took"
    owner = "its" if side == home and side != reader.seat else reader.name_owner(home)
    rank = Rank.GAIN if reader.seat in (side, home) else Rank.CAPTURE
    text = f"{who} {verb} {space}, {owner} homeworld{price}"
    return News(rank=rank, text=text, weight=_HOMEWORLD)


def _rank_fight(fight: Facts, reader: Reader) -> News:
    """Rank a fight; who took a homeworld in it is told before all others."""
    own, home, losses = reader.seat, fight["home"], sum(fight["lost"].values())
    winner = next(iter(fight["left"]), None)
    holder = fight["defender"] or home  # a homeworld that nobody held is its owner's
    weight = losses + (_HOMEWORLD if home is not None else 0)
    is_capture = home is not None and winner not in (None, holder)
    if is_capture and (own in (winner, home) or own not in fight["lost"]):
        price = f", losing {fight['lost'][own]}" if winner == own and fight["lost"][own] else ""
        return _take_homeworld(reader, str(winner), fight["at"], home, price)
    sides = [reader.name_side(one["side"]) for one in fight["sides"] if one["side"] != own]
    if own not in fight["lost"]:
        text = f"{format_list(sides)} fought at {fight['at']}"
        return News(rank=Rank.OTHERS, text=text, weight=weight + _FIGHT)
    text = _tell_own_fight(fight, reader, winner, holder, format_list(sides))
    return News(rank=Rank.FOUGHT, text=text, weight=weight if home == own else losses)


def _tell_own_fight(
    fight: Facts, reader: Reader, winner: Side | None, holder: Side | None, enemies: str
) -> str:
    """Tell a fight of the reader's by its end: who has the space now, and what was lost."""
    own, at, losses = str(reader.seat), fight["at"], fight["lost"][reader.seat]
    if winner == own:
        price = f", losing {losses}" if losses else ""
        verb, preposition = ("held", "against") if holder == own else ("took", "from")
        return f"you {verb} {at} {preposition} {enemies}{price}"
    if winner is None:
        return f"you lost {format_count(losses, 'fleet')} at {at}, nobody is left there"
    if holder == own:
        return f"{reader.name_side(winner)} took {at} from you, you lost {losses}"
    return f"you lost {format_count(losses, 'fleet')} at {at} to {reader.name_side(winner)}"


# everything else

_Ranked = tuple[Rank, Rank, str, int]
"""The rank where the reader has part in it, and where not; the facts that name who has; a weight
by which those of equal rank are told."""

_RANKS: Final[Mapping[str, _Ranked]] = {
    "won": (Rank.END, Rank.END, "seat", 0),
    "drawn": (Rank.END, Rank.END, "", 0),
    "empire-held": (Rank.GAIN, Rank.CAPTURE, "by", 900),
    "stolen": (Rank.GAIN, Rank.OTHERS, "victim thief", 50),
    "sabotaged": (Rank.GAIN, Rank.OTHERS, "side seat", 40),
    "traded": (Rank.GAIN, Rank.OTHERS, "to by", 30),
    "trade-failed": (Rank.GAIN, Rank.OTHERS, "to", 30),
    "raided": (Rank.GAIN, Rank.ROUTINE, "seat by", 20),
    "allied": (Rank.OWN, Rank.OTHERS, "who of", 90),
    "time-jump": (Rank.GAIN, Rank.OTHERS, "player seat", 60),
    "espionage": (Rank.OWN, Rank.OTHERS, "seat", 50),
    "revealed": (Rank.OWN, Rank.OWN, "", 95),
    "homeworld": (Rank.OWN, Rank.ROUTINE, "seat", 99),
    "homeworld-moved": (Rank.OWN, Rank.OTHERS, "seat", 80),
    NEGATED: (Rank.OWN, Rank.ROUTINE, "seat", 70),
    "gained": (Rank.OWN, Rank.OTHERS, "seat", 60),
    "built": (Rank.OWN, Rank.OTHERS, "seat", 30),
    "advanced": (Rank.OWN, Rank.OTHERS, "seat", 10),
    "mined": (Rank.ROUTINE, Rank.ROUTINE, "seat", 0),
}


def _rank_event(event: Event, reader: Reader) -> News:
    own, others, parties, weight = _RANKS[event.kind]
    is_own = has_part(event, reader.seat, parties.split())
    text, size = partial(_tell_shortly, event, reader), event.data.get("fleets") or 0
    return News(rank=own if is_own else others, text=text, weight=weight + size)


def _tell_shortly(event: Event, reader: Reader) -> str:
    template = _SHORT.get(event.kind)
    if template is None:
        return tell(event, reader).text.rstrip(".")
    if callable(template):
        return template(event.data, reader)
    return fill_template(template, event.data, reader)


def _tell_won(facts: Facts, reader: Reader) -> str:
    who = reader.name_side(facts["seat"])
    if facts.get("shared"):
        return f"{who} {'share' if who == 'you' else 'shares'} the victory"
    return f"{who} {'win' if who == 'you' else 'wins'}"


def _tell_stolen(facts: Facts, reader: Reader) -> str:
    card = f": {format_list(facts['named'])}" if facts.get("named") else ""
    if facts["victim"] == reader.seat:
        return f"{reader.name_side(facts['thief'])} stole a card from you{card}"
    return f"{reader.name_side(facts['thief'])} stole a card from {facts['victim']}{card}"


def _tell_failed(facts: Facts, reader: Reader) -> str:
    order = facts["order"].replace(": ", " ")  # where a subject may be cut off
    return f"{reader.name_owner(facts['seat'])} order {order} failed"


_SHORT: Final[Mapping[str, str | Callable[[Facts, Reader], str]]] = {
    "revealed": "the jump orders are revealed, nothing has moved yet",
    "won": _tell_won,
    "drawn": "the game is drawn",
    "empire-held": "{by:who} {by:have} held the old empire for {turns:turn}",
    "stolen": _tell_stolen,
    "sabotaged": "{seat:who} sabotaged 1 of {side:whose} fleets at {at}",
    "allied": "{who:who} {who:are} {of:whose} ally this turn",
    "time-jump": "{seat:who} negated {player:whose} jump {order}",
    "homeworld": "{seat:whose} homeworld is {space}",
    "homeworld-moved": "{seat:whose} homeworld moved to {to}",
    NEGATED: _tell_failed,
    "gained": "{seat:who} gained the ability {special}",
    "built": "{seat:who} built {fleets:fleet}",
    "advanced": "{seat:who} advanced {tech} to {level}",
    "mined": "{seat:who} mined {rt} RT",
}
"""The same in fewer words than in the list of events."""
