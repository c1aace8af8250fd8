"""The head of an order block: everything in a letter that is not the order form."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.finding import Finding, Grade
from adjudicator.core.forms.order_form import split_text
from adjudicator.core.forms.reading import Text
from adjudicator.core.names import fold, suggest
from adjudicator.desk.model.ports import Books
from adjudicator.desk.outbox.keys import KEY_SHAPE, was_issued
from adjudicator.desk.outbox.tokens import find_letters
from adjudicator.desk.steps.finish import VOTES

_PROOF = ("game", "step", "key", "after")
_FLAGS = ("ready", "preview", "clear", "vote", "resign")
_WITH_ORDERS = ("ahead", "forecast")
_ALONE = ("press", "ask", "absent", "prefer", "join", "name", "luck", "observe", "gm")
_BY_LETTER = (*_WITH_ORDERS, *_ALONE)
KEYS = (*_PROOF, *_FLAGS, *_BY_LETTER)
BLACKED_OUT = "\u2588" * 9
"""The replacement for a key or token in text that others read."""
GIVEN_AWAY = (
    "What you wrote to others contained a key, or the Message-ID of a letter of this server. It "
    "was blacked out, since anybody who has a key can write in its owner's name. If others have "
    "seen your key, write `ask: new-key`."
)
_KEY = re.compile(rf"(?<![\w-]){KEY_SHAPE}(?![\w-])", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_FRAGMENT = re.compile(r"(?<=\.html#)[\w-]{40,}(?:\s+[\w-]{40,})*")
"""What stands behind the address of a page on which orders are chosen, the key among it."""
_MESSAGE_ID = re.compile(
    r"(?P<name>[^\s<>@]{1,300}\.[a-z2-7]{24})(?![a-z2-7])(?:@[^\s<>@\"',;]{1,255})?"
)
"""A letter's own, with or without its host, or the address to which it is returned."""
_JOINT = re.compile(r"[^a-zA-Z0-9.]")
_READ_BY_OTHERS = ("press", "name", "luck", "gm")
_MOST = 50
"""Words that are looked up, since nobody shall try out keys; more that look like one are taken for
keys."""
_PLACES = 8
"""Where a name may begin in such a word."""
_YES = ("yes", "true", "on", "y", "1")
_NO = ("no", "false", "off", "n", "0")


class Envelope(Struct, frozen=True, kw_only=True):
    """The lines of a block besides its orders."""

    game: str | None = None
    step: str | None = None
    key: str | None = None
    after: int | None = None
    ready: bool | None = None
    """None where the block does not say."""
    preview: bool = False
    clear: bool = False
    vote: str | None = None
    resign: bool = False
    requests: Mapping[str, Any] = {}
    """Requests besides orders, as they were read: press, ask …"""
    faults: tuple[Finding, ...] = ()


class OrderBlock(Struct, frozen=True, kw_only=True):
    """An order block as it was read, by letter or by hand."""

    envelope: Envelope = Envelope()
    form: Text = Text(value=None)
    """The order form in it."""
    faults: tuple[Finding, ...] = ()
    """Why it is not YAML; then there is no form."""
    source: str = ""
    """The writer's own lines."""
    origin: str = "text"
    """attachment | fenced | text | quoted"""
    stopped: str | None = None
    """Where reading stopped and why, when something was left over."""
    is_added: bool = False
    """Whether its writer means the orders on file to stay beside these."""
    gave_away: bool = False
    """Whether a key or token was blacked out that others would have read."""

    @property
    def is_readable(self) -> bool:
        """Whether the block is YAML at all."""
        return not self.faults


def parse_block(text: Text | Sequence[Finding], **facts: Any) -> OrderBlock:
    """Parse the envelope and the order form of a block, or say why it could not be read."""
    if not isinstance(text, Text):
        return OrderBlock(faults=tuple(text), **facts)
    head, form = split_text(text, KEYS)
    return OrderBlock(envelope=_read_envelope(head), form=form, **facts)


def add_messages(block: OrderBlock, sections: Sequence[tuple[str, str]]) -> OrderBlock:
    """Add the messages that stand in sections of a block to those under its key `press`."""
    if not sections:
        return block
    requests = block.envelope.requests
    messages = requests.get("press") or ()
    entries = [messages] if isinstance(messages, dict | str) else list(messages)
    more = [{"to": to, "text": text} for to, text in sections]
    head = replace(block.envelope, requests={**requests, "press": [*entries, *more]})
    return replace(block, envelope=head)


def _read_envelope(head: Text) -> Envelope:
    values = {fold(str(key)): one for key, one in (head.value or {}).items()}
    fields: dict[str, Any] = {}
    faults: list[Finding] = []
    for key, read in _READERS.items():
        try:
            word = _read_word(values.get(key))
            if word is not None:
                fields[key] = read(word)
        except _Unfit as why:
            faults.append(_make_fault(head, key, str(why)))
            if key == "preview":  # in doubt nothing is put on file
                fields[key] = True
    requests = {key: values[key] for key in _BY_LETTER if key in values}
    return Envelope(**fields, requests=requests, faults=tuple(faults))


def parse_boolean(value: object) -> bool | None:
    """Parse a yes or no; None for anything else."""
    word = fold(value) if isinstance(value, str) else ""
    return True if word in _YES else False if word in _NO else None


class _Unfit(Exception):  # noqa: N818 - it is always caught, and becomes a finding
    """The value does not fit its key."""


def _read_word(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value.strip() if value else None
    raise _Unfit("one word was expected here")


def _read_number(word: str) -> int:
    if word.isascii() and word.isdigit():
        return int(word[:9])
    raise _Unfit(f'a number was expected, not "{word[:40]}"')


def _read_flag(word: str) -> bool:
    flag = parse_boolean(word)
    if flag is None:
        raise _Unfit(f'write true or false, not "{word[:40]}"')
    return flag


def _read_vote(word: str) -> str | None:
    if fold(word) in VOTES:
        return fold(word) or None
    suggestion = suggest(word, VOTES)
    hint = f'; did you mean "{suggestion}"?' if suggestion else ""
    raise _Unfit(f'write draw, concede or none, not "{word[:40]}"{hint}')


_READERS: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(("game", "step", "key"), str),
    "after": _read_number,
    **dict.fromkeys(("ready", "preview", "clear"), _read_flag),
    "vote": _read_vote,
    "resign": _read_flag,
}
"""The parser for the value of each key of an envelope."""


def _make_fault(head: Text, key: str, message: str) -> Finding:
    own_key = next(one for one in head.value if fold(str(one)) == key)
    mark = head.keys.get((str(own_key),)) or head.marks.get((str(own_key),))
    return Finding(
        grade=Grade.REFUSED,
        rule="",
        message=message,
        path=(key,),
        entry=(key,),
        line=mark.line if mark else None,
        column=mark.column if mark else None,
    )


# keys and tokens that others would read


def black_out_keys(books: Books, secret: bytes, block: OrderBlock) -> OrderBlock:
    """Black out every key and token in a block that other people read."""
    requests = block.envelope.requests
    if requests.keys().isdisjoint(_READ_BY_OTHERS):
        return block
    read = {name: value for name, value in requests.items() if name in _READ_BY_OTHERS}
    hidden = hide_keys(books, secret, read)
    if hidden == read:
        return block
    head = replace(block.envelope, requests={**requests, **hidden})
    return replace(block, envelope=head, gave_away=True)


def hide_keys(books: Books, secret: bytes, value: Any) -> Any:
    """Black out every key and token in the texts of a value."""
    verdicts: dict[str, bool] = {}

    def hide_key(match: "re.Match[str]") -> str:
        word = match.group()
        if word not in verdicts:
            verdicts[word] = len(verdicts) >= _MOST or was_issued(books, secret, word)
        return BLACKED_OUT if verdicts[word] else word

    def hide_token(match: "re.Match[str]") -> str:
        # in an address it stands behind something else: games+NAME@example.org
        begins = [0, *(joint.end() for joint in _JOINT.finditer(match["name"]))]
        ids = [f"<{match['name'][at:]}@->" for at in begins[:_PLACES]]
        return BLACKED_OUT if find_letters(books, secret, ids) else match.group()

    def hide_plain(text: str) -> str:
        return _KEY.sub(hide_key, _MESSAGE_ID.sub(hide_token, text))

    def hide_link(match: "re.Match[str]") -> str:
        """Hide a link such as that of a button which opens a reply with the form in it."""
        plain = unquote(match.group()) if "%" in match.group() else ""
        return BLACKED_OUT if hide_plain(plain) != plain else match.group()

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return hide_plain(_WORD.sub(hide_link, _FRAGMENT.sub(BLACKED_OUT, value)))
        if isinstance(value, list | tuple):
            return type(value)(walk(one) for one in value)
        if isinstance(value, dict):
            return {walk(name): walk(one) for name, one in value.items()}
        return value

    return walk(value)
