"""Single words that answer a letter, above all a yes or a no; where questions in words belong."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from adjudicator.core.document import Document, Seat, decode
from adjudicator.core.forms.explanation import explain_form
from adjudicator.core.forms.fault_messages import shorten
from adjudicator.core.forms.reading import FreeReading, WrittenLine
from adjudicator.core.forms.sentences import GREETING
from adjudicator.core.names import fold
from adjudicator.desk.model.context import Context, Sender
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.orders.asking_back import QuestionBack
from adjudicator.desk.orders.reading_orders import explain_late
from adjudicator.desk.outbox.queue import PRESS
from adjudicator.desk.questions.glossary import find_rules, find_terms

ASSENT, OK, DISSENT = "yes", "ok", "no"
"""Words of assent, of which ok is also just polite, and one of dissent."""
_WORDS: Mapping[str, str] = {
    **dict.fromkeys(
        ("yes", "yep", "yeah", "sure", "correct", "exactly", "confirm", "confirmed"), ASSENT
    ),
    **dict.fromkeys(("ok", "okay"), OK),
    **dict.fromkeys(("no", "nope"), DISSENT),
    **{word: word for word in ("ready", "wait", "pass")},
}
_WORD = re.compile(
    rf"(?:{'|'.join(_WORDS)})(?=[\s.!,]*(?:please|thanks|thank you|do (?:that|it|so)|go ahead|i did"
    r"|that(?:'s| is) (?:right|it|correct|fine|what i meant)|exactly|sounds good)?[\s.!]*$)",
    re.IGNORECASE,
)
_YES_AND_WORDS = re.compile(
    r"(?:yes|yep|yeah|sure|correct|exactly"
    r"|that(?:'s| is) (?:right|correct|it|fine|what i (?:meant?|want(?:ed)?)))"
    r"(?:[\s.!,]+(?!(?:but|only|except|and|plus|then|without|no|not|don't|instead|change|if)\b)"
    r"[a-z']+){0,5}[\s.!]*",
    re.IGNORECASE,
)
"""An answer to a question, where one was asked; elsewhere it is small talk."""
_NO_QUESTION = "Your *yes* answers no question of this step, so it changed nothing."
_LEFT_OUT = "You answered *no*, so what was asked about stays left out: send it in other words."
_ASK_TO_SEND = '"{}" is no order, and was not sent to anybody. Reply *yes* to send it to {}.'
_CLOSED = "Your answer came too late: the letter is about {}. {}"
_DUE_NOW = "Orders for {} are due from you now."
_NOTHING_DUE = "Nothing is due from you now."
_LATER = (
    "Receipt {} came after the question that you answered with *yes*, so its orders stand. Send "
    "the others again if you want them instead."
)
_UNREAD = (
    'Nobody reads questions in a letter: "{}" To ask the server, write `ask: {}` or `ask: help`.{}'
)
_TO_GM = " To ask the GM, write `to gm: your question`."


def take_proposal(
    context: Context,
    seat: Seat,
    answered: Sequence[OutgoingLetter],
    words: Collection[str],
    step: str,
) -> tuple[Document, str | None]:
    """Take the orders that a letter asked about, for a player who answers it with yes."""
    for letter in answered:
        if (letter.game, letter.seat) != (context.id, seat):
            continue
        question = decode(letter.document).get("asked")
        if not question:
            continue
        if letter.step != context.game.open_step:
            return {}, _explain_closed(context, seat, step)
        on = context.on_file.get(seat)
        if on is not None and on.number > letter.number:
            return {}, _LATER.format(on.number)
        return dict(question["keys"]), None
    return {}, _explain_closed(context, seat, step) if ASSENT in words else None


def explain_no(context: Context, seat: Seat, answered: Sequence[OutgoingLetter]) -> list[str]:
    """Say what is left out, to a player who answers the question of a letter with no."""
    for letter in answered:
        about = (letter.game, letter.seat, letter.step)
        is_own = about == (context.id, seat, context.game.open_step)
        if is_own and decode(letter.document).get("asked"):
            return [_LEFT_OUT]
    return []


def ask_to_send(
    context: Context, seat: Seat, answered: Sequence[OutgoingLetter], lines: Sequence[WrittenLine]
) -> QuestionBack | None:
    """Ask whether words that are no order, in answer to a message, are meant for its writer."""
    letter = next(iter(answered), None)
    if letter is None or (letter.kind, letter.game, letter.seat) != (PRESS, context.id, seat):
        return None
    text = "\n".join(line.raw for line in lines).strip()
    readers = [one.get("answer_to") for one in decode(letter.document)["messages"]]
    to = next((one for one in reversed(readers) if one not in (None, seat)), None)
    if to is None or not text or len(text) > _LONGEST:
        return None
    question = _ASK_TO_SEND.format(" ".join(text.split()), to)
    keys = {"press": [{"to": to, "text": text}]}
    return QuestionBack(question=question, guess=f"to {to}: {shorten(text)}", keys=keys)


def _explain_closed(context: Context, seat: Seat, step: str) -> str | None:
    """Explain that a yes answers nothing: when its step closed, and what is due now."""
    if context.game.open_step is None:
        return None
    now, seating = context.open_step(), context.seatings.get(seat)
    sender = Sender(seat=seat, seating=seating, step=now, at=context.at)
    late = explain_late(context, sender, step) if step != now.name else None
    if late is None:
        return _NO_QUESTION
    due = _DUE_NOW.format(context.label(now)) if seat in context.due else _NOTHING_DUE
    return _CLOSED.format(late, due)


# questions in words

_SENTENCE = re.compile(r"[^.!?]+(\??)")
_ASKS = re.compile(
    r"(?:(?:and|but|so|also|hi|hello|hey|sorry|please|one question|question)\b[\s,:-]*)*"
    r"(?:what(?! an? )|how(?! about )|why|when|where|which|who|can|could|may|do|does|did|is|are|am|"
    r"was|will|would|should|must)\b",
    re.IGNORECASE,
)
_TO_PEOPLE = re.compile(r"\b(?:you|your|yours|u|ya|we|us|our|every(?:one|body))\b", re.IGNORECASE)
_THINGS = re.compile(
    r"\b(?:rules?|orders?|cards?|fleets?|planets?|ships?|turns?|steps?|rounds?|deadlines?|tokens?|"
    r"actions?|worlds?|developments?|homeworld|levels?|markers?|points?|scores?|forms?|receipts?|"
    r"reports?)\b",
    re.IGNORECASE,
)
_LONGEST = 300


def find_question(
    context: Context, form: str | None, lines: Sequence[WrittenLine], reading: FreeReading
) -> str | None:
    """Find what a writer asks the server about the game, in a sentence among other things."""
    questions = _list_questions(lines, reading)
    return next((one for one in questions if _is_about_game(context, form, one)), None)


def can_be_explained(context: Context, question: str) -> bool:
    """Whether the glossary or the rules have something to say of a question in words."""
    return bool(find_rules(context.kind, question) or find_terms(context.kind, question))


def explain_unread_question(context: Context, question: str) -> str:
    """Say where to ask, to a writer whose letter gives orders as well."""
    rules, terms = find_rules(context.kind, question), find_terms(context.kind, question)
    ask = f"rules {rules[0]}" if rules else " ".join(terms[:1]) or "rules"
    to_gm = _TO_GM if context.settings.press != "none" else ""
    return _UNREAD.format(shorten(question, 80), ask, to_gm)


def _list_questions(lines: Sequence[WrittenLine], reading: FreeReading) -> Iterator[str]:
    """List the sentences with a question mark; a mail program may have wrapped them."""
    text = " ".join(
        line.text if line.text and at not in reading.taken else "." for at, line in enumerate(lines)
    )
    for match in _SENTENCE.finditer(text):
        question = match.group().strip(" .,:;-")
        if match[1] and 1 < len(question) <= _LONGEST:
            yield question


def _is_about_game(context: Context, form: str | None, question: str) -> bool:
    """Whether a question is for the server: small talk with other people is not."""
    if find_rules(context.kind, question):
        return True
    asks = _ASKS.match(question)
    if asks is None or _TO_PEOPLE.search(question):
        return False
    if _THINGS.search(question) or find_terms(context.kind, question):
        return True
    keys = explain_form(context.kind.form(form))["keys"] if form is not None else ()
    words = {fold(one) for one in re.findall(r"[\w-]{4,}", question)}
    return not words.isdisjoint(fold(str(one["key"])) for one in keys)


# single words


def find_words(lines: Sequence[WrittenLine], reading: FreeReading) -> set[str]:
    """Find the single words that answer a letter, each in a line that stands apart from prose."""
    words = set()
    for at, line in enumerate(lines):
        word = _WORD.match(line.text) if at not in reading.taken else None
        if word is None:
            words |= {OK} if _YES_AND_WORDS.fullmatch(line.text) else set()
            continue
        before, after = lines[at - 1] if at else None, lines[at + 1 : at + 2]
        opens = before is None or before.ends or not before.text or at - 1 in reading.taken
        opens = opens or (before is not None and bool(GREETING.fullmatch(before.text)))
        ends = line.ends or not after or not after[0].text or at + 1 in reading.taken
        ends = ends or _is_signed([one.text for one in lines[at + 1 :]])
        if opens and (ends or _WORD.match(after[0].text)):
            words.add(_WORDS[word.group().lower()])
    return words


def _is_signed(below: Sequence[str]) -> bool:
    """Whether nothing stands below but thanks and a name."""
    return bool(_SIGNED.fullmatch(" ".join(" ".join(below).split())))


_SIGNED = re.compile(
    r"(?i:(?:(?:many )?(?:thanks|thank you)|cheers|(?:kind(?:est)?|best|warm) [a-z]+s|regards"
    r"|(?:all the )?best|see you)\b(?: (?:a lot|so much|very much|again|all|soon|next turn))?"
    r"[\s.,!-]*){0,4}"
    r"(?:-{0,2} ?(?!(?i:but|no|not|only|except|wait|and|or|if|never|maybe|perhaps|later|sorry"
    r"|actually|stop|cancel|unless|instead)\b)[^\W\d_]+(?:[ .'-]+[A-Z][^\W\d_]*){0,2}\.?)?"
    r"(?i:\s*(?:sent from|get outlook)\b.*)?"
)


def find_word_requests(words: set[str]) -> dict[str, Any]:
    """Find what single words request."""
    ready = {"ready": "no"} if "wait" in words else {"ready": "yes"} if "ready" in words else {}
    return {**ready, "pass": "yes"} if "pass" in words else ready
