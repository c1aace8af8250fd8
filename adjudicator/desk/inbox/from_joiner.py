"""Letters from people who want to join: a block, or a word in reply to the announcement."""

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, decode
from adjudicator.core.forms.reading import WrittenLine
from adjudicator.core.names import match_exactly
from adjudicator.desk.inbox.letter_task import LetterTask
from adjudicator.desk.model.errors import Changed, Refused, Unknown
from adjudicator.desk.model.people import NOBODY
from adjudicator.desk.model.values import Arrival
from adjudicator.desk.outbox.announcement import YOUR_NAME, YOUR_WORDS, list_open_games, may_join
from adjudicator.desk.outbox.keys import JOIN, find_key, name_joining_seat
from adjudicator.desk.outbox.tokens import find_letters
from adjudicator.desk.requests.envelope import Envelope, OrderBlock, black_out_keys, parse_boolean
from adjudicator.desk.requests.joining import JoinRequest, handle_join

ENOUGH_ANSWERS = "the daily limit of answers to unproven addresses"
_BEFORE = (
    r"(?:(?:hi|hello|hey|yes|yep|yeah|ok|okay|sure|great|cool|so|please)\b[\s,:-]*)*"
    r"(?:(?:i(?:'d| would|'ll| will| want)|let me|may i|can i)\s+)?"
    r"(?:(?:like|love|be (?:happy|glad))\s+)?(?:to\s+)?"
)
_NAMED = r"(?:,? as (?P<name>(?:[^.,;:!?]|(?<=\b\w)\.|(?<=\b[DSMJ]r)\.){1,60}?))?"
_AFTER = r"(?:[\s,]*(?:please|pls|thanks|thank you|thx|too|then|now))*[\s.!]*"
_THE_GAME = r"(?: (?:in|the|this|your|game|you|it|us|me)\b)*"
_WORDS = re.compile(
    rf"{_BEFORE}join(?:\s*:)?{_THE_GAME}"
    r"(?: (?!(?:as|please|pls|thanks|thank|thx|too|then|now)\b)(?P<game>[\w-]{1,60}))?"
    rf"{_NAMED}{_AFTER}",
    re.IGNORECASE,
)
_WANTS = re.compile(
    rf"(?:{_BEFORE}play{_THE_GAME}|{_BEFORE}(?:i'm|i am|count me|deal me) in|{_BEFORE}sign me up)"
    rf"{_NAMED}{_AFTER}",
    re.IGNORECASE,
)
"""Other words for join. They name no game, so they count in an answer only."""
_CALLED = re.compile(
    r"(?i:(?:i'm|i am|my name is|(?:please )?call me)) "
    r"(?P<name>[A-Z][\w'-]*(?: (?:[A-Z]\.|[A-Z][\w'-]*)){0,3})[\s.!]*"
)
_SENTENCES = re.compile(
    r"(?<=[.!?])(?<!\b\w\.)(?<!\b[DSMJ]r\.)\s+"
    r"|(?:,\s+(?:and\s+)?|\s+and\s+)(?=(?:i|my name|please|count|deal|sign|call|join)\b)",
    re.IGNORECASE,
)
_YES = re.compile(
    r"(?:yes|yep|yeah|ok|okay|(?:i )?confirm(?:ed)?)"
    r"(?:[\s,.!]*(?:please|thanks|thank you))?[\s.!]*",
    re.IGNORECASE,
)
_UNCLEAR = "The value of `{}` is neither yes nor no, so nothing was done."
_NO_PREVIEW = (
    "Joining cannot be tried, so nothing was done. To join, write the same without `preview`."
)
_OWN = ("name", "luck", "prefer", "observe")
_BLANK = {"name": YOUR_NAME, "luck": YOUR_WORDS}


class JoiningLetter(Struct, frozen=True, kw_only=True):
    """A letter that asks for a seat, or confirms that it is wanted."""

    block: OrderBlock
    proven: bool = False
    """Whether it answers the letter that asked this very address to confirm."""
    answers: bool = False
    """Whether it answers any letter about joining that went to this very address."""


def find_join_request(task: LetterTask, first: OrderBlock | None) -> JoiningLetter | None:
    """Find what a letter says of joining: in its first block, or in its writer's own words."""
    asks = first is not None and JOIN in first.envelope.requests
    answered = _find_answered(task)
    if asks and first is not None and answered is not None:
        first = _read_name_for_game(task, first, answered)
    words = _read_words(task, answered)
    if words is None:
        is_answer = answered is not None
        return JoiningLetter(block=first, answers=is_answer) if asks and first is not None else None
    block = first if asks and first is not None else OrderBlock()
    requests = block.envelope.requests
    own = {key: one for key, one in requests.items() if one != _BLANK.get(key)}
    game = {JOIN: answered[JOIN]} if answered and JOIN not in own else {}
    if task.tagged_game is not None:
        game = {JOIN: task.tagged_game, **game}
    head = replace(block.envelope, requests={**own, **game, **words})
    block = black_out_keys(task.books, task.secret, replace(block, envelope=head))
    has_key = answered is not None and "key" in answered
    return JoiningLetter(block=block, proven=has_key, answers=answered is not None)


def _read_name_for_game(task: LetterTask, block: OrderBlock, answered: Document) -> OrderBlock:
    """Read `join: Robin` in an answer as the name of its writer, where no game is called so."""
    requests = block.envelope.requests
    word = str(requests[JOIN])
    is_game = match_exactly(word, task.books.game_names())
    if is_game or requests.get("name") not in (None, YOUR_NAME):
        return block
    new_requests = {**requests, JOIN: answered[JOIN], "name": word}
    return replace(block, envelope=replace(block.envelope, requests=new_requests))


def _find_answered(task: LetterTask) -> Document | None:
    """Find the envelope of the letter about joining that this one answers, from its own reader."""
    letter = task.letter
    for one in find_letters(task.books, task.secret, letter.references):
        form = decode(one.document).get("form") or {}
        head: Document = form.get("envelope") or {}
        if one.seat == NOBODY and one.to == (letter.sender,) and JOIN in head:
            return head
    return None


def _read_words(task: LetterTask, answered: Document | None) -> dict[str, Any] | None:
    """Read join, yes, and lines such as `name: Ada`; None if there are none of them."""
    lines = [one for one in task.letter.lines if one.text]
    own: dict[str, Any] = {}
    joins: dict[str, str] | None = None
    says_yes = answered is not None and "key" in answered and not lines
    for number, line in enumerate(lines):
        part = _read_join(line.text, is_answer=bool(answered or task.tagged_game))
        if part is not None:
            joins = {**part, **(joins or {})}
        elif answered is not None and number <= 1 and _YES.fullmatch(line.text):
            says_yes = True
        elif answered is not None and line.value is not None:
            own |= {key: one for key, one in line.value.value.items() if key in _OWN}
    if joins is None and not own and not says_yes:
        return None
    fields: dict[str, Any] = dict(joins or {})
    name = (_read_name(lines) if answered is not None else None) or (
        task.letter.name if joins is not None else None
    )
    if name and "name" not in fields:
        fields["name"] = name
    return {key: one for key, one in {**fields, **own}.items() if one is not None}


def _read_join(text: str, *, is_answer: bool) -> dict[str, str] | None:
    """Read a sentence of a line that asks for a seat: the game and the name, if it gives them."""
    result: dict[str, str] | None = None
    for sentence in _SENTENCES.split(text):
        word = _WORDS.fullmatch(sentence)
        wants = word or (_WANTS.fullmatch(sentence) if is_answer else None)
        if wants is None or not (is_answer or wants["game"]):
            continue
        fields = {JOIN: word["game"] if word else None, "name": wants["name"]}
        result = {**{key: one for key, one in fields.items() if one}, **(result or {})}
    return result


def _read_name(lines: Sequence[WrittenLine]) -> str | None:
    """Read how a writer wants to be called, in a sentence of its own: I'm Ada."""
    sentences = chain.from_iterable(_SENTENCES.split(one.text) for one in lines)
    matches = filter(None, map(_CALLED.fullmatch, sentences))
    return next((one["name"] for one in matches), None)


def handle_joining(task: LetterTask, letter: JoiningLetter, sender: str) -> Arrival:
    """Handle a request to join; the answer goes to the address that its key belongs to."""
    one = letter.block
    requests = one.envelope.requests
    game = _find_game(task, str(requests[JOIN] or "").strip())
    address = sender if letter.proven else _find_owner(task, game, one.envelope.key, sender)
    if not (task.may_answer_joiner(address) if address else task.may_answer_sender()):
        return task.no_answer(ENOUGH_ANSWERS)
    if doubt := _explain_unclear(one.envelope):
        return task.answered(task.tell_sender("Your letter changed nothing", [doubt]), "unclear")
    name, luck = (
        value if isinstance(value := requests.get(key), str) else None for key in ("name", "luck")
    )
    request = JoinRequest(
        address=address or sender,
        name=name,
        luck=luck,
        prefer=requests.get("prefer"),
        observe=parse_boolean(requests.get("observe")),
        leave=one.envelope.resign,
        answers=letter.answers,
    )
    lines = [NO_SUCH_GAME, PLAYS_IN_IT]
    if address or is_visible(task, game):
        try:
            with task.books.part():
                outcome = handle_join(
                    task.books, task.library, game, request, confirmed=bool(address), at=task.at
                )
            return task.answered(outcome.letter, JOIN)
        except Changed:  # the letter waits in its postbox
            raise
        except Refused as refusal:
            lines = [str(refusal) if address else f"{game} cannot be joined at the moment."]
    answer = task.tell_sender("You have not joined", [*lines, *describe_open_games(task)])
    return task.answered(answer, f"join refused: {lines[0]}")


def _explain_unclear(head: Envelope) -> str | None:
    """Explain why nobody knows whether a seat is wanted; None if it is clear."""
    if head.preview:
        return _NO_PREVIEW
    if any(fault.path == ("resign",) for fault in head.faults):
        return _UNCLEAR.format("resign")
    observe = head.requests.get("observe")
    return _UNCLEAR.format("observe") if observe and parse_boolean(observe) is None else None


def _find_game(task: LetterTask, name: str) -> str:
    """Find the game that is meant, in any case: telephones begin words with a capital."""
    names = task.books.game_names()
    return name if name in names else match_exactly(name, names) or name


def _find_owner(task: LetterTask, game: str, word: str | None, sender: str) -> str | None:
    """Find the address that this joining key belongs to: the sender's, or an applicant's."""
    key = find_key(task.books, task.secret, word) if word else None
    if key is None or (key.game, key.step) != (game, JOIN):
        return None
    address = key.seat.removeprefix(name_joining_seat(""))
    return address if address == sender or not task.is_slowed() else None


# which games


NO_SUCH_GAME = "There is no game of that name here that you can join."
PLAYS_IN_IT = "If you play in it, write from your registered address or reply to its latest letter."


def describe_open_games(task: LetterTask) -> list[str]:
    """List the games that this sender can join, a line each."""
    games = list_open_games(task.books, task.library, task.letter.sender)
    if not games:
        return ["No game can be joined at the moment."]
    return ["Games that can be joined:", *games]


def is_visible(task: LetterTask, game: str) -> bool:
    """Whether the sender may know of a game; a private one is hidden from the uninvited."""
    try:
        context = task.context(game)
        is_open = may_join(context, task.letter.sender)
    except Unknown:
        return False
    return is_open or any(one.id == game for one, _ in task.seats_of_sender())
