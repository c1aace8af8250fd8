"""A whole game without people: bots choose, the desk's own functions do the rest."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from adjudicator.cli.wiring import Office
from adjudicator.core.dice import Dice, derive_dice_key
from adjudicator.core.document import Document, Seat, decode
from adjudicator.core.game import AnyRules
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Game
from adjudicator.desk.steps.advance import StepClosing

Progress = Callable[[int, str], None]


class BotGame(Struct, frozen=True, kw_only=True):
    """The game to be played."""

    game: str
    kind: str
    seats: Mapping[Seat, str | None]
    options: Document
    seed: bytes
    verifiable: bool
    settings: Document = {}


class PlayedStep(Struct, frozen=True, kw_only=True):
    """A step that was played."""

    step: str
    report: Document
    """What everybody got to read: report/1."""

    @property
    def turn(self) -> str:
        """The turn in words."""
        return str(self.report["turn"])


def begin_bot_game(office: Office, wish: BotGame) -> Game:
    """Make the game and start it."""
    from adjudicator.desk.acts.new import create_game

    with office.making() as books:
        return create_game(
            books,
            office.library,
            game=wish.game,
            kind=wish.kind,
            seats=wish.seats,
            options=wish.options,
            settings=wish.settings,
            seed=wish.seed,
            luck={},
            verifiable=wish.verifiable,
            components=None,
            start=True,
            at=datetime.now(UTC),
        )


def play_bot_game(
    office: Office, game: str, progress: Progress, most: int = 2000
) -> list[PlayedStep]:
    """Play a started game to its end, step by step, each in transactions of its own."""
    from adjudicator.desk.steps.close import close_step

    done: list[PlayedStep] = []
    while len(done) < most:
        with office.reading() as books:
            if books.game(game).open_step is None:
                return done
        _write_orders(office, game)
        with office.acting() as books:
            closing = close_step(books, office.library, game, at=datetime.now(UTC), now=False)
            done.append(read_played_step(books, closing))
        progress(len(done), done[-1].turn)
    raise Refused(f"{game}: no end after {most} steps; give it a limit, --option turn_limit=40")


def _write_orders(office: Office, game: str) -> None:
    """Every seat that a player holds sends what the bot would."""
    from adjudicator.adapters.render.text_layout import block
    from adjudicator.adapters.yaml.reader import parse_yaml
    from adjudicator.desk.orders.submit import submit

    with office.acting() as books:
        step, orders = choose_bot_orders(office, books, game)
        for seat, own in orders.items():
            text = block({"game": game, "step": step, "ready": True, **own})
            receipt = submit(
                books,
                office.library,
                game,
                seat,
                parse_yaml(text),
                by="player",
                at=datetime.now(UTC),
                source=text,
            )
            if receipt["outcome"] in ("refused", "unreadable"):
                raise Refused(f"{game}: the bot's orders for {seat} were refused: {text}")


def choose_bot_orders(
    office: Office, books: Books, name: str
) -> tuple[str | None, dict[Seat, dict[str, Any]]]:
    """The open step, and what the bot would order for everybody who is missing in it.

    It chooses from what each seat may see.
    """
    from adjudicator.desk.steps.close import missing_seats

    game = books.game(name)
    if game.open_step is None:
        return None, {}
    step = books.step(name, game.open_step)
    seats = missing_seats(books, office.library, name)
    if not seats:
        return step.name, {}
    rules: AnyRules = office.library.kind(game.kind, game.components).rules
    assert step.predecessor is not None
    state = rules.load(decode(books.step(name, step.predecessor).state or b"null"))
    dice = Dice(derive_dice_key(game.seed, game.luck), step.dice)
    return step.name, {seat: dict(rules.bot(rules.view(state, seat), seat, dice)) for seat in seats}


def read_played_step(books: Books, closing: StepClosing) -> PlayedStep:
    """What everybody got to read of a step that was closed."""
    papers = books.papers(closing.game.id, closing.step.number)
    public = next(paper.document for paper in papers if paper.seat is None)
    return PlayedStep(step=closing.step.name, report=decode(public))


def find_last_steps(steps: Sequence[PlayedStep]) -> list[PlayedStep]:
    """The last step of every turn: what came of it in the end."""
    ends = zip(steps, [*steps[1:], None], strict=True)
    return [one for one, after in ends if after is None or after.turn != one.turn]


def find_result(office: Office, game: str) -> Mapping[str, Any]:
    """How it ended: {winners, text}."""
    from adjudicator.desk.questions.screens import find_report

    with office.reading() as books:
        found = find_report(books, game).get("over")
    return found or {"winners": [], "text": f"{game} has not ended."}
