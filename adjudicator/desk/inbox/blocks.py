"""The order blocks of a letter, without keys and tokens where other people would read them."""

import re
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from adjudicator.core.forms.reading import Text
from adjudicator.desk.model.mail import Block
from adjudicator.desk.model.ports import Books
from adjudicator.desk.orders.entries import describe_finding
from adjudicator.desk.outbox.keys import KEY_SHAPE, was_issued
from adjudicator.desk.outbox.tokens import find_letters
from adjudicator.desk.requests.envelope import BLACKED_OUT, Envelope, OrderBlock, parse_block

_LINE = re.compile(
    r"^[>|\t ]*(game|step|key)[\t ]*[:\uff1a][\t ]*[\"']?([^\s\"'#]{1,64})",
    re.IGNORECASE | re.MULTILINE,
)

_MOST_FAULTS = 3
_KEY = re.compile(rf"(?<![\w-]){KEY_SHAPE}(?![\w-])", re.IGNORECASE)
_MESSAGE_ID = re.compile(r"[^\s<>@]{1,300}\.[a-z2-7]{24}@[^\s<>@\"',;]{1,255}")
_READ_BY_OTHERS = ("press", "name", "luck")
_MOST = 50
"""Words that are looked up, since nobody shall try out keys; more that look like one are taken for
keys."""


def explain_unreadable(block: OrderBlock) -> list[str]:
    """Why a block is no YAML, in sentences with their lines."""
    faults = [describe_finding(finding) for finding in block.faults[:_MOST_FAULTS]]
    return [f"{each['where']}: {each['message']}" for each in faults]


def read_blocks(blocks: Sequence[Block]) -> list[OrderBlock]:
    """All blocks in their order; of broken ones the envelope's lines are read as they stand."""
    found = []
    for one in blocks:
        facts: dict[str, Any] = {
            "source": one.source,
            "origin": one.origin,
            "stopped": one.stopped,
        }
        if isinstance(one.text, Text):
            found.append(parse_block(one.text, **facts))
            continue
        lines = {name.lower(): value for name, value in reversed(_LINE.findall(one.source[:65536]))}
        found.append(OrderBlock(envelope=Envelope(**lines), faults=one.text, **facts))
    return found


def black_out_keys(books: Books, secret: bytes, block: OrderBlock) -> OrderBlock:
    """The block without a key or token, of any seat or time, where other people read."""
    requests = block.envelope.requests
    if requests.keys().isdisjoint(_READ_BY_OTHERS):
        return block
    known: dict[str, bool] = {}

    def hide_key(found: "re.Match[str]") -> str:
        word = found.group()
        if word not in known:
            known[word] = len(known) >= _MOST or was_issued(books, secret, word)
        return BLACKED_OUT if known[word] else word

    def hide_token(found: "re.Match[str]") -> str:
        return BLACKED_OUT if find_letters(books, secret, [f"<{found.group()}>"]) else found.group()

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return _KEY.sub(hide_key, _MESSAGE_ID.sub(hide_token, value))
        if isinstance(value, list):
            return [walk(one) for one in value]
        if isinstance(value, dict):
            return {walk(name): walk(one) for name, one in value.items()}
        return value

    hidden = {
        name: walk(value) if name in _READ_BY_OTHERS else value for name, value in requests.items()
    }
    if hidden == requests:
        return block
    return replace(block, envelope=replace(block.envelope, requests=hidden), gave_away=True)
