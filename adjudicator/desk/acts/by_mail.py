"""The GM's acts, called with the words of a letter; each says what came of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace as changed

from adjudicator.core.document import Document, Seat
from adjudicator.core.forms.reading import Text
from adjudicator.core.names import match_exactly, suggest
from adjudicator.desk.acts.announce import announce_game, withdraw_game
from adjudicator.desk.acts.calendar import extend_deadline as extend_step
from adjudicator.desk.acts.calendar import resume_game
from adjudicator.desk.acts.edit import apply_patch, open_position
from adjudicator.desk.acts.edit import edit_position as rule
from adjudicator.desk.acts.end import end_game
from adjudicator.desk.acts.notes import accept_rules
from adjudicator.desk.acts.notes import add_note as write_note
from adjudicator.desk.acts.pause import pause_game
from adjudicator.desk.acts.remind import remind_late, withdraw_reminder
from adjudicator.desk.acts.rollback import roll_back as go_back
from adjudicator.desk.acts.seats import change_address
from adjudicator.desk.acts.seats import seat_bot as engage
from adjudicator.desk.acts.start import undo_start
from adjudicator.desk.model import deadlines
from adjudicator.desk.model.context import Context, read_context
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import current_seatings, seat_holders
from adjudicator.desk.model.values import Game, OutgoingLetter, Status, Step
from adjudicator.desk.orders.submit import submit as take_orders
from adjudicator.desk.outbox.queue import is_out
from adjudicator.desk.requests.replacing import replace_player as give
from adjudicator.desk.steps.advance import StepClosing
from adjudicator.desk.steps.close import close_step, missing_seats
from adjudicator.desk.steps.leave import resign_seat as free
from adjudicator.desk.steps.start import start_game


class Order(Struct, frozen=True):
    """One wish of the GM's: in which game, and the words behind its name."""

    books: Books
    library: Library
    game: str
    words: tuple[str, ...]
    content: Any
    """What stands behind `edit:` and `submit:`."""
    at: datetime

    def context(self) -> Context:
        """The game, to look at."""
        return read_context(self.books, self.library, self.game)

    def word(self, number: int, what: str) -> str:
        """A word that must be there."""
        if number >= len(self.words):
            raise Refused(f"{what} is missing")
        return self.words[number]

    def no_more(self, number: int) -> None:
        """Refuses what stands behind the words that the act takes."""
        if len(self.words) > number:
            raise Refused(f'"{self.words[number]}" was not expected here')

    def back(self, number: int) -> bool:
        """Whether the words from here on only say that the act is to be taken back."""
        return [word.lower().lstrip("-") for word in self.words[number:]] == ["back"]

    def seat(self, number: int = 0) -> Seat:
        """A seat that must be named in full: who is given a seat by mistake has read its hand."""
        said, seats = self.word(number, "the seat"), self.context().game.seats
        found = match_exactly(said, seats)
        if found is None:
            meant = suggest(said, seats)
            hint = f'did you mean "{meant}"?' if meant else f"the seats are {', '.join(seats)}"
            raise Unknown(f'there is no seat "{said}"; {hint}')
        return found


def start(order: Order) -> Sequence[str]:
    """start, or start back"""
    back = order.back(0)
    order.no_more(1 if back else 0)
    do = undo_start if back else start_game
    closing = do(order.books, order.library, order.game, at=order.at)
    return _closing(order, closing)


def announce(order: Order) -> Sequence[str]:
    """announce ada@example.org bo@example.net, or announce back"""
    if order.back(0):
        withdraw_game(order.books, order.library, order.game, at=order.at)
        return ["The game is withdrawn: nobody can join it. To announce it again opens it again."]
    made = announce_game(order.books, order.library, order.game, order.words, at=order.at)
    return [f"The announcement goes to {len(made)}."]


def address(order: Order) -> Sequence[str]:
    """address blue bob@example.org"""
    seat = order.seat()
    before = _addresses(order, seat)
    player = change_address(
        order.books, order.library, order.game, seat, order.words[1:], at=order.at
    )
    was = f" Until now they went to {', '.join(before)}." if before else ""
    return [f"Letters for {seat} go to {', '.join(player.addresses)} now.{was}"]


def _addresses(order: Order, seat: Seat) -> Sequence[str]:
    """What a GM needs to know who takes the change back."""
    name = seat_holders(current_seatings(order.books, order.game)).get(seat)
    player = order.books.player(name) if name else None
    return player.addresses if player else ()


def replace(order: Order) -> Sequence[str]:
    """replace blue bob@example.org, with a name behind it if it is not to be Bob; or a name"""
    seat = order.seat()
    order.word(1, "the new player's address or name")
    player = " ".join(order.words[1:])
    seating = give(order.books, order.library, order.game, seat, player, at=order.at)
    return [f"{seating.player} plays {seat} now."]


def bot(order: Order) -> Sequence[str]:
    """bot blue"""
    order.no_more(1)
    seat = order.seat()
    engage(order.books, order.library, order.game, seat, at=order.at)
    return [f"A bot plays {seat} now."]


def resign(order: Order) -> Sequence[str]:
    """resign blue"""
    order.no_more(1)
    seat = order.seat()
    after = free(order.books, order.library, order.game, seat, by="gm", at=order.at)
    plays = {"bot": "A bot plays", "idle": "Nobody plays"}.get(after.kind, f"{after.player} plays")
    return [f"{plays} {seat} now."]


def submit(order: Order) -> Sequence[str]:
    """{submit: {blue: {the order form}}}"""
    if not isinstance(order.content, Mapping) or len(order.content) != 1:
        raise Refused("name one seat and its orders, as in {submit: {blue: {build: 2}}}")
    said, orders = next(iter(order.content.items()))
    seat = changed(order, words=(str(said),)).seat()
    receipt = take_orders(
        order.books,
        order.library,
        order.game,
        seat,
        Text(value=orders),
        by="gm",
        at=order.at,
    )
    faults = [fault["message"] for fault in receipt["faults"]]
    faults += [fault["message"] for entry in receipt["entries"] for fault in entry["faults"]]
    if receipt["outcome"] in ("refused", "unreadable"):
        raise Refused("; ".join(faults) or receipt["headline"])
    return [f"{seat}: receipt {receipt['number']}, {receipt['outcome']}.", *faults]


def close(order: Order) -> Sequence[str]:
    """close, or close now"""
    order.no_more(1)
    now = [word for word in order.words if word.lower() == "now"]
    if order.words and not now:
        raise Refused(f'write `close` or `close now`, not "close {order.words[0]}"')
    try:
        closing = close_step(
            order.books, order.library, order.game, at=order.at, now=bool(now), by="gm"
        )
    except Refused as why:
        raise Refused(str(why).replace("close --now", "write `close now`")) from why
    return _closing(order, closing)


def remind(order: Order) -> Sequence[str]:
    """remind, or remind back"""
    back = order.back(0)
    order.no_more(1 if back else 0)
    do = withdraw_reminder if back else remind_late
    made = do(order.books, order.library, order.game, at=order.at)
    return taken_back(made) if back else [f"Reminded: {_seats(made)}."]


def taken_back(reminders: Sequence[OutgoingLetter]) -> Sequence[str]:
    """What became of reminders that were taken back."""
    late = [letter for letter in reminders if is_out(letter)]
    kept = [letter for letter in reminders if letter not in late]
    told = [f"Not sent: the reminders to {_seats(kept)}."] if kept else []
    return [*told, *([f"Asked to disregard theirs: {_seats(late)}."] if late else [])]


def _seats(letters: Sequence[OutgoingLetter]) -> str:
    return ", ".join(letter.seat for letter in letters)


def extend(order: Order) -> Sequence[str]:
    """extend 24h, or extend 12h back"""
    back = order.back(1)
    order.no_more(2 if back else 1)
    length = order.word(0, "how long")
    step = extend_step(order.books, order.library, order.game, length, at=order.at, back=back)
    return [_due(order, step)]


def pause(order: Order) -> Sequence[str]:
    """pause"""
    order.no_more(0)
    pause_game(order.books, order.library, order.game, at=order.at)
    return ["The clock stands still; `resume` lets it go on."]


def resume(order: Order) -> Sequence[str]:
    """resume"""
    order.no_more(0)
    game: Game = resume_game(order.books, order.library, order.game, at=order.at)
    if game.open_step is None:
        return ["The game goes on."]
    return [_due(order, order.books.step(game.id, game.open_step))]


def edit(order: Order) -> Sequence[str]:
    """{edit: {reason: why, change: {the parts of the position that change}}}"""
    given = order.content
    if not isinstance(given, Mapping) or set(given) != {"reason", "change"}:
        raise Refused("write {edit: {reason: WHY, change: {fleets: {red: {A1: 5}}}}}")
    before = open_position(order.books, order.library, order.game)
    after: Document = apply_patch(before, given["change"])
    reason = str(given["reason"] or "")
    closing = rule(order.books, order.library, order.game, after, reason=reason, at=order.at)
    return _closing(order, closing)


def rollback(order: Order) -> Sequence[str]:
    """rollback 9-plan, rollback 9-plan same-dice, or rollback 9-plan back"""
    order.no_more(2)
    said = order.word(0, "the step")
    back = order.back(1)
    same = len(order.words) == 2 and order.words[1].lower().strip("-") == "same-dice"
    if len(order.words) == 2 and not same and not back:
        raise Refused(f'write `rollback {said} same-dice`, not "{order.words[1]}"')
    name = _step(order, said)
    try:
        closing = go_back(
            order.books, order.library, order.game, name, same_dice=same, back=back, at=order.at
        )
    except Refused as why:
        raise Refused(str(why).replace("start --back", "start back")) from why
    return _closing(order, closing)


def _step(order: Order, said: str) -> str:
    names = [step.name for step in order.books.steps(order.game)]
    found = [name for name in names if said in (name, name.partition("-")[0])]
    if not found:
        meant = suggest(said, names)
        hint = f'did you mean "{meant}"?' if meant else f"the steps are {', '.join(names)}"
        raise Unknown(f'there is no step "{said}"; {hint}')
    return found[0]


def end(order: Order) -> Sequence[str]:
    """end red "the others conceded", end red,blue WHY, or end drawn WHY"""
    said = order.word(0, "a winner, or `drawn`,")
    drawn = said.lower() in ("drawn", "draw")
    named = [] if drawn else [word for word in said.split(",") if word]
    winners = [changed(order, words=(word,)).seat() for word in named]
    reason = " ".join(order.words[1:])
    closing = end_game(
        order.books, order.library, order.game, winners=winners, reason=reason, at=order.at
    )
    return _closing(order, closing)


def note(order: Order) -> Sequence[str]:
    """note "some words" """
    written = write_note(order.books, order.library, order.game, " ".join(order.words), at=order.at)
    return [f"Note {written.number} is in the history."]


def accept(order: Order) -> Sequence[str]:
    """accept"""
    order.no_more(0)
    accept_rules(order.books, order.library, order.game, at=order.at)
    return ["The game goes on under the rules as they are now."]


def _due(order: Order, step: Step) -> str:
    zone = order.context().settings.zone
    when = (
        deadlines.deadline_words(step.deadline, zone) if step.deadline else "when the GM closes it"
    )
    return f"{step.name} is due {when}."


def _closing(order: Order, closing: StepClosing) -> Sequence[str]:
    """What came of an act that changed the state; no secrets."""
    restored = any(link.kind == "restore" for link in closing.links)
    came = "struck" if closing.step.void else "counts again" if restored else "done"
    told = [f"{closing.step.name}: {came}."]
    if closing.game.status is Status.OPEN:
        told.append(f"{order.game} is open again.")
    elif closing.opened is None:
        told.append("The game is over.")
    else:
        late = missing_seats(order.books, order.library, order.game)
        waits = f"It waits for {', '.join(late)}." if late else "It waits for nobody."
        told += [f"Now open: {_due(order, closing.opened)}", waits]
    return [*told, *(f"Note: {note}." for note in closing.notes)]
