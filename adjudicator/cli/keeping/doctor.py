"""Check the installation, the home and the mail servers: doctor."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

import click

from adjudicator.adapters.games.data_folders import PARTS, find_data_folder
from adjudicator.adapters.home import choose_settings_file
from adjudicator.adapters.mail.accounts import CheckResult
from adjudicator.adapters.rights import close_to_others, find_open
from adjudicator.adapters.settings import ServeSettings, list_post_folders
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.adapters.store.upkeep.damage import find_damage
from adjudicator.cli.archives import verify_game
from adjudicator.cli.serving.systemd import find_existing
from adjudicator.cli.terminal.faults import format_refusal
from adjudicator.cli.terminal.options import Setting, command
from adjudicator.cli.terminal.output import print_data, print_document
from adjudicator.cli.wiring import DATABASE_VARIABLE, Office, find_settings
from adjudicator.core.document import Document
from adjudicator.desk.model.errors import Damaged, Refused
from adjudicator.desk.model.values import Status
from adjudicator.desk.questions.overview import list_games

_LEAST_FREE = 100 * 1024 * 1024
_PYTHON = (3, 11)
_NAMED = 5
"""How many files that others can read are named."""


Check = Callable[[Office], Iterator[CheckResult]]


@command(
    "adjudicator doctor",
    "adjudicator doctor --config adjudicator.yaml",
    "adjudicator doctor --fix",
)
@click.option(
    "--config",
    metavar="FILE",
    help="The daemon's settings: its postboxes and its mail server are checked as well."
    " [ADJUDICATOR_CONFIG, else ./adjudicator.yaml if it exists]",
)
@click.option("--fix", is_flag=True, help="Remove the access that other users have to the home.")
def doctor_command(setting: Setting, config: str | None, fix: bool, as_json: bool) -> int:
    """Check Python, the installed games, the home, its database, the disk and the mail.

    Exits with 1 if something is wrong. Nothing is changed, except by --fix.
    """
    settings, wrong = None, ""
    try:
        settings = find_settings(config)
    except Refused as refusal:
        wrong = str(refusal)
    if config is not None and setting.home is None and settings is not None:
        setting.home = settings.home

    checks: tuple[Check, ...] = (
        _check_python,
        _check_texts,
        _make_rights(settings, fix=fix),  # before anything reads the secret, which tightens it
        *_CHECKS,
        _make_mail(config, settings, wrong),
    )
    results = [one for check in checks for one in _guard(check, setting.office)]
    if as_json:
        print_document(results)
    for one in () if as_json else results:
        print_data(f"{'ok   ' if one.well else 'WRONG'}  {one.what}: {one.words}")
    return 0 if all(one.well for one in results) else 1


def _make_mail(config: str | None, settings: ServeSettings | None, wrong: str) -> Check:
    def _check_mail(_office: Office) -> Iterator[CheckResult]:
        """Check nothing, since games here are played by hand."""
        if wrong:
            yield CheckResult("settings", wrong, well=False)
        if settings is not None:
            from adjudicator.adapters.mail.check import check_mail
            from adjudicator.adapters.mail.deliverability.dns_records import check_published

            yield CheckResult("settings", str(choose_settings_file(config)))
            yield from check_mail(settings.postboxes, settings.postman)
            yield from check_published(settings.address, settings.postman)

    return _check_mail


def _make_rights(settings: ServeSettings | None, *, fix: bool) -> Check:
    posts = list_post_folders(settings) if settings else ()

    def _check_rights(office: Office) -> Iterator[CheckResult]:
        home = office.home.path
        if office.home.is_ours():
            if fix:
                close_to_others(home, posts)
            yield from _list_open(home, list(find_open(home, posts)))

    return _check_rights


def _guard(check: Check, office: Office) -> Iterator[CheckResult]:
    """Turn an unexpected failure of a check into a result."""
    try:
        yield from check(office)
    except Exception as error:
        words = " ".join(str(error).split())
        what = check.__name__.removeprefix("_check_")
        yield CheckResult(what, words.removeprefix(f"{what} ") or type(error).__name__, well=False)


def _judge(what: str, words: str, wrong: str, *, well: bool) -> CheckResult:
    """Report these words if all is well, else what is wrong and what to do."""
    return CheckResult(what, words if well else wrong, well)


def _check_python(_office: Office) -> Iterator[CheckResult]:
    version = ".".join(str(part) for part in sys.version_info[:3])
    well = sys.version_info[:2] >= _PYTHON
    yield _judge("python", version, f"{version}; 3.11 or newer is needed", well=well)


def _check_texts(office: Office) -> Iterator[CheckResult]:
    """Check every kind of game with its rules, forms and rulebook."""
    for part in PARTS:
        place = find_data_folder(part)
        yield _judge(part, str(place), f"{place} is missing; install again", well=place.is_dir())
    for kind in office.library.kinds():
        source = office.library.kind(kind)
        forms = [source.form(name).name for name in source.forms()]
        words = f"{len(source.rulebook)} rules, forms {', '.join(forms)}"
        yield CheckResult(kind, words, well=bool(forms and source.rulebook))


def _check_home(office: Office) -> Iterator[CheckResult]:
    path = office.home.path
    if path.is_dir():
        well = os.access(path, os.R_OK | os.W_OK | os.X_OK)
        yield _judge(
            "home", str(path), f"{path} cannot be written; check its permissions", well=well
        )
    elif office.empty:
        parent = find_existing(path)
        new = f"{path} does not exist yet; "
        well = os.access(parent, os.W_OK)
        yield _judge(
            "home",
            f"{new}it is created with the first game",
            f"{new}{parent} cannot be written",
            well=well,
        )


def _check_database(office: Office) -> Iterator[CheckResult]:
    if office.empty:
        yield CheckResult("database", "none yet; it is created with the first game")
        return
    with office.reading() as books:
        games = list_games(books, office.library)
    place = office.store.name.removeprefix("database ") if office.url else office.home.database
    yield CheckResult("database", f"{place}, games: {len(games)}")
    for game in games:
        if game["trouble"]:
            yield CheckResult(str(game["id"]), game["trouble"]["message"], well=False)
        if game["rules_changed"] and game["status"] != "over":
            words = "its rules have changed since it began, and letters to it wait in the postbox;"
            preview = f"`adjudicator accept {game['id']} --dry-run` shows how, and"
            way_out = f"{preview} without --dry-run it continues under the new ones"
            yield CheckResult(str(game["id"]), f"{words} {way_out}", well=False)


def _check_engine(office: Office) -> Iterator[CheckResult]:
    """Run the database's own check."""
    damage = () if office.empty else find_damage(office.store)
    if damage:
        words = f"it is damaged ({'; '.join(damage)}); put back a copy of it"
        yield CheckResult("database", words, well=False)


def _check_games(office: Office) -> Iterator[CheckResult]:
    """Check that every running game can be continued as it was recorded."""
    if office.empty:
        return
    with office.reading() as books:
        games = [one["id"] for one in list_games(books, office.library) if _can_be_checked(one)]
    for name in games:
        faults = verify_game(office, name).faults
        if faults:
            first = f"{faults[0].step or name}: {faults[0].file}: {faults[0].message}"
            words = f"it is not as it was recorded ({first}); `adjudicator verify {name}` says more"
            yield CheckResult(name, words, well=False)


def _can_be_checked(line: Document) -> bool:
    """Whether the game can be checked; damage and changed rules have a line of their own."""
    is_playable = line["status"] in (Status.RUNNING, Status.PAUSED) or line["waits"]
    return is_playable and not line["trouble"] and not line["rules_changed"]


def _check_secret(office: Office) -> Iterator[CheckResult]:
    """Check whether keys in players' letters are valid."""
    if office.empty:
        return
    try:
        with office.reading() as books:
            journal = office.find_journal_fault(books) or office.find_archive_fault(books)
            fault = office.find_secret_fault(books)
    except StoreTrouble as trouble:
        if isinstance(trouble.__cause__, Damaged):
            return  # the game's own line says so
        raise
    if journal:
        yield CheckResult("journal", format_refusal(journal), well=False)
    if fault:
        yield CheckResult("secret", format_refusal(fault), well=False)


def _list_open(home: Path, open_files: Sequence[tuple[Path, int]]) -> Iterator[CheckResult]:
    """List seeds, hands, letters and secrets that others can read."""
    for path, mode in open_files[:_NAMED]:
        name = str(path.relative_to(home)) if path.is_relative_to(home) else str(path)
        words = f"mode {path.stat().st_mode & 0o777:03o} lets others read it"
        way_out = f"`adjudicator doctor --fix`, or chmod {mode:03o} {path}"
        yield CheckResult("home" if path == home else name, f"{words}; {way_out}", well=False)
    if len(open_files) > _NAMED:
        words = f"{len(open_files) - _NAMED} more files and folders; `adjudicator doctor --fix`"
        yield CheckResult("others can read", words, well=False)
    if not open_files:
        yield CheckResult("rights", "only you can read the home")


def _check_password(office: Office) -> Iterator[CheckResult]:
    """Warn of a password in the environment, which lists of processes and services show."""
    from adjudicator.adapters.store.trouble import has_password

    if office.url is not None and has_password(office.url):
        words = f"{DATABASE_VARIABLE} holds a password, which other users of this machine may see"
        way_out = "write it into ~/.pgpass (mode 600) and leave it out of the URL"
        yield CheckResult("database URL", f"{words}; {way_out}", well=False)


def _check_zones(_office: Office) -> Iterator[CheckResult]:
    try:
        ZoneInfo("Europe/Berlin")
    except (KeyError, OSError):
        yield CheckResult("time zones", "no zone data here; pip install tzdata", well=False)
    else:
        yield CheckResult("time zones", f"{len(available_timezones())} known")


def _check_disk(office: Office) -> Iterator[CheckResult]:
    free = shutil.disk_usage(find_existing(office.home.path)).free
    words = f"{free // (1024 * 1024)} MB free"
    yield _judge("disk", words, f"{words}; make room, at least 100 MB", well=free >= _LEAST_FREE)


_CHECKS: tuple[Check, ...] = (
    _check_home,
    _check_database,
    _check_engine,
    _check_games,
    _check_secret,
    _check_password,
    _check_zones,
    _check_disk,
)
