"""Checks of everything that can be wrong around the program: doctor."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from adjudicator.cli.terminal.options import Setting, example, home_option, json_option
from adjudicator.cli.terminal.output import print_data, print_document
from adjudicator.cli.wiring import Office
from adjudicator.desk.model.errors import Refused

if TYPE_CHECKING:
    from adjudicator.adapters.settings import ServeSettings

_LEAST_FREE = 100 * 1024 * 1024
_PYTHON = (3, 11)


class CheckResult(Struct, frozen=True):
    """What one check found."""

    what: str
    words: str
    well: bool = True


@click.command(epilog=example("adjudicator doctor", "adjudicator doctor --config adjudicator.yaml"))
@click.option(
    "--config",
    metavar="FILE",
    help="The daemon's settings: its postboxes and its mail server are checked as well."
    " [ADJUDICATOR_CONFIG, else ./adjudicator.yaml if it is there]",
)
@json_option
@home_option
@click.pass_context
def doctor_command(context: click.Context, config: str | None, as_json: bool) -> None:  # noqa: FBT001
    """Check Python, the installed games, the home, its database, the disk and the mail.

    Exits with 1 if something is wrong. Nothing is changed.
    """
    setting: Setting = context.obj
    post = _Post(config)
    if config is not None and setting.home is None and post.settings is not None:
        setting.home = post.settings.home
    checks: tuple[Check, ...] = (*_CHECKS, post.look)
    results = [one for check in checks for one in _guarded(check, setting.office)]
    if as_json:
        print_document(results)
    else:
        for one in results:
            print_data(f"{'ok   ' if one.well else 'WRONG'}  {one.what}: {one.words}")
    if not all(one.well for one in results):
        context.exit(1)


def _guarded(check: "Check", office: Office) -> Iterator[CheckResult]:
    """A check that fails unexpectedly is a result as well."""
    try:
        yield from check(office)
    except Exception as error:
        words = " ".join(str(error).split())
        what = check.__name__.strip("_")
        yield CheckResult(what, words.removeprefix(f"{what} ") or type(error).__name__, well=False)


Check = Callable[[Office], Iterator[CheckResult]]


class _Post:
    """The settings of the daemon, if there are any, and everything that they name."""

    def __init__(self, config: str | None) -> None:
        from adjudicator.adapters.settings import choose_settings_file, read_settings

        self.settings: ServeSettings | None = None
        self._file = choose_settings_file(config)
        self._wrong = ""
        if config is None and not self._file.exists():
            return
        try:
            self.settings = read_settings(self._file)
        except Refused as refused:
            self._wrong = str(refused)

    def look(self, _office: Office) -> Iterator[CheckResult]:
        """Nothing to check where games are played by hand."""
        if self._wrong:
            yield CheckResult("settings", self._wrong, well=False)
        if self.settings is None:
            return
        from adjudicator.adapters.mail.check import check_mail

        yield CheckResult("settings", str(self._file))
        for found in check_mail(self.settings.postboxes, self.settings.postman):
            yield CheckResult(found.what, found.words, well=found.well)


def _python(_office: Office) -> Iterator[CheckResult]:
    version = ".".join(str(part) for part in sys.version_info[:3])
    well = sys.version_info[:2] >= _PYTHON
    yield CheckResult(
        "python", version if well else f"{version}; 3.11 or newer is needed", well=well
    )


def _texts(office: Office) -> Iterator[CheckResult]:
    """Every kind of game with its rules, forms and rulebook."""
    from adjudicator.adapters.games.data_folders import PARTS, find_data_folder

    for part in PARTS:
        place = find_data_folder(part)
        there = place.is_dir()
        yield CheckResult(
            part, str(place) if there else f"{place} is missing; install again", well=there
        )
    for kind in office.library.kinds():
        found = office.library.kind(kind)
        forms = [found.form(name).name for name in found.forms()]
        words = f"{len(found.rulebook)} rules, forms {', '.join(forms)}"
        yield CheckResult(kind, words, well=bool(forms and found.rulebook))


def _home(office: Office) -> Iterator[CheckResult]:
    path = office.home.path
    if not path.exists():
        parent = _existing(path)
        well = os.access(parent, os.W_OK)
        way = "it is created with the first game" if well else f"{parent} cannot be written"
        yield CheckResult("home", f"{path} does not exist yet; {way}", well=well)
        return
    if not path.is_dir():
        yield CheckResult("home", f"{path} is not a folder; --home names another", well=False)
        return
    well = os.access(path, os.R_OK | os.W_OK | os.X_OK)
    yield CheckResult(
        "home", str(path) if well else f"{path} cannot be written; check its permissions", well=well
    )


def _existing(path: Path) -> Path:
    while not path.exists():
        path = path.parent
    return path


def _database(office: Office) -> Iterator[CheckResult]:
    from adjudicator.desk.questions.screens import list_games

    if office.empty:
        yield CheckResult("database", "none yet; it is created with the first game")
        return
    with office.reading() as books:
        games = list_games(books, office.library)
    place = office.store.name.removeprefix("database ") if office.url else office.home.database
    yield CheckResult("database", f"{place}, games: {len(games)}")
    for game in games:
        if game["rules_changed"] and game["status"] != "over":
            words = "its rules have changed since it began; `adjudicator verify` shows how, and"
            way = f"`adjudicator accept {game['id']}` continues under the new ones"
            yield CheckResult(str(game["id"]), f"{words} {way}", well=False)


def _rights(office: Office) -> Iterator[CheckResult]:
    """Seeds, hands and the server's secret are nobody else's business."""
    for name in ("secret", "adjudicator.db"):
        path = office.home.path / name
        if not path.exists():
            continue
        mode = path.stat().st_mode & 0o777
        well = not mode & 0o077
        way = "only you can read it" if well else f"others can read it; chmod 600 {path}"
        yield CheckResult(name, f"mode {mode:03o}, {way}", well=well)
    for path in sorted(office.home.path.glob("*/*/private.yaml")):
        if path.stat().st_mode & 0o077:
            yield CheckResult(
                "private.yaml", f"others can read {path}; chmod 600 {path}", well=False
            )


def _zones(_office: Office) -> Iterator[CheckResult]:
    from zoneinfo import ZoneInfo, available_timezones

    try:
        ZoneInfo("Europe/Berlin")
    except (KeyError, OSError):
        yield CheckResult("time zones", "no zone data here; pip install tzdata", well=False)
        return
    yield CheckResult("time zones", f"{len(available_timezones())} known")


def _disk(office: Office) -> Iterator[CheckResult]:
    free = shutil.disk_usage(_existing(office.home.path)).free
    words = f"{free // (1024 * 1024)} MB free"
    well = free >= _LEAST_FREE
    yield CheckResult("disk", words if well else f"{words}; make room, at least 100 MB", well=well)


_CHECKS: tuple[Check, ...] = (_python, _texts, _home, _database, _rights, _zones, _disk)
