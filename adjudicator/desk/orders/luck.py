"""The luck word that comes with a set of orders."""

from typing import Any

from msgspec import Struct

from adjudicator.core.dice import follows, is_luck_word
from adjudicator.core.document import encode
from adjudicator.desk.model.context import Context, Sender
from adjudicator.desk.model.values import OrderSet

_SHOWN = 8
_NO_WORD = (
    "luck: words on a luck sheet have 64 characters, 0 to 9 and a to f; "
    "copy the next one from your sheet."
)


class LuckWord(Struct, frozen=True):
    """The word that a set of orders carries, and what to say of it."""

    word: str = ""
    done: tuple[str, ...] = ()
    not_taken: tuple[str, ...] = ()
    content: bytes | None = None
    """The word to put on file with it; None: the one on file stays."""


def choose_luck_word(
    context: Context, sender: Sender, value: Any, content: bytes | None, on: OrderSet | None
) -> LuckWord:
    """Choose the luck word of a block, beside the orders that should be on file after it.

    Without a word the one on file stays; a word alone stands with the orders on file, or with
    none where the seat owes none.
    """
    old_word = on.luck if on else ""
    word = value.strip().lower() if isinstance(value, str) else ""
    if word and not is_luck_word(word):
        return LuckWord(old_word, not_taken=(_NO_WORD,), content=content)
    if word in ("", old_word):
        return LuckWord(old_word, content=content)
    if content is None and on is None and sender.seat in context.due:
        line = "luck: a word counts together with orders; send both in one block."
        return LuckWord(not_taken=(line,))
    standing = on.orders if on else encode({})
    line = _describe(word, context.last_word(sender.seat, sender.step))
    return LuckWord(word, done=(line,), content=standing if content is None else content)


def _describe(word: str, before: str | None) -> str:
    if follows(word, before):
        return "luck: your word fits and is mixed into the dice of this step."
    if before is None or not is_luck_word(before):
        return "luck: your sheet begins with this word; the next one on it is mixed into the dice."
    return (
        f"luck: the SHA-256 of this word is not your last word, {before[:_SHOWN]}…, so it is not "
        "mixed into the dice of this step. If it is no slip, a new sheet begins with it."
    )
