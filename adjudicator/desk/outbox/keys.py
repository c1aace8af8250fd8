"""Keys: the proof of who writes, shown to the seat in each of its letters and never archived.

A key is good once a letter that shows it is written: its digest stands in the books from then on,
and whoever sends a key is found by one look, whatever else the letter names or leaves out.
"""

import hmac
from typing import Any

from adjudicator.core.document import Document, decode, encode
from adjudicator.desk.model.people import GM, NOBODY
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.seats import PLAYER, current_seatings
from adjudicator.desk.model.values import IssuedKey, OutgoingLetter

JOIN = "join"
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without 0 o 1 i l, which people confuse


KEY_SHAPE = rf"[{_LETTERS}]{{4}}[-\u2010-\u2015\u2212][{_LETTERS}]{{4}}"
"""What a key looks like, also where a mail program has changed its hyphen."""


def make_key(secret: bytes, *, game: str, seat: str, seating: int, step: str, epoch: int) -> str:
    """Make the key of a seat's present holder for a step, like 7f3k-q2mx.

    Those of the first epoch are made without its number, as they were before there were epochs.
    """
    later = [epoch] if epoch > 1 else []
    block = hmac.digest(secret, encode(["key", game, seat, seating, step, *later]), "sha256")
    number = int.from_bytes(block, "big")
    signs = []
    for _ in range(8):
        number, digit = divmod(number, len(_LETTERS))
        signs.append(_LETTERS[digit])
    return "".join(signs[:4]) + "-" + "".join(signs[4:])


def key_matches(
    key: str, secret: bytes, *, game: str, seat: str, seating: int, step: str, epoch: int
) -> bool:
    """Whether the given key is the seat's, compared in constant time."""
    expected = make_key(secret, game=game, seat=seat, seating=seating, step=step, epoch=epoch)
    return hmac.compare_digest(key.strip().encode(), expected.encode())


def save_key(books: Books, secret: bytes, *, game: str, seat: str, seating: int, step: str) -> str:
    """Issue the key of a seat for a step: from now on it is good."""
    epoch = books.epoch(game)
    key = make_key(secret, game=game, seat=seat, seating=seating, step=step, epoch=epoch)
    digest = _digest_key(secret, key)
    books.save(IssuedKey(digest=digest, game=game, seat=seat, seating=seating, step=step))
    return key


def find_key(books: Books, secret: bytes, word: str) -> IssuedKey | None:
    """Find what a key was issued for; None if it never was, or the seat has changed hands."""
    key = books.issued_key(_digest_key(secret, word))
    if key is None:
        return None
    scope: dict[str, Any] = {
        "game": key.game,
        "seat": key.seat,
        "seating": key.seating,
        "step": key.step,
    }
    if not key_matches(word, secret, **scope, epoch=books.epoch(key.game)):
        return None
    if key.seat == GM or key.step == JOIN:
        return key
    seating = current_seatings(books, key.game).get(key.seat)
    is_present = seating is not None and (seating.kind, seating.number) == (PLAYER, key.seating)
    return key if is_present else None


def was_issued(books: Books, secret: bytes, word: str) -> bool:
    """Whether a word is or was anybody's key."""
    key = f"{word[:4]}-{word[-4:]}".lower()
    return books.issued_key(_digest_key(secret, key)) is not None


def name_joining_seat(address: str) -> str:
    """Return what stands for the seat in the key of an address that wants to join."""
    return f"{JOIN} {address}"


def _digest_key(secret: bytes, key: str) -> str:
    return hmac.digest(secret, encode(["issued", key.strip()]), "sha256").hex()


def fill_key(books: Books, letter: OutgoingLetter, secret: bytes) -> dict[str, Any]:
    """Put the key into the form of the letter's document; only its reader ever sees it."""
    document: dict[str, Any] = decode(letter.document)
    envelope = _find_envelope(document)
    if "key" not in envelope:
        return document
    scope = _scope_of(letter, envelope)
    proof = make_key(secret, **scope, epoch=books.epoch(scope["game"])) if scope else None
    form = {**document["form"], "envelope": {**envelope, "key": proof}}
    return {**document, "form": form}


def issue_key(books: Books, letter: OutgoingLetter, secret: bytes) -> None:
    """Issue the key in the form of a letter that is written now, if there is one."""
    envelope = _find_envelope(decode(letter.document))
    scope = _scope_of(letter, envelope) if "key" in envelope else None
    if scope:
        save_key(books, secret, **scope)


def _find_envelope(document: Document) -> Document:
    form = document.get("form")
    return (form and form.get("envelope")) or {}


def _scope_of(letter: OutgoingLetter, envelope: Document) -> dict[str, Any] | None:
    """Find whose key a form holds: the reader's, or for a request to join, the address's."""
    if JOIN not in envelope:
        step = str(envelope["step"])
        facts = {"game": letter.game, "seat": letter.seat, "seating": letter.seating, "step": step}
        return facts if letter.game else None
    if letter.seat != NOBODY or not letter.to or len(letter.to) != 1:
        return None
    seat = name_joining_seat(letter.to[0])
    return {"game": str(envelope[JOIN]), "seat": seat, "seating": 0, "step": JOIN}


def issue_known_keys(books: Books, secret: bytes) -> None:
    """Issue the keys of all steps without any, since mailed letters show them."""
    if books.knows_keys():
        return
    for game in books.games():
        setups = ("0-setup", f"{game.next_number}-setup")
        for step in dict.fromkeys((*books.step_names(game.id), *setups)):
            _issue_seat_keys(books, secret, game.id, step)
            save_key(books, secret, game=game.id, seat=GM, seating=0, step=step)
        joining = [one.address for one in books.signups(game.id)]
        for address in (*joining, *(one.address for one in books.observers(game.id))):
            seat = name_joining_seat(address)
            save_key(books, secret, game=game.id, seat=seat, seating=0, step=JOIN)


def issue_open_keys(books: Books, secret: bytes) -> None:
    """Issue the keys of every open step that letters from a lost time may have shown."""
    for game in books.games():
        if game.open_step is not None:
            step = books.step(game.id, game.open_step).name
            _issue_seat_keys(books, secret, game.id, step)


def _issue_seat_keys(books: Books, secret: bytes, game: str, step: str) -> None:
    """Issue the keys of all present players for a step."""
    for seat, one in current_seatings(books, game).items():
        if one.kind == PLAYER:
            save_key(books, secret, game=game, seat=seat, seating=one.number, step=step)
