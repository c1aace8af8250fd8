"""People as the GM names them: by a name, by an address, or by both."""

import re

from msgspec.structs import replace

from adjudicator.desk.errors import Refused
from adjudicator.desk.ports import Books
from adjudicator.desk.values import Player

_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"@]{1,64}@[^\s<>()\[\],;:\"@]+\.[^\s<>()\[\],;:\"@.]+")
_LONGEST = 254  # of an address, RFC 5321


def checked(address: str) -> str:
    """An address as it is kept: bare, lower case; Refused where it can be none."""
    bare = address.strip().strip("<>").lower()
    if not _ADDRESS.fullmatch(bare) or len(bare) > _LONGEST or not bare.isprintable():
        raise Refused(f'"{address[:80]}" is no address; write one like ada@example.org')
    return bare


def introduced(books: Books, said: str) -> str:
    """The name of the person meant by `Ada`, `ada@example.org` or `Ada <ada@example.org>`.

    An address is written down for whom it belongs to; one that is known tells who is meant.
    """
    words = said.split()
    given = [word for word in words if "@" in word]
    if not given:
        return said
    if len(given) > 1:
        raise Refused(f"{said}: name one address here; `address` adds others")
    address = checked(given[0])
    known = next(iter(books.holders(address)), None)
    if known is not None:
        return known
    named = " ".join(word for word in words if word is not given[0])
    name = named or address.partition("@")[0].capitalize()
    player = books.player(name)
    if player is not None and player.addresses and not named:
        raise Refused(
            f"{name} is somebody with another address; write a name, too: Name <{address}>"
        )
    before = player or Player(name=name)
    books.save_player(replace(before, addresses=(*before.addresses, address)))
    return name
