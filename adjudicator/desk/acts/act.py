"""The declaration of an act of the GM, from which every face is derived."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from adjudicator.core.document import Document, Seat
from adjudicator.core.names import match_exactly, suggest
from adjudicator.desk.acts import TABLE
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.lineage import find_step
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Game, HistoryNote, Status, Step
from adjudicator.desk.steps.advance import StepClosing

MOVING_ACTS = ("start", "close", "edit", "rollback", "end")
"""Acts after which another step is open."""


class ArgumentKind(Struct, frozen=True):
    """A kind of argument: how its words are read, and what a shell offers for it."""

    read: Callable[[Context, Any], Any]
    complete: Callable[[Books, Game], Sequence[str]] | None = None
    source: Literal["words", "form", "position", "text"] = "words"
    """Where a command line takes it from: words, a file with a form, an editor, a text."""


class Argument(Struct, frozen=True, kw_only=True):
    """One argument of an act."""

    name: str
    kind: ArgumentKind
    help: str
    label: str = ""
    """How an error calls the missing argument: "the seat"."""
    place: Literal["word", "option", "flag"] = "word"
    required: bool = True
    many: bool = False
    """Any number of words, or an option that may be repeated."""
    sentence: bool = False
    """All remaining words make one value."""
    early: Callable[[Context], str | None] | None = None
    """Finds the default before the transaction begins."""
    metavar: str | None = None


class Done(Struct, frozen=True, kw_only=True):
    """The outcome of an act, in words for any face; mostly made by `word_done`."""

    sentence: str
    would: str
    """The same in the conditional, for an act that was only tried."""
    subject: str = ""
    """What was done in a clause, for a letter's subject; empty: the first of what is said."""
    details: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Other things that the GM should know."""
    facts: Document | None = None
    """For programs."""
    document: Document | None = None
    template: str = ""
    """The template that prints the document in place of the sentences."""
    revealed: Callable[[], Document] | None = None
    """Finds the secrets to be shown on request, while the transaction lasts."""
    failed: bool = False
    """Whether nothing of what was wanted could be done."""
    next: tuple[str, ...] = ()
    """The act that probably comes next, or that undoes this one, in words."""


class Loss(Struct, frozen=True):
    """What an act destroys, in a sentence that can be put before the GM."""

    sentence: str
    for_good: bool = False
    """Whether it cannot be undone, so that the act needs an explicit yes."""


def loses_nothing(_context: Context, **_given: Any) -> Loss | None:
    """Confirm nothing."""
    return None


class Act(Struct, frozen=True, kw_only=True):
    """Something that a GM can do, declared once."""

    name: str
    about: str = ""
    """What the one-line help leaves out, for people at any face."""
    arguments: tuple[Argument, ...] = ()
    examples: tuple[str, ...]
    """Examples as they are typed, with the game's name."""
    letters: tuple[str, ...] = ()
    """Examples for letters, where leaving out the game's name is not enough."""
    read_letter: Callable[[Sequence[str], Any], Mapping[str, Any]] | None = None
    """Reads a letter's words and the value after the colon, where words alone are not enough."""
    do: Callable[..., Done]
    """do(context, **arguments), in the transaction that the context stands for."""
    undo: Callable[[Context, HistoryNote], Done] | None = None
    """undo(context, note): the note is what the act wrote into the history."""
    lasting: str = ""
    """Why it cannot be undone."""
    blocked_by: tuple[str, ...] = ()
    """Acts on the same seat or game after which it can no longer be undone."""
    confirm: Callable[..., Loss | None] = loses_nothing
    json: bool = False
    reveal: str = ""
    """What the GM looks at when secrets are revealed, for the history."""
    exports: bool = False
    """Whether the game's archive is written first, which only a command line can do."""
    any_game: bool = False
    """Whether it defaults to the game in which the GM acted last."""

    @property
    def help(self) -> str:
        """The one-line help."""
        return TABLE[self.name].help

    @property
    def asks(self) -> bool:
        """Whether the act may have to be confirmed."""
        return self.confirm is not loses_nothing

    def letter_examples(self) -> tuple[str, ...]:
        """Show how the act is written in a letter."""
        short = tuple(one.replace(" ember", "", 1).replace(" --", " ") for one in self.examples)
        return self.letters or short


def read_arguments(context: Context, act: Act, values: Mapping[str, Any]) -> dict[str, Any]:
    """Read the values of all arguments; Refused names what is missing."""
    return {one.name: _read(context, one, values.get(one.name)) for one in act.arguments}


def _read(context: Context, argument: Argument, raw: Any) -> Any:
    if argument.place == "flag":
        return bool(raw)
    if raw is None or raw == () or (isinstance(raw, str) and not raw.strip()):
        if argument.required:
            raise Refused(f"{argument.label or argument.name} is missing")
        return () if argument.many else None
    if argument.many:
        return tuple(argument.kind.read(context, one) for one in raw)
    return argument.kind.read(context, raw)


# kinds of arguments


def find_exact_seat(seats: Sequence[Seat], name: object) -> Seat:
    """Find a seat by its full name: a player seated by mistake has read the hand."""
    seat = match_exactly(str(name), seats)
    if seat is None:
        suggestion = suggest(str(name), seats)
        hint = (
            f'did you mean "{suggestion}"?' if suggestion else f"the seats are {', '.join(seats)}"
        )
        raise Unknown(f'there is no seat "{name}"; {hint}')
    return seat


def _read_number(_context: Context, value: object) -> int:
    text = str(value)
    if not (text.isascii() and text.isdigit()):
        raise Refused(f'write the number of an entry of the history, not "{text[:40]}"')
    return int(text[:9])


def _played_steps(books: Books, game: Game) -> Sequence[str]:
    return [step.name for step in books.steps(game.id) if step.closed]


TEXT = ArgumentKind(lambda _context, raw: str(raw))
WORDS = ArgumentKind(lambda _context, raw: " ".join(str(raw).split()))
RAW_TEXT = ArgumentKind(lambda _context, raw: str(raw), source="text")
FLAG = ArgumentKind(lambda _context, raw: bool(raw))
SEAT = ArgumentKind(
    lambda context, raw: find_exact_seat(context.game.seats, raw),
    lambda _books, game: game.seats,
)
STEP = ArgumentKind(
    lambda context, raw: find_step(context.books, context.id, str(raw), prefer="first").name,
    _played_steps,
)
OPEN_STEP = ArgumentKind(
    lambda context, raw: find_step(context.books, context.id, str(raw), prefer="open").name,
    lambda books, game: books.step_names(game.id)[-1:],
)
NOTE_NUMBER = ArgumentKind(
    _read_number, lambda books, game: [str(one.number) for one in books.notes(game.id)]
)

SEAT_ARGUMENT = Argument(name="seat", kind=SEAT, help="The seat.", label="the seat")


def make_flag(name: str, text: str) -> Argument:
    """Make a word that may stand behind the act, or an option without a value."""
    return Argument(name=name, kind=FLAG, help=text, place="flag", required=False)


# the outcome in words

_VERB = re.compile(r"\[(\w+)\]")
_CONDITIONAL = {
    "is": "would be",
    "are": "would be",
    "has": "would have",
    "can": "could",
    "goes": "would go",
}


def word_done(sentence: str, *details: str, **more: Any) -> Done:
    """Say what an act did, in a sentence with its verb in brackets: "The game [is] paused."

    The verb, or a participle ("Step [closed]"), turns into the conditional where the act was only
    tried: "The game would be paused." "Step would be closed."
    """
    would = _VERB.sub(lambda verb: _use_conditional(verb[1]), sentence)
    return Done(sentence=_VERB.sub(r"\1", sentence), would=would, details=details, **more)


def _use_conditional(verb: str) -> str:
    if verb[0].isupper():
        return _use_conditional(verb.lower()).capitalize()
    if verb in _CONDITIONAL:
        return _CONDITIONAL[verb]
    is_participle = verb.endswith(("ed", "one"))
    return f"would be {verb}" if is_participle else f"would {verb.removesuffix('s')}"


def word_closing(
    context: Context, closing: StepClosing, sentence: str, *details: str, **more: Any
) -> Done:
    """Say what an act did that changed the position; no secrets."""
    now = _open_now(context, closing)
    return word_done(sentence, *details, now, notes=closing.notes, **more)


def _open_now(context: Context, closing: StepClosing) -> str:
    if closing.next_step is None:
        over = closing.game.status == Status.OVER
        return f"Now open: no step; {'the game is over' if over else 'the game waits to begin'}."
    waits = ", ".join(one.seat for one in context.standings if not one.is_in)
    return f"Now open: {word_due(context, closing.next_step)}; waiting for {waits or 'nobody'}."


def word_due(context: Context, step: Step) -> str:
    """Say when a step is due, in the game's own zone."""
    if step.deadline is None:
        return f"{context.label(step)}, no fixed deadline"
    return f"{context.label(step)}, due {format_deadline(step.deadline, context.settings.zone)}"
