"""A game is added by adding folders: a fifth one is played here, with no edit anywhere else."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import decode, digest, encode
from adjudicator.core.events import list_visible
from adjudicator.core.game import Due
from adjudicator.core.names import fold
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.model.errors import Unknown
from adjudicator.desk.model.seats import current_seatings
from adjudicator.desk.model.values import OrderSet, Status, Step
from adjudicator.desk.steps.advance import StepClosing
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.at_the_desk import close_step

ROOT = Path(__file__).resolve().parents[1]
AT = datetime(2026, 11, 2, 20, 0, tzinfo=UTC)
SEATS = ("red", "blue", "green")
KEY = derive_dice_key(seed_from_number(1))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    with open_store(tmp_path / "adjudicator.db") as opened:
        yield opened


def _new(
    store: SqlStore, library: FolderLibrary, players: Mapping[str, str], **settings: Any
) -> None:
    with store.writing() as books:
        create_game(
            books,
            library,
            game="tiny",
            kind="toy-duel",
            seats=players,
            options={},
            settings=settings,
            seed=seed_from_number(1),
            luck={"red": "owls at noon"},
            verifiable=True,
            components=None,
            start=True,
            at=AT,
        )


def _close(store: SqlStore, library: FolderLibrary, at: datetime = AT) -> StepClosing:
    with store.writing() as books:
        return close_step(books, library, "tiny", at=at, now=True)


def _send(store: SqlStore, step: int, seat: str, orders: Mapping[str, Any]) -> None:
    content = encode(orders)
    with store.writing() as books:
        books.save(
            OrderSet(
                game="tiny",
                step=step,
                seat=seat,
                number=step,
                orders=content,
                digest=digest(content),
                arrived=AT,
                by="player",
            )
        )


def test_without_its_folders_the_game_is_not_there() -> None:
    library = FolderLibrary()
    assert "toy-duel" not in library.kinds()
    with pytest.raises(Unknown, match="toy-duel"):
        library.kind("toy-duel")


def test_no_file_of_the_program_knows_the_game() -> None:
    folders = [ROOT / name for name in ("adjudicator", "seeds", "orders", "templates")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    texts = [path for path in files if path.suffix in (".py", ".md", ".yaml", ".j2", ".svg")]
    assert len(texts) > 50
    assert [p for p in texts if "toyduel" in fold(p.read_text(encoding="utf-8"))] == []


def test_its_folders_are_all_that_it_needs(toy_library: FolderLibrary) -> None:
    assert "toy-duel" in toy_library.kinds()
    assert "jump-wars" in toy_library.kinds()
    kind = toy_library.kind("toy-duel")
    assert (kind.title, kind.smallest, kind.largest, kind.book) == ("Toy Duel", 2, 4, (2, 3))
    assert kind.forms() == ("pick", "prize")
    assert list(kind.rulebook) == [f"TD-{n}" for n in range(1, 8)]
    assert kind.options({}, SEATS) == {"rounds": 3}


def test_bots_play_it_from_start_to_end(store: SqlStore, toy_library: FolderLibrary) -> None:
    _new(store, toy_library, dict.fromkeys(SEATS, "bot"))
    phases = []
    while True:
        closing = _close(store, toy_library)
        phases.append(closing.step.name)
        if closing.next_step is None:
            break
    assert closing.game.status is Status.OVER
    assert any(name.endswith("-prize") for name in phases)
    with store.reading() as books:
        record = read_record(books, "tiny")
    assert replay_game(record, toy_library.kind("toy-duel")) == ()
    assert check_chain(record) == ()
    final = decode(record.steps[-1].state or b"")
    best = max(final["scores"].values())
    assert final["over"]["winners"] == [s for s in SEATS if final["scores"][s] == best]


def test_a_choice_in_mid_turn_has_a_short_deadline_of_its_own(
    store: SqlStore, toy_library: FolderLibrary
) -> None:
    _new(store, toy_library, {"red": "Ada", "blue": "Bo"}, pace="72h")
    pick, prize = _prize(store, toy_library, AT)
    assert pick.deadline == AT + timedelta(hours=72)
    assert prize.deadline == AT + timedelta(hours=24)


def test_a_choice_in_mid_turn_is_never_missed(store: SqlStore, toy_library: FolderLibrary) -> None:
    _new(store, toy_library, {"red": "Ada", "blue": "Bo"}, pace="72h", nmr_limit=9)
    late = AT + timedelta(days=30)
    _prize(store, toy_library, late)
    with store.reading() as books:
        before = {seat: seating.missed for seat, seating in current_seatings(books, "tiny").items()}
    assert before["blue"] > 0  # a card not sent does count
    closing = _close(store, toy_library, late + timedelta(days=30))
    assert closing.next_step is not None
    assert closing.next_step.phase == "pick"
    with store.reading() as books:
        after = {seat: seating.missed for seat, seating in current_seatings(books, "tiny").items()}
    assert after == before


def _prize(store: SqlStore, library: FolderLibrary, at: datetime) -> tuple[Step, Step]:
    """A step after which somebody may take a card, and the step for it."""
    for _ in range(3):
        with store.reading() as books:
            game = books.game("tiny")
            step = books.step("tiny", game.open_step or 0)
            before = decode(books.step("tiny", step.predecessor or 0).state or b"")
        _send(store, step.number, "red", {"play": before["hands"]["red"][-1]})
        closing = _close(store, library, at)
        if closing.next_step is not None and closing.next_step.phase == "prize":
            return closing.step, closing.next_step
    raise AssertionError("nobody scored in three rounds")


def test_a_standing_order_waives_the_prize(toy_library: FolderLibrary) -> None:
    rules = toy_library.kind("toy-duel").rules
    hands = {"red": ["owl", "drake"], "blue": ["fox", "bear"]}
    given = {"options": {}, "seats": ["red", "blue"], "step": "pick", "hands": hands, "deck": []}
    orders = {"red": {"play": "drake"}, "blue": {"play": "fox"}}
    asked, _ = rules.resolve(rules.load(given), orders, Dice(KEY, "1-pick"))
    assert rules.due(asked) == {"red": Due("prize", clock="short", counts_as_missed=False)}
    orders["red"] = {"play": "drake", "standing": {"prize": "pass"}}
    waived, _ = rules.resolve(rules.load(given), orders, Dice(KEY, "1-pick"))
    assert rules.due(waived) == {"red": Due("pick"), "blue": Due("pick")}


def test_a_hand_stays_hidden_from_everybody_else(toy_library: FolderLibrary) -> None:
    rules = toy_library.kind("toy-duel").rules
    told = []
    for blue in (["owl", "fox"], ["bear", "drake"]):
        hands = {"red": ["fox", "wolf"], "blue": ["owl", *blue], "green": ["owl", "owl"]}
        given = {"options": {}, "seats": list(SEATS), "hands": hands, "deck": ["owl", "fox", "owl"]}
        orders = {"red": {"play": "wolf"}, "blue": {"play": "owl"}, "green": {"play": "owl"}}
        state, events = rules.resolve(rules.load(given), orders, Dice(KEY, "1-pick"))
        view = rules.view(state, "green")
        told.append(encode([view, rules.report(view, list_visible(events, "green"))]))
    assert told[0] == told[1]
