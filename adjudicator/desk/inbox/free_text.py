"""What a player writes outside any block: lines of orders, single words, messages, slips.

Whoever replies to a letter of the game need not fill in its form. Nothing is guessed: what was read
is named, what only looked like an order is named with the reason, and a slip that can mean one
thing is asked back.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat, decode
from adjudicator.core.events import format_list
from adjudicator.core.forms.fault_messages import shorten
from adjudicator.core.forms.orders_as_text import spell_orders, write_inline
from adjudicator.core.forms.reading import FreeReading, Text, WrittenLine
from adjudicator.desk.inbox.answering import (
    ASSENT,
    DISSENT,
    OK,
    ask_to_send,
    can_be_explained,
    explain_no,
    explain_unread_question,
    find_question,
    find_word_requests,
    find_words,
    take_proposal,
)
from adjudicator.desk.inbox.lines import (
    ASK_THE_GM,
    MORE_TIME,
    as_list,
    explain_unsent,
    find_today,
    prepare_lines,
    says_something,
    split_assent,
)
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.settings import EACH_TURN
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.orders.asking_back import (
    BESIDE_ORDERS,
    QuestionBack,
    ask_about_lines,
    explain_rejection,
    is_one_order,
)
from adjudicator.desk.orders.reading_orders import find_staying_orders
from adjudicator.desk.requests.envelope import Envelope, OrderBlock, parse_block
from adjudicator.desk.requests.plain_requests import guess_request

_ALSO = re.compile(
    r"(?:(?:please|and|yes|oh|ok|i'd like to|i want to|let me)\b[\s,]*)*"
    r"(?:also|additionally|furthermore|in addition)\b|.*\b(?:as well|too)[\s.!]*$",
    re.IGNORECASE,
)
"""How a player writes who adds to the orders on file."""
_SUGGESTED = re.compile(
    r"(?:(?:do|take|use|send|make|follow|go with|same|as|like|i'll take)\s+)*"
    r"(?:(?:what|whatever|as|(?:the )?(?:one|card|two|three)s?) you suggest(?:ed)?"
    r"|(?:(?:your|the|that)\s+)?(?:suggestion|suggested \w+|example|proposal|default)s?"
    r"(?:\s+(?:above|line|lines|form|is (?:fine|good|ok)|looks? good))*)",
    re.IGNORECASE,
)
"""What a player writes who wants what the letter gave as an example."""
_BLOCK_COUNTS = (
    "The form in your letter counts, as it differs from the lines outside it. Not taken: {}."
)
_READ = "Read as orders: {}."
_ODD = "Not taken: {}"
_ADDED = "They are added to receipt {}: {} {}."
_GONE = "They replace receipt {} as a whole: {} no longer {}."
_TAKE_THE_SIGN_AWAY = (
    "Lines of the form that begin with # do not count: remove the # to use a line."
)
_NO_ORDER = (
    '"{}" was not understood as an order. Use the lines of the form below: remove the # to use a '
    "line.{} `ask: help` gets the guide."
)
_YES_AND_MORE = re.compile(
    r"(?:yes|yep|yeah|ok|okay)\b[\s,.!]*(?:but|only|except)\b", re.IGNORECASE
)
_YES_ALONE = (
    "Your *yes* came with a change, so nothing was taken. Send all your orders as you want them."
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
    confirmed_vote: str | None = None
    """The vote that the server has asked about, in an answer that says yes to it."""


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
    guess = partial(_guess_orders, context, seat)
    prepared = prepare_lines(context, seat, form, lines, guess)
    own_lines = prepared.lines
    keys = (*BESIDE_ORDERS, "luck") if context.settings.luck == EACH_TURN else BESIDE_ORDERS
    reading = context.kind.free_lines(form, own_lines, context.game.seats, keys, guess)
    if not reading.taken:
        reading = _read_late_orders(context, own_lines, step) or reading
    adds = any(len(split_assent(line)) > 1 for line in lines)
    requests: dict[str, Any] = dict(reading.text.value or {})
    if prepared.messages:
        requests["press"] = [*as_list(requests.get("press")), *prepared.messages]
    words = find_words(own_lines, reading)
    refusals: list[str] = []
    proposal: Document = {}
    if not words.isdisjoint((ASSENT, OK)):
        proposal, refusal = take_proposal(context, seat, answered, words, step)
        requests = _add_to_proposal(proposal, requests) if adds else {**proposal, **requests}
        refusals += [refusal] if refusal else []
    elif DISSENT in words:
        refusals += explain_no(context, seat, answered)
    requests = {**find_word_requests(words), **requests}
    game_question = find_question(context, form, own_lines, reading)
    if (
        game_question
        and not (requests or reading.slips or reading.odd)
        and can_be_explained(context, game_question)
    ):
        requests["ask"] = [game_question]
    elif game_question and (requests or reading.slips):
        refusals.append(explain_unread_question(context, game_question))
    refusals += dict.fromkeys(explain_unsent(context, seat, prepared, reading))
    question = ask_about_lines(context, form, reading, requests)
    if not (question or requests or reading.odd):
        question = ask_to_send(context, seat, answered, own_lines)
    refusal = explain_rejection(context, seat, form, question) if question and form else None
    if question and form and is_one_order(context, form, question.keys):
        requests = {key: one for key, one in requests.items() if key in BESIDE_ORDERS}
    refusals += [f"Not taken: {refusal}"] if refusal else []
    source = "\n".join(one.raw for one in lines)
    block = parse_block(
        replace(reading.text, value=requests or None),
        source=source,
        origin="free",
        is_added=any(_ALSO.match(own_lines[at].text) for at in reading.taken[:1]),
    )
    return FreeText(
        block=block,
        read=_describe_read(context, seat, form, block),
        odd=(*_describe_odd(reading.odd), *refusals),
        question=None if refusal else question,
        lost=(refusal or next(iter(reading.odd), "")) if not requests else "",
        untaken=reading.is_incomplete or refusal is not None,
        confirmed_vote=proposal.get("vote"),
    )


def _add_to_proposal(proposal: Mapping[str, Any], requests: Mapping[str, Any]) -> dict[str, Any]:
    """Add what an answer gives beside its yes; lists go on where the proposal ends."""
    lists = {
        key: [*proposal[key], *as_list(requests[key])]
        for key in proposal.keys() & requests.keys()
        if isinstance(proposal[key], list)
    }
    return {**proposal, **requests, **lists}


def _guess_orders(context: Context, seat: Seat, text: str) -> Document | None:
    """Guess what a sentence orders: what the letter showed as an example, or as the game says."""
    if _SUGGESTED.fullmatch(text):
        form = context.report_position(seat).get("form") or {}
        return form.get("example") or None
    guesser = getattr(context.kind.rules, "guess_orders", None)
    guessed = guesser(context.view(seat), seat, text) if guesser else None
    return guessed or guess_request(text, find_today(context, seat))


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


# what is said of it


def _describe_read(
    context: Context, seat: Seat, form: str | None, block: OrderBlock
) -> tuple[str, ...]:
    if form is None or not block.form.value:
        return ()
    orders = context.kind.read(form, block.form, context.game.seats).orders
    if not orders:
        return ()
    sentence = _READ.format(f"`{write_inline(spell_orders(context.kind.form(form), orders))}`")
    on = context.on_file.get(seat)
    others = [key for key in decode(on.orders) if key not in orders] if on is not None else []
    if on is None or not others:
        return (sentence,)
    staying = find_staying_orders(on, orders, is_added=block.is_added).keys() - orders.keys()
    keys = [f"`{key}`" for key in others if key in staying or not staying]
    template, verb = (_ADDED, "stay") if staying else (_GONE, "count")
    words = template.format(on.number, format_list(keys), f"{verb}s" if len(keys) == 1 else verb)
    return (f"{sentence} {words}",)


def _describe_odd(odd: Sequence[str]) -> tuple[str, ...]:
    sentence = _ODD.format("; ".join(odd))
    return ((sentence if sentence.endswith("?") else f"{sentence}."),) if odd else ()


def join_free_text(
    context: Context, seat: Seat, block: OrderBlock, free: FreeText, *, holds_orders: bool
) -> tuple[OrderBlock, FreeText]:
    """Join the form of a letter with the lines outside it; orders of the form win."""
    if not block.is_readable:
        if block.origin != "quoted" or not (free.block.form.value or _requests(free.block)):
            return block, FreeText()
        block = replace(block, faults=(), form=Text(value=None))
    form, rest = free.block.form, free
    if holds_orders:
        lines = free.read or tuple(free.odd) or ((free.question.question,) if free.question else ())
        same = _are_same(context, seat, block, free.block)
        other = form.value and not same
        rest = FreeText(
            block=free.block,
            odd=(_BLOCK_COUNTS.format(_name_lines(free)),) if other and lines else (),
        )
        form = block.form
    elif not form.value:
        form = block.form
    is_free = form is free.block.form
    whole = replace(
        block,
        envelope=_join_envelopes(block.envelope, free.block.envelope),
        form=form,
        source=free.block.source if is_free else block.source,
        origin=free.block.origin if is_free else block.origin,
        is_added=is_free and free.block.is_added,
        gave_away=block.gave_away or free.block.gave_away,
    )
    return whole, rest


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
        requests["press"] = [*as_list(head.requests["press"]), *as_list(other.requests["press"])]
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
    sentence = next((one.text for one in lines if says_something(one.text)), None)
    is_commented = bool(_COMMENTED.search(block.source))
    if form is None or not (is_commented or (sentence and seat in context.due)):
        return ()
    if sentence is None:
        return (_TAKE_THE_SIGN_AWAY,)
    other = next((one for one in context.game.seats if one != seat), None)
    writes = other is not None and context.settings.press != "none"
    if _YES_AND_MORE.match(sentence):
        return (_YES_ALONE,)
    if writes and any(MORE_TIME.search(one.text) for one in lines):
        return (ASK_THE_GM,)
    to = _TO_WRITE.format(other, other) if writes else ""
    return (_NO_ORDER.format(shorten(sentence, 60), to),)


_COMMENTED = re.compile(r"^[ \t]*#[ \t]*[A-Za-z][\w-]*:", re.MULTILINE)
