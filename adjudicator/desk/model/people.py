"""The server and its GM; people as the GM names them."""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Player

GM = "gm"
"""The reader and writer of the GM's letters, where a seat's name stands otherwise."""
PUBLIC = "public"
"""The reader of an observer's letters."""
NOBODY = "nobody"
"""The reader of letters to people who have no seat (yet)."""


class House(Struct, frozen=True, kw_only=True):
    """The server: its address, its GM and its limits."""

    address: str = "games@adjudicator.invalid"
    """Where players write to; bare, lower case."""
    title: str = "Adjudicator"
    """The name shown with it."""
    gm: tuple[str, ...] = ()
    """Where the GM reads letters."""
    aliases: tuple[str, ...] = ()
    """Other addresses of this server, which never writes to itself."""
    tagged: bool = False
    """Whether letters of a game ask for replies to games+ember@…, and not to games@…."""
    bounces: str = ""
    """Where servers return letters, with {token} in it for the letter; empty for `address`."""
    unsubscribe_url: str = ""
    """Where a click unsubscribes, without the name of the letter that ends it; empty for none."""
    strangers: int = 3
    """Answers a day to an unknown address."""
    strangers_domain: int = 30
    """Answers a day to all such addresses of one domain."""
    strangers_all: int = 200
    """Answers a day to all such addresses."""
    seat_letters: int = 200
    """Letters a day of one seat that are answered."""
    hourly_letters: int = 2000
    """Letters that go out in an hour; at most half of them may be not urgent."""
    daily_letters: int = 0
    """Letters that go out on a day, in the same way; 0 for any number."""

    def is_gm(self, address: str | None) -> bool:
        """Whether the GM reads letters at this address."""
        return address is not None and address in [one.lower() for one in self.gm]

    def is_own(self, address: str | None) -> bool:
        """Whether an address is this server's, with a tag (games+ember@…) or without."""
        return address is not None and _TAG.sub("@", address) in (self.address, *self.aliases)

    def reply_address(self, game: str) -> str:
        """Find where answers to letters of a game are to go."""
        return self.address.replace("@", f"+{game}@") if self.tagged and game else self.address

    @property
    def host(self) -> str:
        """The host in Message-IDs that belong to no game."""
        return self.address.rpartition("@")[2]


_TAG = re.compile(r"\+[^@]*@")


_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"@]{1,64}@[^\s<>()\[\],;:\"@]+\.[^\s<>()\[\],;:\"@.]+")
_LONGEST = 254  # of an address, RFC 5321


def check_address(address: str) -> str:
    """Return an address as it is kept: bare, lower case; Refused if it cannot be one."""
    bare = address.strip().strip("<>").lower()
    if not _ADDRESS.fullmatch(bare) or len(bare) > _LONGEST or not bare.isprintable():
        raise Refused(f'"{address[:80]}" is not an address; write one like ada@example.org')
    return bare


def introduce_player(books: Books, designation: str) -> str:
    """Find the name of the person in `Ada`, `ada@example.org` or `Ada <ada@example.org>`.

    A new address is saved for its owner; a known one tells who is meant.
    """
    words = designation.split()
    addresses = [word for word in words if "@" in word]
    if not addresses:
        return designation
    if len(addresses) > 1:
        raise Refused(f"{designation}: name one address here; `address` adds others")
    address = check_address(addresses[0])
    holder = next(iter(books.holders(address)), None)
    if holder is not None:
        return holder
    full_name = " ".join(word for word in words if word is not addresses[0])
    name = full_name or address.partition("@")[0].capitalize()
    player = books.player(name)
    if player is not None and player.addresses and not full_name:
        raise Refused(
            f"{name} already has another address; write another name for this one: Name <{address}>"
        )
    before = player or Player(name=name)
    books.save(replace(before, addresses=(*before.addresses, address)))
    return name


def introduce_substitutes(books: Books, designations: Sequence[str]) -> list[str]:
    """Name the people who wait for a seat; Refused if one of them cannot be reached."""
    for one in designations:
        if "@" not in one and books.player(one) is None:
            raise Refused(
                f'substitutes: nobody called "{one[:80]}" is known; write the address, too: '
                f"{one[:80]} <name@example.org>"
            )
    return list(dict.fromkeys(introduce_player(books, one) for one in designations))


def describe_unreachable(books: Books, player: str, others: Iterable[str]) -> str | None:
    """Say what the GM must know of a person whom letters do not reach; None if they do.

    Where none of the others has an address either, the game is played by hand.
    """
    addresses = [one for one in books.addresses(player) if one.confirmed]
    if not addresses and any(books.addresses(one) for one in others):
        return f"{player} has no address, so letters wait until you name one: `address`"
    if addresses and all(one.bounced is not None for one in addresses):
        return f"letters to {player} came back, so name another address: `address`"
    return None
