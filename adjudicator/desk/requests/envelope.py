"""The head of an order block: everything in a letter that is not the order form."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.core.finding import Finding, Grade
from adjudicator.core.forms.order_form import split_text
from adjudicator.core.forms.reading import Text
from adjudicator.core.names import fold, suggest
from adjudicator.desk.steps.finish import VOTES

_PROOF = ("game", "step", "key", "after")
_FLAGS = ("ready", "preview", "clear", "vote", "resign")
_BY_LETTER = ("press", "ask", "absent", "prefer", "join", "name", "luck", "observe", "gm")
KEYS = (*_PROOF, *_FLAGS, *_BY_LETTER)
_YES = ("yes", "true", "on", "y", "1")
_NO = ("no", "false", "off", "n", "0")


class Envelope(Struct, frozen=True, kw_only=True):
    """What stands in a block beside its orders."""

    game: str | None = None
    step: str | None = None
    key: str | None = None
    after: int | None = None
    ready: bool | None = None
    """None where it does not say."""
    preview: bool = False
    clear: bool = False
    vote: str | None = None
    resign: bool = False
    requests: Mapping[str, Any] = {}
    """What comes by letter only, as it was read: press, ask …"""
    faults: tuple[Finding, ...] = ()


class OrderBlock(Struct, frozen=True, kw_only=True):
    """An order block as it was read, by letter or by hand."""

    envelope: Envelope = Envelope()
    form: Text = Text(value=None)
    """The order form in it."""
    faults: tuple[Finding, ...] = ()
    """Why it is no YAML; then there is no form."""
    source: str = ""
    """The writer's own lines."""
    origin: str = "text"
    """attachment | fenced | text | quoted"""
    stopped: str | None = None
    """Where reading stopped and why, when something was left over."""

    @property
    def is_readable(self) -> bool:
        """Whether it is YAML at all."""
        return not self.faults


def parse_block(text: Text | Sequence[Finding], **facts: Any) -> OrderBlock:
    """The envelope and the order form of a block, or why it could not be read."""
    if not isinstance(text, Text):
        return OrderBlock(faults=tuple(text), **facts)
    head, form = split_text(text, KEYS)
    return OrderBlock(envelope=_read_envelope(head), form=form, **facts)


def _read_envelope(head: Text) -> Envelope:
    reader = _Reader(head)
    by_letter = {key: reader.values[key] for key in _BY_LETTER if key in reader.values}
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
        requests=by_letter,
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
        meant = parse_boolean(word)
        if meant is None:
            self._fault(key, f'write true or false, not "{word[:40]}"')
        return meant

    def vote(self) -> str | None:
        word = self.word("vote")
        if word is None or fold(word) in VOTES:
            return fold(word) if word else None
        meant = suggest(word, VOTES)
        hint = f'; did you mean "{meant}"?' if meant else ""
        self._fault("vote", f'write draw, concede or none, not "{word[:40]}"{hint}')
        return None

    def _fault(self, key: str, message: str) -> None:
        written = next(one for one in self._head.value if fold(str(one)) == key)
        path = (str(written),)
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
