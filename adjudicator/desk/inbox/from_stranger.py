"""A letter without a good key: joining, lost keys, and people who write for the first time."""

import math
import re
from collections.abc import Sequence

from adjudicator.core.document import Seat
from adjudicator.desk.inbox.blocks import Candidate, explain_unreadable
from adjudicator.desk.inbox.rate_limit import (
    count_wrong_key,
    find_caller,
    may_be_answered,
    slowed_until,
)
from adjudicator.desk.inbox.results import LetterResult, LetterTask, answered_by, no_answer
from adjudicator.desk.model.context import Context, read_context
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.seats import PLAYER, current_seatings
from adjudicator.desk.model.values import ASKED, OutgoingLetter, Status
from adjudicator.desk.outbox.answers import seat_form
from adjudicator.desk.outbox.keys import key_matches
from adjudicator.desk.outbox.notices import notify_gm, notify_seat, notify_stranger
from adjudicator.desk.outbox.queue import ANSWER
from adjudicator.desk.questions.gm import send_gm_key
from adjudicator.desk.questions.parts import HELP
from adjudicator.desk.questions.player import resend_last_report
from adjudicator.desk.questions.words import parse_questions
from adjudicator.desk.requests.envelope import parse_boolean
from adjudicator.desk.requests.joining import JoinRequest, handle_join, list_open_games

JOIN = "join"
_JOINS = re.compile(r"^\W*join\s*[:\uff1a]", re.IGNORECASE | re.MULTILINE)
_HERE = "This address takes letters for games that are played by mail."
_HELP = ("To get the last report again, with its form and key, write this line:", "ask: resend")


def handle_stranger_letter(post: LetterTask, found: Sequence[Candidate]) -> LetterResult:
    """The first block is answered, to the sender, with nothing that not everybody may know."""
    sender = post.letter.sender
    if sender is None:
        return _from_nobody(post)
    if post.letter.bulk:
        return no_answer("a list's letter without a good key")
    if slowed_until(post.books, sender, post.at):
        return no_answer("too many wrong keys from this address; it is not heard for a while")
    first = found[0] if found else None
    if first is not None and JOIN in first.envelope.wishes:
        return _joining(post, first, sender)
    if first is not None and first.envelope.key and not _broken(first):
        count_wrong_key(post.books, sender, post.at)
    if not may_be_answered(post.books, post.house, sender, post.at):
        most = find_caller(post.books, sender, post.at).answers
        return no_answer(f"{most} answers today to an address that proved nothing are enough")
    if first is not None and (_asks(first, "resend") or _leads(post, first, sender)):
        return _resent(post, first, sender)
    headline, lines, reason = _words(post, first, sender)
    guide = HELP if first is not None and _asks(first, "help") else None
    letter = notify_stranger(
        post.books, post.house, sender, headline, lines, at=post.at, guide=guide
    )
    return answered_by(letter, reason)


def _from_nobody(post: LetterTask) -> LetterResult:
    """Nobody can be answered; of a letter that could not even be read the GM is told."""
    problems = [one.message for one in post.letter.problems]
    if problems:
        lines = [f"A letter came that could not be read: {problems[0]}. It was put aside."]
        notify_gm(post.books, post.house, "A letter could not be read", lines, at=post.at)
    return no_answer(": ".join(["it names no sender who could be answered", *problems[:1]]))


# joining


def _joining(post: LetterTask, one: Candidate, sender: str) -> LetterResult:
    """The desk of joining answers itself, to the address that its key belongs to."""
    wishes = one.envelope.wishes
    game = str(wishes[JOIN] or "").strip()
    address = _owner(post, game, one.envelope.key, sender)
    if address is None and not may_be_answered(post.books, post.house, sender, post.at):
        return no_answer("enough answers today to an address that proved nothing")
    wanted = JoinRequest(
        address=address or sender,
        name=_text(wishes.get("name")),
        luck=_text(wishes.get("luck")),
        prefer=wishes.get("prefer"),
        observe=parse_boolean(wishes.get("observe")),
        leave=one.envelope.resign,
    )
    if not _known(post, game):
        return _not_joined(post, sender, _no_game(game))
    try:
        with post.books.part():
            handle_join(post.books, post.library, game, wanted, confirmed=bool(address), at=post.at)
    except Refused as why:
        return _not_joined(post, sender, str(why))
    return answered_by(post.books.newest_letter(game, "nobody", ANSWER), JOIN)


def _not_joined(post: LetterTask, sender: str, why: str) -> LetterResult:
    lines = [why, *_open(post)]
    letter = notify_stranger(
        post.books, post.house, sender, "You have not joined", lines, at=post.at
    )
    return answered_by(letter, f"join refused: {why}")


def _owner(post: LetterTask, game: str, given: str | None, sender: str) -> str | None:
    """The address whose joining key this is: the sender's own, or another's who asked before."""
    if not given:
        return None
    asked = [one.address for one in post.books.signups(game)]
    for address in dict.fromkeys((sender, *asked)):
        seat = f"join {address}"
        if key_matches(given, post.secret, game=game, seat=seat, seating=0, step=JOIN):
            return address
    return None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


# lost keys


def _asks(one: Candidate, word: str) -> bool:
    if "ask" not in one.envelope.wishes:
        return False
    asked, _ = parse_questions(one.envelope.wishes["ask"])
    return any(question.word == word for question in asked)


def _leads(post: LetterTask, one: Candidate, sender: str) -> bool:
    """A letter of the GM's own address without the key: the key is sent there."""
    return post.house.is_gm(sender) and "gm" in one.envelope.wishes


def _resent(post: LetterTask, one: Candidate, sender: str) -> LetterResult:
    """Without a key the last letters go out once more, to registered addresses and no others."""
    people = [
        name
        for name in post.books.holders(sender)
        if any(a.address == sender and a.confirmed for a in post.books.addresses(name))
    ]
    letter, told = _keys_of_the_gm(post, one, sender), []
    for game in post.books.games():
        if one.envelope.game not in (None, game.id) or game.status is Status.OPEN:
            continue
        for seat, seating in current_seatings(post.books, game.id).items():
            if seating.kind == PLAYER and seating.player in people:
                context = read_context(post.books, post.library, game.id)
                told.append(resend_last_report(context, seat, at=post.at))
                letter = post.books.newest_letter(game.id, seat, ANSWER)
    if letter is not None:
        return answered_by(letter, "resend")
    lines = ["From this address nobody plays a game here that has begun.", *_open(post)]
    letter = notify_stranger(
        post.books, post.house, sender, "There is nothing to send again", lines, at=post.at
    )
    return answered_by(letter, "resend to nobody")


def _keys_of_the_gm(post: LetterTask, one: Candidate, sender: str) -> OutgoingLetter | None:
    """The GM may have lost a letter, too, or never have got one; the last one is told."""
    letter = None
    for game in post.books.games() if post.house.is_gm(sender) else ():
        if one.envelope.game in (None, game.id) and game.status is not Status.OVER:
            letter = send_gm_key(read_context(post.books, post.library, game.id), at=post.at)
    return letter


# words


def _words(post: LetterTask, first: Candidate | None, sender: str) -> tuple[str, list[str], str]:
    """Subject, sentences, and in a word what it was."""
    plays = bool(post.books.holders(sender))
    if first is None:
        lines = ["I found nothing in your letter that I could read as orders or as a question."]
        lines += [one.message for one in post.letter.problems[:2]]
        lines += _unconfirmed(post, sender) or (
            [_form(), *_HELP] if plays else [_HERE, *_open(post)]
        )
        return "I found nothing to do", lines, "no block"
    if _broken(first):
        lines = [
            "I could not read the lines of your letter, so nothing was done:",
            *explain_unreadable(first),
            "Mend that and send them again.",
        ]
        return "I could not read your letter", lines, "unreadable"
    envelope = first.envelope
    if envelope.game is not None and not _known(post, envelope.game):
        lines = [_no_game(envelope.game), *_open(post)]
        return "There is no such game", lines, "unknown game"
    if envelope.key:
        lines = ["The key in your letter opens nothing here, so nothing was done.", _form(), *_HELP]
        return "The key is not right", lines, "wrong key"
    if set(envelope.wishes) == {"ask"} and (not plays or _asks(first, "help")):
        return "About this post office", [_HERE, *_open(post)], "a stranger's question"
    lines = ["There is no key in your letter, so nothing was done.", _form(), *_HELP]
    return "There is no key", lines, "no key"


def _unconfirmed(post: LetterTask, sender: str) -> list[str]:
    """Somebody answered a confirmation without its lines, as telephones do."""
    return [
        f"You asked to join {game.id} and have NOT joined yet: your key is missing. Reply to our "
        "letter so that its lines, from `join:` to `# end of orders`, stand in yours, too."
        for game in post.books.games()
        for one in post.books.signups(game.id)
        if one.address == sender and one.status == ASKED and game.status is not Status.OVER
    ]


def _broken(one: Candidate) -> bool:
    """A block that is no YAML, and whose key, if it has one, is of another kind than a seat's."""
    return not one.readable and (not one.envelope.key or bool(_JOINS.search(one.block.source)))


def _no_game(game: str) -> str:
    return f'There is no game called "{_short(game)}" here.'


def _form() -> str:
    return (
        "Reply to the latest letter of your game: the block at its end, from `game:` to `# end of "
        "orders`, holds your key."
    )


def _open(post: LetterTask) -> list[str]:
    games = list_open_games(post.books, post.library)
    if not games:
        return ["No game can be joined at the moment."]
    return ["Games that can be joined:", *games]


def _known(post: LetterTask, game: str) -> bool:
    try:
        post.books.game(game)
    except Unknown:
        return False
    return True


def _short(text: str) -> str:
    return " ".join(text.split())[:40]


_MEGABYTE = 1024 * 1024
_HEADLINE = "Your letter was too big"
_LINE = (
    "Your letter of {} MB was not read, and nothing of it was done: at most 1 MB is read. Please "
    "send it again without pictures and other attachments."
)


def handle_too_big(post: LetterTask, size: int) -> LetterResult:
    """Whoever seems to have written it is told; who has a seat is told at that seat's addresses."""
    sender = post.letter.sender
    # rounded up: a letter of 1.0 MB would be none that is too big
    megabytes = f"{math.ceil(size * 10 / _MEGABYTE) / 10:.1f}"
    reason = f"too big: {megabytes} MB"
    if sender is None:
        line = f"A letter of {megabytes} MB came, which is more than is read. It was put aside."
        notify_gm(post.books, post.house, "A letter could not be read", [line], at=post.at)
        return no_answer(f"{reason}; it names no sender who could be answered")
    if post.letter.bulk:
        return no_answer(f"{reason}; a list's letter")
    if slowed_until(post.books, sender, post.at) and not post.books.holders(sender):
        return no_answer(f"{reason}; too many wrong keys from this address")
    if not may_be_answered(post.books, post.house, sender, post.at):
        return no_answer(f"{reason}; enough answers today to an address that proved nothing")
    words = [_LINE.format(megabytes)]
    at_seat = _seat_of(post, sender)
    if at_seat is None:
        letter = notify_stranger(post.books, post.house, sender, _HEADLINE, words, at=post.at)
        return answered_by(letter, reason)
    context, seat = at_seat
    letter = notify_seat(context, seat, _HEADLINE, words, at=post.at, form=seat_form(context, seat))
    return answered_by(letter, reason, seat=seat)


def _seat_of(post: LetterTask, sender: str) -> tuple[Context, Seat] | None:
    """The seat of whoever has this address: the only one, or that of the game it is a reply in."""
    people = [
        name
        for name in post.books.holders(sender)
        if any(a.address == sender and a.confirmed for a in post.books.addresses(name))
    ]
    held = [
        (game.id, seat)
        for game in post.books.games()
        if game.status is not Status.OVER
        for seat, seating in current_seatings(post.books, game.id).items()
        if seating.kind == PLAYER and seating.player in people
    ]
    # our Message-IDs begin with the name of the game
    about = [one[1:].partition(".")[0] for one in reversed(post.letter.references)]
    replied = [one for game in about for one in held if one[0] == game]
    chosen = replied or (held if len(held) == 1 else [])
    if not chosen:
        return None
    game, seat = chosen[0]
    return read_context(post.books, post.library, game), seat
