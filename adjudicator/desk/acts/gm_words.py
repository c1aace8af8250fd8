"""The GM's words in a letter: each is the act of the same name, done or only tried."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from adjudicator.core.names import fold, suggest
from adjudicator.desk.acts import by_mail
from adjudicator.desk.model.context import RequestOutcome, reject
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.questions.words import split_words

PREVIEW = "preview"
MailAct = Callable[[by_mail.Order], Sequence[str]]

ACTS: Mapping[str, MailAct] = {
    "start": by_mail.start,
    "announce": by_mail.announce,
    "address": by_mail.address,
    "replace": by_mail.replace,
    "bot": by_mail.bot,
    "resign": by_mail.resign,
    "submit": by_mail.submit,
    "close": by_mail.close,
    "remind": by_mail.remind,
    "extend": by_mail.extend,
    "pause": by_mail.pause,
    "resume": by_mail.resume,
    "edit": by_mail.edit,
    "rollback": by_mail.rollback,
    "end": by_mail.end,
    "note": by_mail.note,
    "accept": by_mail.accept,
}
"""In the order of the command line's own list; each has a command of the same name there."""


class _Undone(Exception):  # noqa: N818 - it is the end of every preview
    """Leaves the part of a transaction in which something was only tried."""


def do_gm_words(
    books: Books,
    library: Library,
    game: str,
    value: Any,
    *,
    at: datetime,
    preview: bool = False,
) -> RequestOutcome:
    """Do what the GM wants, one word after the other; what is refused leaves the others alone.

    With a preview everything is done by the very same code and then undone.
    """
    told = RequestOutcome()
    for said in value if isinstance(value, list | tuple) else [value]:
        told += _one(books, library, game, said, at=at, preview=preview)
    return told


def _one(
    books: Books, library: Library, game: str, said: Any, *, at: datetime, preview: bool
) -> RequestOutcome:
    try:
        name, order, tried = _read(books, library, game, said, at)
    except Refused as why:
        return reject(str(why))
    preview = preview or tried
    sentences: list[str] = []
    try:
        with books.part():
            before = {_name_of(letter) for letter in books.letters(game)}
            sentences += ACTS[name](order)
            write_note(books, game, "gm", f"by letter: {name}", at=at)
            sentences.append(_letters(books, game, before))
            if preview:
                _undo()
    except _Undone:
        return RequestOutcome(
            done=(f"{name}, a preview; nothing was changed: {' '.join(sentences)}",)
        )
    except Refused as why:
        return reject(f"{name}: {why}")
    return RequestOutcome(done=(f"{name}: {' '.join(sentences)}",))


def _undo() -> None:
    raise _Undone


def _read(
    books: Books, library: Library, game: str, said: Any, at: datetime
) -> tuple[str, by_mail.Order, bool]:
    """Which act is meant, what stands behind its name, and whether it is only to be tried."""
    content: Any = None
    if isinstance(said, Mapping):
        if len(said) != 1:
            raise Refused("write each wish in a line of its own, as in [extend 24h, remind]")
        word, content = next(iter(said.items()))
        words = [str(word), *(split_words(content) if isinstance(content, str) else [])]
    else:
        words = split_words(str(said or ""))
    tried = [word for word in words if fold(word) == PREVIEW]
    words = [word for word in words if fold(word) != PREVIEW]
    name = next((one for one in ACTS if words and fold(one) == fold(words[0])), None)
    if name is None:
        raise Unknown(_unknown(words))
    order = by_mail.Order(books, library, game, tuple(words[1:]), content, at)
    return name, order, bool(tried)


def _unknown(words: Sequence[str]) -> str:
    said = words[0][:40] if words else ""
    meant = suggest(said, ACTS) if said else None
    hint = f'; did you mean "{meant}"?' if meant else "."
    return f'"{said}" is no wish that I know{hint} The words are {", ".join(ACTS)}.'


def _name_of(letter: OutgoingLetter) -> tuple[int, str, str, int]:
    return (letter.step, letter.seat, letter.kind, letter.number)


def _letters(books: Books, game: str, before: set[tuple[int, str, str, int]]) -> str:
    """The letters that the act caused."""
    made = [letter for letter in books.letters(game) if _name_of(letter) not in before]
    told = ", ".join(f"{letter.kind} {letter.number} to {letter.seat}" for letter in made)
    return f"Letters: {told or 'none'}."
