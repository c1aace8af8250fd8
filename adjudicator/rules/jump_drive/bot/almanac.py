"""What every card counts, gives and saves, looked up once, so that choices are compared quickly."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.rules.jump_drive.phases.costs import find_specialist
from adjudicator.rules.jump_drive.position.components import WORLD, Card, Components, Name, Term
from adjudicator.rules.jump_drive.position.counting import count_term
from adjudicator.rules.jump_drive.position.powers import (
    Discount,
    MilitaryAgainst,
    MilitaryPer,
    MovesTo,
    SecondWorld,
    Target,
)

ICONS: Final = ("military", "explore", "chromosome")
MILITARY, EXPLORE, CHROMOSOME, STRENGTH = range(4)
"""Where icons and general strength stand among the things that empires count."""

_INCOME: Final = 0.7
"""What a card of income counts among the points that are promised."""


class Scoring(Struct, frozen=True):
    """A term of a card: what it counts, and what that gives (JD-17)."""

    thing: int
    value: int
    each: int
    once: bool
    own: bool
    scores: bool
    """Whether it gives victory points; else income."""


class Traits(Struct, frozen=True, kw_only=True):
    """A card as an empire counts it."""

    card: Card
    things: tuple[tuple[int, int], ...]
    """What it counts for, and how often."""
    hires: tuple[tuple[int, int], ...]
    """Strength for icons: which, and how much for each (JD-7)."""
    scorings: tuple[Scoring, ...]
    saves: Mapping[Name, int]
    """How much cheaper it makes others."""
    fights: Mapping[Name, int]
    """How much more strength it has against others."""
    eases: tuple[int, int]
    """How much cheaper it makes a development; and else how much all worlds of the box."""
    moves: bool
    """Whether it goes to the strongest (JD-12)."""
    convoy: bool
    specialist: bool
    promise: float
    """Points a round that it gains with each card placed later, income included."""


class Almanac:
    """The traits of all cards of the game."""

    def __init__(self, components: Components) -> None:
        self.components = components
        self._things: dict[Term, int] = {}
        cards = components.cards.values()
        scorings = {card.slug: tuple(self._list_scorings(card)) for card in cards}
        self.size = STRENGTH + 1 + len(self._things)
        """How many things empires count."""
        self._odds = self._find_odds()
        self.traits = {card.slug: self._read(card, scorings[card.slug]) for card in cards}

    def _read(self, card: Card, scorings: tuple[Scoring, ...]) -> Traits:
        cards = self.components.cards
        saves = _sum_up(cards, ((one.on, one.discount) for one in card.list_powers(Discount)))
        against = card.list_powers(MilitaryAgainst)
        eased = saves.get(self.components.team, 0)
        worlds = [name for name in saves if cards[name].kind == WORLD]
        return Traits(
            card=card,
            things=tuple(self._list_things(card)),
            hires=tuple(
                (ICONS.index(one.military_per.icon), one.military_per.value)
                for one in card.list_powers(MilitaryPer)
            ),
            scorings=scorings,
            saves=saves,
            fights=_sum_up(cards, ((one.on, one.military_against) for one in against)),
            eases=(eased, 0 if eased else sum(saves[one] * cards[one].copies for one in worlds)),
            moves=bool(card.list_powers(MovesTo)),
            convoy=bool(card.list_powers(SecondWorld)),
            specialist=find_specialist((card,)) is not None,
            promise=sum(map(self._find_promise, scorings)),
        )

    def _list_scorings(self, card: Card) -> Iterable[Scoring]:
        for value, scores in ((card.vp, True), (card.income, False)):
            for term in (*value.per, *value.once):
                yield Scoring(
                    thing=self._find_thing(term),
                    value=term.value,
                    each=term.each,
                    once=term in value.once,
                    own=term.whose == "own",
                    scores=scores,
                )

    def _find_thing(self, term: Term) -> int:
        """Find where the thing stands that a term counts; equal things of all cards are one."""
        if term.strength is not None:
            return STRENGTH
        if term.icon is not None:
            return ICONS.index(term.icon)
        thing = replace(term, whose="own", value=1, each=1)
        return self._things.setdefault(thing, STRENGTH + 1 + len(self._things))

    def _find_odds(self) -> Sequence[float]:
        """Find how often each thing comes with a card of the deck, on average."""
        odds, box = [0.0] * self.size, self.components
        for name, copies in box.deck.items():
            for thing, number in self._list_things(box.cards[name]):
                odds[thing] += number * copies / sum(box.deck.values())
        odds[STRENGTH] = odds[MILITARY]
        return odds

    def _find_promise(self, term: Scoring) -> float:
        if term.once or not term.own:
            return 0.0
        return term.value / term.each * self._odds[term.thing] * (1 if term.scores else _INCOME)

    def _list_things(self, card: Card) -> Iterable[tuple[int, int]]:
        times = {thing: card.count_icons(icon) for thing, icon in enumerate(ICONS)}
        times |= {thing: count_term(term, (card,)) for term, thing in self._things.items()}
        return ((thing, number) for thing, number in times.items() if number)


def _sum_up(cards: Mapping[Name, Card], powers: Iterable[tuple[Target, int]]) -> Mapping[Name, int]:
    """Sum up what powers are worth for each card."""
    worth: dict[Name, int] = {}
    for target, value in powers:
        for name, card in cards.items():
            if card.fits(target):
                worth[name] = worth.get(name, 0) + value
    return worth


class Tally:
    """What an empire counts, and what it gives beside the others."""

    def __init__(self, almanac: Almanac) -> None:
        self._almanac = almanac
        self.names: tuple[Name, ...] = ()
        self.things = [0] * almanac.size
        """How often each thing is there; strength, too."""
        self.helpers: tuple[Traits, ...] = ()
        """The cards that make others cheaper, or are stronger against some."""
        self.eases = (0, 0)
        self.movers = 0
        """Copies of what goes to the strongest (JD-12)."""
        self._hires: tuple[tuple[int, int], ...] = ()
        self._scorings: tuple[Scoring, ...] = ()
        self._points = self._income = 0
        self.promise = 0.0
        """What its cards gain with others still to be placed."""

    def grow(self, *cards: Name) -> "Tally":
        """Return the tally with these cards in the empire, too."""
        tally = Tally.__new__(Tally)
        tally.__dict__.update(self.__dict__)  # much faster than copy()
        tally.names += cards
        tally.things = self.things.copy()
        for name in cards:
            tally.add(self._almanac.traits[name])
        return tally

    def add(self, traits: Traits) -> None:
        """Add a card, but for its name."""
        things = self.things
        for thing, number in traits.things:
            things[thing] += number
        self._points += traits.card.vp.base
        self._income += traits.card.income.base
        self.movers += traits.moves
        self.promise += traits.promise
        self._scorings += traits.scorings
        self._hires += traits.hires
        if traits.saves or traits.fights:
            self.helpers += (traits,)
            self.eases = (self.eases[0] + traits.eases[0], self.eases[1] + traits.eases[1])
        things[STRENGTH] = things[MILITARY] + sum([v * things[thing] for thing, v in self._hires])

    def count_gain(self, rivals: Sequence[int]) -> tuple[int, int]:
        """Count points and income a round; rivals: how often another empire has each thing."""
        points, income, things = self._points, self._income, self.things
        for one in self._scorings:
            times = things[one.thing] if one.own else rivals[one.thing]
            gain = (one.value if times else 0) if one.once else times // one.each * one.value
            if one.scores:
                points += gain
            else:
                income += gain
        return points, income

    def count_saved(self, name: Name) -> int:
        """Count how much cheaper the empire makes a card (JD-6)."""
        return sum([one.saves.get(name, 0) for one in self.helpers])

    def count_special(self, name: Name) -> int:
        """Count specialised strength against a world (JD-7)."""
        return sum([one.fights.get(name, 0) for one in self.helpers])


def list_rivals(tallies: Iterable[Tally]) -> Sequence[int]:
    """List how often each thing is in the one empire that has it most often (JD-17)."""
    return [max(times) for times in zip(*(tally.things for tally in tallies), strict=True)]
