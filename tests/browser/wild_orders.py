"""Orders as somebody might write them who does not know the rules, drawn at random."""

from random import Random
from typing import Any

from tests.browser.order_pages import Data

_COLUMNS = "ABCDEFGHIJ"


def draw_actions(data: Data, chance: Random) -> Data:
    """One to three actions of Jump Gate, every card named."""
    hand, actions = _Hand(data, chance), []
    here = data["position"]["ships"][data["seat"]]["at"]
    for _ in range(chance.choice([1, 2, 2, 3])):
        action = _draw_action(data, chance, hand, here)
        actions.append(action)
        here = action.get("to", here)
    return {"actions": actions}


class _Hand:
    """The cards that are left; mostly one that fits is taken."""

    def __init__(self, data: Data, chance: Random) -> None:
        self.left, self.codes, self.chance = (
            list(data["position"]["hand"]),
            data["choices"]["codes"],
            chance,
        )

    def take(self, kind: str = "", code: int = 0) -> str:
        fits = [
            card
            for card in self.left
            if any(one == kind and number in (code, "~") for one, number in self.codes[card])
        ]
        pool = fits if fits and self.chance.random() < 0.8 else self.left
        if not pool or self.chance.random() < 0.03:
            return self.chance.choice(sorted(self.codes))
        card = self.chance.choice(pool)
        self.left.remove(card)
        return card


def _draw_action(data: Data, chance: Random, hand: _Hand, here: str) -> Data:
    """An action; at a planet that `here` names, with codes that fit it."""
    choices, position = data["choices"], data["position"]
    older, kinds = bool(choices["specials"]), choices["kinds"]
    own = ["special", "special", "return-to-orbit"] if older else ["scan", "harvest"]
    do = chance.choice(["fly", "jump", "jump", "scan", "land", "land", "harvest", "research", *own])
    site = position["planets"].get(here)
    codes = (site or position["planets"][position["ring"][0]])["codes"]
    action: Data = {"do": do}
    if do in ("fly", "jump"):
        action["to"] = chance.choice(position["ring"])
        if do == "jump":
            code = position["planets"][action["to"]]["codes"]["jump"]
            action["card"] = hand.take("jump", code)
    elif do == "scan":
        action["card"] = hand.take("scan", codes["scan"])
        if not older and chance.random() < 0.4:
            action["mark"] = [chance.choice([*kinds, "none"])]
    elif do == "land":
        action["cards"] = [hand.take("land", code) for code in codes["land"]]
        if chance.random() < 0.4:
            action["take"] = [chance.choice(kinds)]
    elif do == "harvest":
        offer = site["face_up"] if site and site["face_up"] else kinds
        action |= {} if older else {"card": hand.take()}
        action |= {"take": [chance.choice(offer)]} if chance.random() < 0.7 else {}
    elif do == "research" and hand.left:
        action["discard"] = [hand.take()]
    elif do == "special":
        action |= _draw_special(data, chance, hand)
    return action


def _draw_special(data: Data, chance: Random, hand: _Hand) -> Data:
    choices, ring = data["choices"], data["position"]["ring"]
    cards = [card for card in hand.left if card in choices["specials"]]
    card = chance.choice(cards) if cards else hand.take()
    if cards:
        hand.left.remove(card)
    planet, seat = chance.choice(ring), chance.choice(choices["seats"])
    more: dict[str, Data] = {
        "backroom-deal": {"at": planet, "take": [chance.choice(choices["kinds"])]},
        "hotshot-pilot": {"cards": [hand.take()]},
        "jump-paradox": {"player": seat},
        "long-range-scan": {"at": planet},
        "lost-records": {
            "remove": {"from": chance.choice(["black-hole", "jump-gate", *ring]), "player": seat}
        },
        "wormhole": {"to": planet},
    }
    told = dict(more.get(choices["specials"].get(card, ""), {}))
    if "at" in told and chance.random() < 0.4:
        del told["at"]
    return {"card": card, **told, **({"to": planet} if chance.random() < 0.05 else {})}


def draw_jumps(data: Data, chance: Random) -> Data:
    """Jumps, some too far, too many or from where nobody stands, and what else the form holds."""
    position = data["position"]
    own = list(position["fleets"].get(data["seat"], {})) or ["A1"]
    raises = [card for card in position["hand"] if card in ("jump", "command", "logistics")]
    jumps = [_draw_jump(own, chance) for _ in range(1 + chance.randrange(4))]
    spots = [*own, *(one.partition("-")[2].partition(" ")[0] for one in jumps), "J9", "C3"]
    cards = [*position["hand"], *position["hand"], "trade", "attack"]
    able = "nova-bombs" in position["specials"].get(data["seat"], ())
    parts: dict[str, tuple[float, Any]] = {
        "cutting_edge": (0.5 if raises else 0.1, raises[:1] or ["jump"]),
        "leadership": (0.15, "jump"),
        "move_homeworld": (0.15, chance.choice(spots)),
        "fight": (
            0.8 if able else 0.15,
            {
                "nova_bombs": [
                    _draw_site(chance, spots, "ships", chance.randint(0, 2)) for _ in range(2)
                ]
            },
        ),
        "final": (0.3, {"discard": chance.sample(cards, 2)}),
    }
    more = {key: one for key, (share, one) in parts.items() if chance.random() < share}
    return {"jump": jumps, **more}


def _draw_site(chance: Random, spaces: list[str], noun: str, number: int | str) -> Data | str:
    """A space and a number, in full or as people write them."""
    space = chance.choice(spaces)
    if chance.random() < 0.7:
        return {"at": space, noun: number}
    return f"{space} {number}" if number == "max" else f"{space} x{number}"


def _draw_jump(own: list[str], chance: Random) -> str:
    source = chance.choice(own)
    column, row = _COLUMNS.index(source[0]), int(source[1:])
    near = (column + chance.randint(-2, 2)) % 10, (row + chance.randint(-2, 2) - 1) % 10 + 1
    return f"{source}-{_COLUMNS[near[0]]}{near[1]} x{chance.choice([1, 1, 2, 5, 9])}"


def draw_plan(data: Data, chance: Random) -> Data:
    """Parts of a plan, with cards that are held and others."""
    position, choices = data["position"], data["choices"]
    hand, seats, cards = position["hand"], choices["seats"], choices["cards"]
    techs = list(position["levels"][data["seat"]])
    spaces = [*(space for stands in position["fleets"].values() for space in stands), "C3", "J9"]

    def card() -> str:
        return str(chance.choice(hand if hand and chance.random() < 0.7 else cards))

    def tech() -> str:
        held = [one for one in hand if one in techs]
        return str(chance.choice(held if held and chance.random() < 0.7 else techs))

    def goods() -> Data:
        return {"rt": chance.randint(0, 30), "cards": [card() for _ in range(chance.randint(0, 2))]}

    def deal() -> Data:
        want = {"want": goods()} if chance.random() < 0.4 else {}
        return {"with": chance.choice(seats), "give": goods(), **want}

    def cut() -> Data:
        return {"discard": card(), "player": chance.choice(seats), "at": chance.choice(spaces)}

    several = range(chance.randint(1, 2))
    sites = [_draw_site(chance, spaces, "fleets", chance.choice([0, 1, 2, "max"])) for _ in several]
    parts: dict[str, tuple[float, Any]] = {
        "draw": (0.2, {"progenitor_ruins": True, "positronic_brains": chance.random() < 0.5}),
        "cutting_edge": (0.3, [tech() for _ in range(chance.randint(1, 2))]),
        "leadership": (0.15, tech()),
        "trade": (0.3, [deal() for _ in several]),
        "steal": (0.3, chance.choice(seats)),
        "ally": (0.3, chance.choice(seats)),
        "tech": (0.6, {"advance": [card(), card()], "pair": tech()}),
        "mine": (0.3, {"discard": [card(), card()]}),
        "build": (0.7, chance.choice([0, 1, 2, 5, 40, "max", sites])),
        "sabotage": (0.3, [cut() for _ in several]),
    }
    return {key: one for key, (share, one) in parts.items() if chance.random() < share}


def draw_answers(data: Data, chance: Random) -> Data:
    """Answers to revealed orders: espionage, a time jump, or both."""
    written = data["choices"]["written"]
    own = list(data["position"]["fleets"].get(data["seat"], {})) or ["A1"]
    card = chance.choice([*data["position"]["hand"], "jump"])
    spied: Data = {"cancel": chance.randint(0, 3)}
    if chance.random() < 0.6:
        spied["rewrite"] = _draw_jump(own, chance)
    side = chance.choice(list(written) or data["choices"]["seats"])
    jumped = {"discard": card, "player": side, "order": chance.randint(0, 3)}
    both = {"espionage": spied, "time_jump": jumped}
    return {key: one for key, one in both.items() if chance.random() < 0.7} or both
