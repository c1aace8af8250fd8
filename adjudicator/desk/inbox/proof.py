"""Find out who wrote a letter: by its key, or by the letter and address it replies from."""

from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from adjudicator.core.document import Seat, decode
from adjudicator.desk.inbox.authentication import dkim_passed
from adjudicator.desk.inbox.letter_task import LetterTask
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Unknown
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.seats import PLAYER, current_seatings
from adjudicator.desk.model.values import Address, Game, OutgoingLetter, Seating
from adjudicator.desk.outbox.keys import JOIN, find_key
from adjudicator.desk.outbox.tokens import find_letters
from adjudicator.desk.requests.envelope import Envelope, OrderBlock


class KeyHolder(Struct, frozen=True, kw_only=True):
    """The seat, or the GM, that a letter is proved to come from."""

    game: Game
    seat: Seat
    """gm for the GM."""
    seating: Seating | None
    step: str
    """The step that the key was made for, or that the letter which is answered is about."""
    after: int | None = None
    """The receipt on file when the letter was written that is answered."""


def find_key_holder(books: Books, secret: bytes, head: Envelope) -> KeyHolder | None:
    """Find the holder of the key in a block; only seatings of the present count."""
    key = find_key(books, secret, head.key) if head.key else None
    if key is None or key.step == JOIN or head.game not in (None, key.game):
        return None
    seating = current_seatings(books, key.game).get(key.seat)
    return KeyHolder(game=books.game(key.game), seat=key.seat, seating=seating, step=key.step)


def own_address(books: Books, seating: Seating | None, sender: str | None) -> Address | None:
    """Find the sender's address among the confirmed ones of the seat's player."""
    addresses = books.addresses(seating.player) if seating and seating.player else ()
    for one in addresses:
        if one.address == sender and one.confirmed:
            return one
    return None


def is_registered(task: LetterTask, seat: Seat, seating: Seating | None) -> bool:
    """Whether the letter claims to come from an address of the seat, or of the GM."""
    sender = task.letter.sender
    if seat == GM:
        return task.house.is_gm(sender)
    return own_address(task.books, seating, sender) is not None


def is_authentic(task: LetterTask, context: Context, *, registered: bool) -> bool:
    """Whether the letter of a key's holder counts; some games also want DKIM."""
    settings, letter = context.settings, task.letter
    if settings.auth != "dkim":
        return True
    sender = letter.sender or ""
    return registered and dkim_passed(letter.authentication, settings.auth_host, sender)


def find_writer(
    task: LetterTask, blocks: Sequence[OrderBlock]
) -> tuple[tuple[OrderBlock, KeyHolder] | None, int]:
    """Find the block that counts, its writer if proven, and the number of wrong keys.

    The first block with a valid key counts; while somebody is guessing, keys count only from
    registered addresses.
    """
    wrong, writer = 0, None
    for one in blocks:
        if not one.envelope.key:
            continue
        holder = find_key_holder(task.books, task.secret, one.envelope)
        if holder is None:
            wrong += not _is_joining(task, one)
        elif is_registered(task, holder.seat, holder.seating) or not task.is_slowed():
            writer = one, holder
            break
    return writer or _find_replier(task, blocks), wrong


def _is_joining(task: LetterTask, block: OrderBlock) -> bool:
    """Whether the key of a block is one that was sent to somebody who wants to join."""
    key = find_key(task.books, task.secret, block.envelope.key or "")
    return key is not None and key.step == JOIN and JOIN in block.envelope.requests


def _find_replier(
    task: LetterTask, blocks: Sequence[OrderBlock]
) -> tuple[OrderBlock, KeyHolder] | None:
    """Find the writer of a reply: from a registered address, a reply needs no key.

    This does not excuse a wrong key, and quoted text is nobody's request: others may have written
    it into the letter.
    """
    letter = task.letter
    if letter.bulk or not letter.sender:
        return None
    for answered in find_letters(task.books, task.secret, letter.references):
        holder = _find_reader(task, answered)
        if holder is None:
            continue
        own = [
            one
            for one in blocks
            if not one.envelope.key
            and one.origin != "quoted"
            and JOIN not in one.envelope.requests
            and one.envelope.game in (None, holder.game.id)
        ]
        if own or all(one.origin == "quoted" for one in blocks):
            return (own[0] if own else OrderBlock()), holder
    return None


def _find_reader(task: LetterTask, answered: OutgoingLetter) -> KeyHolder | None:
    """Find who got the letter, if it is still theirs and the reply comes from their address."""
    if not answered.game:
        return None
    books, seat, seating = task.books, answered.seat, None
    if seat != GM:
        seating = current_seatings(books, answered.game).get(seat)
        if seating is None or (seating.kind, seating.number) != (PLAYER, answered.seating):
            return None
    if not is_registered(task, seat, seating):
        return None
    form = decode(answered.document).get("form")
    head = form["envelope"] if form else {}
    return KeyHolder(
        game=books.game(answered.game),
        seat=seat,
        seating=seating,
        step=str(head.get("step", "")) if form else _step_of(books, answered),
        after=head.get("after"),
    )


def _step_of(books: Books, answered: OutgoingLetter) -> str:
    """Find the step that a letter without a form is about."""
    with suppress(Unknown):
        return books.step(answered.game, answered.step).name
    return ""
