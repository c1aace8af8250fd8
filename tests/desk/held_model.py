"""A random game whose reports are held back, and what must hold of it after each act.

The model is small: the steps that count form a line, and every reader has been told a first part
of it, each step once, by letters that went out or wait.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace as changed

from adjudicator.adapters.archive.pack import pack_archive
from adjudicator.adapters.archive.read import read_archive
from adjudicator.adapters.archive.stored_game import collect_dossier, restore_game
from adjudicator.adapters.archive.verify import verify_archive
from adjudicator.adapters.render.text_layout import format_block
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import Document, decode
from adjudicator.core.forms.orders_as_text import spell_orders
from adjudicator.desk.acts.calendar import pause_game, resume_game
from adjudicator.desk.acts.edit import edit_position, open_position
from adjudicator.desk.acts.end import end_game
from adjudicator.desk.acts.rollback import roll_back, undo_rollback
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.acts.start import undo_start
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.model.values import OutgoingLetter, Paper, Status, Step
from adjudicator.desk.requests.observers import add_observer, remove_observer
from adjudicator.desk.steps.close import close_step
from adjudicator.desk.steps.handover import replace_player
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from adjudicator.desk.steps.start import start_game
from tests.desk.conftest import GAME, Desk
from tests.desk.wishing import case_of, wish

EVE = "eve@example.org"
PEOPLE = ("Ada", "Bo", "Cleo", "Dan", "Fay", "Gus")
SEATS = ("red", "blue", "green", "yellow", "black", "white")


class Plain:
    """Archives without texts and pictures."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def __call__(
        self,
        document: Document,
        above: Mapping[str, bytes] | None = None,
    ) -> Mapping[str, bytes]:
        return {}


class Model:
    """A game at the desk, and somebody who does this and that."""

    def __init__(self, desk: Desk, seed: int, kind: str, seats: int, **options: Any) -> None:
        self.desk = desk
        self.random = random.Random(seed)
        self.spare = 0
        self.said = 0
        self.elsewhere: set[tuple[str | None, int]] = set()
        """The reports that were mailed from another home."""
        self.messages: dict[str, tuple[str, int]] = {}
        self.seats = SEATS[:seats]
        people = dict(zip(self.seats, PEOPLE, strict=False))
        desk.new(
            kind=kind,
            seats=people,
            seed=seed_from_number(seed),
            luck={},
            options=options,
            settings={"pace": "72h", "nmr": "bot", "nmr_limit": 2},
        )
        self.kind = kind
        for seat in self.seats[1::2]:
            self.prefer(seat, "final")
        with desk.store.writing() as books:
            add_observer(case_of(desk, books), EVE, None)

    # what people do

    def prefer(self, seat: str, mails: str) -> None:
        if self.desk.seating(seat).kind == "player":
            wish(self.desk, seat, "prefer", {"mails": mails})

    def ordering(self) -> None:
        """Most of those who owe something send it."""
        with self.desk.store.reading() as books:
            context = Context(books, self.desk.library, GAME, self.desk.at)
            step = context.open_step()
            state, rules = context.before(step), context.kind.rules
            dice = Dice(derive_dice_key(seed_from_number(self.random.randrange(1000))), step.dice)
            texts = {
                seat: format_block(
                    spell_orders(
                        context.kind.form(owed.form),
                        rules.legal(rules.view(state, seat), seat, dice),
                    )
                )
                for seat, owed in context.due_in(state).items()
            }
        for seat, text in texts.items():
            if self.random.random() < 0.9 and self.desk.seating(seat).kind == "player":
                self.desk.send(seat, text or "{}")

    def rounds(self, most: int) -> None:
        """So many, unless the game ends before."""
        for _ in range(most):
            if self.desk.game().status is not Status.OVER:
                self.round()
                self.verify()

    def round(self) -> None:
        """A step is played, and something happens beside it."""
        act = self.random.choice(self.acts())
        with suppress(Refused, Unknown):
            act()
        if self.desk.game().status is Status.RUNNING:
            self.ordering()
            late = self.random.random() < 0.2
            self.desk.later(hours=73 if late else 1)
            self.desk.act(close_step, now=True)
        if self.random.random() < 0.6:
            self.post()

    def acts(self) -> Sequence[Callable[[], Any]]:
        def nothing() -> None:
            pass

        seat = self.random.choice(self.desk.game().seats)
        return (
            *[nothing] * 5,
            *[self.back_and_forth] * 3,
            *[self.ruling] * 2,
            *[lambda: self.talk(seat)] * 2,
            self.rollback,
            lambda: self.prefer(seat, self.random.choice(("final", "each"))),
            lambda: self.someone_new(seat),
            lambda: self.desk.act(seat_bot, seat),
            self.breather,
            self.start_again,
            self.false_end,
            self.come_and_go,
        )

    def post(self) -> None:
        """What waits goes out."""
        with self.desk.store.writing() as books:
            for one in books.letters(GAME):
                if one.status == "queued":
                    books.save(changed(one, status="sent", content=b"sent"))

    def rollback(self) -> str:
        name = self.random.choice([step.name for step in self.line(self.steps())[-4:]])
        self.undo(roll_back, name, same_dice=self.random.random() < 0.3)
        return name

    def undo(self, act: Callable[..., Any], *words: Any, **more: Any) -> None:
        """Undo something, which is one letter with the position for each seat at most."""
        before = self.count_positions()
        self.desk.act(act, *words, **more)
        for seat, number in self.count_positions().items():
            made = number - before[seat]
            assert made <= 1, f"{seat}: {made} letters with the position of one {act.__name__}"

    def count_positions(self) -> Counter[str]:
        """How many letters each seat has got for its position."""
        return Counter(
            one.seat
            for one in self.desk.letters()
            if one.template == "report/1" and one.status != "withdrawn" and shows_position(one)
        )

    def back_and_forth(self) -> None:
        """Rolled back, perhaps played on, and all that taken back again."""
        name = self.rollback()
        self.verify()
        if self.random.random() < 0.5:
            self.post()
        for _ in range(self.random.randrange(3)):
            if self.random.random() < 0.3:
                self.someone_new(self.random.choice(self.seats))
            self.ordering()
            self.desk.later(minutes=1)
            self.desk.act(close_step, now=True)
            self.verify()
        self.undo(undo_rollback, name)
        self.verify()

    def someone_new(self, seat: str) -> None:
        self.spare += 1
        self.desk.later(minutes=1)
        self.desk.act(replace_player, seat, f"Spare {self.spare}")
        self.prefer(seat, self.random.choice(("final", "each")))

    def ruling(self) -> None:
        """Cards change places, or somebody else is to act or to be asked."""
        with self.desk.store.reading() as books:
            document = dict(open_position(Context(books, self.desk.library, GAME)))
        seat = self.random.choice(self.seats)
        for name in ("deck", "navcomp_deck"):
            if name in document:
                document[name] = document[name][::-1]
        if "active" in document and self.random.random() < 0.6:
            document["active"] = seat
            if self.random.random() < 0.5:
                document.update(step="turn", awaiting=None)
            elif document.get("awaiting"):
                asked = {
                    key: {seat: next(iter(one.values()))} if isinstance(one, dict) else one
                    for key, one in document["awaiting"].items()
                }
                document["awaiting"] = asked
        self.desk.later(minutes=1)
        self.desk.act(edit_position, document, reason="so be it")

    def talk(self, seat: str) -> None:
        """A message to another seat, which must be read there."""
        other = self.random.choice([one for one in self.seats if one != seat])
        self.said += 1
        text = f"message {self.said}."
        told = wish(self.desk, seat, "press", [{"to": [other], "text": text}])
        if told.done and self.desk.seating(other).kind == "player":
            self.messages[text] = other, self.desk.seating(other).number

    def breather(self) -> None:
        self.desk.act(pause_game)
        self.verify()
        self.desk.act(resume_game)

    def start_again(self) -> None:
        if self.random.random() < 0.2:
            self.undo(undo_start)
            self.undo(start_game)

    def false_end(self) -> None:
        """The GM ends the game, or all vote to; then it goes on after all."""
        if self.random.random() < 0.5:
            self.desk.act(end_game, winners=[self.seats[0]], reason="it rains")
        self.vote("draw")
        self.verify()
        last = self.line(self.steps())[-1].name
        if self.desk.game().status is Status.OVER:
            self.undo(roll_back, last, same_dice=False)
            if self.random.random() < 0.3:
                self.undo(undo_rollback, last)
                self.verify()
                self.undo(roll_back, last, same_dice=False)
        self.vote("none")

    def vote(self, wanted: str) -> None:
        for seat in self.seats:
            if self.desk.seating(seat).kind == "player" and self.desk.game().open_step is not None:
                self.desk.send(seat, f"vote: {wanted}")

    def move(self, desk: Desk) -> None:
        """The game goes on in another home, out of its archive, which anybody may check."""
        with self.desk.store.reading() as books:
            dossier = collect_dossier(books, GAME)
        for public in (True, False):
            files = pack_archive(dossier, Plain(self.desk.library.kind(self.kind)), public=public)
            assert verify_archive(files, self.desk.library).faults == ()
        with desk.store.writing() as books:
            restore_game(books, read_archive(files))
        desk.at = self.desk.at
        papers = dossier.record.papers
        self.elsewhere = {(one.seat, one.number) for one in papers}
        self.messages.clear()
        self.desk = desk

    def come_and_go(self) -> None:
        with self.desk.store.writing() as books:
            context = case_of(self.desk, books)
            remove_observer(context, EVE)
            add_observer(context, EVE, None)

    def finish(self) -> None:
        """The GM ends it, where the rules have not."""
        if self.desk.game().status is not Status.OVER:
            with suppress(Refused):
                self.desk.act(end_game, winners=[], reason="it rains")
        self.verify(replayed=True)
        for text, (seat, number) in self.messages.items():
            if self.desk.seating(seat).number == number:
                assert self.heard(seat, text), f"{seat} never read {text}"

    def heard(self, seat: str, text: str) -> bool:
        return any(
            text.encode() in one.document
            for one in self.desk.letters(seat=seat)
            if one.status != "withdrawn" and one.kind in ("press", "report", "answer")
        )

    # what must hold

    def steps(self) -> dict[int, Step]:
        """All steps of the game by their numbers."""
        return {one.number: one for one in self.desk.see(lambda books: books.steps(GAME))}

    def line(self, steps: Mapping[int, Step]) -> list[Step]:
        """The closed steps that count, from the first."""
        counting = [one for one in steps.values() if not one.void and one.closed]
        followed = {one.predecessor for one in counting}
        step = next((one for one in counting if one.number not in followed), None)
        found: list[Step] = []
        while step is not None:
            found.insert(0, step)
            step = None if step.predecessor is None else steps[step.predecessor]
        assert len(found) == len(counting)
        return found

    def verify(self, *, replayed: bool = False) -> None:
        steps = self.steps()
        line = [step.name for step in self.line(steps) if step.phase != "ruling"]
        papers = list(self.desk.see(lambda books: books.papers(GAME)))
        letters = self.desk.letters()
        for seat in self.desk.game().seats:
            mine = sorted((one for one in papers if one.seat == seat), key=lambda one: one.number)
            assert [one.number for one in mine] == list(range(1, len(mine) + 1)), seat
            counting = [one for one in mine if not steps[one.step].void]
            told: list[str] = []
            for one in counting:
                told += told_anew(decode(one.document), told)
            assert told == line[: len(told)], f"{seat}: {told} of {line}"
            if len(told) < len(line):
                self.waits(seat)
            self.mailed(seat, [(one, steps[one.step]) for one in counting], letters)
            if counting and self.random.random() < 0.1:
                self.answers(seat, counting[-1])
        self.looked_on(line, {one.name for one in self.line(self.steps())}, letters)
        record = self.desk.see(lambda books: read_record(books, GAME))
        assert check_chain(record) == ()
        if replayed:
            assert replay_game(record, self.desk.library.kind(self.kind)) == ()

    def waits(self, seat: str) -> None:
        """Whoever has not been told of all owes nothing, and no step is open that can be missed."""
        with self.desk.store.reading() as books:
            context = Context(books, self.desk.library, GAME, self.desk.at)
            due = context.due_in(context.before(context.open_step()))
        assert seat not in due, f"{seat} owes something and does not know of it"
        assert due
        assert not any(owed.counts_as_missed for owed in due.values())

    def mailed(
        self,
        seat: str,
        papers: Sequence[tuple[Paper, Step]],
        letters: Sequence[OutgoingLetter],
    ) -> None:
        """Each report has gone once to whoever sits there, if they sat there when it was made."""
        seating = self.desk.seating(seat)
        if seating.kind != "player":
            return
        out = [
            (one, decode(one.document))
            for one in letters
            if one.template == "report/1" and one.seat == seat and one.status != "withdrawn"
        ]
        for paper, step in papers:
            new = step.closed is None or step.closed < seating.since
            if new or (seat, paper.number) in self.elsewhere:
                continue
            to = [one for one, doc in out if doc["number"] == paper.number and not one.to]
            again = [one for one in to if one.seating == seating.number]
            assert again, f"{seat}: report {paper.number} was never mailed"
            assert all(map(shows_position, again[1:])), f"{seat}: {paper.number} was mailed twice"

    def answers(self, seat: str, paper: Paper) -> None:
        """Every number in the last report can be asked about."""
        document = decode(paper.document)
        entries = (document["orders"] or {}).get("entries", ())
        numbers = [one["n"] for one in (*document["events"], *entries)]
        assert len(set(numbers)) == len(numbers)
        if self.desk.seating(seat).kind != "player" or self.desk.game().open_step is None:
            return
        asked = [f"why {number}" for number in numbers][-18:]
        told = wish(self.desk, seat, "ask", [*asked, "status", "history"])
        assert not told.not_taken

    def looked_on(
        self, line: Sequence[str], counting: set[str], letters: Sequence[OutgoingLetter]
    ) -> None:
        """Who looks on has been mailed a first part of the line, each step once."""
        told = [
            name
            for one in letters
            if one.to == (EVE,) and one.kind == "report" and one.status != "withdrawn"
            for name in tells(decode(one.document))
            if decode(one.document)["step"] in counting
        ]
        assert set(told) <= set(line)
        assert len(set(told)) == len(told), f"told twice: {told}"


def shows_position(letter: OutgoingLetter) -> bool:
    """Whether a letter has a report in it for its position, after steps were undone or restored."""
    notices = decode(letter.document).get("notices", ())
    moved = ("Rolled back to before ", "Game started again")
    return letter.kind == "answer" and any(
        one["headline"].startswith(moved) or one["headline"].endswith(" counts again")
        for one in notices
    )


def told_anew(document: Any, told: list[str]) -> list[str]:
    """The steps of which a report is the first to tell; who is asked is told of some again."""
    names = tells(document)
    again = [name for name in names if name in told]
    assert not again or document["due"]["waiting"]
    assert again == told[len(told) - len(again) :]
    return names[len(again) :]


def tells(document: Any) -> list[str]:
    """The steps of which a report tells."""
    names = [*(one["step"] for one in document.get("since", ())), document["step"]]
    return [name for name in names if not name.endswith("-ruling")]
