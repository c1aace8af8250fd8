"""Who plays a seat: a new address, another player, the bot, nobody."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from adjudicator.desk.acts.act import (
    SEAT_ARGUMENT,
    WORDS,
    Act,
    Argument,
    ArgumentKind,
    Call,
    Done,
    Loss,
)
from adjudicator.desk.model.context import STARTED, current_step
from adjudicator.desk.model.errors import Refused, Suggest
from adjudicator.desk.model.history import PRIVATE
from adjudicator.desk.model.people import check_address
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import BOT, IDLE, PLAYER, begin_seating, current_seatings
from adjudicator.desk.model.values import HistoryNote, Player, Seating, Status
from adjudicator.desk.outbox.queue import queue_notice, withdraw_reminders
from adjudicator.desk.requests.replacing import replace_player
from adjudicator.desk.steps.finish import pause_if_deserted
from adjudicator.desk.steps.handover import announce_open_seat, explain_what_stays, notify_others
from adjudicator.desk.steps.leave import resign_seat
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
    player = context.player(seating)
    if player is None:
        raise Refused(f"{game}: nobody plays {seat}, so nobody gets letters")
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
    data = {"seat": seat, PRIVATE: {"before": player.addresses, "player": player.name}}
    context.note("address", f"{seat} has {count} now", data=data)
    lines = ["The GM changed the address to which your letters go. They come here from now on."]
    subject = "Your letters come here now"
    queue_notice(context, current_step(context), seat, subject, lines, seating=seating)
    return changed


def seat_bot(books: Books, library: Library, game: str, seat: str, *, at: datetime) -> Seating:
    """Give the seat to the bot; it writes its orders when a step closes."""
    context = lock_context(books, library, game, at=at, status=(Status.OPEN, *STARTED))
    before = current_seatings(books, game).get(context.seat(seat))
    if before is not None and before.kind == BOT:
        raise Refused(f"{game}: a bot plays {seat} already")
    seating = begin_seating(books, game, seat, before, at=at, kind=BOT)
    context.note("bot", f"a bot plays {seat}", data={"seat": seat})
    if before is not None and before.kind == PLAYER and context.game.open_step is not None:
        step = context.open_step()
        lines = [f"The GM gave your seat {seat} in {game} to a bot."]
        lines += explain_what_stays(context, step, seat)
        subject = f"You no longer play {seat}"
        withdraw_reminders(context, step, seat)
        queue_notice(context, step, seat, subject, lines, seating=before, form=False)
        told = [f"A bot plays {seat} from now on."]
        notify_others(context, step, seat, f"A bot plays {seat}", told)
    elif context.game.open_step is None:
        announce_open_seat(context, seat, before, "The GM gave it to a bot.")
    pause_if_deserted(context)
    return seating


# the acts


_PLAYED = ("replace", "bot", "resign", "vacate", "submit", "press", "vote", "absent", "join")
"""Acts after which somebody else has played the seat, or had it."""


def _change_address(call: Call, seat: str, addresses: Sequence[str]) -> Done:
    seating = current_seatings(call.books, call.game).get(seat)
    before = call.books.player(seating.player) if seating and seating.player else None
    known = ", ".join(before.addresses) if before else ""
    was = f" Until now they went to {known}." if known else ""
    player = change_address(call.books, call.library, call.game, seat, addresses, at=call.at)
    now = ", ".join(player.addresses)
    return Done(
        said=f"Letters for {seat} go to {now} now.{was}",
        would=f"Letters for {seat} would go to {now}.{was}",
    )


def _undo_address(call: Call, note: HistoryNote) -> Done:
    before = note.data.get(PRIVATE, {}).get("before")
    if not before:
        raise Refused(f"{call.game}: the player had no address before; write the one that is right")
    return _change_address(call, str(note.data["seat"]), before)


def _replace(call: Call, seat: str, player: str) -> Done:
    if player.lower() == BOT:
        raise Refused(
            f"{player!r} is not a player's name", suggest=Suggest("bot", call.game, (seat,))
        )
    return _plays(
        seat, replace_player(call.books, call.library, call.game, seat, player, at=call.at)
    )


def _bot(call: Call, seat: str) -> Done:
    return _plays(seat, seat_bot(call.books, call.library, call.game, seat, at=call.at))


def _resign(call: Call, seat: str) -> Done:
    return _plays(seat, resign_seat(call.books, call.library, call.game, seat, by="gm", at=call.at))


def _plays(seat: str, seating: Seating | None) -> Done:
    who = {BOT: "A bot", IDLE: "Nobody"}.get(seating.kind if seating else IDLE)
    who = who or str(seating.player if seating else None)
    return Done(said=f"{who} plays {seat} now.", would=f"{who} would play {seat}.")


def _undo_seating(call: Call, note: HistoryNote) -> Done:
    """Give the seat back to whoever had it before."""
    seat = str(note.data["seat"])
    seatings = [one for one in call.books.seatings(call.game) if one.seat == seat]
    before = next((one for one in reversed(seatings) if one.until == note.at), None)
    if before is not None and before.kind == PLAYER and before.player:
        return _replace(call, seat, before.player)
    if before is not None and before.kind == BOT:
        return _bot(call, seat)
    return _resign_to_nobody(call, seat, seatings[-1])


def _resign_to_nobody(call: Call, seat: str, seating: Seating) -> Done:
    """The seat stood empty; it stands empty again, and whoever had it is told."""
    if seating.kind == PLAYER:
        return _resign(call, seat)
    context = lock_context(
        call.books, call.library, call.game, at=call.at, status=(Status.OPEN, *STARTED)
    )
    begin_seating(call.books, call.game, seat, seating, at=call.at, kind=IDLE)
    text = f"{seat} is free again"
    context.note("resign", text, data={"seat": seat})
    notify_others(context, current_step(context), seat, text, [f"{text}."])
    return _plays(seat, None)


def _confirm_replace(call: Call, seat: str, player: str) -> Loss | None:
    seating = current_seatings(call.books, call.game).get(seat)
    if seating is None or seating.kind != PLAYER or not seating.player:
        return None
    return Loss(f"{seating.player} loses the seat {seat} to {player}; all keys of {seat} are void.")


_ADDRESSES = Argument(
    name="addresses",
    kind=ArgumentKind(lambda _call, raw: str(raw)),
    help="Where the letters go.",
    label="at least one address",
    many=True,
    metavar="ADDRESS...",
)
ACT_ADDRESS = Act(
    name="address",
    about="The letters of the player of the seat go to these addresses only; the player gets a "
    "notice.",
    arguments=(SEAT_ARGUMENT, _ADDRESSES),
    examples=("address ember blue bob@example.net",),
    do=_change_address,
    undo=_undo_address,
    blocked_by=("address", "replace", "bot", "resign", "vacate"),
)
ACT_REPLACE = Act(
    name="replace",
    about=(
        "The player is named by a name, an address, or both: Bob <bob@example.org>. The substitute "
        "has a full deadline; orders on file stay; old keys are void. All players get a notice."
    ),
    arguments=(
        SEAT_ARGUMENT,
        Argument(
            name="player",
            kind=WORDS,
            help="The new player: a name, an address, or both.",
            label="the new player's address or name",
            sentence=True,
        ),
    ),
    examples=(
        "replace ember blue bob@example.org",
        "replace ember blue 'Bob <bob@example.org>'",
    ),
    letters=("replace blue bob@example.org",),
    do=_replace,
    undo=_undo_seating,
    blocked_by=_PLAYED,
    confirm=_confirm_replace,
)
ACT_BOT = Act(
    name="bot",
    about="The bot writes its orders when a step closes. The former player gets a notice.",
    arguments=(SEAT_ARGUMENT,),
    examples=("bot ember blue",),
    do=_bot,
    undo=_undo_seating,
    blocked_by=_PLAYED,
)
ACT_RESIGN = Act(
    name="resign",
    about="The setting nmr says who continues: nobody, the bot or a substitute.",
    arguments=(SEAT_ARGUMENT,),
    examples=("resign ember blue",),
    do=_resign,
    undo=_undo_seating,
    blocked_by=_PLAYED,
)
