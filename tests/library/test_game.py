"""Games as values: what a program gets that imports `adjudicator`."""

import ast
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import adjudicator
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.opening import open_store
from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import decode, digest, encode
from adjudicator.core.report import build_report_schema
from adjudicator.desk.acts.new import create_game
from tests.at_the_desk import close_step

AT = datetime(2026, 11, 2, 20, 0, tzinfo=UTC)
KINDS = adjudicator.kinds()


def played(game: adjudicator.GameState, steps: int = 1000) -> list[adjudicator.GameState]:
    """The game after each step, with bots on all seats."""
    made = [game]
    while not made[-1].over and len(made) <= steps:
        now = made[-1]
        made.append(now.close({seat: now.bot(seat) for seat in now.due}))
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_a_seat_cannot_tell_an_imagined_game_from_the_true_one(kind: str) -> None:
    game = played(adjudicator.load(kind).new(seed=7, seats=3), steps=8)[-1]
    for seat in (*game.seats, None):
        imagined = game.imagine(seat, seed=1)
        assert imagined.view(seat) == game.view(seat)
        assert imagined.report(seat).content == game.report(seat).content
        assert imagined == game.imagine(seat, seed=1)
        assert imagined.document not in (game.document, game.imagine(seat, seed=2).document)
        assert imagined.key != game.key
        assert set(imagined.executed) <= {seat}
        assert all(event.seen_by is None or seat in event.seen_by for event in imagined.events)
        later = imagined.close({one: imagined.bot(one) for one in imagined.due})
        assert later.number == game.number + 1


@pytest.mark.parametrize("kind", KINDS)
def test_it_plays_as_the_desk_does(kind: str, tmp_path: Path) -> None:
    """The same seed gives the same game here and by hand, step by step and byte by byte."""
    loaded = adjudicator.load(kind)
    games = played(loaded.new(seed=7), steps=12)
    library = FolderLibrary()
    with open_store(tmp_path / "adjudicator.db") as store:
        with store.writing() as books:
            create_game(
                books,
                library,
                game="game",
                kind=kind,
                seats=dict.fromkeys(games[0].seats, "bot"),
                options={},
                settings={},
                seed=seed_from_number(7),
                luck={},
                verifiable=False,
                components=None,
                start=True,
                at=AT,
            )
        for _ in games[1:]:
            with store.writing() as books:
                close_step(books, library, "game", at=AT, now=True)
        with store.reading() as books:
            steps = books.steps("game")[: len(games)]
            papers = [books.papers("game", step.number) for step in steps]
    for game, step, papers_ in zip(games, steps, papers, strict=True):
        assert game.closed == step.name
        assert encode(game.document) == step.state
        assert encode(game.events) == step.events
        for paper in papers_:
            report = decode(paper.document)
            if "since" not in report:  # the desk holds a report back while others are asked
                assert {**game.report(paper.seat).document, "number": report["number"]} == report


@pytest.mark.parametrize("kind", KINDS)
def test_every_game_comes_to_an_end_and_is_reported_in_every_format(kind: str) -> None:
    loaded = adjudicator.load(kind)
    game = played(loaded.new(seed=11, seats=loaded.players[-1]))[-1]
    assert game.over
    assert game.winners
    assert set(game.scores) == set(game.seats)
    assert (game.step, game.due) == (None, {})
    schema = build_report_schema(loaded.library.common("report").schema, loaded.source.reported())
    for seat in (None, *game.seats):
        report = game.report(seat)
        assert [
            error.message for error in Draft202012Validator(schema).iter_errors(report.document)
        ] == []
        assert report.document == decode(report.json())
        assert max(map(len, report.text(width=50).splitlines())) <= 50
        assert report.html().startswith("<!doctype html>")
        assert all(svg.startswith("<svg") for svg in report.pictures().values())


def test_a_game_never_changes() -> None:
    game = adjudicator.load("jump-drive").new(seed=7)
    before = encode([game.document, game.view("red"), game.report("red").document])
    game.view("red")["hand"].clear()
    game.document["hands"].clear()
    orders = {seat: game.bot(seat) for seat in game.due}
    later = game.close(orders)
    for own in orders.values():
        own.clear()
    assert encode([game.document, game.view("red"), game.report("red").document]) == before
    assert later.report("red").document["orders"]["digest"] == digest(encode(later.executed["red"]))
    with pytest.raises(AttributeError):
        game.number = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("orders", "grade", "message"),
    [
        ("discard: [alien-guardians", "unreadable", "the bracket opened here is never closed"),
        ("- alien-guardians", "unreadable", "are written as lines of key: value"),
        ("world: gem-world", "unreadable", '"world" belongs to'),
        ({"discard": ["nothing"]}, "refused", "is not a card"),
        ({"discard": ["genetics-lab"]}, "refused", ""),
    ],
)
def test_orders_that_cannot_be_read_are_refused(
    orders: str | dict[str, object], grade: str, message: str
) -> None:
    game = adjudicator.load("jump-drive").new(seed=7)
    findings = game.check("red", orders)
    assert findings[0].grade == grade
    assert message in findings[0].message
    with pytest.raises(adjudicator.OrdersError) as refused:
        game.close({"red": orders})
    assert (refused.value.seat, refused.value.findings) == ("red", findings)
    assert findings[0].message in str(refused.value)


def test_a_whole_block_as_players_mail_it_is_read() -> None:
    game = adjudicator.load("jump-wars").new(seed=7)
    block = "game: game\nstep: 1-plan\nafter: 0\nbuild: max\nready: yes\n# end of orders\n"
    assert game.check("red", block) == ()
    assert game.close({"red": block}).executed["red"] == {"build": "max"}


def test_a_seat_that_owes_nothing_may_only_send_standing_orders() -> None:
    game = adjudicator.load("jump-drive").new(seed=3, seats=4)
    while not game.over and set(game.due) == set(game.seats):
        game = game.close({seat: game.legal(seat) for seat in game.due})
    (idle, *_) = [seat for seat in game.seats if seat not in game.due]
    (finding,) = game.check(idle, {"discard": [game.view(idle)["hand"][0]]})
    assert "only standing orders count" in finding.message
    with pytest.raises(adjudicator.Refused, match="owes no orders"):
        game.bot(idle)


def over() -> adjudicator.GameState:
    return played(adjudicator.load("jump-drive").new(seed=1))[-1]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: adjudicator.load("jump-dirve"), 'did you mean "jump-drive"'),
        (lambda: adjudicator.load("jump-drive").new(seed=1, seats=9), "2 to 4 seats, not 9"),
        (lambda: adjudicator.load("jump-drive").new(seed=1, seats=["a", "a"]), "same name"),
        (lambda: adjudicator.load("jump-drive").new(seed=b"short"), "32 bytes"),
        (lambda: adjudicator.load("jump-drive").new(seed=1, options={"moon": 1}), "moon"),
        (lambda: adjudicator.load("jump-drive").new(seed=1).view("pink"), 'no seat "pink"'),
        (lambda: over().close({}), "is over"),
    ],
)
def test_what_cannot_be_is_refused_in_words(wrong: object, told: str) -> None:
    assert callable(wrong)
    with pytest.raises(adjudicator.Refused, match=told):
        wrong()


def test_the_package_itself_imports_nothing() -> None:
    code = "import sys; old = set(sys.modules); import adjudicator; print(set(sys.modules) - old)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = {name.partition(".")[0] for name in ast.literal_eval(done.stdout)}
    assert imported - set(sys.stdlib_module_names) == {"adjudicator"}
    assert "adjudicator." not in done.stdout


def test_every_name_it_offers_is_there() -> None:
    assert all(getattr(adjudicator, name) for name in adjudicator.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        adjudicator.nothing  # noqa: B018
