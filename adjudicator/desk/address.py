"""Where a seat's player gets letters."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from adjudicator.desk.case import STARTED, take
from adjudicator.desk.errors import Refused
from adjudicator.desk.letters import notice, person
from adjudicator.desk.log import log
from adjudicator.desk.people import checked
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.seating import current
from adjudicator.desk.stage import stage
from adjudicator.desk.values import Player, Status


def address(
    books: Books,
    library: Library,
    game: str,
    seat: str,
    addresses: Sequence[str],
    *,
    at: datetime,
) -> Player:
    """Send a player's letters to these addresses from now on, in place of the earlier ones."""
    case = take(books, library, game, at=at, status=(Status.OPEN, *STARTED, Status.OVER))
    seating = current(books, game).get(case.seat(seat))
    player = person(case, seating)
    if player is None:
        raise Refused(f"{game}: nobody plays {seat}, so there is nobody to get letters")
    wanted = tuple(dict.fromkeys(checked(one) for one in addresses))
    if not wanted:
        raise Refused(f"{game}: name at least one address for {seat}")
    for one in wanted:
        others = [name for name in books.holders(one) if name != player.name]
        if others:
            raise Refused(f"{one} is the address of {others[0]}")
    books.save_player(replace(player, addresses=()))  # what came back once is tried again
    changed = replace(player, addresses=wanted)
    books.save_player(changed)
    count = f"{len(wanted)} {'address' if len(wanted) == 1 else 'addresses'}"
    log(books, game, "address", f"{seat} has {count} now", at=at, data={"seat": seat})
    lines = ["The GM changed the address to which your letters go. They come here from now on."]
    subject = "Your letters come here now"
    notice(case, stage(case), seat, subject, lines, seating=seating, at=at)
    return changed
