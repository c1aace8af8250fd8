"""What a player writes outside any block: lines of orders, single words, messages, slips.

Whoever replies to a letter of the game need not fill in its form. Nothing is guessed: what was read
is named, what only looked like an order is named with the reason, and a slip that can mean one
thing is asked back.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat, decode
from adjudicator.core.forms.fault_messages import shorten
from adjudicator.core.forms.orders_as_text import write_inline
from adjudicator.core.forms.reading import FreeReading, Text, WrittenLine
from adjudicator.core.names import fold
from adjudicator.desk.inbox.answering import ASSENT, OK, explain_unread_questions, take_proposal
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.settings import EACH_TURN
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.orders.asking_back import BESIDE_ORDERS, QuestionBack, ask_about_lines
from adjudicator.desk.requests.envelope import Envelope, OrderBlock, parse_block
from adjudicator.desk.requests.press import list_messages, split_section
from adjudicator.desk.steps.press import EVERYBODY

_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("yes", "yep", "yeah", "confirm", "confirmed"), ASSENT),
    **dict.fromkeys(("ok", "okay"), OK),
    **{word: word for word in ("ready", "wait", "pass")},
}
_WORD = re.compile(
    rf"(?:{'|'.join(_WORDS)})(?=[\s.!,]*(?:please|thanks|thank you)?[\s.!]*$)", re.IGNORECASE
)
_GREETING = re.compile(r"(?:hi|hello|hey|dear|hallo|moin|good \w+)\b[\w\s,.!]{0,40}", re.IGNORECASE)
_BLOCK_COUNTS = (
    "The form in your letter counts, as it differs from the lines outside it. Not taken: {}."
)
_READ = "Read as orders: {}."
_ODD = "Not taken: {}"
_GONE = "They replace receipt {} as a whole: {} no longer counts."
_TAKE_THE_SIGN_AWAY = (
    "Lines of the form that begin with # do not count: remove the # to use a line."
)
_NO_ORDER = (
    '"{}" was not understood as an order. Use the lines of the form below: remove the # to use a '
    "line.{} `ask: help` gets the guide."
)
_TO_WRITE = " `to {}: your words` writes to {}."


class FreeText(Struct, frozen=True, kw_only=True):
    """What was understood of a letter's own words."""

    block: OrderBlock = OrderBlock()
    """As if it had stood in a form."""
    read: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()
    """What looked like orders and was not taken, and why."""
    question: QuestionBack | None = None
    lost: str = ""
    """The first line that looked like an order, if none was taken."""
    untaken: bool = False
    """Whether a line looked like an order and was not taken."""


def read_free_text(
    context: Context,
    seat: Seat,
    lines: Sequence[WrittenLine],
    answered: Sequence[OutgoingLetter],
    step: str,
) -> FreeText:
    """Read the lines of a letter outside its blocks.

    `answered` are letters that it replies to, and `step` is what the latest of them is about.
    """
    form = _find_form(context, seat)
    kept, press = _take_sections(context, form, lines)
    kept = [_list_press(context, line) for line in kept]
    keys = (*BESIDE_ORDERS, "luck") if context.settings.luck == EACH_TURN else BESIDE_ORDERS
    reading = context.kind.free_lines(form, kept, context.game.seats, keys)
    if not reading.taken:
        reading = _read_late_orders(context, kept, step) or reading
    given: dict[str, Any] = dict(reading.text.value or {})
    if press:
        given["press"] = [*_as_list(given.get("press")), *press]
    said = _find_words(kept, reading)
    refusals = []
    if not said.isdisjoint((ASSENT, OK)):
        chosen, refusal = take_proposal(context, seat, answered, said, step)
        given = {**chosen, **given}
        refusals += [refusal] if refusal else []
    refusals += explain_unread_questions(context, form, kept, reading)
    given = {**_mean_words(said), **given}
    source = "\n".join(one.raw for one in lines)
    block = parse_block(replace(reading.text, value=given or None), source=source, origin="free")
    return FreeText(
        block=block,
        read=_describe_read(context, seat, form, block),
        odd=(*_describe_odd(reading.odd), *refusals),
        question=ask_about_lines(context, form, reading, given),
        lost=reading.odd[0] if reading.odd and not given else "",
        untaken=reading.is_incomplete,
    )


def _read_late_orders(
    context: Context, lines: Sequence[WrittenLine], step: str
) -> FreeReading | None:
    """Read orders for a step that is over, so that they are refused as late."""
    form = step.partition("-")[2]
    if context.game.open_step is None or form not in context.kind.forms():
        return None
    reading = context.kind.free_lines(form, lines, context.game.seats, ())
    return reading if reading.taken else None


def _find_form(context: Context, seat: Seat) -> str | None:
    if context.game.open_step is None:
        return None
    due = context.due.get(seat)
    name = due.form if due else context.open_step().phase
    return name if name in context.kind.forms() else None


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]


# messages in sections of their own


def _take_sections(
    context: Context, form: str | None, lines: Sequence[WrittenLine]
) -> tuple[list[WrittenLine], list[Document]]:
    """Take the messages out of the lines: those below `to blue:`, or behind it on its own line."""
    known = {fold(one) for one in (*context.game.seats, EVERYBODY, GM)}
    kept: list[WrittenLine] = []
    found: list[tuple[str, list[str]]] = []
    inside = alone = False
    for line in lines:
        opener = split_section(line.raw, known)
        if opener is not None:
            to, words = opener
            found.append((to, [words] if words else []))
            inside, alone = not words or len(line.raw) >= _WRAPPED, not words
        elif inside and not alone and not _goes_on(context, form, line):
            inside = False
            kept.append(line)
        elif not inside:
            kept.append(line)
        elif _END_OF_PRESS.fullmatch(line.text):
            inside = False
        else:
            found[-1][1].append(line.raw)
            inside = alone or len(line.raw) >= _WRAPPED
        inside = inside and not line.ends
    messages: list[Document] = [
        {"to": to, "text": "\n".join(text).strip("\n")} for to, text in found
    ]
    return kept, messages


def _list_press(context: Context, line: WrittenLine) -> WrittenLine:
    """Write messages by seat, {blue: Hi}, as a list, as forms have them."""
    if line.value is None or "press" not in line.value.value:
        return line
    seats = (*context.game.seats, EVERYBODY, GM)
    listed = {"press": list_messages(line.value.value["press"], seats)}
    return replace(line, value=replace(line.value, value=listed))


def _goes_on(context: Context, form: str | None, line: WrittenLine) -> bool:
    """Whether a mail program wrapped a message into this line: never if it may be an order."""
    if not line.text:
        return False
    found = context.kind.free_lines(form, [line], context.game.seats, BESIDE_ORDERS)
    return not (found.taken or found.slips or found.odd)


_WRAPPED = 60
"""A line of at least so many characters may have been wrapped by a mail program."""
_END_OF_PRESS = re.compile(r"end (?:of )?press\W*", re.IGNORECASE)


# single words


def _find_words(lines: Sequence[WrittenLine], reading: FreeReading) -> set[str]:
    """Find the single words that answer a letter, each in a line that stands apart from prose."""
    found = set()
    for at, line in enumerate(lines):
        word = _WORD.match(line.text) if at not in reading.taken else None
        if word is None:
            continue
        before, after = lines[at - 1] if at else None, lines[at + 1 : at + 2]
        opens = before is None or before.ends or not before.text or at - 1 in reading.taken
        opens = opens or (before is not None and bool(_GREETING.fullmatch(before.text)))
        ends = line.ends or not after or not after[0].text or at + 1 in reading.taken
        if opens and (ends or _WORD.match(after[0].text)):
            found.add(_WORDS[word.group().lower()])
    return found


def _mean_words(said: set[str]) -> dict[str, Any]:
    ready = {"ready": "no"} if "wait" in said else {"ready": "yes"} if "ready" in said else {}
    return {**ready, "pass": "yes"} if "pass" in said else ready


# what is said of it


def _describe_read(
    context: Context, seat: Seat, form: str | None, block: OrderBlock
) -> tuple[str, ...]:
    if form is None or not block.form.value:
        return ()
    orders = context.kind.read(form, block.form, context.game.seats).orders
    if not orders:
        return ()
    said = _READ.format(f"`{write_inline(context.kind.spelled(form, orders))}`")
    on = context.on_file.get(seat)
    gone = [key for key in decode(on.orders) if key not in orders] if on is not None else []
    if on is not None and gone:
        said += f" {_GONE.format(on.number, ', '.join(f'`{key}`' for key in gone))}"
    return (said,)


def _describe_odd(odd: Sequence[str]) -> tuple[str, ...]:
    said = _ODD.format("; ".join(odd))
    return ((said if said.endswith("?") else f"{said}."),) if odd else ()


def join_free_text(
    context: Context, seat: Seat, block: OrderBlock, free: FreeText, *, holds_orders: bool
) -> tuple[OrderBlock, FreeText]:
    """Join the form of a letter with the lines outside it; orders of the form win."""
    if not block.is_readable:
        if block.origin != "quoted" or not (free.block.form.value or _requests(free.block)):
            return block, FreeText()
        block = replace(block, faults=(), form=Text(value=None))
    form, said = free.block.form, free
    if holds_orders:
        lines = free.read or tuple(free.odd) or ((free.question.question,) if free.question else ())
        same = _are_same(context, seat, block, free.block)
        other = form.value and not same
        said = FreeText(
            block=free.block,
            odd=(_BLOCK_COUNTS.format(_name_lines(free)),) if other and lines else (),
        )
        form = block.form
    elif not form.value:
        form = block.form
    is_free = form is free.block.form
    joined = replace(
        block,
        envelope=_join_envelopes(block.envelope, free.block.envelope),
        form=form,
        source=free.block.source if is_free else block.source,
        origin=free.block.origin if is_free else block.origin,
        gave_away=block.gave_away or free.block.gave_away,
    )
    return joined, said


def _name_lines(free: FreeText) -> str:
    value = free.block.form.value
    return f"`{write_inline(value)}`" if isinstance(value, dict) else "the other lines"


def _are_same(context: Context, seat: Seat, block: OrderBlock, other: OrderBlock) -> bool:
    form = _find_form(context, seat)
    if form is None:
        return True
    seats = context.game.seats
    return (
        context.kind.read(form, block.form, seats).orders
        == context.kind.read(form, other.form, seats).orders
    )


def _requests(block: OrderBlock) -> bool:
    head = block.envelope
    asks = head.requests or head.vote or head.resign or head.clear
    return bool(asks) or head.ready is not None


def _join_envelopes(head: Envelope, other: Envelope) -> Envelope:
    """Join what stands in a form with what stands outside it; the form wins."""
    requests = {**other.requests, **head.requests}
    if "press" in head.requests and "press" in other.requests:
        requests["press"] = [*_as_list(head.requests["press"]), *_as_list(other.requests["press"])]
    return replace(
        head,
        after=head.after if head.after is not None else other.after,
        ready=head.ready if head.ready is not None else other.ready,
        preview=head.preview or other.preview,
        clear=head.clear or other.clear,
        vote=head.vote or other.vote,
        resign=head.resign or other.resign,
        requests=requests,
        faults=(*head.faults, *other.faults),
    )


def explain_comments(
    context: Context, seat: Seat, block: OrderBlock, lines: Sequence[WrittenLine]
) -> tuple[str, ...]:
    """Say how a line of the form is used that still begins with #, if one could be an order."""
    form = _find_form(context, seat)
    if form is None or not _COMMENTED.search(block.source):
        return ()
    said = next((one.text for one in lines if _says_something(one.text)), None)
    if said is None:
        return (_TAKE_THE_SIGN_AWAY,)
    other = next((one for one in context.game.seats if one != seat), None)
    writes = other is not None and context.settings.press != "none"
    to = _TO_WRITE.format(other, other) if writes else ""
    return (_NO_ORDER.format(shorten(said, 60), to),)


def _says_something(text: str) -> bool:
    """Whether a line is more than a greeting, thanks or a name."""
    return len(text.split()) > 2 and not (_GREETING.fullmatch(text) or _POLITE.match(text))


_POLITE = re.compile(
    r"(?:many )?(?:thanks|thank you|cheers|sorry|best|kind|regards|see you|sent from|get outlook)"
    r"\b",
    re.IGNORECASE,
)
_COMMENTED = re.compile(r"^[ \t]*#[ \t]*[A-Za-z][\w-]*:", re.MULTILINE)
