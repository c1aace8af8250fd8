"""The library finds games, joins their parts, and asks nothing of a game that nobody wants."""

import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games import library as module
from adjudicator.adapters.games.data_folders import find_data_folder, find_data_home, find_in_roots
from adjudicator.adapters.games.game_texts import read_yaml_file
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.games.rulebook import parse_rulebook as read_rulebook
from adjudicator.adapters.games.rules_digest import digest_rules
from adjudicator.adapters.render.printer import Printer
from adjudicator.cli.wiring import Office
from adjudicator.core.document import Impossible
from adjudicator.core.forms.reading import Text
from adjudicator.core.names import fold, match
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.ports import Kind, Library

SEATS = ("red", "blue", "green")
JUMP_WARS = FolderLibrary().kind("jump-wars")


def _run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_kind_joins_rules_rulebook_components_and_forms() -> None:
    assert JUMP_WARS.title == "Jump Wars"
    assert (JUMP_WARS.smallest, JUMP_WARS.largest, JUMP_WARS.book) == (2, 8, (3, 5))
    assert JUMP_WARS.seats[:2] == ("red", "blue")
    assert JUMP_WARS.rules.kind == "jump-wars"
    assert JUMP_WARS.components()["map"]["empire"] == "E5"
    assert JUMP_WARS.forms() == ("homeworlds", "jump", "plan", "reveal")
    assert list(JUMP_WARS.rulebook)[:2] == ["JW-1", "JW-2"]
    assert JUMP_WARS.rulebook["JW-58"] == "All sides may die; then nobody is there."


def test_it_is_what_the_desk_asks_for() -> None:
    house: Library = FolderLibrary()
    kind: Kind = house.kind("jump-wars")
    assert kind.kind in house.kinds()


def test_asking_for_one_kind_imports_no_other_and_reads_no_form() -> None:
    program = """
import sys
import adjudicator.rules
sys.path.insert(0, "tests/toy")
adjudicator.rules.__path__.append("tests/toy/rules")
from pathlib import Path
from adjudicator.adapters.games.library import FolderLibrary
FolderLibrary([Path("tests/toy")]).kind("toy-duel").digest
print(sorted(n.rpartition(".")[2] for n in sys.modules if n.count(".") == 2 and ".rules." in n))
print([n for n in ("jsonschema", "importlib.metadata") if n in sys.modules])
"""
    assert _run(program).splitlines() == ["['toy_duel']", "[]"]


@pytest.mark.parametrize("kind", ["jump-wars", "jump-gate", "jump-drive"])
def test_who_looks_at_a_game_does_not_wait_for_the_words_of_letters(kind: str) -> None:
    program = f"""
import sys
from adjudicator.adapters.games.library import FolderLibrary
FolderLibrary().kind("{kind}").digest
print([n for n in sys.modules if n.endswith((".plain_words", ".free_lines", ".jump_wars.bot"))])
"""
    assert _run(program).strip() == "[]"


def test_a_kind_nobody_knows_is_told_with_the_nearest() -> None:
    with pytest.raises(Unknown, match='no kind of game "jmp-wars"; did you mean "jump-wars"'):
        FolderLibrary().kind("jmp-wars")
    with pytest.raises(Unknown, match=r"the kinds are .*jump-wars"):
        FolderLibrary().kind("xyz")
    with pytest.raises(Unknown, match='has no form "plam"; its forms are homeworlds, jump, plan'):
        JUMP_WARS.read("plam", Text(value={}), SEATS)


def test_names_are_those_of_the_game_and_its_seats() -> None:
    written = {"fight": {"targets": ["amber", "empire", "red"]}}
    reading = JUMP_WARS.read("jump", Text(value=written), ("amber", "jade"))
    assert reading.orders == {"fight": {"targets": ["amber", "empire"]}}
    (finding,) = reading.findings
    assert finding.message == '"red" is not a player; expected amber, jade or empire'


@pytest.mark.parametrize("kind", FolderLibrary().kinds())
def test_no_two_names_of_a_game_are_read_alike(kind: str) -> None:
    for names in FolderLibrary().kind(kind).rules.names.values():
        assert len({fold(name) for name in names}) == len(set(names))
        assert [match(name, names) for name in names] == list(names)


def test_standing_orders_may_stand_in_every_form() -> None:
    for form in JUMP_WARS.forms():
        reading = JUMP_WARS.read(form, Text(value={"standing": {"reveal": "pass"}}), SEATS)
        assert reading.orders == {"standing": {"reveal": "pass"}}


def test_a_key_of_another_form_says_of_which() -> None:
    reading = JUMP_WARS.read("jump", Text(value={"build": "3"}), SEATS)
    assert reading.orders is None
    assert reading.findings[0].message == '"build" belongs to plan orders, but jump orders are due'


def test_a_key_of_several_other_forms_belongs_to_all_of_them() -> None:
    """JW-13: cutting edge is in the plan and the jump form, not in the reveal form."""
    reading = JUMP_WARS.read("reveal", Text(value={"cutting_edge": ["attack"]}), SEATS)
    assert reading.findings[0].message == (
        '"cutting_edge" belongs to jump orders and plan orders, but reveal orders are due'
    )


def test_options_have_defaults_and_names_are_matched() -> None:
    assert JUMP_WARS.options({}, SEATS) == {
        "grid": "square",
        "homeworlds": "spread",
        "spacing": 3,
        "connected": True,
        "start_player": None,
        "old_empire": False,
        "turn_limit": None,
    }
    given = {
        "grid": "HEX",
        "homeworlds": {"Red": "a1", "blue": "J10"},
        "start_player": "gre",
        "old_empire": "yes",
        "turn_limit": "20",
    }
    assert JUMP_WARS.options(given, SEATS) == {
        "grid": "hex",
        "homeworlds": {"red": "A1", "blue": "J10"},
        "spacing": 3,
        "connected": True,
        "start_player": "green",
        "old_empire": True,
        "turn_limit": 20,
    }


@pytest.mark.parametrize(
    ("given", "path", "message"),
    [
        ({"grid": "round"}, "grid", '"round" is not "square" or "hex"'),
        ({"homeworlds": "far"}, "homeworlds", '"far" is not "spread" or "choose"'),
        ({"homeworlds": {"red": "K1"}}, "homeworlds.red", '"K1" is not a space'),
        ({"homeworlds": {"rod": "A1"}}, "homeworlds.rod", 'did you mean "red"'),
        ({"turn_limit": 0}, "turn_limit", "0 is less than 1"),
        ({"turnlimt": 3}, "turnlimt", 'did you mean "turn_limit"'),
        ({"start_player": "mars"}, "start_player", '"mars" is not a seat'),
    ],
)
def test_options_that_cannot_be_are_told_with_their_path(
    given: dict[str, Any], path: str, message: str
) -> None:
    with pytest.raises(Impossible) as caught:
        JUMP_WARS.options(given, SEATS)
    assert caught.value.path == path
    assert message in caught.value.message


def test_shipped_components_keep_their_schema() -> None:
    library = FolderLibrary()
    for name in library.kinds():
        shipped = library.kind(name)
        again = library.kind(name, shipped.components())
        assert again.digest == shipped.digest


def test_the_gm_may_replace_the_components() -> None:
    library = FolderLibrary()
    shipped = library.kind("jump-wars")
    changed = {**shipped.components(), "title": "Jump Wars, small", "seats": ["a", "b"]}
    other = library.kind("jump-wars", changed)
    assert (other.title, other.seats) == ("Jump Wars, small", ("a", "b"))
    assert other.digest != shipped.digest
    assert library.kind("jump-wars") is shipped
    assert library.kind("jump-wars", dict(changed)) is other, "each letter of such a game needs it"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"counters": 3}, "counters"),
        ({"players": {"smallest": 2}}, "players"),
        ({"seats": ["red", "red"]}, "seats"),
        ({"colours": 1}, "colours"),
        ({"technologies": {"jump": {"code": "J", "copies": 5}}}, "'attack' is a required"),
        (
            {"specials": {"warp": {"copies": 1, "rule": "JW-21", "does": "x", "cost": {"wit": 1}}}},
            "specials.warp.cost.wit: there is no such technology",
        ),
    ],
)
def test_components_that_cannot_be_are_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(Refused, match=f"components of jump-wars: .*{words}"):
        FolderLibrary().kind("jump-wars", {**JUMP_WARS.components(), **change})


def test_components_of_another_kind_are_refused() -> None:
    """Both editions of a game may share a schema, but not a box."""
    library = FolderLibrary()
    other = library.kind("jump-gate-2010").components()
    with pytest.raises(Refused, match="components of jump-gate: these are of jump-gate-2010"):
        library.kind("jump-gate", other)


def test_a_rulebook_is_read_without_the_code_of_its_game() -> None:
    code = (
        "import sys; from adjudicator.adapters.games.library import FolderLibrary;"
        "assert 'JW-30' in FolderLibrary().rulebook('jump-wars');"
        "assert 'adjudicator.rules.jump_wars.game' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_components_must_say_who_may_play(tmp_path: Path) -> None:
    source = find_data_folder("seeds") / "jump_wars" / "components.yaml"
    broken = tmp_path / "seeds" / "jump_wars" / "components.yaml"
    broken.parent.mkdir(parents=True)
    broken.write_text(source.read_text().replace("players:", "people:"))
    with pytest.raises(Refused, match=r'components of jump-wars: .*"players" is missing'):
        FolderLibrary([tmp_path]).kind("jump-wars")


class TestToyGame:
    """A game in a folder of its own: no file of the house knows it."""

    def test_it_is_found_with_its_texts(self, toy_library: FolderLibrary) -> None:
        assert {"jump-wars", "toy-duel"} <= set(toy_library.kinds())
        toy = toy_library.kind("toy-duel")
        assert toy.forms() == ("pick", "prize")
        assert toy.read("pick", Text(value={"play": "WOL"}), SEATS).orders == {"play": "wolf"}
        assert toy.read("prize", Text(value={"play": "wolf"}), SEATS).orders is None
        assert toy.options({}, SEATS) == {"rounds": 3}
        assert "TD-7" in toy.rulebook

    def test_standing_is_unknown_where_a_game_has_none(
        self, toy_library: FolderLibrary, tmp_path: Path
    ) -> None:
        # With roots that hold the toy's forms but not its standing.yaml, the common one counts.
        source = toy_library.roots[0]
        shutil.copytree(source / "orders", tmp_path / "orders")
        shutil.copytree(source / "seeds", tmp_path / "seeds")
        (tmp_path / "orders" / "toy_duel" / "standing.yaml").unlink(missing_ok=True)
        toy = FolderLibrary([tmp_path]).kind("toy-duel")
        reading = toy.read("pick", Text(value={"play": "wolf", "standing": {"x": "y"}}), SEATS)
        assert reading.orders == {"play": "wolf"}
        assert [finding.path for finding in reading.findings] == [("standing",)]

    def test_a_package_of_several_kinds_has_texts_for_each(
        self, toy_library: FolderLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        source = toy_library.roots[0]
        shutil.copytree(source / "orders", tmp_path / "orders")
        shutil.copytree(source / "seeds", tmp_path / "seeds")
        package = toy_library._package("toy-duel")
        make = package.GAMES["toy-duel"]
        monkeypatch.setattr(package, "GAMES", {"toy-duel": make, "toy-duel-2010": make})
        seeds, orders = tmp_path / "seeds" / "toy_duel", tmp_path / "orders" / "toy_duel"
        text = (seeds / "components.yaml").read_text()
        (seeds / "toy_duel_2010.yaml").write_text(text.replace("hand: 3", "hand: 2"))
        (orders / "toy_duel_2010").mkdir()
        shutil.copy(orders / "prize.yaml", orders / "toy_duel_2010" / "theft.yaml")
        library = FolderLibrary([tmp_path])
        first, second = library.kind("toy-duel"), library.kind("toy-duel-2010")
        assert (first.components()["hand"], second.components()["hand"]) == (3, 2)
        assert (first.forms(), second.forms()) == (("pick", "prize"), ("pick", "prize", "theft"))
        assert first.digest != second.digest


def test_a_game_may_come_from_another_distribution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy = Path(__file__).parents[1] / "toy"
    package = tmp_path / "far_duel"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from types import SimpleNamespace\n"
        "def make(components):\n"
        "    return SimpleNamespace(kind='far-duel', title='Far Duel', names={'card': ('wolf',)})\n"
        "GAMES = {'far-duel': make}\n"
    )
    for part in ("seeds", "orders", "templates"):
        shutil.copytree(toy / part / "toy_duel", package / "_data" / part / "far_duel")
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint(name="far-duel", value="far_duel", group=module.GROUP)
    monkeypatch.setattr(module, "_entry_points", lambda: [point])
    library = FolderLibrary()
    assert "far-duel" in library.kinds()
    kind = library.kind("far-duel")
    assert kind.title == "Far Duel"
    assert kind.read("pick", Text(value={"play": "w"}), SEATS).orders == {"play": "wolf"}
    greeting = {"game": {"title": kind.title}, "player": "Ada"}
    printer = Office(str(tmp_path / "home")).printer
    made = printer.text("greeting.txt", greeting, kind.game)
    assert made == Printer([toy / "templates"]).text("greeting.txt", greeting, "toy_duel")
    assert printer.has("report.txt", kind.game)


def test_an_outside_game_that_is_gone_keeps_no_letter_from_being_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = EntryPoint(name="lost", value="nowhere.lost", group=module.GROUP)
    monkeypatch.setattr(module, "_entry_points", lambda: [point])
    assert FolderLibrary().templates() == (find_data_folder("templates"),)


class TestDigest:
    """The digest of rules and components depends on what they say, not on where they lie."""

    @pytest.fixture
    def code(self, tmp_path: Path) -> Path:
        house = Path(module.__file__).parents[2]
        shutil.copytree(house / "rules" / "jump_wars", tmp_path / "rules" / "jump_wars")
        shutil.copytree(house / "core", tmp_path / "core")
        return tmp_path

    def _digest(self, code: Path) -> str:
        components = JUMP_WARS.components()
        return digest_rules(code / "rules" / "jump_wars", code / "core", components)

    def test_another_place_and_other_line_ends_are_the_same(self, code: Path) -> None:
        for path in code.rglob("*.py"):
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        assert self._digest(code) == JUMP_WARS.digest

    @pytest.mark.parametrize(
        "name", ["rules/jump_wars/phases/jump/fight_phase.py", "core/dice.py", "core/document.py"]
    )
    def test_a_change_in_a_module_that_decides_is_seen(self, code: Path, name: str) -> None:
        path = code / name
        path.write_text(path.read_text() + "\n# changed\n")
        assert self._digest(code) != JUMP_WARS.digest

    @pytest.mark.parametrize(
        "name", ["core/forms/order_form.py", "core/forms/coercion.py", "core/scenario/runner.py"]
    )
    def test_how_orders_are_read_is_no_part_of_it(self, code: Path, name: str) -> None:
        path = code / name
        path.write_text(path.read_text() + "\n# changed\n")
        assert self._digest(code) == JUMP_WARS.digest

    def test_components_count_by_content(self, tmp_path: Path) -> None:
        shipped = find_data_folder("seeds") / "jump_wars" / "components.yaml"
        copy = tmp_path / "seeds" / "jump_wars" / "components.yaml"
        copy.parent.mkdir(parents=True)
        copy.write_text("# another comment\n" + shipped.read_text())
        assert FolderLibrary([tmp_path]).kind("jump-wars").digest == JUMP_WARS.digest
        copy.write_text(shipped.read_text().replace("fleets: 5", "fleets: 6"))
        assert FolderLibrary([tmp_path]).kind("jump-wars").digest != JUMP_WARS.digest


def test_a_rulebook_is_taken_apart() -> None:
    book = read_rulebook(
        "# Book\n\n- **JGA-9** Special: one.\n  `x`: two.\n\n  three\nprose\n  not this\n"
        "## Two\n- **JD-4a** Four.\n| **JD-5** table |\n"
    )
    assert dict(book) == {"JGA-9": "Special: one. `x`: two. three", "JD-4a": "Four."}
    with pytest.raises(ValueError, match="two rules X-1"):
        read_rulebook("- **X-1** a\n- **X-1** b\n")


def test_a_book_of_two_kinds_has_chapters_of_their_own() -> None:
    text = (
        "# A (`a`) and B (`b`)\n- **X-1** both\n## Of `a`\n- **X-2** a\n"
        "## Of `b`\n- **X-3** b\n## After all\n- **X-4** both\n"
    )
    assert list(read_rulebook(text, "a")) == ["X-1", "X-2", "X-4"]
    assert list(read_rulebook(text, "b")) == ["X-1", "X-3", "X-4"]
    assert len(read_rulebook(text)) == 4


def test_data_lies_beside_the_package_in_a_checkout(tmp_path: Path) -> None:
    assert find_data_home() == Path(module.__file__).parents[3]
    assert find_data_folder("seeds").is_dir()
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "x").touch()
    assert find_in_roots([tmp_path, find_data_home()], "seeds", "x") == tmp_path / "seeds" / "x"
    assert (
        find_in_roots([tmp_path, find_data_home()], "seeds", "jump_wars")
        == find_data_home() / "seeds" / "jump_wars"
    )
    assert find_in_roots([tmp_path], "seeds", "y") is None


def test_in_a_wheel_the_data_lies_inside_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "adjudicator" / "adapters" / "games" / "data_folders.py"
    monkeypatch.setattr("adjudicator.adapters.games.data_folders.__file__", str(module))
    assert find_data_home() == tmp_path / "adjudicator" / "_data"


def test_a_file_that_cannot_be_read_is_named_with_the_place(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("a: [1\n")
    with pytest.raises(Refused, match=r"x\.yaml: line 1, column 4: the bracket opened here"):
        read_yaml_file(path)
    path.write_text("- 1\n")
    with pytest.raises(Refused, match="a mapping was expected"):
        read_yaml_file(path)
