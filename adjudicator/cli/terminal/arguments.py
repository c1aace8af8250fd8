"""Find and complete what a GM names: games, seats, steps, kinds and files."""

import codecs
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from adjudicator.core.forms.order_form import Form
from adjudicator.core.names import match, suggest
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.lineage import find_turn
from adjudicator.desk.model.ports import Books, Kind, Library
from adjudicator.desk.model.values import Game

if TYPE_CHECKING:
    from adjudicator.adapters.games.library import FolderKind
    from adjudicator.cli.wiring import Office

_LISTED = 12
"""How many games are named where one was not found."""


def suggest_name(text: str, names: Iterable[str]) -> str:
    """Format a suggestion: ` Did you mean "ember"?`, or nothing."""
    nearest = suggest(text, names)
    return f' Did you mean "{nearest}"?' if nearest else ""


def find_name(text: str, names: Sequence[str], lack: str, introduction: str) -> str:
    """Find the name that is meant, given in full or abbreviated; Unknown lists the names."""
    name = match(text, names)
    if name is None:
        hint = suggest_name(text, names) or f" {introduction} {', '.join(names)}."
        raise Unknown(f'{lack} "{text}".{hint}')
    return name


def find_game(books: Books, text: str) -> Game:
    """Find the game with exactly this id."""
    try:
        return books.game(text)
    except Unknown:
        ids = books.game_names()
    if not ids:
        raise Unknown(f'there is no game "{text}"; there are none yet: adjudicator new')
    more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
    hint = suggest_name(text, ids) or f" The games are {', '.join(ids[:_LISTED])}{more}."
    raise Unknown(f'there is no game "{text}".{hint}')


def find_seat(game: Game, text: str) -> str:
    """Find the seat to look at by its name or an unambiguous beginning."""
    return find_name(text, game.seats, f"{game.id} has no seat", "Its seats are")


GUIDES = ("player", "gm", "trust")
"""For whom there is a guide."""


def find_kind(library: Library, text: str) -> Kind:
    """Find the kind of game by its name or an unambiguous beginning."""
    return library.kind(
        find_name(text, library.kinds(), "there is no kind of game", "The kinds are")
    )


def is_archive(text: str) -> bool:
    """Whether a folder is meant rather than a game of the home."""
    return "/" in text or (Path(text) / "game.yaml").is_file()


_F = TypeVar("_F", bound=Callable[..., Any])


Complete = Callable[[click.Context, click.Parameter, str], list[str]]
"""How the shell completes one parameter."""
_Words = Callable[["Office", click.Context], Iterable[str]]


def _make_completion(words: _Words) -> Complete:
    """Make the completion from these words; it suggests nothing if they are unavailable."""

    def complete(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
        from adjudicator.cli.wiring import Office

        office = Office(ctx.params.get("home") or ctx.find_root().params.get("home"))
        try:
            with suppress(Refused, OSError):
                return [word for word in words(office, ctx) if word.startswith(incomplete)]
            return []
        finally:
            office.close()

    return complete


def complete_values(find: Callable[[Books, Game], Sequence[str]]) -> Complete:
    """Complete with values from the game named before."""

    def words(office: "Office", ctx: click.Context) -> Sequence[str]:
        with office.reading() as books:
            return find(books, books.game(_find_meant_game(books, ctx)))

    return _make_completion(words)


def _find_meant_game(books: Books, ctx: click.Context) -> str:
    """Find the game on the command line, which click doesn't keep while an option is pending."""
    if ctx.params.get("game"):
        return str(ctx.params["game"])
    ids, words = [game.id for game in books.games()], os.environ.get("COMP_WORDS", "").split()
    return next((word for word in words if word in ids), "")


def _list_games(office: "Office", _ctx: click.Context) -> list[str]:
    if office.empty:
        return []
    with office.reading() as books:
        return [game.id for game in books.games() if game.archived is None]


def _list_kinds(office: "Office", _ctx: click.Context) -> Sequence[str]:
    return office.library.kinds()


def _list_games_and_kinds(office: "Office", ctx: click.Context) -> list[str]:
    games: list[str] = []
    with suppress(Refused, OSError):
        games = _list_games(office, ctx)
    return [*games, *_list_kinds(office, ctx)]


def _list_guides(office: "Office", _ctx: click.Context) -> Sequence[str]:
    return (*GUIDES, *office.library.kinds())


def _find_meant_kind(office: "Office", ctx: click.Context) -> "FolderKind":
    """Find the kind named on the command line so far, directly or by one of its games."""
    param = str(ctx.params.get("kind") or ctx.params.get("game") or "")
    words = [param, *os.environ.get("COMP_WORDS", "").split()]
    kinds = office.library.kinds()
    kind = next((word for word in words if word in kinds), None)
    if kind is None:
        with office.reading() as books:
            kind = books.game(_find_meant_game(books, ctx)).kind
    return office.library.kind(kind)


def _list_seats(office: "Office", ctx: click.Context) -> Sequence[str]:
    with suppress(Refused, OSError), office.reading() as books:
        return books.game(_find_meant_game(books, ctx)).seats
    return _find_meant_kind(office, ctx).seats


def _list_forms(office: "Office", ctx: click.Context) -> list[str]:
    from adjudicator.adapters.games.library import BESIDE

    if ctx.params.get("game") == "scenario":
        return list(office.library.kinds())
    return [*_find_meant_kind(office, ctx).forms(), *BESIDE]


def _list_keys(form: Form) -> list[str]:
    from adjudicator.core.forms.explanation import explain_form

    return [f"{key['key']}=" for key in explain_form(form)["keys"]]


def _list_rule_numbers(office: "Office", ctx: click.Context) -> list[str]:
    param = str(ctx.params.get("kind"))
    kinds = [param] if param in office.library.kinds() else office.library.kinds()
    return list(dict.fromkeys(n for kind in kinds for n in office.library.rulebook(kind)))


def _list_turns(books: Books, game: Game) -> list[str]:
    turns = [find_turn(books, step) for step in books.steps(game.id)]
    return list(dict.fromkeys(turn.split()[-1] for turn in turns if turn))


complete_games = _make_completion(_list_games)
complete_kinds = _make_completion(_list_kinds)
complete_guides = _make_completion(_list_guides)
complete_games_and_kinds = _make_completion(_list_games_and_kinds)
complete_explained = _make_completion(
    lambda office, ctx: [*_list_games_and_kinds(office, ctx), "settings", "scenario"]
)
complete_seats = _make_completion(_list_seats)
complete_steps = complete_values(lambda books, game: books.step_names(game.id))
complete_turns = complete_values(_list_turns)
complete_acts = complete_values(
    lambda books, game: sorted({note.act for note in books.notes(game.id)})
)
complete_forms = _make_completion(_list_forms)
complete_options = _make_completion(
    lambda office, ctx: _list_keys(_find_meant_kind(office, ctx).form("options"))
)
complete_settings = _make_completion(
    lambda office, _ctx: _list_keys(office.library.common("settings"))
)
complete_server_settings = _make_completion(
    lambda office, _ctx: dict.fromkeys(
        key.replace("postboxes[]", "postbox")
        for key in _list_keys(office.library.common("adjudicator"))
    )
)
complete_rule_numbers = _make_completion(_list_rule_numbers)
complete_kinds_and_rules = _make_completion(
    lambda office, ctx: [*_list_kinds(office, ctx), *_list_rule_numbers(office, ctx)]
)


def complete_game_and_step(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[str]:
    """Complete a game, then one of its steps."""
    steps = complete_steps(ctx, param, incomplete)
    return steps or complete_games(ctx, param, incomplete)


def game_argument(command: _F) -> _F:
    """Add the argument GAME, completed with the home's games."""
    return click.argument("game", shell_complete=complete_games)(command)


def rules_option(command: _F) -> _F:
    """Add --option, for options of the rules, completed with those of the kind of game."""
    return click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        shell_complete=complete_options,
        help="An option of the rules, listed by `adjudicator form KIND options`.",
    )(command)


def step_option(text: str) -> Callable[[_F], _F]:
    """Add --step, completed with the game's steps."""
    explanation = f'{text}: 12-jump, 12, "turn 5" or 5.jump.'
    return click.option("--step", metavar="STEP", shell_complete=complete_steps, help=explanation)


WHERE_KEPT = "file:/path (mode 0600), credential:NAME (systemd) or variable:NAME"


def read_secret_place(text: str, option: str, expected: str = WHERE_KEPT) -> dict[str, str]:
    """Read where a password or another secret is found; it is never given itself."""
    source, _, name = text.partition(":")
    if source not in ("file", "credential", "variable") or not name:
        raise Refused(f"{option}: expected {expected}")
    return {source: name}


_MOST = 1024 * 1024


def read_text_file(file: str, what: str) -> str:
    """Read a text file of this sort, such as an order form (- is standard input)."""
    if file == "-":
        name, content = "standard input", sys.stdin.buffer.read(_MOST + 1)
    else:
        name = file
        with Path(file).open("rb") as stream:
            content = stream.read(_MOST + 1)
    if len(content) > _MOST:
        raise Refused(f"{name}: larger than 1 MB, so it is not a {what}; check the file")
    return decode_file(content)


def decode_file(content: bytes) -> str:
    """Decode the bytes of a file, with or without a byte order mark."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as Windows may save it
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
