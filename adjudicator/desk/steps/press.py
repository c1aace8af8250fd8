"""Press as reports print it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from adjudicator.core.document import Document, Seat, decode, digest, encode
from adjudicator.desk.model.context import Context, current_step
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.settings import Settings
from adjudicator.desk.model.values import Game, Press, Step
from adjudicator.desk.outbox.form import gm_form, reader_facts, seat_form
from adjudicator.desk.outbox.past_reports import was_mailed
from adjudicator.desk.outbox.queue import PRESS, queue_to_address

PRESS_VERSION = "press/1"
EVERYBODY = "all"
ANONYMOUS = "anonymous"
UNNAMED = "(without a name)"
_SOME_PRESS = b'"press":[{'


def show_message(message: Press, reader: Seat | None) -> dict[str, Any]:
    """Show a message as a reader may know it: {from, to, text}."""
    to = name_addressees(message) or EVERYBODY
    return {"from": name_writer(message, reader), "to": to, "text": message.text}


def name_addressees(message: Press) -> str:
    """Name the addressees of a message; nothing if it is for all."""
    return ", ".join("the GM" if one == GM else one for one in message.to)


def name_writer(message: Press, reader: Seat | None) -> str:
    """Name the writer; a public archive leaves out unnamed ones."""
    if not message.anonymous:
        return message.seat or "the GM"
    return mask_name(message.seat) if message.seat and message.seat == reader else ANONYMOUS


def press_document(
    context: Context, messages: Sequence[Press], seat: Seat | None, player: str | None
) -> dict[str, Any]:
    """Make the press/1 document."""
    return {
        "press": PRESS_VERSION,
        **reader_facts(context, current_step(context), seat, player),
        "headline": f"Press from {name_writer(messages[0], seat)}",
        "messages": [{**show_message(one, seat), "answer_to": _answer_to(one)} for one in messages],
        "form": seat_form(context, seat) if seat else None,
    }


def _answer_to(message: Press) -> str:
    """Find whom an answer would go to: the writer, or everybody if the writer is unnamed."""
    if message.seat is None:
        return GM
    return EVERYBODY if message.anonymous else message.seat


def mask_name(seat: Seat) -> str:
    """Name the reader of a report who wrote without a name."""
    return f"{seat} {UNNAMED}"


def publish_messages(messages: Iterable[Document], seat: Seat | None) -> list[Document]:
    """Choose a reader's press that becomes public at the end; unnamed writers stay unnamed.

    The rest stays private for ever.
    """
    own = mask_name(seat) if seat else None
    return [
        {**one, "from": ANONYMOUS if one["from"] == own else one["from"]}
        for one in messages
        if one["to"] == EVERYBODY
    ]


def publish_report(document: bytes) -> bytes:
    """Make a report as everybody may read it at the end, and as the chain commits to it.

    At the end the seed opens what the chain commits to: a short message could be guessed.
    Of a damaged one nothing is public, so that it never fits the chain.
    """
    if _SOME_PRESS not in document:
        return document
    try:
        report = decode(document)
        public = publish_messages(report["press"], report["seat"])
    except (KeyError, TypeError, ValueError):
        return b""
    return document if public == report["press"] else encode({**report, "press": public})


def count_budgets(settings: Settings, messages: Sequence[Press]) -> float:
    """Count how many times a seat's messages fill what is mailed of them in a step."""
    size = sum(len(one.text.encode()) for one in messages)
    kilobytes = 1024 * settings.press_kilobytes
    return max(len(messages) / settings.press_messages, size / kilobytes)


def mail_gm_press(context: Context, messages: Sequence[Press]) -> None:
    """Mail the GM one letter for each writer, or several where one would be too long."""
    by_writer = part_by_writer([one for one in messages if GM in one.to], None)
    for part in (page for one in by_writer for page in _list_pages(one)):
        document = {
            **press_document(context, part, None, None),
            "seat": GM,
            "form": gm_form(context),
        }
        queue_to_address(context, (), PRESS, document, reader=GM)


def _list_pages(messages: Sequence[Press]) -> Iterator[Sequence[Press]]:
    """List the messages in parts that each fit into a letter."""
    documents, at = [show_message(one, None) for one in messages], 0
    while at < len(messages):
        page = choose_page(documents, at + 1)
        yield messages[page.start : page.stop]
        at = page.stop


def mail_waiting_press(context: Context, step: Step) -> None:
    """Mail the GM, who gets no report, the messages that waited for this step to close."""
    by_writer, waiting = defaultdict[Seat, list[Press]](list), list[Press]()
    for one in context.books.press(context.id, step.number - 1):
        if one.step == step.number and one.seat is not None:
            by_writer[one.seat].append(one)
            if count_budgets(context.settings, by_writer[one.seat]) > 1:
                waiting.append(one)
    if waiting:
        mail_gm_press(context, waiting)


def part_by_writer(messages: Sequence[Press], reader: Seat | None) -> list[list[Press]]:
    """Split messages by how their writer is named, so that nobody is unmasked."""
    parts: dict[str, list[Press]] = {}
    for one in messages:
        parts.setdefault(name_writer(one, reader), []).append(one)
    return list(parts.values())


def report_press(
    context: Context, step: Step, first: Step, reader: Seat | None
) -> list[dict[str, Any]]:
    """Choose the messages for a report on the steps `first` to `step`, as its reader sees them.

    They are those that the reader (None: the public) wrote or got since the last report. Messages
    from a report that was undone before it went out are included now.
    """
    entries = []
    if reader is not None and step.predecessor is None and context.game.luck:
        entries.append(_luck_words(context.game))
    last = _find_origin(context, first)
    messages = context.books.press(context.id, last)
    if not messages:
        return entries  # the usual case, and a game has many steps
    if first.number > last + 1:  # others were undone in between, or rulings
        last = _find_last_report(context, first, reader)
    return entries + _cut_press(
        [
            show_message(one, reader)
            for one in messages
            if last < (one.step or 0) <= step.number and may_read(one, reader)
        ],
        reader,
    )


def may_read(message: Press, reader: Seat | None) -> bool:
    """Whether a message is for everybody, or this reader wrote or got it."""
    return not message.to or (reader is not None and reader in (message.seat, *message.to))


ROOM = 96 * 1024
"""The most bytes of messages in one letter, which then stays below 200 KB."""
_LINE = 110  # around each line of a message in a page
_PLAIN = bytes(sign for sign in range(32, 127) if sign != ord("="))  # a byte as quoted-printable
_LEFT_OUT = "{} of these messages {} in this report, which would be too long."
_ASK = " Write `ask: press` to read them."


def weigh_message(message: Mapping[str, Any]) -> int:
    """Estimate the bytes that a message takes in a letter: as text, in a page, and as data."""
    from html import escape  # its table of names is large, and only reports with press need it

    text = str(message["text"])
    page = escape(text)
    coded = sum(len(one) + 2 * len(one.translate(None, _PLAIN)) for one in _encode(text, page))
    return coded + _LINE * (text.count("\n") + 2) + 3 * len(text.encode()) // 2


def _encode(*texts: str) -> list[bytes]:
    return [one.encode("utf-8", "replace") for one in texts]


def _cut_press(messages: list[dict[str, Any]], reader: Seat | None) -> list[dict[str, Any]]:
    """Choose the messages that fit into a report, with the same share of it for each writer."""
    weights = [weigh_message(one) for one in messages]
    if sum(weights) <= ROOM:
        return messages
    sizes = Counter[str]()
    for one, weight in zip(messages, weights, strict=True):
        sizes[one["from"]] += weight
    shares = _share_room(sizes)
    entries = []
    for one, weight in zip(messages, weights, strict=True):
        if weight <= shares[one["from"]]:
            shares[one["from"]] -= weight
            entries.append(one)
    missing = len(messages) - len(entries)
    text = _LEFT_OUT.format(missing, "is not" if missing == 1 else "are not")
    text += _ASK if reader else ""
    return [*entries, {"from": "the server", "to": reader or EVERYBODY, "text": text}]


def _share_room(sizes: Mapping[str, int]) -> dict[str, int]:
    """Divide the room among the writers: what short ones leave goes to the others."""
    shares, room = {}, ROOM
    by_size = sorted(sizes.items(), key=lambda one: (one[1], one[0]))
    for number, (writer, size) in enumerate(by_size):
        shares[writer] = min(size, room // (len(by_size) - number))
        room -= shares[writer]
    return shares


def choose_page(messages: Sequence[Mapping[str, Any]], first: int | None) -> range:
    """Choose the messages for one letter: those from number `first` on, or the latest."""
    count, room = len(messages), ROOM
    start = count if first is None else max(first, 1) - 1
    page = range(start, start)
    while (at := page.start - 1 if first is None else page.stop) in range(count):
        room -= weigh_message(messages[at])
        if room < 0 and page:
            break
        page = range(min(at, page.start), max(at + 1, page.stop))
    return page


def _luck_words(game: Game) -> dict[str, Any]:
    """Make the message in a player's first report that confirms the luck words."""
    lines = [
        "The luck words are fixed now and mixed into the dice:",
        *(f"{seat}: {words}" for seat, words in game.luck),
        "The SHA-256 of the seed is",
        digest(game.seed),
        "At the end the seed is revealed, and everybody can check every draw.",
    ]
    return {"from": "the server", "to": EVERYBODY, "text": "\n".join(lines)}


def _find_origin(context: Context, step: Step) -> int:
    """Find the step from which this one was reached, whatever rulings lie between; -1 at first."""
    while step.predecessor is not None:
        step = context.books.step(context.id, step.predecessor)
        if step.phase != "ruling":
            return step.number
    return -1


def _find_last_report(context: Context, first: Step, reader: Seat | None) -> int:
    """Find the last step before these that a report covered; -1 if there is none."""
    for one in reversed(context.books.steps(context.id)):
        is_earlier = one.closed is not None and one.number < first.number
        was_told = one.phase != "ruling" and (not one.void or _had_report(context, one, reader))
        if is_earlier and was_told:
            return one.number
    return -1


def _had_report(context: Context, step: Step, reader: Seat | None) -> bool:
    """Whether a reader had the report of a step that was undone later; the public sees all."""
    if reader is None:
        return True
    papers = context.books.papers(context.id, step.number)
    return any(was_mailed(context, paper) for paper in papers if paper.seat == reader)
