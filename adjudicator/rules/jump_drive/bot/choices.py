"""Every choice of a placement, with what it leaves: the empire, and the cards to pay with."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_drive.bot.almanac import ICONS, STRENGTH, Almanac, Tally
from adjudicator.rules.jump_drive.orders.check import list_second_worlds
from adjudicator.rules.jump_drive.phases.costs import (
    ALONE,
    Holdings,
    Placement,
    find_specialist,
    make_placement,
)
from adjudicator.rules.jump_drive.position.components import WORLD, Name
from adjudicator.rules.jump_drive.position.counting import KEPT, count_cards_seen
from adjudicator.rules.jump_drive.position.order_forms import Placing
from adjudicator.rules.jump_drive.position.powers import Limit, Requires


class Side(Struct, kw_only=True):
    """One player's side of the table."""

    tally: Tally
    hand: tuple[Name, ...]
    surveyed: bool


class Choice(Struct, frozen=True, kw_only=True):
    """A placement, or exploring, and what it leaves."""

    form: Placing
    tally: Tally
    """The empire after it."""
    rest: tuple[Name, ...]
    """The hand without the cards that are placed, in the order in which they pay."""
    cost: int = 0
    drawn: int = 0
    """Cards that come to the hand at once, unseen."""
    looked: int = 0
    """Cards that an explorer chooses from."""


class Chooser:
    """Lists what one side can do in the step place.

    Unless it is thorough, it leaves out second worlds beside a development.
    """

    def __init__(self, side: Side, almanac: Almanac, *, thorough: bool = True) -> None:
        self._side = side
        self._thorough = thorough
        self._almanac = almanac
        self._cards = almanac.components.cards
        names = dict.fromkeys(side.hand)
        self._worlds = [name for name in names if self._cards[name].kind == WORLD]
        self._developments = [
            name for name in names if self._cards[name].kind != WORLD and self._is_allowed(name)
        ]

    def list_choices(self) -> Iterator[Choice]:
        """List exploring, every development, every world, and both; second worlds, too."""
        side = self._side
        looked = count_cards_seen(side.tally.names, self._almanac.components)
        yield Choice(
            form=Placing(explore=True), tally=side.tally, rest=side.hand, drawn=KEPT, looked=looked
        )
        yield from self._list_worlds(None, side.tally, side.hand, 0)
        team = () if side.surveyed else (self._almanac.components.team,)
        for name in (*team, *self._developments):
            price = self._cards[name].cost - side.tally.count_saved(name)
            tally, rest = side.tally.grow(name), remove_cards(side.hand, (name,))
            alone = max(0, price - ALONE)
            if alone <= len(rest):
                yield Choice(form=Placing(development=name), tally=tally, rest=rest, cost=alone)
            yield from self._list_worlds(name, tally, rest, max(0, price))

    def _list_worlds(
        self, development: Name | None, tally: Tally, hand: Sequence[Name], expense: int
    ) -> Iterator[Choice]:
        """List the worlds that can be placed, after a development if one is named."""
        convoy = (development is None or self._thorough) and any(
            self._almanac.traits[name].convoy for name in tally.names
        )
        for world in self._worlds:
            price, contact = self._price(world, tally)
            if price is None or expense + price >= len(hand):
                continue
            form = Placing(development=development, world=world, contact_specialist=contact)
            yield Choice(
                form=form,
                tally=tally.grow(world),
                rest=remove_cards(hand, (world,)),
                cost=expense + price,
                drawn=0 if development else 1,
            )
            if convoy:
                yield from self._list_second_worlds(form)

    def _list_second_worlds(self, form: Placing) -> Iterator[Choice]:
        side, components = self._side, self._almanac.components
        own = Holdings(hand=side.hand, empire=side.tally.names, surveyed=side.surveyed)
        for play in list_second_worlds(make_placement(own, form, components)):
            yield self._read(play)

    def _read(self, play: Placement) -> Choice:
        """Read a placement with a second world as a choice."""
        costs = play.costs
        new_cards = [name for name in (play.form.development, play.form.world) if name]
        if play.second is not None:
            new_cards.append(play.second.slug)
        before = self._side.tally.names
        if play.convoy is not None and play.power is not None and play.power.discard_self:
            new_cards = [*remove_cards((*before, *new_cards), (play.convoy.slug,))]
            before = ()
        new_tally = Tally(self._almanac).grow(*before, *new_cards)
        return Choice(
            form=play.form,
            tally=new_tally,
            rest=remove_cards(play.own.hand, play.placed),
            cost=costs.development + costs.world + costs.second,
            drawn=0 if play.development else 1,
        )

    def _price(self, world: Name, tally: Tally) -> tuple[int | None, bool]:
        """Price a world in cards; None for one too strong, true if a specialist pays (JD-20)."""
        card = self._cards[world]
        if card.defense is None:
            return max(0, card.cost - tally.count_saved(world)), False
        if tally.things[STRENGTH] + tally.count_special(world) >= card.defense:
            return 0, False
        if not any(self._almanac.traits[name].specialist for name in tally.names):
            return None, False
        power = find_specialist(self._almanac.components.find_cards(tally.names))
        if power is None or card.colour == power.except_world:
            return None, False
        return max(0, card.defense - power.discount - tally.count_saved(world)), True

    def _is_allowed(self, name: Name) -> bool:
        """Whether the development may lie in this empire (JD-8, JD-19)."""
        card, tally = self._cards[name], self._side.tally
        for limit in card.list_powers(Limit):
            if tally.names.count(name) >= limit.limit_per_player:
                return False
        for power in card.list_powers(Requires):
            need = power.requires
            printed = tally.things[ICONS.index(need.icon)]
            if printed > need.at_most and need.or_card not in tally.names:
                return False
        return True
