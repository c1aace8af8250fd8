"""Read the order blocks of a letter."""

import re
from collections.abc import Sequence
from typing import Any

from adjudicator.core.forms.reading import Text
from adjudicator.desk.model.mail import Block
from adjudicator.desk.orders.entries import describe_finding
from adjudicator.desk.requests.envelope import Envelope, OrderBlock, parse_block

_LINE = re.compile(
    r"^[>|\t ]*(game|step|key)[\t ]*[:\uff1a][\t ]*[\"']?([^\s\"'#]{1,64})",
    re.IGNORECASE | re.MULTILINE,
)

_MOST_FAULTS = 3


def explain_unreadable(block: OrderBlock) -> list[str]:
    """Explain why a block is no YAML, in sentences with their lines."""
    faults = [describe_finding(finding) for finding in block.faults[:_MOST_FAULTS]]
    return [f"{each['where']}: {each['message']}" for each in faults]


def read_blocks(blocks: Sequence[Block]) -> list[OrderBlock]:
    """Read all blocks in order; from broken ones, read the envelope's lines as they stand."""
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
