"""The house itself: what lies where, which way imports point, what no module may do."""

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from types import CodeType

import pytest

from tests.servers.needed import need_program

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "adjudicator"
TOP_LEVEL = {
    "pyproject.toml",
    "README.md",
    "Makefile",
    "LICENSE",
    "seeds",
    "adjudicator",
    "orders",
    "templates",
    "games",
    "tests",
}
MACHINE_PATH = re.compile(rb"(?<![\w.])/(?:work|root|Users)/[\w.]")


@pytest.fixture(scope="module")
def tracked(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is in the repository, as far as it is on disk; of a download, what would be in it."""
    git = [need_program("git", "git"), "-c", "safe.directory=*"]  # CI often has another owner
    which: list[str] = []
    if not (ROOT / ".git").exists():
        empty = tmp_path_factory.mktemp("empty")
        subprocess.run([*git, "init", "-q", empty], check=True)
        git += ["--git-dir", str(empty / ".git"), "--work-tree", str(ROOT)]
        which = ["--others", "--exclude-standard"]
    command = [*git, "-C", str(ROOT), "ls-files", "-z", *which]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_the_top_level_holds_what_the_design_names(tracked: list[str]) -> None:
    entries = {name.split("/")[0] for name in tracked}
    assert {e for e in entries if not e.startswith(".")} <= TOP_LEVEL


def test_every_module_can_be_read_in_one_sitting(tracked: list[str]) -> None:
    modules = [name for name in tracked if name.endswith(".py")]
    lengths = {name: len((ROOT / name).read_bytes().splitlines()) for name in modules}
    most = {name: 400 if name.startswith("adjudicator/") else 450 for name in modules}
    assert {name: lines for name, lines in lengths.items() if lines > most[name]} == {}


def test_every_folder_reads_like_a_table_of_contents(tracked: list[str]) -> None:
    entries: dict[str, set[str]] = {}
    for name in tracked:
        parts = Path(name).parts
        for depth in range(1, len(parts)):
            if parts[0] == "adjudicator" and parts[depth] != "__init__.py":
                entries.setdefault("/".join(parts[:depth]), set()).add(parts[depth])
    assert len(entries) > 30
    assert {folder: sorted(held) for folder, held in entries.items() if len(held) > 14} == {}


IMPLEMENTATIONS = {
    "down_revision": "Alembic reads it in every migration",
    "revision": "Alembic reads it in every migration",
    "upgrade": "Alembic calls it in every migration",
}
"""Names that several modules define because something outside asks each of them for it."""


def _list_public_names(source: str) -> set[str]:
    """What a module defines at its top for others; its type variables are its own."""
    found: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            called = getattr(node.value, "func", None)
            if getattr(called, "id", "") == "TypeVar":
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            inner = (one for target in targets for one in ast.walk(target))
            found |= {one.id for one in inner if isinstance(one, ast.Name)}
    return {name for name in found if not name.startswith("_")}


def test_a_public_name_means_one_thing() -> None:
    meanings: dict[str, list[str]] = {}
    for path in _modules("."):
        if "rules" in path.relative_to(PACKAGE).parts:
            continue
        for name in _list_public_names(path.read_text(encoding="utf-8")):
            meanings.setdefault(name, []).append(str(path.relative_to(PACKAGE)))
    assert len(meanings) > 1000
    twice = {name: sorted(places) for name, places in meanings.items() if len(places) > 1}
    assert {name: twice[name] for name in twice if name not in IMPLEMENTATIONS} == {}
    assert IMPLEMENTATIONS.keys() <= twice.keys()


NO_NOUN = re.compile(
    "asked|came|changed|chosen|closed|done|drawn|found|given|gone|held|kept|known|left|listed|lost|"
    "made|meant|mine|moved|named|opened|ours|quoted|refused|said|seen|sent|shown|taken|told|wanted|"
    "way|whose|written"
)
"""What no function calls a value: its name says what it is, not what was done to it."""


def _find_odd_names(code: CodeType) -> Iterator[str]:
    """Find such names in a function and those in it; `left` is a noun beside `right` or `top`."""
    names = {*code.co_varnames, *code.co_cellvars}
    names -= {"left"} if names & {"right", "top"} else set()
    yield from (f"{code.co_name}: {name}" for name in sorted(filter(NO_NOUN.fullmatch, names)))
    for inner in code.co_consts:
        yield from _find_odd_names(inner) if isinstance(inner, CodeType) else ()


def test_values_are_called_by_nouns() -> None:
    paths = _modules(".")
    compiled = {str(path): compile(path.read_bytes(), path, "exec") for path in paths}
    assert len(compiled) > 300
    assert {path: names for path in compiled if (names := [*_find_odd_names(compiled[path])])} == {}
    code = compile("def tell(told, left, top):\n    made = lambda said: told", "", "exec")
    assert [*_find_odd_names(code)] == ["tell: made", "tell: told", "<lambda>: said"]


def test_no_file_names_a_place_on_somebodys_machine(tracked: list[str]) -> None:
    named = [
        f"{name}:{number}"
        for name in tracked
        for number, line in enumerate((ROOT / name).read_bytes().splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]
    assert named == []


PLACE = re.compile(r"(?<![\w./-])(?:adjudicator|orders|seeds|templates|tests)/[\w/.-]+\.[a-z]\w+")


def test_no_text_sends_its_reader_to_a_file_that_is_not_there(tracked: list[str]) -> None:
    written = {".py", ".md", ".yaml", ".j2", ".toml"}
    texts = [name for name in tracked if Path(name).suffix in written]
    sent = {
        (name, place)
        for name in texts
        if not name.startswith("games/")
        for place in PLACE.findall((ROOT / name).read_text(encoding="utf-8"))
    }
    assert len(sent) > 20
    roots = (ROOT, ROOT / "tests" / "toy")
    lost = [one for one in sorted(sent) if not any((root / one[1]).exists() for root in roots)]
    assert lost == []


# What the import contracts cannot see: built-ins need no import.
IMPURE = {"open", "print", "input", "eval", "exec", "compile", "breakpoint", "__import__"}


def _modules(*layers: str) -> Iterator[Path]:
    for layer in layers:
        yield from sorted((PACKAGE / layer).rglob("*.py"))


def _impurities(source: str) -> list[str]:
    names = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name))
    used = (node for node in names if isinstance(node.ctx, ast.Load))
    return [f"{node.lineno}: {node.id}" for node in used if node.id in IMPURE]


def test_core_rules_and_desk_use_no_builtin_that_reaches_the_world() -> None:
    found = {
        str(path.relative_to(ROOT)): _impurities(path.read_text(encoding="utf-8"))
        for path in _modules("core", "rules", "desk")
    }
    assert len(found) > 20
    assert {path: names for path, names in found.items() if names} == {}


def test_the_scan_sees_what_it_looks_for() -> None:
    assert _impurities("x = 1\nwith open('f') as f:\n    open = f\n") == ["2: open"]


COMMAND_LINE = re.compile(r"(?<![\w-])--[a-z]|\badjudicator [a-z]")


def _find_command_lines(source: str) -> list[str]:
    """Texts that name an option or a command; the examples of acts are declared as commands."""
    tree = ast.parse(source)
    declared = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and node.arg == "examples"
        for part in ast.walk(node)
    }
    return [
        f"{node.lineno}: {node.value}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if id(node) not in declared and COMMAND_LINE.search(node.value)
    ]


def test_the_desk_does_not_speak_the_command_line() -> None:
    """It carries structured ways out, and each face writes them in its own syntax."""
    texts = {path: path.read_text(encoding="utf-8") for path in _modules("desk")}
    found = {str(p.relative_to(ROOT)): _find_command_lines(text) for p, text in texts.items()}
    assert len(found) > 50
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = 'run `adjudicator recover` now'", 1),
        ("x = f'{home} was moved by `backup --move`'", 1),
        ("x = 'one thing -- another, or adjudicator'", 0),
        ("ACT = Act(examples=('close ember --now',))", 0),
    ],
)
def test_the_check_of_the_desk_sees_commands(source: str, found: int) -> None:
    assert len(_find_command_lines(source)) == found


def _lint_imports(where: Path) -> subprocess.CompletedProcess[str]:
    tool = Path(sysconfig.get_path("scripts")) / "lint-imports"
    command = [str(tool), "--no-cache"]
    return subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)


PLANTS = {
    "a clock in the core": ("core/dice.py", "import time", "Rules are pure"),
    "a clock in a game": ("rules/jump_wars/position/space.py", "import time", "Rules are pure"),
    "a database at the desk": ("desk/model/values.py", "import sqlite3", "only through ports"),
    "a game that knows another": (
        "rules/other/__init__.py",
        "import adjudicator.rules.jump_wars",
        "Games do not know each other",
    ),
    "a game at the command line": (
        "cli/stray.py",
        "import adjudicator.rules.jump_wars",
        "Only the library reaches a game",
    ),
    "the core looking up": ("core/dice.py", "import adjudicator.desk.model.values", "One way down"),
}
"""What may not be: in which module, by which import, and the contract that says so."""


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """The package with its contracts, to plant something in."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "adjudicator", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_imports_point_one_way(planted: Path) -> None:
    checked = _lint_imports(planted)
    assert checked.returncode == 0, checked.stdout
    (planted / "adjudicator" / "utils.py").touch()
    checked = _lint_imports(planted)
    assert checked.returncode == 1, "a module without a layer"
    assert re.search(r"One way down[^\n]* BROKEN", checked.stdout), checked.stdout


def test_imports_that_point_another_way_are_found(planted: Path) -> None:
    for module, line, _ in PLANTS.values():
        path = planted / "adjudicator" / module
        path.parent.mkdir(exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
    checked = _lint_imports(planted)
    assert checked.returncode == 1
    for what, (module, line, contract) in PLANTS.items():
        assert re.search(rf"{contract}[^\n]* BROKEN", checked.stdout), f"{what}: {checked.stdout}"
        importer = f"adjudicator.{module.removesuffix('.py').removesuffix('/__init__')}"
        arrow = rf"{importer.replace('/', '.')} ->\s+{line.removeprefix('import ')} "
        assert re.search(arrow, checked.stdout), f"{what}: {checked.stdout}"


def test_forbidden_modules_are_spelt_right() -> None:
    # a misspelt name in a contract forbids nothing, and nobody is told
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    forbidden = {name for c in contracts for name in c.get("forbidden_modules", [])}
    third_party = {"click", "jinja2", "sqlalchemy", "yaml"}
    assert forbidden - set(sys.stdlib_module_names) <= third_party


# ---- what is taken from others

DEPENDENCY = re.compile(r'^  "([a-z][\w-]*)[^"]*", *(# \S.*)?$', re.MULTILINE)
WITHOUT_IMPORT = {"font-source-sans-pro", "tzdata"}
"""A font that is read as a file; zones that the standard library finds by itself."""
IN_EXTRAS = {"dkim", "dns"}
"""What is imported only where an extra is installed."""


def test_every_dependency_says_what_it_is_for() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    settings = tomllib.loads(text)
    wanted = [*settings["project"]["dependencies"], *settings["dependency-groups"]["dev"]]
    told = DEPENDENCY.findall(text)
    assert len(told) == len(wanted) > 20
    assert [name for name, comment in told if not comment] == []


def test_dependencies_are_exactly_what_is_used() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = {re.split(r"[^\w-]", d)[0] for d in settings["project"]["dependencies"]}
    known = packages_distributions()
    used = {
        name.lower().replace("_", "-")
        for path in PACKAGE.rglob("*.py")
        for module in _imported(path.read_text(encoding="utf-8"))
        if module not in {*sys.stdlib_module_names, *IN_EXTRAS, "adjudicator"}
        for name in known.get(module, [module])
    }
    assert used == declared - WITHOUT_IMPORT


def _imported(source: str) -> Iterator[str]:
    """The outermost names of the modules that it takes from elsewhere."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


# ---- the wheel, far away from the checkout

OUT_OF_REACH = """\
import os, sys

CHECKOUT, TOOLS = {checkout!r} + os.sep, {tools!r} + os.sep

def watch(event, args):
    if event in ("open", "os.listdir", "os.scandir", "os.chdir") and args:
        try:
            path = os.path.abspath(os.fsdecode(args[0])) + os.sep
        except TypeError:
            return
        if path.startswith(CHECKOUT) and not path.startswith(TOOLS):
            raise PermissionError("the checkout is out of reach: " + path)

sys.addaudithook(watch)
"""


def _run(command: list[str | Path], where: Path) -> str:
    kept = ("PATH", "LANG", "TMPDIR")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    env |= {"HOME": str(where), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=where,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def far_away(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel in it, from which the checkout cannot be read."""
    base = tmp_path_factory.mktemp("far-away")
    # no isolation: the build backend is at hand (group dev), the network may not be
    _run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", base, ROOT], base)
    (wheel,) = base.glob("*.whl")
    home = base / "venv"
    venv.create(home, with_pip=False)
    (site,) = home.glob("lib/python*/site-packages")
    pip = [sys.executable, "-m", "pip", "--python", home / "bin" / "python"]
    _run([*pip, "install", "--quiet", "--no-deps", "--no-index", wheel], base)
    # Dependencies are borrowed, as the network may be out of reach. A path in a .pth does not
    # read the .pth files that lie there, so the editable install stays behind.
    tools = sysconfig.get_path("purelib")
    (site / "borrowed.pth").write_text(f"{tools}\nimport out_of_reach\n", encoding="utf-8")
    guard = OUT_OF_REACH.format(checkout=str(ROOT), tools=sys.prefix)
    (site / "out_of_reach.py").write_text(guard, encoding="utf-8")
    return base


@pytest.fixture(scope="module")
def installed(far_away: Path) -> list[str | Path]:
    """The command line of the installed wheel."""
    return [far_away / "venv" / "bin" / "adjudicator"]


def test_the_guard_keeps_the_checkout_out_of_reach(far_away: Path) -> None:
    python = far_away / "venv" / "bin" / "python"
    code = f"open({str(ROOT / 'README.md')!r})"
    done = subprocess.run(
        [python, "-c", code], cwd=far_away, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "the checkout is out of reach" in done.stderr


def test_the_wheel_answers_far_away_from_the_checkout(
    installed: list[str | Path], far_away: Path
) -> None:
    assert "adjudicator" in _run([*installed, "--version"], far_away)
    assert "JW-30" in _run([*installed, "rules", "jump-wars", "JW-30"], far_away)


SHORT = """\
from adjudicator.__main__ import main
from adjudicator.adapters.render import png
from adjudicator.cli.demo import command

command._TURNS, png._SHARP = 2, 0.1
main()
"""


def _demo(command: list[str | Path], where: Path, folder: str) -> None:
    told = _run([*command, "demo", "--out", folder], where)
    assert re.search(r"Verified: \d+ steps played again", told)
    for form in ("txt", "html"):
        assert list(where.glob(f"{folder}/jump_wars/*/steps/*/red/report.{form}"))


def test_the_wheel_plays_its_demo_far_away_from_the_checkout(far_away: Path) -> None:
    """Two turns of it, with small pictures: every kind of letter, archive, proof and site."""
    _demo([far_away / "venv" / "bin" / "python", "-c", SHORT], far_away, "short")


@pytest.mark.soak
def test_the_wheel_plays_its_demo_to_the_end_far_away_from_the_checkout(
    installed: list[str | Path], far_away: Path
) -> None:
    _demo(installed, far_away, "whole")
