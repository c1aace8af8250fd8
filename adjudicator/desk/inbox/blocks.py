"""Read the order blocks of a letter."""

import re
from collections.abc import Collection, Sequence
from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import Seat, decode
from adjudicator.core.forms.reading import Text
from adjudicator.desk.inbox.letter_task import LetterTask
from adjudicator.desk.inbox.proof import KeyHolder, find_key_holder
from adjudicator.desk.model.context import Context, current_step
from adjudicator.desk.model.mail import Block
from adjudicator.desk.orders.entries import describe_finding
from adjudicator.desk.orders.reading_orders import detect_returned_form
from adjudicator.desk.requests.ahead import are_known
from adjudicator.desk.requests.envelope import (
    Envelope,
    OrderBlock,
    add_messages,
    parse_block,
)

_LINE = re.compile(
    r"^[>|\t ]*(game|step|key)[\t ]*[:\uff1a][\t ]*[\"']?([^\s\"'#]{1,64})",
    re.IGNORECASE | re.MULTILINE,
)

_PRESS = re.compile(r"^press: ([\[{]\".*|\[\{\".*)$", re.MULTILINE)
"""The messages of a form that is no YAML otherwise, as JSON."""
_MOST_FAULTS = 3


def explain_unreadable(block: OrderBlock) -> list[str]:
    """Explain why a block, or a line of its head, cannot be read, in sentences with their lines."""
    faults = (*block.faults, *block.envelope.faults)[:_MOST_FAULTS]
    return [f"{each['where']}: {each['message']}" for each in map(describe_finding, faults)]


def read_blocks(blocks: Sequence[Block]) -> list[OrderBlock]:
    """Read all blocks in order; from broken ones, read the envelope's lines as they stand."""
    order_blocks = []
    for one in blocks:
        facts: dict[str, Any] = {
            "source": one.source,
            "origin": one.origin,
            "stopped": one.stopped,
        }
        if isinstance(one.text, Text):
            block = parse_block(one.text, **facts)
            order_blocks.append(add_messages(block, one.sections) if one.sections else block)
            continue
        lines = {name.lower(): value for name, value in reversed(_LINE.findall(one.source[:65536]))}
        press = _PRESS.search(one.source[:65536])
        requests = {"press": decode(press[1].encode())} if press else {}
        head = Envelope(**lines, requests=requests)
        unreadable = OrderBlock(envelope=head, faults=one.text, **facts)
        order_blocks.append(add_messages(unreadable, one.sections))
    return order_blocks


def choose_block(
    task: LetterTask,
    context: Context,
    holder: KeyHolder,
    block: OrderBlock,
    blocks: Sequence[OrderBlock],
) -> OrderBlock:
    """Choose the first block of the same writer that says something: no form that came back."""
    for one in (block, *blocks):
        if not one.is_readable or not (one is block or is_of_holder(task, holder, one)):
            continue
        if requests_something(one) or one.envelope.ready is not None:
            return one
        if one.form.value and holds_orders(context, holder.seat, one):
            return one
    return block


def is_of_holder(task: LetterTask, holder: KeyHolder, one: OrderBlock) -> bool:
    """Whether another block of a letter proves the same writer, or needs no proof beside it."""
    if not one.envelope.key:
        return one.origin != "quoted" and one.envelope.game in (None, holder.game.id)
    other = find_key_holder(task.books, task.secret, one.envelope)
    return other is not None and (other.game.id, other.seat) == (holder.game.id, holder.seat)


def requests_something(block: OrderBlock) -> bool:
    head = block.envelope
    return bool(head.requests or head.vote or head.resign or head.clear)


def is_only_questions(block: OrderBlock) -> bool:
    """Whether a block holds questions and nothing else that wants a receipt."""
    head = block.envelope
    if not block.is_readable or block.form.value or head.faults or head.ready is not None:
        return False
    if head.clear or head.vote or head.resign or head.preview:
        return False
    return tuple(head.requests) == ("ask",)


def holds_orders(context: Context, seat: Seat, block: OrderBlock) -> bool:
    """Whether a block holds orders for the open step and is not just a returned form."""
    step = context.open_step()
    if block.envelope.step not in (None, step.name, str(step.number)):
        return False
    due = context.due.get(seat)
    reading = context.kind.read(due.form if due else step.phase, block.form, context.game.seats)
    if not reading.orders:
        return False
    is_quoted = block.origin == "quoted"
    returned = detect_returned_form(
        context, seat, block.envelope, reading.orders, is_quoted=is_quoted
    )
    return returned is None


def is_unchanged_form(task: LetterTask, holder: KeyHolder, block: OrderBlock) -> bool:
    """Whether a mailing list's letter is only a form that came back."""
    if requests_something(block):
        return False
    if not block.form.value:
        return block.envelope.ready is None
    context = task.context(holder.game.id)
    return context.game.open_step is None or not holds_orders(context, holder.seat, block)


def drop_returned_plans(context: Context, seat: Seat, block: OrderBlock) -> OrderBlock:
    """Leave out plans that only came back in a quoted or older form, where they may be used up."""
    head = block.envelope
    is_current = head.step in (None, current_step(context).name)
    if is_current and block.origin != "quoted":
        return block
    if not are_known(context, seat, head.requests["ahead"]):
        return block
    return leave_out_requests(block, ("ahead",))


def leave_out_requests(block: OrderBlock, ignored: Collection[str]) -> OrderBlock:
    """Leave these requests out of a block."""
    head = block.envelope
    rest = {key: value for key, value in head.requests.items() if key not in ignored}
    return replace(block, envelope=replace(head, requests=rest))
