"""Keys: the proof of who writes, shown to the seat in each of its letters and never archived."""

import hmac

from adjudicator.core.document import encode

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without 0 o 1 i l, which people confuse


def make_key(secret: bytes, *, game: str, seat: str, seating: int, step: str, epoch: int) -> str:
    """The key of a seat's present holder for a step, like 7f3k-q2mx.

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
    given: str, secret: bytes, *, game: str, seat: str, seating: int, step: str, epoch: int
) -> bool:
    """Whether the given key is the seat's, compared in constant time."""
    wanted = make_key(secret, game=game, seat=seat, seating=seating, step=step, epoch=epoch)
    return hmac.compare_digest(given.strip().encode(), wanted.encode())
