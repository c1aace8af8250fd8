"""A letter without a good key: joining, lost keys, and people who write for the first time."""

import re
from collections.abc import Sequence

from adjudicator.desk.ask import resend
from adjudicator.desk.asked import HELP
from adjudicator.desk.callers import caller, may_be_answered, slowed, wrong_key
from adjudicator.desk.candidates import Candidate, unread
from adjudicator.desk.case import look
from adjudicator.desk.envelope import truth
from adjudicator.desk.errors import Refused, Unknown
from adjudicator.desk.gmkey import send_key
from adjudicator.desk.join import Wanted, join, open_games
from adjudicator.desk.keys import opens
from adjudicator.desk.letters import ANSWER
from adjudicator.desk.outcome import Outcome, Post, answered, silence
from adjudicator.desk.question import questions
from adjudicator.desk.seating import PLAYER, current
from adjudicator.desk.values import ASKED, Letter, Status
from adjudicator.desk.word import to_gm, to_stranger

JOIN = "join"
_JOINS = re.compile(r"^\W*join\s*[:\uff1a]", re.IGNORECASE | re.MULTILINE)
_HERE = "This address takes letters for games that are played by mail."
_HELP = ("To get the last report again, with its form and key, write this line:", "ask: resend")


def unproven(post: Post, found: Sequence[Candidate]) -> Outcome:
    """The first block is answered, to the sender, with nothing that not everybody may know."""
    sender = post.letter.sender
    if sender is None:
        return _from_nobody(post)
    if post.letter.bulk:
        return silence("a list's letter without a good key")
    if slowed(post.books, sender, post.at):
        return silence("too many wrong keys from this address; it is not heard for a while")
    first = found[0] if found else None
    if first is not None and JOIN in first.envelope.wishes:
        return _joining(post, first, sender)
    if first is not None and first.envelope.key and not _broken(first):
        wrong_key(post.books, sender, post.at)
    if not may_be_answered(post.books, post.house, sender, post.at):
        most = caller(post.books, sender, post.at).answers
        return silence(f"{most} answers today to an address that proved nothing are enough")
    if first is not None and (_asks(first, "resend") or _leads(post, first, sender)):
        return _resent(post, first, sender)
    headline, lines, reason = _words(post, first, sender)
    guide = HELP if first is not None and _asks(first, "help") else None
    letter = to_stranger(post.books, post.house, sender, headline, lines, at=post.at, guide=guide)
    return answered(letter, reason)


def _from_nobody(post: Post) -> Outcome:
    """Nobody can be answered; of a letter that could not even be read the GM is told."""
    problems = [one.message for one in post.letter.problems]
    if problems:
        lines = [f"A letter came that could not be read: {problems[0]}. It was put aside."]
        to_gm(post.books, post.house, "A letter could not be read", lines, at=post.at)
    return silence(": ".join(["it names no sender who could be answered", *problems[:1]]))


# joining


def _joining(post: Post, one: Candidate, sender: str) -> Outcome:
    """The desk of joining answers itself, to the address that its key belongs to."""
    wishes = one.envelope.wishes
    game = str(wishes[JOIN] or "").strip()
    address = _owner(post, game, one.envelope.key, sender)
    if address is None and not may_be_answered(post.books, post.house, sender, post.at):
        return silence("enough answers today to an address that proved nothing")
    wanted = Wanted(
        address=address or sender,
        name=_text(wishes.get("name")),
        luck=_text(wishes.get("luck")),
        prefer=wishes.get("prefer"),
        observe=truth(wishes.get("observe")),
        leave=one.envelope.resign,
    )
    if not _known(post, game):
        return _not_joined(post, sender, _no_game(game))
    try:
        with post.books.part():
            join(post.books, post.library, game, wanted, confirmed=bool(address), at=post.at)
    except Refused as why:
        return _not_joined(post, sender, str(why))
    return answered(post.books.newest_letter(game, "nobody", ANSWER), JOIN)


def _not_joined(post: Post, sender: str, why: str) -> Outcome:
    lines = [why, *_open(post)]
    letter = to_stranger(post.books, post.house, sender, "You have not joined", lines, at=post.at)
    return answered(letter, f"join refused: {why}")


def _owner(post: Post, game: str, given: str | None, sender: str) -> str | None:
    """The address whose joining key this is: the sender's own, or another's who asked before."""
    if not given:
        return None
    asked = [one.address for one in post.books.signups(game)]
    for address in dict.fromkeys((sender, *asked)):
        seat = f"join {address}"
        if opens(given, post.secret, game=game, seat=seat, seating=0, step=JOIN):
            return address
    return None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


# lost keys


def _asks(one: Candidate, word: str) -> bool:
    if "ask" not in one.envelope.wishes:
        return False
    asked, _ = questions(one.envelope.wishes["ask"])
    return any(question.word == word for question in asked)


def _leads(post: Post, one: Candidate, sender: str) -> bool:
    """A letter of the GM's own address without the key: the key is sent there."""
    return post.house.is_gm(sender) and "gm" in one.envelope.wishes


def _resent(post: Post, one: Candidate, sender: str) -> Outcome:
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
        for seat, seating in current(post.books, game.id).items():
            if seating.kind == PLAYER and seating.player in people:
                case = look(post.books, post.library, game.id)
                told.append(resend(case, seat, at=post.at))
                letter = post.books.newest_letter(game.id, seat, ANSWER)
    if letter is not None:
        return answered(letter, "resend")
    lines = ["From this address nobody plays a game here that has begun.", *_open(post)]
    letter = to_stranger(
        post.books, post.house, sender, "There is nothing to send again", lines, at=post.at
    )
    return answered(letter, "resend to nobody")


def _keys_of_the_gm(post: Post, one: Candidate, sender: str) -> Letter | None:
    """The GM may have lost a letter, too, or never have got one; the last one is told."""
    letter = None
    for game in post.books.games() if post.house.is_gm(sender) else ():
        if one.envelope.game in (None, game.id) and game.status is not Status.OVER:
            letter = send_key(look(post.books, post.library, game.id), at=post.at)
    return letter


# words


def _words(post: Post, first: Candidate | None, sender: str) -> tuple[str, list[str], str]:
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
            *unread(first),
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


def _unconfirmed(post: Post, sender: str) -> list[str]:
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


def _open(post: Post) -> list[str]:
    games = open_games(post.books, post.library)
    if not games:
        return ["No game can be joined at the moment."]
    return ["Games that can be joined:", *games]


def _known(post: Post, game: str) -> bool:
    try:
        post.books.game(game)
    except Unknown:
        return False
    return True


def _short(text: str) -> str:
    return " ".join(text.split())[:40]
