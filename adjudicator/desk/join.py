"""Join a game by letter: asked from an address, confirmed by replying to the answer to it.

Whoever asks gets the announcement with the seed's digest and a key of their own; only a letter with
that key takes a seat, so that nobody can sign up a stranger. One person never holds two seats.
"""

from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.core.document import Document, Seat
from adjudicator.core.names import match
from adjudicator.desk.announce import (
    YOUR_NAME,
    YOUR_WORDS,
    about,
    expiry,
    free_seats,
    how_free,
    join_form,
)
from adjudicator.desk.answers import answer, part
from adjudicator.desk.applicant import name_of, refusal, seat_of, tidy
from adjudicator.desk.case import STARTED, Case, look, take
from adjudicator.desk.deadlines import words
from adjudicator.desk.ended import how_over
from adjudicator.desk.errors import Refused
from adjudicator.desk.letters import ANSWER, notices, to_address
from adjudicator.desk.log import log
from adjudicator.desk.observe import observe, unobserve
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.prefer import preferring, read
from adjudicator.desk.replace import replace as give
from adjudicator.desk.seating import IDLE, PLAYER, current, hand_over, seat_player
from adjudicator.desk.stage import stage
from adjudicator.desk.start import start
from adjudicator.desk.tellgm import tell_gm
from adjudicator.desk.values import (
    ASKED,
    GONE,
    SEATED,
    WAITING,
    Game,
    Player,
    Signup,
    Status,
)
from adjudicator.desk.wish import Told, refused


class Wanted(Struct, frozen=True, kw_only=True):
    """What somebody at an address wrote beside `join:`; values as they were read."""

    address: str
    name: str | None = None
    luck: str | None = None
    prefer: Any = None
    observe: bool | None = None
    leave: bool = False
    """`resign: true` before the game begins."""


def join(
    books: Books, library: Library, game: str, wanted: Wanted, *, confirmed: bool, at: datetime
) -> Told:
    """Take a letter of somebody who wants to join; the one answer goes to its address."""
    case = take(books, library, game, at=at, status=tuple(Status))
    wanted = msgspec.structs.replace(wanted, address=wanted.address.strip().lower())
    told = _taken(case, library, wanted, at) if confirmed else _asked(case, wanted, at)
    case = look(books, library, game)
    _answer(case, wanted, told, confirmed=confirmed, at=at)
    return told


def open_games(books: Books, library: Library) -> tuple[str, ...]:
    """A line for each game that can be joined, for letters about no game."""
    cases = (look(books, library, one.id) for one in books.games() if one.status is Status.OPEN)
    return tuple(
        f"{case.game.id}: {case.kind.title}, {len(free_seats(case))} of {len(case.game.seats)} "
        f"seats free; write `join: {case.game.id}`"
        for case in cases
    )


def expire(books: Books, library: Library, game: str, *, at: datetime) -> bool:
    """Give up an open game that has not begun in time; everybody in it is told."""
    case = look(books, library, game)
    if case.game.status is not Status.OPEN or at < expiry(case):
        return False
    case = take(books, library, game, at=at, status=(Status.OPEN,)).now(status=Status.OVER)
    log(books, game, "expire", "given up: it has not begun in time", at=at, by="clock")
    subject = "The game is given up"
    lines = [f"{game} had not enough players in time, so it is given up. Thank you for waiting."]
    seatings = current(books, game)
    notices(case, stage(case), subject, lines, seatings=seatings, at=at)
    tell_gm(case, stage(case), subject, lines[:1], at=at)
    for one in books.signups(game):
        if one.status == WAITING:
            document = answer(case, None, one.name, subject, [part(None, lines)], None)
            to_address(case, one.address, ANSWER, document, at=at, template="answer/1")
    return True


# asked, not confirmed: nothing is given to an address whose owner has not answered


def _asked(case: Case, wanted: Wanted, at: datetime) -> Told:
    if case.game.status is Status.OVER and wanted.observe is None:
        return refused(_over(case))
    if wanted.leave or wanted.observe is not None:
        return Told(done=(f"Reply to this letter, as it is, and {_wish(case, wanted)}.",))
    why = refusal(case, wanted.address, wanted.name)
    if why is not None:
        return refused(why)
    before = _signup(case, wanted.address)
    if before is not None and before.status in (SEATED, WAITING):
        return refused(
            "This address has joined already. To change your luck words or your preferences, "
            "reply to this letter, with its key."
        )
    wishes, wrong = _wishes(case, wanted, before)
    made = Signup(
        game=case.game.id,
        address=wanted.address,
        name=name_of(case, wanted.address, wanted.name),
        luck=wishes["luck"],
        prefer=wishes["prefer"],
        status=ASKED,
        asked=before.asked if before else at,
    )
    case.books.save_signup(made)
    done = "You have NOT joined yet: reply to this letter, as it is, and you have."
    if case.game.status is not Status.OPEN or not free_seats(case):
        done = (
            "You have NOT joined yet, and no seat is free: reply to this letter, as it is, and "
            "you wait for one."
        )
    return Told(done=(done,), not_taken=wrong)


def _over(case: Case) -> str:
    return f"{case.game.id} {how_over(case.books, case.game.id)}, so nobody can join it any more."


def _wish(case: Case, wanted: Wanted) -> str:
    if wanted.leave:
        return f"you have left {case.game.id}"
    return f"you observe {case.game.id}" + ("" if wanted.observe else " no more")


def _wishes(
    case: Case, wanted: Wanted, before: Signup | None
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Luck words and preferences, new ones before those that were written earlier."""
    prefer, wrong = read(case, wanted.prefer) if wanted.prefer is not None else ({}, ())
    if "seats" in prefer:
        named = [match(str(seat), case.game.seats) for seat in prefer["seats"]]
        prefer["seats"] = [seat for seat in named if seat]
        if not prefer["seats"]:
            del prefer["seats"]  # none of them is a seat here, which `wrong` says
    luck = tidy(wanted.luck or "")
    luck = "" if luck == YOUR_WORDS else luck
    return {
        "luck": luck or (before.luck if before else ""),
        "prefer": {**(before.prefer if before else {}), **prefer},
    }, wrong


def _signup(case: Case, address: str) -> Signup | None:
    return next((one for one in case.books.signups(case.game.id) if one.address == address), None)


# confirmed: the letter came with the key that went to this address alone


def _taken(case: Case, library: Library, wanted: Wanted, at: datetime) -> Told:
    if wanted.observe is not None:
        if wanted.observe:
            said = observe(case, wanted.address, wanted.name and tidy(wanted.name), at=at)
        else:
            said = unobserve(case, wanted.address, at=at)
        return Told(done=(said,))
    if case.game.status is Status.OVER:
        return refused(_over(case))
    before = _signup(case, wanted.address)
    if wanted.leave:
        return _left(case, before, at)
    seat = seat_of(case, wanted.address)
    if before is not None and before.status == SEATED and seat is not None:
        return _changed(case, before, wanted, seat)
    name = wanted.name or (before.name if before else None)
    why = refusal(case, wanted.address, name)
    if why is not None:
        return refused(why)
    wishes, wrong = _wishes(case, wanted, before)
    made = Signup(
        game=case.game.id,
        address=wanted.address,
        name=name_of(case, wanted.address, name),
        luck=wishes["luck"],
        prefer=wishes["prefer"],
        status=WAITING,
        asked=before.asked if before else at,
        confirmed=(before.confirmed if before else None) or at,
    )
    return _placed(case, library, made, at) + Told(not_taken=wrong)


def _placed(case: Case, library: Library, signup: Signup, at: datetime) -> Told:
    """Give somebody a seat, or a place on the waiting list."""
    books, game = case.books, case.game.id
    _know(case, signup)
    free = free_seats(case) if case.game.status is Status.OPEN else ()
    if free:
        seat = next((one for one in signup.prefer.get("seats", ()) if one in free), free[0])
        return _seated(case, library, signup, seat, at)
    books.save_signup(signup)
    wants_one = _idle(case) if case.game.status in STARTED else None
    if wants_one is not None and case.settings.nmr == "substitute":
        books.save_signup(msgspec.structs.replace(signup, status=SEATED, seat=wants_one))
        give(books, library, game, wants_one, signup.name, at=at)
        return Told(done=(f"You play {wants_one}, which stood idle; the next letter tells more.",))
    if signup.name not in case.settings.substitutes:
        waiting = [*case.settings.substitutes, signup.name]
        case.now(settings={**case.game.settings, "substitutes": waiting})
        log(books, game, "join", "somebody waits for a seat", at=at, by="stranger")
    done = (
        f"All seats of {game} are taken. You are on the waiting list and get a letter when a seat "
        "falls to you."
    )
    return Told(done=(done,))


def _know(case: Case, signup: Signup) -> None:
    """The person behind an address that has confirmed it."""
    known = case.books.player(signup.name)
    player = known or Player(name=signup.name, addresses=(signup.address,))
    if signup.address not in player.addresses:
        player = msgspec.structs.replace(player, addresses=(*player.addresses, signup.address))
    case.books.save_player(preferring(player, signup.prefer))


def _seated(case: Case, library: Library, signup: Signup, seat: Seat, at: datetime) -> Told:
    books, game = case.books, case.game.id
    seat_player(books, game, seat, signup.name, current(books, game), at)
    books.save_signup(msgspec.structs.replace(signup, status=SEATED, seat=seat))
    case = case.now(luck=_luck(case.game, seat, signup.luck))
    log(books, game, "join", f"{seat} is taken", at=at, by="stranger", data={"seat": seat})
    free = len(free_seats(case))
    hidden = case.settings.anonymous
    lines = [
        f"{seat} of {game} is taken." if hidden else f"{signup.name} plays {seat} in {game}.",
        how_free(case) if free else "Now all seats are taken.",
    ]
    seatings = current(books, game)
    subject = f"{seat} is taken"
    notices(case, stage(case), subject, lines, seatings=seatings, at=at, without=(seat,))
    if free:
        rest = f"{lines[1]} You get a letter when it begins."
        return Told(done=(f"You have joined {game} and will play {seat}. {rest}",))
    rest = _begun(case, library, at)
    return Told(done=(f"You have joined {game} and play {seat}. {rest}",))


def _begun(case: Case, library: Library, at: datetime) -> str:
    """Start the game that is full; if that cannot be, it waits for its GM."""
    game = case.game.id
    try:
        with case.books.part():
            start(case.books, library, game, at=at)
    except Refused as why:
        lines = [f"All seats of {game} are taken, but it cannot begin: {why}."]
        tell_gm(case, stage(case), "The game cannot begin", lines, at=at)
        log(case.books, game, "advice", f"it is full but cannot begin: {why}", at=at, by="house")
        return "All seats are taken; the GM starts the game."
    case = look(case.books, library, game)
    lines = ["All seats are taken, so it has begun.", _first_deadline(case)]
    tell_gm(case, stage(case), "The game has begun", lines, at=at)
    return "All seats are taken, so it begins; your first report is under way."


def _first_deadline(case: Case) -> str:
    step = case.open_step()
    if step.deadline is None:
        return f"{step.name} is open, without a deadline: it waits for you to close it."
    return f"{step.name} is due {words(step.deadline, case.settings.zone)}."


def _luck(game: Game, seat: Seat, words: str) -> tuple[tuple[Seat, str], ...]:
    """The luck words in seat order, with those of one seat changed."""
    luck = {**dict(game.luck), seat: words}
    return tuple((one, luck[one]) for one in game.seats if luck.get(one))


def _idle(case: Case) -> Seat | None:
    seatings = current(case.books, case.game.id)
    idle = (seat for seat in case.game.seats if seat in seatings and seatings[seat].kind == IDLE)
    return next(idle, None)


def _changed(case: Case, before: Signup, wanted: Wanted, seat: Seat) -> Told:
    """Luck words and preferences can be changed until the game begins."""
    if case.game.status is not Status.OPEN:
        return refused(
            f"{case.game.id} has begun and you play {seat}; reply to its letters from now on."
        )
    wishes, wrong = _wishes(case, wanted, before)
    changed = msgspec.structs.replace(before, luck=wishes["luck"], prefer=wishes["prefer"])
    case.books.save_signup(changed)
    _know(case, changed)
    case.now(luck=_luck(case.game, seat, changed.luck))
    return Told(
        done=(f"You have joined {case.game.id} and will play {seat}; your wishes are kept.",),
        not_taken=wrong,
    )


def _left(case: Case, before: Signup | None, at: datetime) -> Told:
    """Leave before the game begins, or the waiting list at any time."""
    books, game = case.books, case.game.id
    if before is None or before.status == GONE:
        return refused(f"You had not joined {game}, so there is nothing to leave.")
    if before.status == SEATED and case.game.status is not Status.OPEN:
        return refused(
            f"{game} has begun: to leave it, reply to one of its letters with `resign: yes`."
        )
    books.save_signup(msgspec.structs.replace(before, status=GONE, seat=None))
    waiting = [name for name in case.settings.substitutes if name != before.name]
    case = case.now(settings={**case.game.settings, "substitutes": waiting})
    seatings = current(books, game)
    seat = before.seat
    if seat is not None and seat in seatings and seatings[seat].kind == PLAYER:
        hand_over(books, game, seat, seatings[seat], at=at, kind=IDLE)
        case.now(luck=_luck(case.game, seat, ""))
        log(books, game, "join", f"{seat} is free again", at=at, by="stranger")
        lines = [f"{seat} of {game} is free again."]
        after = current(books, game)
        notices(case, stage(case), lines[0][:-1], lines, seatings=after, at=at)
    return Told(done=(f"You have left {game}.",))


# the answer


def _answer(case: Case, wanted: Wanted, told: Told, *, confirmed: bool, at: datetime) -> None:
    """One letter to the address, with everything it should know before it answers."""
    signup = _signup(case, wanted.address)
    parts: list[Document] = []
    if told.done:
        parts.append(part(None, told.done))
    if told.not_taken:
        parts.append(part("NOT TAKEN", told.not_taken))
    if case.game.status is Status.OPEN:
        parts += about(case)
    name = signup.name if signup and confirmed else None
    document = answer(
        case, None, name, _headline(case, signup, told), parts, _form(case, wanted, signup)
    )
    to_address(case, wanted.address, ANSWER, document, at=at, template="answer/1")


def _headline(case: Case, signup: Signup | None, told: Told) -> str:
    game = case.game.id
    if not told.done:
        return f"About joining {game}"
    if signup is None or signup.status in (ASKED, GONE):
        return f"Please confirm: {game}" if "reply" in told.done[0].lower() else f"About {game}"
    if signup.status == WAITING:
        return f"You wait for a seat in {game}"
    return f"You have joined {game}" + (f" as {signup.seat}" if signup.seat else "")


def _form(case: Case, wanted: Wanted, signup: Signup | None) -> Document | None:
    """The block to confirm or to change with; none where there is nothing to be done."""
    if wanted.observe is not None:
        return join_form(case, {"observe": wanted.observe})
    begun = case.game.status is not Status.OPEN
    if case.game.status is Status.OVER or (begun and signup and signup.status == SEATED):
        return None  # the letters of the game have blocks of their own
    wishes: dict[str, Any] = {}
    if wanted.leave and signup is not None and signup.status != GONE:
        return join_form(case, {"resign": True})
    if signup is None or signup.status == GONE:
        return join_form(case, {"name": YOUR_NAME, "luck": YOUR_WORDS})
    wishes["name"] = signup.name
    wishes["luck"] = signup.luck or YOUR_WORDS
    if signup.prefer:
        wishes["prefer"] = dict(signup.prefer)
    return join_form(case, wishes)
