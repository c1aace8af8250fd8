"""Tokens: the ends of the Message-IDs of outgoing letters, so that nobody can make one up.

The books know a letter by its name, `<ember.12-jump.red.report.3@host>`; what goes out is
`<ember.12-jump.red.report.3.TOKEN@host>`. Whoever names the token has had the letter. Its
References end in the same name at `ref.host`, for providers that replace Message-IDs.
"""

import base64
import hmac
import re
from collections.abc import Iterable

from adjudicator.core.document import encode
from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.queue import NO_GAME, SERVER

PLACEHOLDER = "{token}"
"""What stands in the setting `bounces` for the name of a letter."""
_BYTES = 15
_LONGEST_NAME = 64  # of an address before its @, RFC 5321
_MOST = 10
"""References that are looked up; the latest of them say which letter is answered."""
_ID = re.compile(
    r"<(?P<game>[^@<>]{1,100})\.(?P<step>[0-9]{1,6})(?:-[a-z0-9_-]{1,60})?\.(?P<seat>[^.@<>]{1,60})"
    r"\.(?P<kind>[a-z]{1,20})\.(?P<number>[0-9]{1,9})\.(?P<token>[a-z2-7]{24})@[^@<>]{1,255}>"
)


def make_token(secret: bytes, epoch: int, letter: OutgoingLetter) -> str:
    """Make the token of a letter, for whoever has its seat now."""
    parts = [letter.game, letter.step, letter.seat, letter.seating, letter.kind, letter.number]
    content = hmac.digest(secret, encode(["token", epoch, *parts]), "sha256")[:_BYTES]
    return base64.b32encode(content).decode().lower()


def sign_message_id(books: Books, secret: bytes, letter: OutgoingLetter) -> str:
    """Sign the Message-ID under which a letter goes out."""
    name, _, host = letter.message_id.rpartition("@")
    return f"{name}.{make_token(secret, books.epoch(letter.game), letter)}@{host}"


def make_return_path(house: House, message_id: str) -> str:
    """Make the address to which servers return this letter: one with its token, if it fits."""
    match = _ID.fullmatch(message_id)
    if not house.bounces or match is None:
        return house.address
    path = house.bounces.replace(PLACEHOLDER, ".".join(match.groups()))
    return path if len(path.rpartition("@")[0]) <= _LONGEST_NAME else house.address


def read_return_paths(house: House, addresses: Iterable[str]) -> list[str]:
    """Read the Message-IDs of the letters that were returned to these addresses."""
    before, _, after = house.bounces.partition(PLACEHOLDER)
    own = [one for one in addresses if one.startswith(before) and one.endswith(after)]
    names = [one.removeprefix(before).removesuffix(after) for one in own if house.bounces]
    return [f"<{name}@{house.host}>" for name in names]


def find_letters(
    books: Books, secret: bytes, message_ids: Iterable[str]
) -> tuple[OutgoingLetter, ...]:
    """Find our letters with these Message-IDs and good tokens, the latest named first.

    Only so many are looked up: anybody can write any number of them.
    """
    # a letter is named twice where its Message-ID came through: the token is the same
    matches = {match.groups(): match for one in message_ids if (match := _ID.fullmatch(one))}
    letters = (_find(books, secret, match) for match in reversed([*matches.values()][-_MOST:]))
    return tuple(one for one in letters if one)


def _find(books: Books, secret: bytes, match: re.Match[str]) -> OutgoingLetter | None:
    step, number = int(match["step"]), int(match["number"])
    # a game may have the name that letters without a game use: the token tells them apart
    for game in (NO_GAME, SERVER) if match["game"] == SERVER else (match["game"],):
        letter = books.letter(game, step, match["seat"], match["kind"], number)
        token = make_token(secret, books.epoch(game), letter) if letter else ""
        if letter and hmac.compare_digest(match["token"].encode(), token.encode()):
            return letter
    return None
