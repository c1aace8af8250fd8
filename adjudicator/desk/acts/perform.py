"""Do, try and undo acts: the one way in which every face runs them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.desk.acts import TABLE, find_act
from adjudicator.desk.acts.act import (
    NOTE_NUMBER,
    Act,
    Argument,
    Call,
    Done,
    read_arguments,
)
from adjudicator.desk.model.errors import Refused, Suggest, Unknown
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.seats import current_seatings
from adjudicator.desk.model.standing import orders_on_file
from adjudicator.desk.model.values import HistoryNote, OutgoingLetter

UNDO_ACT = "undo"
_UNDONE = "undone"
"""In the data of a note: the number of the act that was undone."""
_BY_UNDO = "written"
"""In the data of a note: the numbers of the notes that undoing it has written."""


class Performed(Struct, frozen=True, kw_only=True):
    """An act done or tried: what came of it, what changed, who gets a letter."""

    done: Done
    loss: str = ""
    changes: tuple[str, ...] = ()
    letters: tuple[OutgoingLetter, ...] = ()

    @property
    def letter_line(self) -> str:
        """The letters that it caused."""
        told = ", ".join(f"{one.kind} {one.number} to {one.seat}" for one in self.letters)
        return f"Letters: {told or 'none'}."


def perform(call: Call, act: Act, given: Mapping[str, Any], *, yes: bool = False) -> Performed:
    """Do an act with these raw arguments; what is lost for good wants a yes."""
    arguments = read_arguments(call, act, given)
    loss = act.confirm(call, **arguments)
    if loss is not None and loss.for_good and not yes:
        raise Refused(
            f"{call.game}: {loss.sentence.rstrip('.')}; confirm it",
            suggest=suggest_again(call, act, given, "yes"),
        )
    before, known = dict(_facts(call)), {_name_of(one) for one in call.books.letters(call.game)}
    done = act.do(call, **arguments)
    after = dict(_facts(call))
    return Performed(
        done=done,
        loss=loss.sentence if loss else "",
        changes=tuple(_changes(before, after)),
        letters=tuple(one for one in call.books.letters(call.game) if _name_of(one) not in known),
    )


def suggest_again(call: Call, act: Act, given: Mapping[str, Any], *flags: str) -> Suggest:
    """The same act with the same arguments, and these flags."""
    words: list[str] = []
    options: dict[str, str] = {}
    said = []
    for one in act.arguments:
        raw = given.get(one.name)
        if raw in (None, (), "", False):
            continue
        if one.place == "flag":
            said.append(one.name)
        elif one.place == "option":
            options[one.name] = str(raw)
        elif one.kind.source == "words":
            words += [str(word) for word in raw] if one.many else [str(raw)]
    return Suggest(act.name, call.game, tuple(words), (*said, *flags), options)


def _name_of(letter: OutgoingLetter) -> tuple[int, str, str, int]:
    return (letter.step, letter.seat, letter.kind, letter.number)


def _facts(call: Call) -> Iterator[tuple[str, str]]:
    """Where the game stands, in lines that can be compared; no secrets."""
    games = [one for one in call.books.games() if one.id == call.game]
    if not games:
        return
    game = games[0]
    yield "status", str(game.status)
    for name, value in game.settings.items():
        yield name, _plain(value)
    seatings = current_seatings(call.books, game.id)
    for seat, seating in seatings.items():
        yield seat, seating.player or seating.kind
        player = call.books.player(seating.player) if seating.player else None
        if player is not None:
            yield f"{seat}'s address", ", ".join(player.addresses) or "none"
    if game.open_step is None:
        return
    step = call.books.step(game.id, game.open_step)
    yield "open step", call.label(step)
    yield "deadline", call.describe_due(step).partition(", due ")[2] or "none"
    sets = call.books.orders(game.id, step.number)
    for seat in game.seats:
        on = orders_on_file(sets, seat)
        yield f"{seat}'s orders", f"receipt {on.number}" if on else "none on file"


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(one) for one in value) or "none"
    return {True: "yes", False: "no"}.get(value, str(value)) if value != "" else "none"


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name, "none"), after.get(name, "none")
        if was != now:
            yield f"{name}: {was} -> {now}"


# undo


def undo_act(call: Call, number: int | None) -> Done:
    """Undo the GM's last act, or the numbered one, if nobody has acted on it since."""
    call.books.locked(call.game)
    notes = call.books.notes(call.game)
    note = _find_note(call, notes, number)
    act = find_act(note.act)
    if act.undo is None:
        raise Refused(
            f"{call.game}: {_describe(note)} cannot be undone: {act.lasting}; "
            "name the number of another act"
        )
    _refuse_acted_on(call, notes, note, act)
    known = call.books.last_note(call.game)
    done = act.undo(call, note)
    written = [one.number for one in call.books.notes(call.game) if one.number > known]
    data = {_UNDONE: note.number, _BY_UNDO: written}
    text = f"undid {note.number}, {note.act}: {note.text}"
    write_note(call.books, call.game, UNDO_ACT, text, at=call.at, data=data)
    return done


def _find_note(call: Call, notes: Sequence[HistoryNote], number: int | None) -> HistoryNote:
    if number is not None:
        found = next((one for one in notes if one.number == number), None)
        if found is None:
            raise Unknown(f"{call.game}: the history has no entry {number}")
        if any(one.data.get(_UNDONE) == number for one in notes):
            raise Refused(f"{call.game}: {_describe(found)} is undone already")
        if not _is_act(found):
            raise Refused(f"{call.game}: {_describe(found)} is no act of the GM's")
        return found
    settled = _settled(notes)
    last = next((n for n in reversed(notes) if _is_act(n) and n.number not in settled), None)
    if last is None:
        raise Refused(f"{call.game}: there is no act of the GM's to undo")
    return last


def _is_act(note: HistoryNote) -> bool:
    return note.by == "gm" and note.act in TABLE and note.act != UNDO_ACT


def _settled(notes: Sequence[HistoryNote]) -> set[int]:
    """The acts that were undone, and what undoing them wrote."""
    found: set[int] = set()
    for note in notes:
        if note.act == UNDO_ACT:
            found |= {note.data[_UNDONE], *note.data[_BY_UNDO]}
    return found


def _refuse_acted_on(call: Call, notes: Sequence[HistoryNote], note: HistoryNote, act: Act) -> None:
    settled, seat = _settled(notes), note.data.get("seat")
    for later in notes:
        if later.number <= note.number or later.number in settled:
            continue
        if later.at == note.at and later.by in ("clock", "house"):
            continue  # it is what the act itself brought about
        other = later.data.get("seat")
        if later.act in act.blocked_by and (seat is None or other is None or seat == other):
            what = f"{_describe(later)} came after it"
            if _is_act(later):
                raise Refused(
                    f"{call.game}: {_describe(note)} cannot be undone, since {what}; "
                    f"undo {later.number} first",
                    suggest=Suggest(UNDO_ACT, call.game, (str(later.number),)),
                )
            raise Refused(f"{call.game}: {_describe(note)} cannot be undone, since {what}")


def _describe(note: HistoryNote) -> str:
    return f"entry {note.number} ({note.act}: {note.text})"


def find_last_game(call: Call) -> str:
    """The game in which the GM acted last."""
    found = [
        (note.at, note.number, game.id)
        for game in call.books.games()
        for note in reversed(call.books.notes(game.id))
        if _is_act(note)
    ]
    if not found:
        raise Refused("no game has an act of the GM's that could be undone")
    return max(found)[2]


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
