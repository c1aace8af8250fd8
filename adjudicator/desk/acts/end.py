"""The end of a game: end it before its rules do, archive it, delete it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.desk.acts.act import (
    MOVING_ACTS,
    SEAT,
    WORDS,
    Act,
    Argument,
    Call,
    Done,
    Loss,
    describe_closing,
    make_flag,
)
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.lineage import BACK, counting_steps
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import HistoryNote, Status
from adjudicator.desk.steps.advance import StepClosing
from adjudicator.desk.steps.finish import finish_game
from adjudicator.desk.steps.lock import lock_context


def end_game(
    books: Books,
    library: Library,
    game: str,
    *,
    winners: Sequence[Seat],
    reason: str,
    at: datetime,
) -> StepClosing:
    """End the game with these winners; without any it is drawn."""
    context = lock_context(books, library, game, at=at)
    for seat in winners:
        context.seat(seat)
    if not reason.strip():
        raise Refused(f"{game}: an end needs its reason, for the history")
    return finish_game(context, winners, reason.strip(), by="gm")


def _end(call: Call, winner: Sequence[Seat], reason: str) -> Done:
    closing = end_game(
        call.books, call.library, call.game, winners=winner, reason=reason, at=call.at
    )
    outcome = f"won by {', '.join(winner)}" if winner else "drawn"
    return describe_closing(
        call,
        closing,
        f"The game has ended: {outcome}.",
        f"The game would end: {outcome}.",
    )


def _read_end(words: Sequence[str], _content: Any) -> Mapping[str, Any]:
    if not words:
        raise Refused("a winner, or `drawn`, is missing")
    drawn = words[0].lower() in ("drawn", "draw")
    winners = () if drawn else tuple(word for word in words[0].split(",") if word)
    return {"winner": winners, "reason": " ".join(words[1:])}


def _undo_end(call: Call, _note: HistoryNote) -> Done:
    last = counting_steps(call.books.steps(call.game))[0].name
    closing = roll_back(
        call.books, call.library, call.game, last, same_dice=False, keep_orders=True, at=call.at
    )
    return describe_closing(
        call, closing, "The end is undone: the game continues.", "The game would continue."
    )


def _confirm_end(call: Call, winner: Sequence[Seat], **_given: Any) -> Loss:
    outcome = f"won by {', '.join(winner)}" if winner else "drawn"
    return Loss(
        f"This ends {call.game}, {outcome}. All players get a notice, and the seed is revealed."
    )


ACT_END = Act(
    name="end",
    about="Without a winner the game is drawn. All players get the reason and the seed.",
    arguments=(
        Argument(
            name="winner",
            kind=SEAT,
            help="A seat that wins. Repeat for a shared win.",
            place="option",
            required=False,
            many=True,
            metavar="SEAT",
        ),
        Argument(
            name="reason",
            kind=WORDS,
            help="The reason, for all players.",
            label="an end needs its reason, which",
            place="option",
        ),
    ),
    examples=(
        "end ember --reason 'all voted for a draw'",
        "end ember --winner red --reason 'the others conceded'",
    ),
    letters=("'end red \"the others conceded\"'", "end drawn all agreed"),
    read_letter=_read_end,
    do=_end,
    undo=_undo_end,
    blocked_by=MOVING_ACTS,
    confirm=_confirm_end,
)


# archive


def _archive(call: Call, *, back: bool) -> Done:
    game = call.books.locked(call.game)
    if game.archived is None and back:
        raise Refused(f"{game.id}: it is not archived")
    if game.archived is not None and not back:
        raise Refused(f"{game.id}: it is archived already")
    if game.status is not Status.OVER and not back:
        raise Refused(f"{game.id}: it is {game.status}; only a game that is over is archived")
    call.books.save_game(replace(game, archived=None if back else call.at))
    text, data = ("back in the lists", {BACK: True}) if back else ("taken out of the lists", {})
    write_note(call.books, game.id, "archive", text, at=call.at, data=data)
    if back:
        return Done(said="The game is listed again.", would="The game would be listed again.")
    return Done(
        said="The game is archived: lists show it with all games only.",
        would="The game would be archived: lists would show it with all games only.",
    )


ACT_ARCHIVE = Act(
    name="archive",
    about="An archived game is kept whole; lists leave it out unless all games are asked for.",
    arguments=(make_flag("back", "List the game again."),),
    examples=("archive ember", "archive ember --back"),
    do=lambda call, back: _archive(call, back=back),
    undo=lambda call, note: _archive(call, back=BACK not in note.data),
    blocked_by=("archive", "delete"),
)


# delete


def _delete(call: Call) -> Done:
    game = call.books.locked(call.game)
    call.books.delete_game(game.id)
    return Done(said="The game is deleted.", would="The game would be deleted.")


def _confirm_delete(call: Call) -> Loss:
    steps = sum(one.closed is not None for one in call.books.steps(call.game))
    count = "1 step" if steps == 1 else f"{steps} steps"
    return Loss(
        f"This deletes {call.game} with {count}, its letters and its history, for good. An archive "
        "that was exported stays.",
        for_good=True,
    )


ACT_DELETE = Act(
    name="delete",
    about=(
        "Everything about the game leaves the database. An archive of it is written first; "
        "importing that brings the game back."
    ),
    examples=("delete ember",),
    do=_delete,
    lasting="a deleted game comes back by importing its archive only",
    confirm=_confirm_delete,
    exports=True,
)
