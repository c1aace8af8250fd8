"""The end of a game: end it before its rules do, archive it, delete it."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.core.document import Seat
from adjudicator.core.events import format_count
from adjudicator.desk.acts.act import (
    MOVING_ACTS,
    SEAT,
    WORDS,
    Act,
    Argument,
    Done,
    Loss,
    make_flag,
    word_done,
)
from adjudicator.desk.acts.rollback import undo_closing
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.lineage import BACK
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.advance import StepClosing
from adjudicator.desk.steps.finish import finish_game
from adjudicator.desk.steps.lock import check_status


def end_game(context: Context, winners: Sequence[Seat], reason: str) -> StepClosing:
    """End the game with these winners; without winners it is drawn."""
    check_status(context)
    for seat in winners:
        context.seat(seat)
    if not reason.strip():
        raise Refused(f"{context.id}: an end needs its reason, for the history")
    return finish_game(context, winners, reason.strip(), by="gm")


def _end(context: Context, winner: Sequence[Seat], reason: str) -> Done:
    closing = end_game(context, winner, reason)
    return word_done(f"The game [is] over: {_describe_outcome(winner)}.", notes=closing.notes)


def _describe_outcome(winners: Sequence[Seat]) -> str:
    return f"won by {', '.join(winners)}" if winners else "drawn"


def _read_end(words: Sequence[str], _content: Any) -> Mapping[str, Any]:
    if not words:
        raise Refused("a winner, or `drawn`, is missing")
    is_draw = words[0].lower() in ("drawn", "draw")
    winners = () if is_draw else tuple(word for word in words[0].split(",") if word)
    return {"winner": winners, "reason": " ".join(words[1:])}


def _confirm_end(context: Context, winner: Sequence[Seat], **_given: Any) -> Loss:
    return Loss(
        f"This would end {context.id}, {_describe_outcome(winner)}. All players would get a "
        "notice, and the seed would be revealed."
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
    undo=undo_closing,
    blocked_by=MOVING_ACTS,
    confirm=_confirm_end,
)


# archive


def _archive(context: Context, *, back: bool) -> Done:
    game, why = context.game, ""
    if back and game.archived is None:
        why = "it is not archived"
    elif not back and game.archived is not None:
        why = "it is archived already"
    elif not back and game.status is not Status.OVER:
        why = f"it is {game.status}; only a game that is over is archived"
    if why:
        raise Refused(f"{game.id}: {why}")
    context.now(archived=None if back else context.at)
    if back:
        context.note("archive", "back in the lists", data={BACK: True})
        return word_done("The game [is] listed again.")
    context.note("archive", "taken out of the lists")
    return word_done("The game [is] archived: only lists of all games [show] it.")


ACT_ARCHIVE = Act(
    name="archive",
    about="Nothing is deleted. Only lists of all games, finished ones included, still show it.",
    arguments=(make_flag("back", "List the game again."),),
    examples=("archive ember", "archive ember --back"),
    do=_archive,
    undo=lambda context, note: _archive(context, back=BACK not in note.data),
    blocked_by=("archive", "delete"),
)


# delete


def _delete(context: Context) -> Done:
    context.books.delete_game(context.id)
    return word_done("The game [is] deleted.")


def _confirm_delete(context: Context) -> Loss:
    steps = sum(one.closed is not None for one in context.books.steps(context.id))
    return Loss(
        f"This would delete {context.id} with {format_count(steps, 'step')}, its letters and its "
        "history, for good. An archive that was exported stays.",
        for_good=True,
    )


ACT_DELETE = Act(
    name="delete",
    about=(
        "Everything about the game is removed from the database. An archive of it is written "
        "first; importing that brings the game back."
    ),
    examples=("delete ember",),
    do=_delete,
    lasting="a deleted game comes back by importing its archive only",
    confirm=_confirm_delete,
    exports=True,
)
