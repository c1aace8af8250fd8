"""The head of an order block: everything in a letter that is not the order form."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from adjudicator.core.finding import Finding, Grade
from adjudicator.core.forms.order_form import split_text
from adjudicator.core.forms.reading import Text
from adjudicator.core.names import fold, suggest
from adjudicator.desk.steps.finish import VOTES

_PROOF = ("game", "step", "key", "after")
_WISHES = ("ready", "preview", "clear", "vote", "resign")
_BY_LETTER = ("press", "ask", "absent", "prefer", "join", "name", "luck", "observe", "gm")
KEYS = (*_PROOF, *_WISHES, *_BY_LETTER)
_YES = ("yes", "true", "on", "y", "1")
_NO = ("no", "false", "off", "n", "0")


class Envelope(Struct, frozen=True, kw_only=True):
    """The wishes of a letter beside its orders."""

    game: str | None = None
    step: str | None = None
    key: str | None = None
    after: int | None = None
    ready: bool | None = None
    """None: not said."""
    preview: bool = False
    clear: bool = False
    vote: str | None = None
    resign: bool = False
    wishes: Mapping[str, Any] = {}
    """What comes by letter only, as it was read: press, ask …"""
    ignored: tuple[str, ...] = ()
    faults: tuple[Finding, ...] = ()


def parse_envelope(text: Text) -> tuple[Envelope, Text]:
    """The envelope of a block, and its order form."""
    head, form = split_text(text, KEYS)
    return _read(head), form


def _read(head: Text) -> Envelope:
    reader = _Reader(head)
    return Envelope(
        game=reader.word("game"),
        step=reader.word("step"),
        key=reader.word("key"),
        after=reader.number("after"),
        ready=reader.flag("ready"),
        preview=reader.flag("preview") or False,
        clear=reader.flag("clear") or False,
        vote=reader.vote(),
        resign=reader.flag("resign") or False,
        wishes={key: reader.values[key] for key in _BY_LETTER if key in reader.values},
        ignored=tuple(
            f"{key}: this comes only by letter, to the game's address; nothing was done about it"
            for key in _BY_LETTER
            if key in reader.values
        ),
        faults=tuple(reader.faults),
    )


def parse_boolean(value: object) -> bool | None:
    """What somebody meant by yes or no; None for anything else."""
    word = fold(value) if isinstance(value, str) else ""
    return True if word in _YES else False if word in _NO else None


class _Reader:
    """Takes one value after the other and keeps what was wrong."""

    def __init__(self, head: Text) -> None:
        value: Mapping[str, Any] = head.value or {}
        self.values = {fold(str(key)): one for key, one in value.items()}
        self.faults: list[Finding] = []
        self._written = {fold(str(key)): str(key) for key in value}
        self._head = head

    def word(self, key: str) -> str | None:
        value = self.values.get(key)
        if value is None or isinstance(value, str):
            return value.strip() if value else None
        self._fault(key, "one word was expected here")
        return None

    def number(self, key: str) -> int | None:
        word = self.word(key)
        if word is None:
            return None
        if word.isascii() and word.isdigit():
            return int(word[:9])
        self._fault(key, f'a number was expected, not "{word[:40]}"')
        return None

    def flag(self, key: str) -> bool | None:
        word = self.word(key)
        if word is None:
            return None
        said = parse_boolean(word)
        if said is None:
            self._fault(key, f'write true or false, not "{word[:40]}"')
        return said

    def vote(self) -> str | None:
        word = self.word("vote")
        if word is None or fold(word) in VOTES:
            return fold(word) if word else None
        meant = suggest(word, VOTES)
        hint = f'; did you mean "{meant}"?' if meant else ""
        self._fault("vote", f'write draw, concede or none, not "{word[:40]}"{hint}')
        return None

    def _fault(self, key: str, message: str) -> None:
        path = (self._written[key],)
        mark = self._head.keys.get(path) or self._head.marks.get(path)
        self.faults.append(
            Finding(
                grade=Grade.REFUSED,
                rule="",
                message=message,
                path=(key,),
                entry=(key,),
                line=mark.line if mark else None,
                column=mark.column if mark else None,
            )
        )
