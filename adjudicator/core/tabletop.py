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


def is_at(now: int, wanted: int) -> bool | None:
    """Whether a count that only rises, as of turns, is at this number; None: it is past it."""
    return None if now > wanted else now == wanted


def list_copies(box: Mapping[str, int]) -> tuple[str, ...]:
    """List every card of a box, each copy of it."""
    return tuple(Counter(box).elements())


def remove_cards(cards: Iterable[str], spent: Iterable[str]) -> tuple[str, ...]:
    """Remove one copy of each spent card; cards that are not there are ignored."""
    left = list(cards)
    for card in spent:
        if card in left:
            left.remove(card)
    return tuple(left)


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
    left = Counter(dict(box))
    for path, cards in places:
        for card in cards:
            left[card] -= 1
            if left[card] < 0:
                raise Impossible(path, complain(card))
    return left


def list_kept_out(box: Mapping[str, int], pile: Iterable[str]) -> tuple[str, ...]:
    """List the cards of a box that are not on the pile which becomes the deck."""
    return tuple((Counter(box) - Counter(pile)).elements())


def complete_deck(
    path: str, given: tuple[str, ...] | None, left: Counter[str], dice: Dice | None, purpose: str
) -> tuple[str, ...]:
    """Return the deck as given, else shuffle what is left; raises Impossible without dice."""
    if given is not None:
        return given
    if dice is None:
        raise Impossible(path, "is missing, and there are no dice to shuffle it")
    return dice.draw(purpose).shuffled(left.elements())


def list_unseen(box: Mapping[str, int], seen: Iterable[Iterable[str]]) -> list[str]:
    """List the cards of a box that are not among those seen, each copy of it."""
    left = Counter(box)
    for cards in seen:
        left.subtract(cards)
    return list(left.elements())


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
    held: Sequence[str],
    sizes: Iterable[int],
    deck_size: int,
    chance: Chance,
) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """Deal unseen cards to hands of these sizes and to the deck, where none of the held ones go."""
    cards = [*chance.shuffled(remove_cards(unseen, held)), *held]
    deck, rest = cards[:deck_size], cards[deck_size:]
    return deal_cards(chance.shuffled(rest) if held else rest, sizes), tuple(deck)


def deal_cards(cards: Sequence[str], sizes: Iterable[int]) -> list[tuple[str, ...]]:
    """Deal the first cards to the first place, and so on; what is left over lies nowhere."""
    dealt, first = [], 0
    for size in sizes:
        dealt.append(tuple(cards[first : first + size]))
        first += size
    return dealt
