"""Who plays a seat: a new address, another player, the bot, nobody."""

from collections.abc import Sequence

from msgspec.structs import replace

from adjudicator.core.events import format_count
from adjudicator.core.game import STRENGTHS, Strength
from adjudicator.desk.acts.act import (
    SEAT_ARGUMENT,
    TEXT,
    WORDS,
    Act,
    Argument,
    ArgumentKind,
    Done,
    Loss,
    word_done,
)
from adjudicator.desk.model.context import STARTED, Context, current_step
from adjudicator.desk.model.errors import Refused, Suggest
from adjudicator.desk.model.history import PRIVATE
from adjudicator.desk.model.people import check_address, describe_unreachable
from adjudicator.desk.model.seats import (
    BOT,
    IDLE,
    PLAYER,
    begin_seating,
    describe_bot,
    find_strength,
    read_strength,
    seat_holders,
)
from adjudicator.desk.model.values import HistoryNote, Seating, Status
from adjudicator.desk.outbox.queue import queue_notice, withdraw_reminders
from adjudicator.desk.steps.finish import pause_if_deserted
from adjudicator.desk.steps.handover import (
    announce_open_seat,
    notify_others,
    replace_player,
    resign_seat,
    tell_former_player,
)
from adjudicator.desk.steps.lock import check_status

_PLAYED = ("replace", "bot", "resign", "vacate", "submit", "press", "vote", "absent", "join")
"""Acts after which somebody else has held or played the seat."""


def change_address(context: Context, seat: str, addresses: Sequence[str]) -> Done:
    """Send a player's letters to these addresses from now on, instead of the earlier ones."""
    check_status(context, (Status.OPEN, *STARTED, Status.OVER))
    books, game, seating = context.books, context.id, context.seatings.get(seat)
    player = context.player(seating)
    if player is None:
        raise Refused(f"{game}: nobody plays {seat}, so nobody gets letters")
    new = tuple(dict.fromkeys(check_address(one) for one in addresses))
    for one in new:
        others = [name for name in books.holders(one) if name != player.name]
        if others:
            raise Refused(f"{one} is the address of {others[0]}")
    books.save(replace(player, addresses=()))  # an address whose letters came back is tried again
    books.save(replace(player, addresses=new))
    data = {"seat": seat, PRIVATE: {"before": player.addresses, "player": player.name}}
    count = format_count(len(new), "address", "addresses")
    context.note("address", f"{seat} has {count} now", data=data)
    lines = ["The GM changed the address to which your letters go. They come here from now on."]
    subject = "Your letters now come to this address"
    queue_notice(context, current_step(context), seat, subject, lines, seating=seating)
    was = f" Until now they went to {', '.join(player.addresses)}." if player.addresses else ""
    return word_done(f"Letters for {seat} [go] to {', '.join(new)} now.{was}")


def _undo_address(context: Context, note: HistoryNote) -> Done:
    before = note.data.get(PRIVATE, {}).get("before")
    if not before:
        raise Refused(
            f"{context.id}: the player had no address before; write the one that is right"
        )
    return change_address(context, str(note.data["seat"]), before)


def seat_bot(context: Context, seat: str, strength: Strength | None = None) -> Done:
    """Give the seat to a bot; it writes its orders when a step closes."""
    check_status(context, (Status.OPEN, *STARTED))
    game, before = context.id, context.seatings.get(context.seat(seat))
    strength = strength or "normal"
    if before is not None and before.kind == BOT and find_strength(before) == strength:
        raise Refused(f"{game}: {describe_bot(before)} plays {seat} already")
    seating = begin_seating(
        context.books, game, seat, before, at=context.at, kind=BOT, strength=strength
    )
    who = describe_bot(seating)
    context.note("bot", f"{who} plays {seat}", data={"seat": seat})
    if before is not None and before.kind == PLAYER and context.game.open_step is not None:
        step = context.open_step()
        withdraw_reminders(context, step, seat)
        line = f"The GM gave your seat {seat} in {game} to {who}."
        tell_former_player(context, step, before, [line], stays=True)
        headline = f"{who.capitalize()} plays {seat}"
        notify_others(context, step, seat, headline, [f"{headline} from now on."])
    elif context.game.open_step is None:
        announce_open_seat(context, seat, before, f"The GM gave it to {who}.")
    pause_if_deserted(context)
    return _say_who_plays(seat, seating)


def _replace(context: Context, seat: str, player: str) -> Done:
    if player.lower() == BOT:
        raise Refused(
            f"{player!r} is not a player's name", suggest=Suggest(BOT, context.id, (seat,))
        )
    seating = replace_player(context, seat, player)
    others = seat_holders(context.seatings).values()
    trouble = describe_unreachable(context.books, seating.player or "", others)
    outcome = _say_who_plays(seat, seating)
    return replace(outcome, details=(f"Note: {trouble}.",)) if trouble else outcome


def _resign(context: Context, seat: str) -> Done:
    return _say_who_plays(seat, resign_seat(context, seat, by="gm"))


def _say_who_plays(seat: str, seating: Seating | None) -> Done:
    if seating is None or seating.kind == IDLE:
        return word_done(f"Nobody [plays] {seat} now.")
    who = describe_bot(seating).capitalize() if seating.kind == BOT else seating.player
    return word_done(f"{who} [plays] {seat} now.")


def _undo_seating(context: Context, note: HistoryNote) -> Done:
    """Give the seat back to whoever had it before."""
    seat = str(note.data["seat"])
    seatings = [one for one in context.books.seatings(context.id) if one.seat == seat]
    before = next((one for one in reversed(seatings) if one.until == note.at), None)
    if before is not None and before.kind == PLAYER and before.player:
        return _replace(context, seat, before.player)
    if before is not None and before.kind == BOT:
        return seat_bot(context, seat, before.strength)
    if seatings[-1].kind == PLAYER:  # the seat was empty, and is empty again
        return _resign(context, seat)
    check_status(context, (Status.OPEN, *STARTED))
    begin_seating(context.books, context.id, seat, seatings[-1], at=context.at, kind=IDLE)
    text = f"{seat} is free again"
    context.note("resign", text, data={"seat": seat})
    notify_others(context, current_step(context), seat, text, [f"{text}."])
    return _say_who_plays(seat, None)


def _confirm_replace(context: Context, seat: str, player: str) -> Loss | None:
    seating = context.seatings.get(seat)
    if seating is None or seating.kind != PLAYER or not seating.player:
        return None
    return Loss(
        f"{seating.player} would lose the seat {seat} to {player}; all keys of {seat} would be "
        "void."
    )


_ADDRESSES = Argument(
    name="addresses",
    kind=TEXT,
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
    do=change_address,
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
    about="The bot writes its orders when a step closes. The former player gets a notice. "
    "An easy bot suits a first game; a hard one beats a normal one in two games of three.",
    arguments=(
        SEAT_ARGUMENT,
        Argument(
            name="strength",
            kind=ArgumentKind(
                lambda context, raw: read_strength(str(raw), context.kind),
                lambda _books, _game: STRENGTHS,
            ),
            help="How well it plays: easy, normal (without a word) or hard.",
            required=False,
        ),
    ),
    examples=("bot ember blue", "bot ember blue hard"),
    letters=("bot blue hard",),
    do=seat_bot,
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
