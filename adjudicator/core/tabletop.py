"""Helpers that games at a table share: the order of seats, taking and counting cards."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from adjudicator.core.dice import Chance, Dice
from adjudicator.core.document import Impossible, Seat


def list_seats_from(seats: Sequence[Seat], first: Seat) -> tuple[Seat, ...]:
    """List all seats in order, from this one on."""
    start = seats.index(first)
    return (*seats[start:], *seats[:start])


def list_seats_after(seats: Sequence[Seat], last: Seat) -> tuple[Seat, ...]:
    """List all seats in order, from the one to the left of this one, which comes last."""
    _, *others = list_seats_from(seats, last)
    return (*others, last)


def is_at(now: int, number: int) -> bool | None:
    """Whether a count that only rises, as of turns, is at this number; None: it is past it."""
    return None if now > number else now == number


def list_copies(box: Mapping[str, int]) -> tuple[str, ...]:
    """List every card of a box, each copy of it."""
    return tuple(Counter(box).elements())


def remove_cards(cards: Iterable[str], unwanted: Iterable[str]) -> tuple[str, ...]:
    """Remove one copy of each spent card; cards that are not there are ignored."""
    rest = list(cards)
    for card in unwanted:
        if card in rest:
            rest.remove(card)
    return tuple(rest)


def has_cards(hand: Sequence[str], cards: Sequence[str]) -> bool:
    """Whether the hand has all of these cards, each copy counted."""
    return all(hand.count(card) >= cards.count(card) for card in cards)


def count_remaining(
    box: Mapping[str, int],
    places: Iterable[tuple[str, Iterable[str]]],
    complain: Callable[[str], str],
) -> Counter[str]:
    """Count what is left in the box with these cards in their places; raises Impossible.

    Places are named by their paths; `complain` says that there are too many of a card.
    """
    rest = Counter(dict(box))
    for path, cards in places:
        for card in cards:
            rest[card] -= 1
            if rest[card] < 0:
                raise Impossible(path, complain(card))
    return rest


def list_kept_out(box: Mapping[str, int], pile: Iterable[str]) -> tuple[str, ...]:
    """List the cards of a box that are not on the pile which becomes the deck."""
    return tuple((Counter(box) - Counter(pile)).elements())


def complete_deck(
    path: str, deck: tuple[str, ...] | None, rest: Counter[str], dice: Dice | None, purpose: str
) -> tuple[str, ...]:
    """Return the deck as given, else shuffle what is left; raises Impossible without dice."""
    if deck is not None:
        return deck
    if dice is None:
        raise Impossible(path, "is missing, and there are no dice to shuffle it")
    return dice.draw(purpose).shuffled(rest.elements())


def list_unseen(box: Mapping[str, int], places: Iterable[Iterable[str]]) -> list[str]:
    """List the cards of a box that are not among those seen, each copy of it."""
    rest = Counter(box)
    for cards in places:
        rest.subtract(cards)
    return list(rest.elements())


def find_held(
    unseen: Sequence[str], box: Mapping[str, int], kept_out: Sequence[str]
) -> Sequence[str]:
    """Find the unseen cards that must be in hands: so many copies were kept out of the deck."""
    there = Counter(unseen)
    return [
        card
        for card, copies in Counter(kept_out).items()
        for _ in range(there[card] - (box[card] - copies))
    ]


def deal_hands(
    unseen: Sequence[str],
    kept_out: Sequence[str],
    sizes: Iterable[int],
    deck_size: int,
    chance: Chance,
) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """Deal unseen cards to hands of these sizes and to the deck, where none of the held ones go."""
    cards = [*chance.shuffled(remove_cards(unseen, kept_out)), *kept_out]
    deck, rest = cards[:deck_size], cards[deck_size:]
    return deal_cards(chance.shuffled(rest) if kept_out else rest, sizes), tuple(deck)


def deal_cards(cards: Sequence[str], sizes: Iterable[int]) -> list[tuple[str, ...]]:
    """Deal the first cards to the first place, and so on; what is left over lies nowhere."""
    hands, first = [], 0
    for size in sizes:
        hands.append(tuple(cards[first : first + size]))
        first += size
    return hands
