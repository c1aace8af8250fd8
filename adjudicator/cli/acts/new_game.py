"""Make a game: new."""

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from adjudicator.cli.terminal import questions
from adjudicator.cli.terminal.arguments import (
    complete_kinds,
    complete_seats,
    complete_settings,
    find_kind,
    read_text_file,
    rules_option,
    suggest_name,
)
from adjudicator.cli.terminal.options import Setting, command
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import digest
from adjudicator.core.names import match
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.model.values import Game, Status

if TYPE_CHECKING:
    from adjudicator.adapters.games.library import FolderLibrary
    from adjudicator.cli.wiring import Office

_BOT = "bot"


class NewGame(Struct, kw_only=True):
    """What the GM asked for so far, option by option."""

    game: str | None
    kind: str | None
    seats: tuple[str, ...]
    options: tuple[str, ...]
    settings: tuple[str, ...]
    pace: str | None
    luck: tuple[str, ...]
    seed: int | None
    components: str | None
    start: bool


@command(
    "adjudicator new ember --kind jump-wars --seat red=Ada --seat blue=Bo --start",
    "adjudicator new frost --kind jump-wars --seat red=Ada --seat blue=bot --seat green \\",
    "  --option grid=hex --option old_empire=true --pace 72h",
)
@click.argument("game", required=False)
@click.option(
    "--kind",
    shell_complete=complete_kinds,
    help="The kind of game; `adjudicator rules` lists them.",
)
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="SEAT[=PLAYER]",
    shell_complete=complete_seats,
    help="A seat and who plays it: a name, an address, 'Ada <ada@example.org>', `bot` (also "
    "`bot:easy`, `bot:hard`), or nobody yet. Repeat for each seat.",
)
@rules_option
@click.option(
    "--setting",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=complete_settings,
    help="A setting of the game, listed by `adjudicator form KIND settings`.",
)
@click.option("--pace", help="none (you close by hand), 72h, or 'mon,thu 20:00'.")
@click.option("--seed", type=int, help="Fixed dice, for tests; they prove nothing.")
@click.option(
    "--luck",
    multiple=True,
    metavar="SEAT=WORDS",
    help="A player's luck words, mixed into the dice.",
)
@click.option("--components", metavar="FILE", help="Components other than the shipped ones.")
@click.option("--start", is_flag=True, help="Start it at once.")
@click.option("--dry-run", is_flag=True, help="Only show what would be made.")
def new_command(setting: Setting, /, *, dry_run: bool, as_json: bool, **params: Any) -> None:
    """Make a game. On a terminal it asks for what is missing.

    GAME is its short name, part of every letter: ember.
    """
    from adjudicator.cli.wiring import find_gm_addresses
    from adjudicator.desk.acts.new import create_game

    request, office = NewGame(**params), setting.office
    found_kind = _choose_kind(setting, request)
    _complete(request, found_kind, office)
    facts: dict[str, Any] = {
        "game": request.game,
        "kind": found_kind.kind,
        "seats": _read_seats(request.seats, found_kind),
        "options": read_options(request.options, "--option"),
        "settings": {**_read_house_settings(office), **_read_settings(office.library, request)},
        "luck": _read_luck(request.luck),
        "seed": secrets.token_bytes(32) if request.seed is None else seed_from_number(request.seed),
        "verifiable": request.seed is None,
        "components": _read_components(request.components),
        "start": request.start,
        "hosts": find_gm_addresses(office),
    }
    with office.making(dry_run=dry_run) as books:
        new_game = create_game(books, office.library, **facts, at=office.at)
        advice = [note.text for note in books.notes(new_game.id) if note.act == "advice"]
    for line in advice:
        print_note(f"Note: {line}")
    if as_json:
        names = ("id", "kind", "status", "seats", "options", "settings", "verifiable")
        facts = {name: getattr(new_game, name) for name in names}
        print_document({**facts, "seed_digest": digest(new_game.seed)})
    else:
        print_data(_summarize(new_game))
    if dry_run:
        print_note("Nothing was made: this was a dry run.")


def _choose_kind(setting: Setting, request: NewGame) -> Kind:
    library = setting.office.library
    if request.kind is None:
        kinds = library.kinds()
        if not questions.can_ask():
            raise click.UsageError(f"Missing option '--kind' ({', '.join(kinds)})")
        request.kind = questions.ask_choice("Kind of game", kinds, _latest_kind(setting.office))
    return find_kind(library, request.kind)


def _latest_kind(office: "Office") -> str | None:
    """Return the kind of the home's newest game, which the next one probably has, too."""
    if not (office.url or office.home.database.exists()):
        return None
    with office.reading() as books:
        newest = max(books.games(), key=lambda game: game.created, default=None)
    return newest.kind if newest else None


def _complete(request: NewGame, kind: Kind, office: "Office") -> None:
    """Ask for missing values, or name the option for each."""
    is_asking = request.game is None or not request.seats
    if not questions.can_ask():
        if is_asking:
            argument = "argument 'GAME': its short name, like ember"
            option = "option '--seat': once for each seat, --seat red=Ada --seat blue=Bo"
            raise click.UsageError(f"Missing {argument if request.game is None else option}")
        return
    if request.game is None:
        request.game = questions.ask_word(
            "Short name of the game (like ember)", check=partial(questions.check_new_name, office)
        )
    if not request.seats:
        request.seats = _ask_seats(kind)
    if request.pace is None and is_asking:
        request.pace = questions.ask_word(
            "Pace (none: you close by hand; 72h; mon,thu 20:00)", "none", questions.check_pace
        )
    if is_asking:
        print_note(_describe_request(request, kind))
    if is_asking and not request.start and all("=" in seat for seat in request.seats):
        request.start = _confirm_start()


def _describe_request(request: NewGame, kind: Kind) -> str:
    """Describe the game about to be created, as its GM answered."""
    lines = [f"\n{request.game}, a game of {kind.title}:"]
    for seat in request.seats:
        name, _, player = seat.partition("=")
        lines.append(f"  {name:<8}{player or 'nobody yet'}")
    return "\n".join([*lines, f"  {'pace':<8}{request.pace or 'none'}"])


def _confirm_start() -> bool:
    answer = questions.ask_choice(
        "Start it now? (no: only make it; stop: make nothing)", ("y", "yes", "n", "no", "stop"), "y"
    )
    if answer == "stop":
        raise click.Abort
    return answer.startswith("y")


def _ask_seats(kind: Kind) -> tuple[str, ...]:
    least, most = kind.book
    count = questions.ask_number(
        f"How many players ({least} to {most})", kind.smallest, kind.largest, least
    )
    print_note("Who plays? A name, bot, or - for nobody yet.")
    seated: dict[str, str] = {}
    for seat in kind.seats[:count]:
        check = partial(questions.check_player, players=tuple(seated.values()))
        seated[seat] = questions.ask_word(f"  {seat}", _BOT, check)
    return tuple(seat if who == "-" else f"{seat}={who}" for seat, who in seated.items())


def _read_seats(texts: Sequence[str], kind: Kind) -> dict[str, str | None]:
    seats: dict[str, str | None] = {}
    for text in texts:
        name, equals, player = (" ".join(part.split()) for part in text.partition("="))
        seat = match(name, kind.seats)
        if seat is None:
            hint = suggest_name(name, kind.seats) or f" The seats are {', '.join(kind.seats)}."
            raise Refused(f'{kind.title} has no seat "{name}".{hint} Write --seat red=Ada.')
        if seat in seats:
            raise Refused(f"--seat {seat} is given twice; every seat has one player")
        if equals and not player:
            raise Refused(
                f"--seat {text}: a player's name is missing; --seat {seat} leaves it open"
            )
        seats[seat] = player or None
    return seats


def read_options(texts: Sequence[str], option: str) -> dict[str, Any]:
    """Parse NAME=VALUE options into a document, reading the values as YAML."""
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"{option} {text}: expected NAME=VALUE")
        name = name.strip().replace("-", "_")
        if name in options:
            raise Refused(f"{option} {name} is given twice")
        options[name] = _read_yaml(value, f"{option} {text}")
    return options


def _read_settings(library: "FolderLibrary", request: NewGame) -> dict[str, Any]:
    """Read the desk's settings and check them against the form that explains them."""
    from adjudicator.core.finding import format_path
    from adjudicator.core.forms.order_form import read_form
    from adjudicator.core.forms.reading import Text

    settings = read_options(request.settings, "--setting")
    if request.pace and "pace" in settings:
        raise Refused("the pace is given twice; write --pace or --setting pace=..., not both")
    whole = {**settings, **({"pace": request.pace} if request.pace else {})}
    reading = read_form(library.common("settings"), Text(value=whole), {})
    for finding in reading.findings:
        raise Refused(f"settings: {format_path(finding.path)}: {finding.message}")
    return dict(reading.orders or {})


def _read_house_settings(office: "Office") -> dict[str, Any]:
    """Read the daemon's settings that apply to all games of this home, for their Message-IDs."""
    from adjudicator.cli.wiring import find_house_settings

    try:
        settings = find_house_settings(office)
    except Refused as refusal:  # a game by hand needs none of it
        print_note(f"Note: the server's settings are not used: {refusal}")
        return {}
    return {"host": settings.house.host} if settings else {}


def _read_luck(texts: Sequence[str]) -> dict[str, str]:
    words_by_seat = {}
    for text in texts:
        seat, equals, words = text.partition("=")
        if not equals:
            raise click.UsageError(f"--luck {text}: expected SEAT=WORDS")
        words_by_seat[seat.strip()] = " ".join(words.split())
    return words_by_seat


def _read_components(file: str | None) -> Mapping[str, Any] | None:
    if file is None:
        return None
    components = _read_yaml(read_text_file(file, "list of components"), file)
    if not isinstance(components, dict):
        raise Refused(f"{file}: components are a mapping, as in the files of seeds/GAME")
    return components


def _read_yaml(text: str, where: str) -> Any:
    from adjudicator.adapters.yaml.reader import Unreadable, load_yaml

    try:
        return load_yaml(text)
    except Unreadable as fault:
        raise Refused(f"{where}: {fault}") from fault


def _summarize(game: Game) -> str:
    lines = [f"{game.id}: {game.kind}, {len(game.seats)} seats ({', '.join(game.seats)})."]
    lines.append(f"Commitment to the dice: SHA-256 of the seed is {digest(game.seed)}.")
    if game.status == Status.OPEN:
        lines.append("It is open; by mail it begins when all seats are taken.")
        lines.append(f"To start it yourself: adjudicator start {game.id}")
    else:
        lines.append(f"It has started. To see what is due: adjudicator orders {game.id}")
    return "\n".join(lines)
