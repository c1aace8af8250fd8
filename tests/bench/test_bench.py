"""bench: what its rows look like, and that its floors and its peer do what they say.

How fast anything is, is asserted nowhere: that depends on the machine.
"""

import hashlib
import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.cli.terminal.options import Setting
from adjudicator.core.document import encode
from adjudicator.desk.model.errors import Refused
from tests.bench import processes, sample, table, workload
from tests.bench.__main__ import bench
from tests.bench.books import Desk, Whole
from tests.bench.calls import Calls, trace_calls
from tests.bench.letters import Mailbag, bare_parse, bare_yaml
from tests.bench.measures import Ledger, Row, Target, fingerprint, medians
from tests.bench.reports import Reports
from tests.bench.rules import Midgame, Rehearsal, game, midgame
from tests.bench.sending import Mailing, Sink


@pytest.fixture(scope="module")
def kind() -> Any:
    return FolderLibrary().kind("jump-wars")


@pytest.fixture(scope="module")
def position(kind: Any) -> Midgame:
    return midgame(kind.rules)


# ---- the command


@pytest.fixture
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is done, but little of it in a row: nobody reads these numbers."""
    brief = {"GAMES": 1, "RECORDED_TURNS": 2, "LETTERS": 10, "OFTEN": 2, "MANY_GAMES": 60}
    for name, number in brief.items():
        monkeypatch.setattr(workload, name, number)
    monkeypatch.setattr(sample, "GAMES", 1)


def test_every_row_says_what_it_measured_and_against_what(
    briefly: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(processes, "find", lambda: None)
    monkeypatch.setenv("ADJUDICATOR_HOME", str(tmp_path / "home"))
    done = CliRunner().invoke(bench, ["--rounds", "1"], obj=Setting())
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(set(row) == {"name", "value", "unit", "ratio", "of"} for row in rows)
    assert all(row["value"] > 0 and row["unit"] == table.unit(row["name"]) for row in rows)
    assert all((row["ratio"] is None) == (row["of"] is None) for row in rows)
    names = {row["name"] for row in rows}
    assert set(table.UNITS) - names == {table.PROCESS, table.SEASONS, table.PHASES, table.COLD}
    others = [kind for kind in FolderLibrary().kinds() if kind != "jump-wars"]
    assert names - set(table.UNITS) == {
        table.of_kind(name, kind) for name in table.OF_A_KIND for kind in others
    }
    for name in names:  # the table tells the same
        assert all(word in done.stderr for word in name.split())  # a long name is wrapped
    assert "make bench-peers" in done.stderr
    assert not (tmp_path / "home").exists()


def test_a_python_without_the_package_is_named(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    done = CliRunner().invoke(bench, ["--peer", str(python)], obj=Setting())
    assert isinstance(done.exception, Refused)
    assert str(python) in str(done.exception)
    assert "make bench-peers" in str(done.exception)


# ---- rows


FOUND = {
    **dict.fromkeys(table.UNITS, 1.0),
    table.FLOOR: 0.5,
    table.JUMP: 2.0,
    table.COMMIT: 4.0,
    table.CLOSE: 14.0,
    table.PROCESS: 12.0,
    table.RANDOM_TURNS: 2000.0,
    table.RANDOM_STEPS: 3000.0,
    table.SEASONS: 160.0,
    table.PHASES: 200.0,
    table.RECEIPT: 6.0,
    table.IMAGINED: 0.25,
    table.COLD_CLOSE: 150.0,
    table.COLD: 300.0,
    table.LETTER: 9.0,
    table.BARE_LETTER: 6.0,
    table.SENT: 600.0,
    table.BARE_SENT: 1000.0,
    table.PICTURE: 120.0,
    "a receipt beside many games": 1.5,
    table.MANY_ROUND: 4.0,
    table.SITE: 150.0,
    table.SITE_AGAIN: 40.0,
    table.LETTER_FUNCTIONS: 330.0,
    table.LETTER_FILES: 50.0,
    table.CLOSE_FUNCTIONS: 280.0,
    table.CLOSE_FILES: 30.0,
    table.of_kind(table.KIND_FLOOR, "jump-gate"): 0.1,
    table.of_kind(table.KIND_STEP, "jump-gate"): 0.4,
    table.of_kind(table.RECEIPT, "jump-gate"): 4.0,
    table.of_kind(table.IMAGINED, "jump-gate"): 0.5,
    table.of_kind(table.KIND_GAMES, "jump-gate"): 100.0,
}


def test_ratios_are_of_what_they_name_and_are_held_against_the_targets() -> None:
    told = {
        (row.name, row.of): (row.ratio, row.target.told(row.ratio))
        for row in table.rows(FOUND)
        if row.target and row.ratio is not None
    }
    assert told == {
        (table.JUMP, table.FLOOR): (4.0, "at most 10: met"),
        (table.JUMP, table.PROCESS): (6.0, "at least 5: met"),
        (table.RANDOM_TURNS, table.SEASONS): (12.5, "at least 12: met"),
        (table.RANDOM_TURNS, table.PHASES): (10.0, "at least 12: MISSED"),
        (table.RANDOM_STEPS, table.PHASES): (15.0, "at least 12: met"),
        (table.RECEIPT, "5 ms"): (1.2, "at most 1: MISSED"),
        (table.CLOSE, f"{table.COMMIT}, less resolve"): (3.0, "at most 5: met"),
        (table.COLD_CLOSE, table.COLD): (0.5, "at most 1: met"),
        (table.LETTER, table.BARE_LETTER): (1.5, "at most 2: met"),
        (table.SITE, "100 pages/s"): (1.5, "at least 1: met"),
        (table.SITE_AGAIN, "20 ms"): (2.0, "at most 1: MISSED"),
        (table.PICTURE, "150 ms"): (0.8, "at most 1: met"),
        **{
            (f"{what} beside many games", f"{what} beside few games"): (1.0, "at most 1.2: met")
            for what in table.CROWDED
        },
        ("a receipt beside many games", "a receipt beside few games"): (1.5, "at most 1.2: MISSED"),
        (table.MANY_ROUND, "5 ms"): (0.8, "at most 1: met"),
        (table.SENT, table.BARE_SENT): (0.6, "at least 0.7: MISSED"),
        (table.LETTER_FUNCTIONS, "300 functions"): (1.1, "at most 1: MISSED"),
        (table.LETTER_FILES, "50 files"): (1.0, "at most 1: met"),
        (table.CLOSE_FUNCTIONS, "350 functions"): (0.8, "at most 1: met"),
        (table.CLOSE_FILES, "60 files"): (0.5, "at most 1: met"),
        ("a step (jump-gate)", "JSON, SHA-256 (jump-gate)"): (
            4.0,
            "at most 10: met",
        ),
        ("a receipt (jump-gate)", "5 ms"): (0.8, "at most 1: met"),
        (table.IMAGINED, "1 ms"): (0.25, "at most 1: met"),
        (table.IMAGINED, table.FLOOR): (0.5, "at most 4: met"),
        ("an imagined position (jump-gate)", "1 ms"): (0.5, "at most 1: met"),
        ("an imagined position (jump-gate)", "JSON, SHA-256 (jump-gate)"): (
            5.0,
            "at most 4: MISSED",
        ),
    }


@pytest.mark.parametrize(
    ("target", "ratio", "met"),
    [
        (Target(at_most=10), 10.0, True),
        (Target(at_most=10), 10.1, False),
        (Target(at_least=5), 5.0, True),
        (Target(at_least=5), 4.9, False),
    ],
)
def test_a_target_is_met_at_its_very_number(target: Target, ratio: float, met: bool) -> None:
    assert target.met_by(ratio) is met
    assert target.told(ratio).endswith("met" if met else "MISSED")


def test_numbers_are_told_to_four_digits_and_whole_ones_whole() -> None:
    row = Row(name="state", value=3909.0, unit="bytes", ratio=1.23456, of="it").document()
    assert json.dumps(row["value"]) == "3909"
    assert row["ratio"] == 1.235


def test_rounds_are_interleaved_and_the_median_counts() -> None:
    done: list[str] = []

    def measure(name: str, *values: float) -> Callable[[], dict[str, float]]:
        left = iter(values)

        def run() -> dict[str, float]:
            done.append(name)
            return {name: next(left)}

        return run

    found = medians([measure("a", 1, 9, 2), measure("b", 5, 3, 4)], 3, lambda *_: None)
    assert found == {"a": 2, "b": 4}
    assert done == ["a", "b"] * 3


# ---- the floors


def test_the_json_floor_is_sorted_json_and_sha_256() -> None:
    expected = hashlib.sha256(b'{"a": [1, 2], "b": "x"}').hexdigest()
    assert fingerprint({"b": "x", "a": [1, 2]}) == expected


def test_the_transaction_floor_puts_the_bytes_on_the_disk_at_once(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "bare.db")
    for content in (b"one", b"two"):
        ledger.write(content)
        with closing(sqlite3.connect(tmp_path / "bare.db")) as other:  # they see what is committed
            found = [row[0] for row in other.execute("SELECT content FROM entries")]
        assert found[-1] == content
    assert found == [b"one", b"two"]
    assert ledger._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert ledger._connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    ledger.close()


def test_as_many_bytes_as_a_closing_writes(
    position: Midgame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # books of its own are measured, never the GM's
    monkeypatch.setenv("ADJUDICATOR_DATABASE", "postgresql://nobody@nowhere.invalid/books")
    written = Desk(tmp_path, position).written()
    home = next(tmp_path.glob("copy-*"))
    with closing(sqlite3.connect(home / "adjudicator.db")) as books:
        (number,) = books.execute("SELECT MAX(number) FROM steps WHERE closed NOT NULL").fetchone()
        parts = (
            "SELECT LENGTH(state) + LENGTH(events) FROM steps WHERE number = ?",
            "SELECT SUM(LENGTH(document)) FROM papers WHERE step = ?",
            "SELECT SUM(LENGTH(document)) FROM outbox WHERE step = ? AND kind = 'report'",
            "SELECT SUM(LENGTH(orders)) FROM orders WHERE step = ?",
        )
        least = sum(books.execute(part, (number,)).fetchone()[0] for part in parts)
    assert least < written < least + 8000  # names, instants and commitments on top


# ---- letters


@pytest.fixture(scope="module")
def mailbag(position: Midgame, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mailbag]:
    folder = tmp_path_factory.mktemp("mailbag")
    with closing(Ledger(folder / "bare.db")) as ledger:
        yield Mailbag(folder / "letters", position, ledger)


def test_every_seat_replies_in_every_manner_twice(mailbag: Mailbag, position: Midgame) -> None:
    seen = [parse_letter(letter.content) for letter in mailbag._replies]
    assert len({one.message_id for one in seen}) == len(seen) == 6 * len(position.seats)
    found = {message_from_bytes(one.content).get_content_type() for one in mailbag._replies}
    assert found == {"multipart/alternative", "text/html", "text/plain"}
    for letter, one in zip(mailbag._replies, seen, strict=True):
        assert one.blocks[0].source.strip() == letter.block.rpartition("\n")[0]


def test_letters_are_measured_to_their_receipts(mailbag: Mailbag) -> None:
    found = mailbag.measure()
    parts = (table.BARE_PARSE, table.BARE_YAML, table.BARE_SCHEMA, table.BARE_KEPT)
    assert 0 < max(found[part] for part in parts) < found[table.BARE_LETTER]
    assert found[table.TAKEN] == 1000 / found[table.LETTER] < found[table.PARSED]
    home = max(mailbag._folder.glob("copy-*"), key=lambda path: int(path.name[5:]))
    with closing(sqlite3.connect(home / "adjudicator.db")) as books:
        queued = books.execute("SELECT COUNT(*) FROM outbox WHERE kind = 'receipt'").fetchone()[0]
        came = books.execute("SELECT COUNT(*) FROM arrivals").fetchone()[0]
    assert queued == came == len(mailbag._replies)


def test_the_floor_of_a_letter_finds_what_it_must(mailbag: Mailbag) -> None:
    for letter in mailbag._replies[:15]:
        addresses, text = bare_parse(letter.content)
        assert addresses == [parse_letter(letter.content).sender, "games@house.example"]
        assert "game: bench" in text
        assert bare_yaml(letter.block)["game"] == "bench"


@pytest.mark.parametrize("text", ["[" * 30 + "]" * 30, "a: &b 1\nc: *b", "- 1\n" * 6000])
def test_the_floor_of_yaml_is_guarded(text: str) -> None:
    with pytest.raises(Refused):
        bare_yaml(text)


def test_letters_are_sent_to_a_server_of_its_own(mailbag: Mailbag) -> None:
    with closing(Sink()) as sink:
        found = Mailing(sink.port, [*mailbag.sent] * 3).measure()
    assert set(found) == {table.SENT, table.BARE_SENT}
    assert all(rate > 0 for rate in found.values())


# ---- what a letter and a closing pass through


def _too_many(calls: Calls, functions: str, files: str) -> dict[str, Any]:
    """Where the functions are, if they are more than they may be."""
    most = table.MOST_CALLS
    if len(calls.functions) <= most[functions] and len(calls.by_file()) <= most[files]:
        return {}
    return {str(calls): calls.by_file()}


def test_a_letter_passes_through_few_functions(mailbag: Mailbag) -> None:
    assert _too_many(mailbag.calls(), table.LETTER_FUNCTIONS, table.LETTER_FILES) == {}


def test_a_closing_passes_through_few_functions(position: Midgame, tmp_path: Path) -> None:
    calls = Desk(tmp_path, position).calls()
    assert _too_many(calls, table.CLOSE_FUNCTIONS, table.CLOSE_FILES) == {}


def test_the_tracer_counts_functions_of_the_package_and_nothing_else() -> None:
    with trace_calls() as calls:
        fingerprint({"a": 1})  # the tests' own
        encode([encode(1), encode(2)])
    assert calls.by_file() == {"/core/document.py": ["encode"]}
    assert str(calls) == "1 functions in 1 files"


# ---- reports


def test_a_report_is_weighed_in_each_of_its_forms(position: Midgame, tmp_path: Path) -> None:
    found = Reports(Desk(tmp_path, position).ordered()).measure()
    text, page = found[table.TEXT_WEIGHT], found[table.PAGE_WEIGHT]
    drawn = found[table.WHOLE_WEIGHT] - text - page
    assert min(text, page, drawn) > 1000
    # on its way everything is written in signs that every mail server takes, pictures by a third
    assert text + drawn * 4 / 3 < found[table.WEIGHT] < 1.6 * found[table.WHOLE_WEIGHT]


def test_a_site_is_measured_from_nothing(kind: Any, tmp_path: Path) -> None:
    with closing(Whole(tmp_path, kind.seats[:2], 1)) as whole:
        assert min(whole.site()) > 0
    assert not list(tmp_path.glob("**/*.html"))


# ---- what is played


def test_the_shipped_position_is_a_real_fight_of_five(position: Midgame) -> None:
    state, step = position.before("jump")
    assert len(position.seats) == 5
    assert [one.phase for one in position.steps] == ["plan", "jump"]
    _, events = position.rules.resolve(state, step.orders, position.dice(step))
    kinds = [event.kind for event in events]
    assert kinds.count("jumped") == sum(len(form.get("jump", ())) for form in step.orders.values())
    assert kinds.count("jumped") >= 14
    assert kinds.count("fight") >= 4
    assert "negated" not in kinds


def test_the_position_is_written_as_it_is_read(position: Midgame) -> None:
    document = position.rules.dump(position.state)
    again = position.rules.dump(position.rules.load(document))
    assert encode(again) == encode(document)


def test_adjudicating_as_often_as_wanted_changes_nothing(position: Midgame) -> None:
    rehearsal = Rehearsal(position)
    before = encode(rehearsal.document)
    rehearsal.jump()
    rehearsal.turn()
    assert encode(Rehearsal(position).document) == before


def test_the_number_of_a_game_decides_it(kind: Any) -> None:
    rules, seats = kind.rules, kind.seats[:3]
    options = kind.options({"turn_limit": 4}, seats)
    one, again, other = (game(rules, seats, options, rules.legal, seed) for seed in (1, 1, 2))
    assert one == again
    assert one.turns == other.turns == 4
    assert one.steps >= 8


# ---- the peer


FAKE = """
class Game:
    powers = ("A", "B")
    is_game_done = False

    def __init__(self):
        self.phase_type, self.ordered = "M", []

    def get_all_possible_orders(self):
        return {"X": ["X H"], "Y": ["Y H"], "Z": []}

    def get_orderable_locations(self, power):
        return {"A": ["X"], "B": ["Y", "Z"]}[power]

    def set_orders(self, power, orders):
        self.ordered.append((power, orders))

    def process(self):
        assert self.ordered in ([], [("A", ["X H"]), ("B", ["Y H"])])
        self.ordered = []
        self.phase_type = "R" if self.phase_type == "M" else "M"
"""


@pytest.fixture
def diplomacy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> processes.Diplomacy:
    (tmp_path / "diplomacy.py").write_text(FAKE)
    facts = tmp_path / "diplomacy-9.8.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: diplomacy\nVersion: 9.8\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return processes.Diplomacy(Path(sys.executable))


def test_the_peer_gives_everybodys_orders_and_processes_them(
    diplomacy: processes.Diplomacy,
) -> None:
    assert diplomacy.version == "9.8"
    seasons, phases = diplomacy.play()
    assert 0 < seasons == pytest.approx(phases / 2)  # every other phase of the fake is a retreat
    assert diplomacy.process() > 0
    assert diplomacy.cold() > 0
    diplomacy.close()


def test_a_peer_that_dies_is_told(diplomacy: processes.Diplomacy) -> None:
    diplomacy._process.kill()
    diplomacy._process.wait()
    with pytest.raises(Refused, match="make bench-peers"):
        diplomacy.play()
    diplomacy.close()
