"""Join a game by letter: asked from an address, confirmed by replying to the answer to it.

Whoever asks gets the announcement with the seed's digest and a key of their own; only a letter with
that key takes a seat, so that nobody can sign up a stranger. One person never holds two seats.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.names import match
from adjudicator.desk.model.context import STARTED, Context, RequestOutcome, current_step, reject
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.lineage import describe_end
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import IDLE, PLAYER, begin_seating, seat_player
from adjudicator.desk.model.settings import NEXT
from adjudicator.desk.model.values import (
    ASKED,
    GONE,
    SEATED,
    WAITING,
    OutgoingLetter,
    Player,
    Signup,
    Status,
)
from adjudicator.desk.outbox.announcement import (
    YOUR_NAME,
    YOUR_WORDS,
    count_free_seats,
    free_seats,
    game_parts,
    join_form,
)
from adjudicator.desk.outbox.form import answer_part, outcome_parts
from adjudicator.desk.outbox.notices import send_answer, tell_gm
from adjudicator.desk.outbox.queue import REPORT, queue_notice, queue_notices
from adjudicator.desk.outbox.reader_preferences import read_preferences, with_preferences
from adjudicator.desk.requests.applicants import (
    choose_name,
    explain_refusal,
    tidy_text,
)
from adjudicator.desk.requests.envelope import BLACKED_OUT, GIVEN_AWAY
from adjudicator.desk.requests.observers import add_observer, remove_observer
from adjudicator.desk.steps.handover import replace_player
from adjudicator.desk.steps.lock import lock_context
from adjudicator.desk.steps.start import start_game


class JoinRequest(Struct, frozen=True, kw_only=True):
    """What somebody at an address wrote besides `join:`, as it was read."""

    address: str
    name: str | None = None
    luck: str | None = None
    prefer: Any = None
    observe: bool | None = None
    leave: bool = False
    """`resign: true` before the game begins."""
    answers: bool = False
    """Whether it answers a letter about joining to this address: nobody else chose the name."""


def handle_join(
    books: Books,
    library: Library,
    game: str,
    request: JoinRequest,
    *,
    confirmed: bool,
    at: datetime,
) -> RequestOutcome:
    """Handle a request to join; the one answer goes to its address."""
    context = lock_context(books, library, game, at=at, status=tuple(Status))
    request = replace(request, address=request.address.strip().lower())
    outcome = _grant_request(context, request) if confirmed else _answer_request(context, request)
    if outcome.letter is not None:
        return outcome + RequestOutcome(letter=_answer_in(context, request, outcome))
    return outcome + RequestOutcome(letter=_answer(context, request, outcome, confirmed=confirmed))


# asked, not confirmed: nothing is given to an address whose owner has not answered, and no words
# of whoever wrote are sent there

_NOT_READ = (
    "Some of your preferences cannot be read and were left out; send them again once you have "
    "joined."
)


_NOT_YET = "You have NOT joined yet{}. Reply `yes` to this letter, or send it back as it is, to {}."
_YOU_ARE = "You are {}. To be called something else, reply `join as NAME`."
_AS_WRITTEN = "You get the name that you wrote; `join as NAME` changes it."


def _answer_request(context: Context, request: JoinRequest) -> RequestOutcome:
    if context.game.status is Status.OVER and request.observe is None:
        return reject(_explain_over(context))
    if request.leave or request.observe is not None:
        return RequestOutcome(
            done=(f"Reply to this letter as it is, and {_describe_request(context, request)}.",)
        )
    why = explain_refusal(context, request.address, request.name)
    if why is not None:
        return reject(why)
    before = _find_signup(context, request.address)
    if before is not None and before.status in (SEATED, WAITING):
        return reject(
            "This address has joined already. To change your luck words or your preferences, "
            "reply to this letter, with its key."
        )
    signup, wrong = _sign_up(context, request, before)
    context.books.save(signup)
    is_full = context.game.status is not Status.OPEN or not free_seats(context)
    words = (", and no seat is free", "wait for one") if is_full else ("", "join")
    who = _YOU_ARE.format(signup.name) if request.answers else _AS_WRITTEN if request.name else ""
    sentence = f"{_NOT_YET.format(*words)} {who}".strip()
    return RequestOutcome(done=(sentence,), not_taken=(_NOT_READ,) if wrong else ())


def _explain_over(context: Context) -> str:
    ending = describe_end(context.books, context.id)
    return f"{context.id} {ending}, so nobody can join it any more."


def _describe_request(context: Context, request: JoinRequest) -> str:
    if request.leave:
        return f"you have left {context.id}"
    return f"you {'observe' if request.observe else 'no longer observe'} {context.id}"


def _sign_up(
    context: Context, request: JoinRequest, before: Signup | None
) -> tuple[Signup, tuple[str, ...]]:
    """Record who wants to join; new choices replace those written earlier."""
    prefer, wrong = (
        read_preferences(context, request.prefer) if request.prefer is not None else ({}, ())
    )
    if "seats" in prefer:
        seats = [match(str(seat), context.game.seats) for seat in prefer["seats"]]
        prefer["seats"] = [seat for seat in seats if seat]
        if not prefer["seats"]:
            del prefer["seats"]  # none of them is a seat here; `wrong` says so
    name = request.name or (before.name if before else None)
    signup = Signup(
        game=context.id,
        address=request.address,
        name=choose_name(context, request.address, name),
        luck="",
        prefer={},
        status=ASKED,
        asked=context.at,
    )
    if before is not None:
        signup = replace(signup, luck=before.luck, prefer=before.prefer, asked=before.asked)
    luck = tidy_text(request.luck or "")
    luck = signup.luck if luck in ("", YOUR_WORDS) else luck
    return replace(signup, luck=luck, prefer={**signup.prefer, **prefer}), wrong


def _find_signup(context: Context, address: str) -> Signup | None:
    return next((one for one in context.books.signups(context.id) if one.address == address), None)


# confirmed: the letter came with the key that went to this address alone


def _grant_request(context: Context, request: JoinRequest) -> RequestOutcome:
    if request.observe is not None:
        if request.observe:
            line = add_observer(context, request.address, request.name and tidy_text(request.name))
        else:
            line = remove_observer(context, request.address)
        return RequestOutcome(done=(line,))
    if context.game.status is Status.OVER:
        return reject(_explain_over(context))
    before = _find_signup(context, request.address)
    if request.leave:
        return _leave(context, before)
    seat = context.seat_of(request.address)
    if before is not None and before.status == SEATED and seat is not None:
        return _change_choices(context, before, request, seat)
    name = request.name or (before.name if before else None)
    why = explain_refusal(context, request.address, name)
    if why is not None:
        return reject(why)
    signup, wrong = _sign_up(context, request, before)
    confirmed = (before.confirmed if before else None) or context.at
    outcome = _give_place(context, replace(signup, status=WAITING, confirmed=confirmed))
    return outcome + RequestOutcome(not_taken=wrong)


def _give_place(context: Context, signup: Signup) -> RequestOutcome:
    """Give somebody a seat, or a place on the waiting list."""
    books, game = context.books, context.id
    _keep_player(context, signup)
    free = free_seats(context) if context.game.status is Status.OPEN else ()
    if free:
        seat = next((one for one in signup.prefer.get("seats", ()) if one in free), free[0])
        return _give_seat(context, signup, seat)
    books.save(signup)
    wants_one = _find_idle_seat(context) if context.game.status in STARTED else None
    if wants_one is not None and context.settings.nmr == "substitute":
        books.save(replace(signup, status=SEATED, seat=wants_one))
        replace_player(context, wants_one, signup.name)
        return RequestOutcome(
            done=(f"You play {wants_one}, which was idle; the next letter has the details.",)
        )
    if signup.name not in context.settings.substitutes:
        _keep_waiting(context, signup.name, waits=True)
        context.note("join", "a player is waiting for a seat", by="stranger")
    sentence = (
        f"All seats of {game} are taken. You are on the waiting list and get a letter when a seat "
        "becomes free."
    )
    return RequestOutcome(done=(sentence,))


def _keep_waiting(context: Context, name: str, *, waits: bool) -> None:
    """Put somebody on the waiting list or take them off, also on that of the next step."""

    def change(names: Sequence[str]) -> list[str]:
        return [*(one for one in names if one != name), *([name] if waits else [])]

    settings = {**context.game.settings, "substitutes": change(context.settings.substitutes)}
    later = settings.get(NEXT, {})
    if "substitutes" in later:
        settings[NEXT] = {**later, "substitutes": change(later["substitutes"] or ())}
    context.now(settings=settings)


def _keep_player(context: Context, signup: Signup) -> None:
    """Save the person behind an address that has confirmed it."""
    old = context.books.player(signup.name)
    player = old or Player(name=signup.name, addresses=(signup.address,))
    if signup.address not in player.addresses:
        player = replace(player, addresses=(*player.addresses, signup.address))
    context.books.save(with_preferences(player, signup.prefer))


def _give_seat(context: Context, signup: Signup, seat: Seat) -> RequestOutcome:
    books, game = context.books, context.id
    seat_player(books, game, seat, signup.name, context.seatings, context.at)
    books.save(replace(signup, status=SEATED, seat=seat))
    context.keep_luck(seat, signup.luck)
    context.note("join", f"{seat} is taken", by="stranger", data={"seat": seat})
    if free_seats(context):
        rest = f"{count_free_seats(context)} You get a letter when it begins."
        return RequestOutcome(done=(f"You have joined {game} and will play {seat}. {rest}",))
    return _begin(context, seat)


def _begin(context: Context, seat: Seat) -> RequestOutcome:
    """Start a full game; if it cannot start, it waits for its GM.

    The first report is the answer to whoever took the last seat.
    """
    game, sentence = context.id, f"You have joined {context.id} and play {seat}."
    try:
        with context.books.part():
            start_game(context)
    except Refused as why:
        lines = [f"All seats of {game} are taken, but it cannot begin: {why}."]
        tell_gm(context, current_step(context), "The game cannot begin", lines)
        context.note("advice", f"it is full but cannot begin: {why}", by="house")
        return RequestOutcome(done=(f"{sentence} All seats are taken; the GM starts the game.",))
    lines = ["All seats are taken, so it has begun.", _first_deadline(context)]
    tell_gm(context, current_step(context), "The game has begun", lines)
    letters = context.books.new_letters.values()
    report = next((one for one in letters if (one.kind, one.seat) == (REPORT, seat)), None)
    line = f"{sentence} All seats are taken, so it begins."
    return RequestOutcome(done=(line,), letter=report)


def _first_deadline(context: Context) -> str:
    step = context.open_step()
    if step.deadline is None:
        return f"{context.label(step)} is open, with no fixed deadline; you close it by hand."
    return f"Due: {context.label(step)}, {format_deadline(step.deadline, context.settings.zone)}."


def _find_idle_seat(context: Context) -> Seat | None:
    seatings = context.seatings
    idle = (seat for seat in context.game.seats if seat in seatings and seatings[seat].kind == IDLE)
    return next(idle, None)


def _change_choices(
    context: Context, before: Signup, request: JoinRequest, seat: Seat
) -> RequestOutcome:
    """Change luck words and preferences, until the game begins."""
    if context.game.status is not Status.OPEN:
        return reject(
            f"{context.id} has begun and you play {seat}; reply to its letters from now on."
        )
    signup, wrong = _sign_up(context, request, before)
    new_signup = replace(before, luck=signup.luck, prefer=signup.prefer)
    context.books.save(new_signup)
    _keep_player(context, new_signup)
    context.keep_luck(seat, new_signup.luck)
    line = f"You have joined {context.id} and will play {seat}; your preferences are kept."
    return RequestOutcome(done=(line,), not_taken=wrong)


def _leave(context: Context, before: Signup | None) -> RequestOutcome:
    """Leave before the game begins, or the waiting list at any time."""
    books, game = context.books, context.id
    if before is None or before.status == GONE:
        return reject(f"You had not joined {game}, so there is nothing to leave.")
    if before.status == SEATED and context.game.status is not Status.OPEN:
        return reject(
            f"{game} has begun: to leave it, reply to one of its letters with `resign: yes`."
        )
    books.save(replace(before, status=GONE, seat=None))
    _keep_waiting(context, before.name, waits=False)
    seatings = context.seatings
    seat = before.seat
    if seat is not None and seat in seatings and seatings[seat].kind == PLAYER:
        begin_seating(books, game, seat, seatings[seat], at=context.at, kind=IDLE)
        context.keep_luck(seat, "")
        context.note("join", f"{seat} is free again", by="stranger")
        lines = [f"{seat} of {game} is free again."]
        queue_notices(context, current_step(context), lines[0][:-1], lines)
    return RequestOutcome(done=(f"You have left {game}.",))


# the answer


def _answer_in(
    context: Context, request: JoinRequest, outcome: RequestOutcome
) -> OutgoingLetter | None:
    """Answer whoever took the last seat in the first report."""
    seat = outcome.letter.seat if outcome.letter else ""
    warned = _warn(_find_signup(context, request.address))
    lines = [*outcome.done, *outcome.not_taken, *warned]
    subject, step = f"You have joined {context.id}", current_step(context)
    return queue_notice(context, step, seat, subject, lines, seating=context.seatings[seat])


def _warn(signup: Signup | None) -> tuple[str, ...]:
    return (GIVEN_AWAY,) if signup and BLACKED_OUT in signup.name + signup.luck else ()


def _answer(
    context: Context, request: JoinRequest, outcome: RequestOutcome, *, confirmed: bool
) -> OutgoingLetter:
    """Write one letter to the address, with everything it should know before it answers."""
    signup = _find_signup(context, request.address)
    parts = outcome_parts(outcome)
    parts += [answer_part(None, [line]) for line in _warn(signup) if confirmed]
    if context.game.status is Status.OPEN:
        parts += game_parts(context, has_joined=confirmed, has_read=request.answers)
    name = signup.name if signup and confirmed else None
    headline = _choose_headline(context, signup, outcome)
    if outcome.done and not confirmed:
        aims = {None: "join", True: "observe", False: "stop observing"}
        aim = "leave" if request.leave else aims[request.observe]
        headline = f"Please confirm that you want to {aim}"
    form = _choose_form(context, request, signup, confirmed=confirmed)
    return send_answer(context, request.address, headline, parts, name=name, form=form)


def _choose_headline(context: Context, signup: Signup | None, outcome: RequestOutcome) -> str:
    game = context.id
    if not outcome.done and signup is None and outcome.not_taken:
        return f"You have NOT joined: {outcome.not_taken[0]}"
    if not outcome.done:
        return f"About joining {game}"
    if signup is None or signup.status in (ASKED, GONE):
        return f"About {game}"
    if signup.status == WAITING:
        return f"You are waiting for a seat in {game}"
    return f"You have joined {game}" + (f" as {signup.seat}" if signup.seat else "")


def _choose_form(
    context: Context, request: JoinRequest, signup: Signup | None, *, confirmed: bool
) -> Document | None:
    """Choose the block to confirm or to change with; none if there is nothing to do."""
    if request.observe is not None:
        return join_form(context, {"observe": request.observe})
    has_begun = context.game.status is not Status.OPEN
    if context.game.status is Status.OVER or (has_begun and signup and signup.status == SEATED):
        return None  # the letters of the game have blocks of their own
    if request.leave and signup is not None and signup.status != GONE:
        return join_form(context, {"resign": True})
    if signup is None or signup.status == GONE:
        return join_form(context, {"name": YOUR_NAME, "luck": YOUR_WORDS})
    if not confirmed and signup.confirmed is None:
        return join_form(context, {})  # the books have what was written
    prefer = {"prefer": dict(signup.prefer)} if signup.prefer else {}
    return join_form(context, {"name": signup.name, "luck": signup.luck or YOUR_WORDS, **prefer})
