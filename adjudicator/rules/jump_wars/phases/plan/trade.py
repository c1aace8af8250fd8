"""Trades, gifts, theft, and the diplomat's ally (JW-16 to JW-18)."""

from msgspec import Struct

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_wars.phases.working_copy import Luck, Work
from adjudicator.rules.jump_wars.position.components import Card
from adjudicator.rules.jump_wars.position.state import Ally, find_leader


class Goods(Struct, frozen=True):
    """Tokens and cards, the cards in deck-list order."""

    rt: int
    cards: tuple[Card, ...]

    def __bool__(self) -> bool:
        return bool(self.rt or self.cards)


class Offer(Struct, frozen=True):
    """One entry of a trade list."""

    seat: Seat
    partner: Seat
    give: Goods
    want: Goods
    place: int


def trade_goods(work: Work, orders: Orders) -> None:
    """Serve all trade lists in seat order, each as written."""
    _hope_for_gifts(work, orders)
    waiting = [
        _read_offer(work, seat, entry, place)
        for seat, entries in work.list_wanted(orders, "trade")
        for place, entry in enumerate(entries)
    ]
    while waiting:
        offer = waiting.pop(0)
        fault = _find_offer_fault(work, offer)
        if fault:
            _fail_offer(work, offer, fault)
        elif not offer.want:
            _give(work, offer)
        elif work.luck is Luck.BEST:  # it happens, and its gain has been assumed already
            if lack := _find_lack(work, offer):
                _fail_offer(work, offer, f"You cannot pay {lack}.")
        else:
            mirror = next((other for other in waiting if _is_mirror(offer, other)), None)
            if mirror is None:
                _fail_offer(work, offer, _explain_alone(work, offer))
            else:
                waiting.remove(mirror)
                _exchange(work, offer, mirror)


def _read_offer(work: Work, seat: Seat, entry: Document, place: int) -> Offer:
    give, want = (_read_goods(work, entry.get(key)) for key in ("give", "want"))
    return Offer(seat=seat, partner=entry["with"], give=give, want=want, place=place)


def _read_goods(work: Work, goods: Document | None) -> Goods:
    if not goods:
        return Goods(0, ())
    return Goods(goods.get("rt") or 0, work.components.sort_cards(goods.get("cards") or ()))


def _is_mirror(one: Offer, other: Offer) -> bool:
    """Whether the offers mirror each other; a gift, with an empty `want`, mirrors nothing."""
    return (
        one.seat == other.partner
        and one.partner == other.seat
        and one.give == other.want
        and one.want == other.give
        and bool(other.want)
    )


def _find_offer_fault(work: Work, offer: Offer) -> str:
    if offer.partner == offer.seat:
        return "You cannot trade with yourself."
    if offer.partner not in work.players:
        return f"{offer.partner} is not a player."
    if not (offer.give or offer.want):
        return "It gives nothing and wants nothing."
    return ""


def _explain_alone(work: Work, offer: Offer) -> str:
    if work.luck is Luck.REAL:
        return f"{offer.partner} did not order the mirror image."
    return f"It happens only if {offer.partner} orders the mirror image."


def _find_lack(work: Work, offer: Offer) -> str:
    """Find what the offer's writer cannot pay, if anything."""
    tokens = work.players[offer.seat].tokens
    if offer.give.rt > tokens:
        return f"{offer.give.rt} RT"
    for card in dict.fromkeys(offer.give.cards):
        if not work.holds(offer.seat, card, offer.give.cards.count(card)):
            return f"{offer.give.cards.count(card)} {card}"
    return ""


def _give(work: Work, offer: Offer) -> None:
    if lack := _find_lack(work, offer):
        _fail_offer(work, offer, f"You cannot pay {lack}.")
        data = {"by": offer.seat, "to": offer.partner, "rt": offer.give.rt}
        cards = list(offer.give.cards)
        work.tell("trade-failed", "JW-16", offer.partner, **data, cards=cards)
        return
    _hand_over(work, offer, gift=True)


def _exchange(work: Work, offer: Offer, mirror: Offer) -> None:
    lacks = {one.seat: lack for one in (offer, mirror) if (lack := _find_lack(work, one))}
    if lacks:
        for one in (offer, mirror):
            _fail_offer(work, one, _explain_lack(one, lacks))
        return
    _hand_over(work, offer, gift=False)
    _hand_over(work, mirror, gift=False)


def _explain_lack(offer: Offer, lacks: dict[Seat, str]) -> str:
    if offer.seat in lacks:
        return f"You cannot pay {lacks[offer.seat]}."
    return f"{offer.partner} cannot pay {lacks[offer.partner]}."


def _hand_over(work: Work, offer: Offer, *, gift: bool) -> None:
    rt, cards = offer.give.rt, list(offer.give.cards)
    if not offer.give:
        return
    work.pay(offer.seat, rt)
    work.pay(offer.partner, -rt)
    work.hands[offer.seat] = [*remove_cards(work.hands[offer.seat], cards)]
    work.hands[offer.partner] += cards
    data = {"by": offer.seat, "to": offer.partner}
    work.tell("traded", "JW-16", **data, rt=rt, cards=len(cards), gift=gift)
    if cards:
        work.tell("traded-cards", "JW-16", offer.seat, offer.partner, **data, cards=cards)


def _fail_offer(work: Work, offer: Offer, why: str) -> None:
    work.negate(offer.seat, "JW-16", _describe_offer(offer), why, ("trade", offer.place))


def _describe_offer(offer: Offer) -> str:
    text = f"trade with {offer.partner}: give {_list_goods(offer.give)}"
    return f"{text}, want {_list_goods(offer.want)}" if offer.want else text


def _list_goods(goods: Goods) -> str:
    words = [f"{goods.rt} RT"] if goods.rt else []
    return " + ".join([*words, *goods.cards]) or "nothing"


def _hope_for_gifts(work: Work, orders: Orders) -> None:
    """Assume at best that everything others have comes to the checking seat (JW-13b)."""
    if work.luck is not Luck.BEST:
        return
    for seat in orders:
        others = [player.tokens for other, player in work.players.items() if other != seat]
        work.pay(seat, -sum(others))
        work.wild += sum(work.sizes.values())


def steal_card(work: Work, orders: Orders, dice: Dice | None) -> None:
    """Let the player with the highest trade level take a random card from a hand."""
    thief = find_leader(work.players, "trade")
    for seat, victim in work.list_wanted(orders, "steal"):
        if why := _find_theft_fault(work, seat, victim, thief):
            work.negate(seat, "JW-17", f"steal: {victim}", why, ("steal",))
        elif dice is None:  # a check knows only that a card will come
            work.tell("stolen", "JW-17", thief=seat, victim=victim)
        else:
            _take_card(work, seat, victim, dice)


def _find_theft_fault(work: Work, seat: Seat, victim: Seat, thief: Seat | None) -> str:
    if thief != seat:
        return "Your trade level is not higher than everybody else's."
    if victim == seat:
        return "You cannot steal from yourself."
    if victim not in work.players:
        return f"{victim} is not a player."
    if not work.has_cards(victim):
        return f"{victim} has no card in hand."
    return ""


def _take_card(work: Work, thief: Seat, victim: Seat, dice: Dice) -> None:
    hand = work.components.sort_cards(work.hands[victim])
    card = dice.draw("steal", thief).choice(hand)
    work.hands[victim].remove(card)
    work.hands[thief].append(card)
    work.tell("stolen", "JW-17", thief=thief, victim=victim)
    work.tell("stolen-card", "JW-17", thief, victim, thief=thief, victim=victim, card=card)


def name_ally(work: Work, orders: Orders) -> None:
    """Let the player with the highest diplomacy level name an ally."""
    diplomat = find_leader(work.players, "diplomacy")
    for seat, ally in work.list_wanted(orders, "ally"):
        if why := _find_ally_fault(work, seat, ally, diplomat):
            work.negate(seat, "JW-18", f"ally: {ally}", why, ("ally",))
        else:
            work.ally = Ally(of=seat, who=ally)
            work.tell("allied", "JW-18", of=seat, who=ally)


def _find_ally_fault(work: Work, seat: Seat, ally: Seat, diplomat: Seat | None) -> str:
    if diplomat != seat:
        return "Your diplomacy level is not higher than everybody else's."
    if ally == seat:
        return "You cannot be your own ally."
    if ally not in work.players:
        return f"{ally} is not a player."
    return ""
