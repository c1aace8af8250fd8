"""The GM's words in a letter: each is the act of the same name, done or only tried."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from adjudicator.core.names import fold, suggest
from adjudicator.desk import gmacts
from adjudicator.desk.errors import Refused, Unknown
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.question import words_of
from adjudicator.desk.values import Letter
from adjudicator.desk.wish import Told, refused

PREVIEW = "preview"
Act = Callable[[gmacts.Order], Sequence[str]]

ACTS: Mapping[str, Act] = {
    "start": gmacts.start,
    "announce": gmacts.announce,
    "address": gmacts.address,
    "replace": gmacts.replace,
    "bot": gmacts.bot,
    "resign": gmacts.resign,
    "submit": gmacts.submit,
    "close": gmacts.close,
    "remind": gmacts.remind,
    "extend": gmacts.extend,
    "pause": gmacts.pause,
    "resume": gmacts.resume,
    "edit": gmacts.edit,
    "rollback": gmacts.rollback,
    "end": gmacts.end,
    "note": gmacts.note,
    "accept": gmacts.accept,
}
"""In the order of the command line's own list; each has a command of the same name there."""


class _Undone(Exception):  # noqa: N818 - it is the end of every preview
    """Leaves the part of a transaction in which something was only tried."""


def gm(
    books: Books,
    library: Library,
    game: str,
    value: Any,
    *,
    at: datetime,
    preview: bool = False,
) -> Told:
    """Do what the GM wants, one word after the other; what is refused leaves the others alone.

    With a preview everything is done by the very same code and then undone.
    """
    told = Told()
    for said in value if isinstance(value, list | tuple) else [value]:
        told += _one(books, library, game, said, at=at, preview=preview)
    return told


def _one(
    books: Books, library: Library, game: str, said: Any, *, at: datetime, preview: bool
) -> Told:
    try:
        name, order, tried = _read(books, library, game, said, at)
    except Refused as why:
        return refused(str(why))
    preview = preview or tried
    sentences: list[str] = []
    try:
        with books.part():
            before = {_name_of(letter) for letter in books.letters(game)}
            sentences += ACTS[name](order)
            log(books, game, "gm", f"by letter: {name}", at=at)
            sentences.append(_letters(books, game, before))
            if preview:
                _undo()
    except _Undone:
        return Told(done=(f"{name}, a preview; nothing was changed: {' '.join(sentences)}",))
    except Refused as why:
        return refused(f"{name}: {why}")
    return Told(done=(f"{name}: {' '.join(sentences)}",))


def _undo() -> None:
    raise _Undone


def _read(
    books: Books, library: Library, game: str, said: Any, at: datetime
) -> tuple[str, gmacts.Order, bool]:
    """Which act is meant, what stands behind its name, and whether it is only to be tried."""
    content: Any = None
    if isinstance(said, Mapping):
        if len(said) != 1:
            raise Refused("write each wish in a line of its own, as in [extend 24h, remind]")
        word, content = next(iter(said.items()))
        words = [str(word), *(words_of(content) if isinstance(content, str) else [])]
    else:
        words = words_of(str(said or ""))
    tried = [word for word in words if fold(word) == PREVIEW]
    words = [word for word in words if fold(word) != PREVIEW]
    name = next((one for one in ACTS if words and fold(one) == fold(words[0])), None)
    if name is None:
        raise Unknown(_unknown(words))
    order = gmacts.Order(books, library, game, tuple(words[1:]), content, at)
    return name, order, bool(tried)


def _unknown(words: Sequence[str]) -> str:
    said = words[0][:40] if words else ""
    meant = suggest(said, ACTS) if said else None
    hint = f'; did you mean "{meant}"?' if meant else "."
    return f'"{said}" is no wish that I know{hint} The words are {", ".join(ACTS)}.'


def _name_of(letter: Letter) -> tuple[int, str, str, int]:
    return (letter.step, letter.seat, letter.kind, letter.number)


def _letters(books: Books, game: str, before: set[tuple[int, str, str, int]]) -> str:
    """The letters that the act caused."""
    made = [letter for letter in books.letters(game) if _name_of(letter) not in before]
    told = ", ".join(f"{letter.kind} {letter.number} to {letter.seat}" for letter in made)
    return f"Letters: {told or 'none'}."
