"""Who plays a seat: a new address, another player, the bot."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from adjudicator.desk.model.context import STARTED, current_step
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.people import check_address
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import BOT, PLAYER, begin_seating, current_seatings
from adjudicator.desk.model.values import Player, Seating, Status
from adjudicator.desk.outbox.queue import player_of, queue_notice, withdraw_reminders
from adjudicator.desk.steps.finish import pause_if_deserted
from adjudicator.desk.steps.handover import announce_open_seat, explain_what_stays, notify_others
from adjudicator.desk.steps.lock import lock_context


def change_address(
    books: Books,
    library: Library,
    game: str,
    seat: str,
    addresses: Sequence[str],
    *,
    at: datetime,
) -> Player:
    """Send a player's letters to these addresses from now on, in place of the earlier ones."""
    context = lock_context(books, library, game, at=at, status=(Status.OPEN, *STARTED, Status.OVER))
    seating = current_seatings(books, game).get(context.seat(seat))
    player = player_of(context, seating)
    if player is None:
        raise Refused(f"{game}: nobody plays {seat}, so there is nobody to get letters")
    wanted = tuple(dict.fromkeys(check_address(one) for one in addresses))
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
    write_note(books, game, "address", f"{seat} has {count} now", at=at, data={"seat": seat})
    lines = ["The GM changed the address to which your letters go. They come here from now on."]
    subject = "Your letters come here now"
    queue_notice(context, current_step(context), seat, subject, lines, seating=seating, at=at)
    return changed


def seat_bot(books: Books, library: Library, game: str, seat: str, *, at: datetime) -> Seating:
    """Give the seat to the bot; it writes its orders when a step closes."""
    context = lock_context(books, library, game, at=at, status=(Status.OPEN, *STARTED))
    before = current_seatings(books, game).get(context.seat(seat))
    if before is not None and before.kind == BOT:
        raise Refused(f"{game}: a bot plays {seat} already")
    seating = begin_seating(books, game, seat, before, at=at, kind=BOT)
    write_note(books, game, "bot", f"a bot plays {seat}", at=at, data={"seat": seat})
    if before is not None and before.kind == PLAYER and context.game.open_step is not None:
        step = context.open_step()
        lines = [f"The GM gave your seat {seat} in {game} to a bot."]
        lines += explain_what_stays(context, step, seat)
        subject = f"You no longer play {seat}"
        withdraw_reminders(context, step, seat)
        queue_notice(context, step, seat, subject, lines, seating=before, at=at, form=False)
        told = [f"A bot plays {seat} from now on."]
        notify_others(context, step, seat, f"A bot plays {seat}", told, at=at)
    elif context.game.open_step is None:
        announce_open_seat(context, seat, before, "The GM gave it to a bot.", at=at)
    pause_if_deserted(context, at=at)
    return seating
