"""The house: what the post office is called and who runs it, for all games."""

from msgspec import Struct

GM = "gm"
"""The reader and writer of the GM's letters, where a seat's name stands otherwise."""
PUBLIC = "public"
"""The reader of an observer's letters."""
NOBODY = "nobody"
"""The reader of letters to people who have no seat (yet)."""


class House(Struct, frozen=True, kw_only=True):
    """One post office with its games."""

    address: str = "games@adjudicator.invalid"
    """Where players write to; bare, lower case."""
    title: str = "Adjudicator"
    """The name beside it."""
    gm: tuple[str, ...] = ()
    """Where the GM reads letters."""
    aliases: tuple[str, ...] = ()
    """Other addresses of this post office: nothing is ever answered to itself."""
    strangers: int = 3
    """Answers a day to an address that belongs to nobody known."""

    def is_gm(self, address: str | None) -> bool:
        """Whether the GM reads letters at this address."""
        return address is not None and address in [one.lower() for one in self.gm]

    @property
    def host(self) -> str:
        """The right half of Message-IDs that belong to no game."""
        return self.address.rpartition("@")[2]
