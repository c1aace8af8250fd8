"""Resource cards: a kind, with `!` where the card carries the black hole icon (JG-3)."""

from collections.abc import Iterable
from typing import Annotated, Final

Resource = Annotated[str, "resource card"]
"""A card: `gem-red` or `gem-red!`."""

Kind = str
"""`gem-red`, whatever the icon."""

GEMS: Final = ("gem-white", "gem-red", "gem-blue")
LIGHT: Final = "energel-light"
DARK: Final = "energel-dark"
WATER: Final = "water"
FAME: Final = "fame"
SAND: Final = "sand"
NOTHING: Final = "nothing"

KINDS: Final = (*GEMS, LIGHT, DARK, WATER, FAME, SAND, NOTHING)
"""The order of JG-3, which settles ties."""

UNKNOWN: Final = "?"
"""A card of which a player who plays a form through knows only that it is there."""

_ICON: Final = "!"
_PLACE: Final = {card: n for n, card in enumerate(c for kind in KINDS for c in (kind, kind + "!"))}
_PICTURED: Final = ("gem", "energel")
"""Where the picture is a kind of its own; of fame it makes no difference (JG-3)."""


def find_kind(resource: str, variant: str | None) -> Kind:
    """Find the kind of a lot of the components."""
    return f"{resource}-{variant}" if variant and resource in _PICTURED else resource


def add_icon(kind: Kind) -> Resource:
    """Return the card of this kind that carries the icon."""
    return kind + _ICON


def has_icon(card: Resource) -> bool:
    """Whether it puts a marker on the Black Hole (JG-11)."""
    return card.endswith(_ICON)


def remove_icon(card: Resource) -> Kind:
    """Return the kind of a card, without its icon."""
    return card.removesuffix(_ICON)


def sort_key(card: Resource) -> int:
    """Return the card's place in the order of JG-3; without the icon it comes first."""
    return _PLACE[card]


def sort_cards(cards: Iterable[Resource]) -> tuple[Resource, ...]:
    """Sort the cards in the order of JG-3: such a list shows nothing of how they lay."""
    return tuple(sorted(cards, key=sort_key))


def list_collectable(cards: Iterable[Resource]) -> tuple[Resource, ...]:
    """List the cards that can be collected: "nothing" never is (JGA-8)."""
    return tuple(card for card in cards if card != NOTHING)
