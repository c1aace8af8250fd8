"""Setting up the house by mail: init."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import click

from adjudicator.cli import asking
from adjudicator.cli.new import pairs
from adjudicator.cli.options import example
from adjudicator.cli.output import command, data, say
from adjudicator.desk.errors import Refused

_SCHEMES = {
    "imaps": ("imap", "tls"),
    "imap": ("imap", "starttls"),
    "smtps": ("smtp", "tls"),
    "smtp": ("smtp", "starttls"),
    "smtp+plain": ("smtp", "plain"),
    "imap+plain": ("imap", "plain"),
}
_PLACE = "file:/path (mode 0600), credential:NAME (systemd) or variable:NAME"


@click.command(
    epilog=example(
        "adjudicator init --address games@example.org --gm ada@example.org \\",
        "  --in imaps://games@mail.example.org --in-password file:imap-password \\",
        "  --out smtps://games@mail.example.org --out-password file:imap-password",
        "adjudicator init --address games@example.org --in maildir:post/in --out maildir:post/out",
        "adjudicator init --systemd",
    )
)
@click.option("--config", metavar="FILE", help="The file to write. [./adjudicator.yaml]")
@click.option("--address", help="Where players write to.")
@click.option("--title", help="The name beside it. [Adjudicator]")
@click.option("--gm", multiple=True, metavar="ADDRESS", help="Where the GM reads letters.")
@click.option("--games", metavar="FOLDER", help="The home. [games, beside the file]")
@click.option(
    "--in",
    "postbox",
    metavar="PLACE",
    help="Where letters arrive: imaps://USER@HOST, imap://USER@HOST (STARTTLS), maildir:FOLDER.",
)
@click.option("--in-password", metavar="WHERE", help=f"Where its password is: {_PLACE}.")
@click.option(
    "--out",
    "postman",
    metavar="PLACE",
    help="How letters leave: smtps://USER@HOST, smtp://USER@HOST (STARTTLS), maildir:FOLDER.",
)
@click.option("--out-password", metavar="WHERE", help="Where its password is. [--in-password]")
@click.option(
    "--setting",
    "others",
    multiple=True,
    metavar="NAME=VALUE",
    help="Any other setting: round=5, postbox.done=none, postman.connections=2.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.option("--print", "only_print", is_flag=True, help="Print the file instead of writing it.")
@click.option("--systemd", is_flag=True, help="Print a systemd unit that runs the daemon.")
def init(**given: Any) -> None:
    """Write the settings of the daemon, every one explained.

    What is missing is asked for at a terminal. Passwords are not asked for:
    the file only says where each is found. With --systemd nothing is written.
    """
    from adjudicator.adapters.settings import DEFAULT, chosen, parse_settings

    path = chosen(given["config"])
    if given["systemd"]:
        _print_unit(path)
        return
    wish = _complete(given)
    text = _rendered(wish, given["config"] or DEFAULT)
    parse_settings(text, path)
    if given["only_print"]:
        data(text)
        return
    _write(path, text, force=given["force"])
    data(str(path))
    say(f"Look through it, then: {command('serve', '--config', path)}")


def _rendered(wish: Mapping[str, Any], file: str) -> str:
    from adjudicator.adapters.library import FolderLibrary
    from adjudicator.adapters.settings import FORM
    from adjudicator.cli.serving.template import rendered

    return rendered(FolderLibrary().common(FORM).schema, wish, file)


def _print_unit(path: Path) -> None:
    from adjudicator.adapters.postbox import MaildirBox
    from adjudicator.adapters.postman import MaildirOut
    from adjudicator.adapters.settings import read_settings
    from adjudicator.cli.serving.unit import unit

    folders = [str(path.parent)]
    if path.exists():
        settings = read_settings(path)
        folders = [settings.home]
        folders += [box.folder for box in settings.postboxes if isinstance(box, MaildirBox)]
        if isinstance(settings.postman, MaildirOut):
            folders.append(settings.postman.folder)
        folders += [settings.site] if settings.site else []
    data(unit(path, folders))


def _complete(given: Mapping[str, Any]) -> dict[str, Any]:
    """Everything that must be there, asked for where somebody sits there to answer."""
    wish: dict[str, Any] = {}
    if given["games"]:
        wish["home"] = given["games"]
    wish["address"] = given["address"] or _asked("--address", "Where do players write to (address)")
    # who has said all that must be there has pasted the command: the next line is no answer
    asked = asking.possible() and not (given["address"] and given["postbox"] and given["postman"])
    title = given["title"] or (asked and asking.word("The name beside it", "Adjudicator"))
    if title:
        wish["title"] = title
    gm = given["gm"] or (
        asked and asking.word("Where do you read letters (address of the GM)", "").split()
    )
    if gm:
        wish["gm"] = list(gm)
    place = given["postbox"] or _asked(
        "--in", "Where letters arrive (imaps://user@host or maildir:folder)", "maildir:post/in"
    )
    box, password = _account(place, given["in_password"], "--in")
    wish["postboxes"] = [box]
    place = given["postman"] or _asked(
        "--out", "How letters leave (smtps://user@host or maildir:folder)", "maildir:post/out"
    )
    wish["postman"], _ = _account(place, given["out_password"] or password, "--out")
    for name, value in pairs(given["others"], "--setting").items():
        part, dot, key = name.partition(".")
        accounts = {"postbox": box, "postman": wish["postman"]}
        if not dot:
            wish[name] = value
        elif part in accounts:
            accounts[part][key] = value
        else:
            raise Refused(f"--setting {name}: expected a name, postbox.NAME or postman.NAME")
    return wish


def _asked(option: str, question: str, default: str | None = None) -> str:
    if not asking.possible():
        raise click.UsageError(f"Missing option '{option}'")
    return asking.word(question, default)


def _account(place: str, password: str | None, option: str) -> tuple[dict[str, Any], str | None]:
    """A postbox or postman as the settings have it, and where its password is."""
    scheme, _, rest = place.partition(":")
    if scheme == "maildir" and rest:
        return {"kind": "maildir", "folder": rest}, password
    wanted = "imap" if option == "--in" else "smtp"
    try:
        kind, security = _SCHEMES[scheme]
        url = urlsplit(place)
        port = url.port
    except (KeyError, ValueError):
        kind, url, port, security = "", SplitResult("", "", "", "", ""), None, ""
    if kind != wanted or not url.hostname:
        raise Refused(f"{option} {place}: expected {wanted}s://USER@HOST or maildir:FOLDER")
    if url.password:
        raise Refused(
            f"{option}: leave the password out; say where it is: {option}-password {_PLACE}"
        )
    found: dict[str, Any] = {"kind": kind, "host": url.hostname}
    if port:
        found["port"] = port
    if security != "tls":
        found["security"] = security
    if url.username:
        found["user"] = unquote(url.username)
        password = password or _asked(f"{option}-password", f"Where is its password ({_PLACE})")
        found["password"] = _where(password, option)
    elif kind == "imap":
        raise Refused(f"{option} {place}: expected a user, imaps://USER@HOST")
    if kind == "imap" and url.path.strip("/"):
        found["folder"] = unquote(url.path.strip("/"))
    return found, password


def _where(text: str, option: str) -> dict[str, str]:
    way, _, name = text.partition(":")
    if way not in ("file", "credential", "variable") or not name:
        raise Refused(f"{option}-password: expected {_PLACE}")
    return {way: name}


def _write(path: Path, text: str, *, force: bool) -> None:
    """For its owner's eyes only: it names accounts."""
    how = os.O_TRUNC if force else os.O_EXCL
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | how, 0o600)
    except FileExistsError as error:
        raise Refused(f"{path} is there already; --force writes over it") from error
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
