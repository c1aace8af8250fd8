"""Do, try and undo acts: the one way in which every face runs them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.desk.acts import TABLE, find_act
from adjudicator.desk.acts.act import (
    NOTE_NUMBER,
    Act,
    Argument,
    Done,
    read_arguments,
)
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.errors import Refused, Suggest, Unknown
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.settings import NEXT, describe_setting
from adjudicator.desk.model.values import HistoryNote, OutgoingLetter

UNDO_ACT = "undo"
_UNDONE = "undone"
"""In the data of a note: the number of the act that was undone."""
_BY_UNDO = "written"
"""In the data of a note: the numbers of the notes that undoing it has written."""


class Performed(Struct, frozen=True, kw_only=True):
    """An act done or tried: its outcome, the changes, the letters."""

    done: Done
    loss: str = ""
    changes: tuple[str, ...] = ()
    letters: tuple[OutgoingLetter, ...] = ()

    @property
    def letter_line(self) -> str:
        """The letters that the act caused."""
        names = ", ".join(
            f"{one.kind} {one.number} to {' and '.join(one.to or ()) or one.seat}"
            for one in self.letters
        )
        return f"Letters: {names or 'none'}."


def perform(
    context: Context, act: Act, values: Mapping[str, Any], *, yes: bool = False
) -> Performed:
    """Do an act with these raw arguments; an irreversible loss needs a yes."""
    arguments = read_arguments(context, act, values)
    loss = act.confirm(context, **arguments)
    if loss is not None and loss.for_good and not yes:
        sentence = loss.sentence[0].lower() + loss.sentence[1:].rstrip(".")
        raise Refused(
            f"{context.id}: {sentence}; confirm it",
            suggest=suggest_again(context, act, values, "yes"),
        )
    before = dict(_collect_facts(context))
    names = {_name_of(one) for one in context.books.letters(context.id)}
    outcome = act.do(context, **arguments)
    after = dict(_collect_facts(context))
    return Performed(
        done=outcome,
        loss=loss.sentence if loss else "",
        changes=tuple(_list_changes(before, after)),
        letters=tuple(
            one for one in context.books.letters(context.id) if _name_of(one) not in names
        ),
    )


def suggest_again(context: Context, act: Act, values: Mapping[str, Any], *flags: str) -> Suggest:
    """Suggest the same act with the same arguments and these flags."""
    words: list[str] = []
    options: dict[str, str] = {}
    own_flags = []
    for one in act.arguments:
        raw = values.get(one.name)
        if raw in (None, (), "", False):
            continue
        if one.place == "flag":
            own_flags.append(one.name)
        elif one.place == "option":
            options[one.name] = str(raw)
        elif one.kind.source == "words":
            words += [str(word) for word in raw] if one.many else [str(raw)]
    return Suggest(act.name, context.id, tuple(words), (*own_flags, *flags), options)


def _name_of(letter: OutgoingLetter) -> tuple[int, str, str, int]:
    return (letter.step, letter.seat, letter.kind, letter.number)


def _collect_facts(context: Context) -> Iterator[tuple[str, str]]:
    """Describe where the game stands, in comparable lines; no secrets."""
    try:
        game = context.game
    except Unknown:  # it was deleted
        return
    yield "status", str(game.status)
    for name, value in game.settings.items():
        if name != NEXT:
            yield name, describe_setting(value)
    for name, value in game.settings.get(NEXT, {}).items():
        yield (
            f"{name} from the next step on",
            "default" if value is None else describe_setting(value),
        )
    for seat, seating in context.seatings.items():
        yield seat, seating.player or seating.kind
        player = context.books.player(seating.player) if seating.player else None
        if player is not None:
            yield f"{seat}'s address", ", ".join(player.addresses) or "none"
    if game.open_step is None:
        return
    step = context.books.step(game.id, game.open_step)
    yield "open step", context.label(step)
    zone = context.settings.zone
    yield "deadline", format_deadline(step.deadline, zone) if step.deadline else "none"
    for seat in game.seats:
        on = context.on_file.get(seat)
        yield f"{seat}'s orders", f"receipt {on.number}" if on else "none on file"


def _list_changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name, "none"), after.get(name, "none")
        if was != now:
            yield f"{name}: {was} -> {now}"


# undo


def undo_act(context: Context, number: int | None) -> Done:
    """Undo the GM's last act, or the numbered one, if nobody has acted on it since."""
    notes = context.books.notes(context.id)
    note = _find_note(context, notes, number)
    act = find_act(note.act)
    if act.undo is None:
        raise Refused(
            f"{context.id}: {_describe(note)} cannot be undone: {act.lasting}; "
            "name the number of another act"
        )
    _refuse_acted_on(context, notes, note, act)
    last = context.books.last_note(context.id)
    outcome = act.undo(context, note)
    numbers = [one.number for one in context.books.notes(context.id) if one.number > last]
    data = {_UNDONE: note.number, _BY_UNDO: numbers}
    text = f"undid {note.number}, {note.act}: {note.text}"
    context.note(UNDO_ACT, text, data=data)
    return outcome


def _find_note(context: Context, notes: Sequence[HistoryNote], number: int | None) -> HistoryNote:
    if number is not None:
        entry = next((one for one in notes if one.number == number), None)
        if entry is None:
            raise Unknown(f"{context.id}: the history has no entry {number}")
        if any(one.data.get(_UNDONE) == number for one in notes):
            raise Refused(f"{context.id}: {_describe(entry)} is undone already")
        if not _is_act(entry):
            raise Refused(f"{context.id}: {_describe(entry)} is not an act of the GM")
        return entry
    settled = _find_settled(notes)
    last = next((n for n in reversed(notes) if _is_act(n) and n.number not in settled), None)
    if last is None:
        raise Refused(f"{context.id}: the GM has done nothing that could be undone")
    return last


def _is_act(note: HistoryNote) -> bool:
    return note.by == "gm" and note.act in TABLE and note.act != UNDO_ACT


def _find_settled(notes: Sequence[HistoryNote]) -> set[int]:
    """Find the acts that were undone, and what undoing them wrote."""
    numbers: set[int] = set()
    for note in notes:
        if note.act == UNDO_ACT:
            numbers |= {note.data[_UNDONE], *note.data[_BY_UNDO]}
    return numbers


def _refuse_acted_on(
    context: Context, notes: Sequence[HistoryNote], note: HistoryNote, act: Act
) -> None:
    settled, seat = _find_settled(notes), note.data.get("seat")
    for later in notes:
        if later.number <= note.number or later.number in settled:
            continue
        if later.at == note.at and later.by in ("clock", "house"):
            continue  # the act itself caused it
        other = later.data.get("seat")
        if later.act in act.blocked_by and (seat is None or other is None or seat == other):
            what = f"{_describe(later)} came after it"
            if _is_act(later):
                raise Refused(
                    f"{context.id}: {_describe(note)} cannot be undone, since {what}; "
                    f"undo {later.number} first",
                    suggest=Suggest(UNDO_ACT, context.id, (str(later.number),)),
                )
            raise Refused(f"{context.id}: {_describe(note)} cannot be undone, since {what}")


def _describe(note: HistoryNote) -> str:
    return f"entry {note.number} ({note.act}: {note.text})"


def find_last_game(books: Books) -> str:
    """Find the game in which the GM acted last."""
    acts = [
        (note.at, note.number, game.id)
        for game in books.games()
        for note in reversed(books.notes(game.id))
        if _is_act(note)
    ]
    if not acts:
        raise Refused("the GM has done nothing in any game that could be undone")
    return max(acts)[2]


ACT_UNDO = Act(
    name="undo",
    about=(
        "An act can be undone until somebody has acted on it: sent orders, closed the step, or "
        "done another act on the same thing. Without a number the last act is undone; the history "
        "shows the numbers. To redo what was undone, undo what the history shows for it."
    ),
    arguments=(
        Argument(
            name="number",
            kind=NOTE_NUMBER,
            help="The number of the act in the history.",
            required=False,
        ),
    ),
    examples=("undo ember", "undo ember 14"),
    do=undo_act,
    lasting="an undo is undone by its own entry of the history",
    any_game=True,
)
