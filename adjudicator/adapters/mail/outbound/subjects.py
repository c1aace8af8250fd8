"""Subject lines: whose turn it is before anything else, then the reader's own news."""

from typing import Final

from adjudicator.core.document import Document, replace_unseen
from adjudicator.core.events import Reader, format_list
from adjudicator.core.headline import shorten_headline, tell_winners
from adjudicator.desk.model.deadlines import format_moment
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.queue import RECEIPT, REPORT
from adjudicator.desk.outbox.refresh import ReaderTurn

WIDEST: Final = 78
_LEAST: Final = 12
"""Signs that news must have, or it is left out."""


def make_subject(letter: OutgoingLetter, document: Document, turn: ReaderTurn) -> str:
    """Make the subject line: the game, whose turn it is, the letter's main point."""
    game = letter.game or flatten_header(str(document.get("house", "")))
    tag = f"[{game}] " if game else ""
    first, news = _split_point(letter, document, turn)
    first, news = flatten_header(first), flatten_header(news)
    if not first:
        return _cut(tag + (news or f"{letter.kind} {letter.number}"), WIDEST)
    room = WIDEST - len(tag) - len(first) - len(": ")
    short = shorten_headline(news, room) if news else ""
    is_worth_it = short and (len(short) >= min(_LEAST, len(news.rstrip("."))))
    return _cut(tag + first, WIDEST) if not is_worth_it else f"{tag}{first}: {short}"


def _split_point(letter: OutgoingLetter, document: Document, turn: ReaderTurn) -> tuple[str, str]:
    """Split what a subject says into whose turn it is (empty: nothing), and the news."""
    news = str(document.get("subject") or document.get("headline") or "")
    over = document.get("over")
    if over:
        return "Game over", _name_winners(document["seat"], over["winners"])
    if letter.kind == RECEIPT:
        return "", news
    if turn.yours:
        is_word = ("report" not in document or document.get("subject")) and news[1:2].islower()
        return _say_yours(turn), f"{news[:1].lower()}{news[1:]}" if is_word else news
    if letter.kind != REPORT or _is_start(document):
        return "", news
    return _say_others(document, turn), news


def _name_winners(seat: str | None, winners: list[str]) -> str:
    return tell_winners(winners, Reader(seat)) if winners else "nobody wins"


def _say_yours(turn: ReaderTurn) -> str:
    if turn.deadline is None:
        return "YOUR TURN"
    return f"YOUR TURN until {format_moment(turn.deadline, turn.zone)}"


def _say_others(document: Document, turn: ReaderTurn) -> str:
    """Say that a step is over, and for whom the game waits."""
    waits = f"aiting for {format_list(turn.waiting_for) or 'others'}"
    if _is_setup(document) and document["seat"] and document["due"]:
        return f"W{waits}"
    turn_name = str(document["turn"])
    is_over = turn.next != turn_name and not turn.next.startswith(f"{turn_name}, ")
    first = f"{turn_name[0].upper()}{turn_name[1:]} {'is over' if is_over else 'continues'}"
    if document["seat"] is None or document["due"] is None:
        return first
    return f"{first}; w{waits}"


def _is_setup(document: Document) -> bool:
    return str(document.get("step")).endswith("-setup")


def _is_start(document: Document) -> bool:
    """Whether a report of the beginning comes when the step that followed is over already."""
    return _is_setup(document) and document["due"] is None


def flatten_header(text: str) -> str:
    """Remove what could end a header's line or reverse its text direction."""
    return " ".join(replace_unseen(text, " ").split())


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 3].rstrip() + " …"
