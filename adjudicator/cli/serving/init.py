"""Set up the server: init, and the settings file that it writes."""

import os
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import click

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.home import DEFAULT_SETTINGS_FILE, choose_settings_file
from adjudicator.adapters.render.text_layout import format_inline
from adjudicator.adapters.settings import (
    SETTINGS_FORM,
    list_logins,
    list_post_folders,
    parse_settings,
    read_settings_file,
)
from adjudicator.cli.acts.new_game import read_options
from adjudicator.cli.serving.systemd import render_units
from adjudicator.cli.terminal import questions
from adjudicator.cli.terminal.arguments import (
    WHERE_KEPT,
    complete_server_settings,
    read_secret_place,
)
from adjudicator.cli.terminal.options import format_example
from adjudicator.cli.terminal.output import find_own_command, print_data, print_note
from adjudicator.core.document import Document
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.people import check_address

_WIDTH = 78
_NOT_GIVEN = object()
_HEAD = """\
# Settings of the daemon: adjudicator serve --config {file}
# Read again with SIGHUP. Commented lines show the defaults.
# This file holds no password, only where each is found (see password).
"""


def render_settings(settings: Document, file: str) -> str:
    """Render the settings file: what was given, and the rest as comments."""
    properties = FolderLibrary().common(SETTINGS_FORM).schema["properties"]
    lines = [_HEAD.format(file=file).rstrip("\n")]
    for name, part in properties.items():
        lines += ["", *_render_comment(part, "")]
        value = settings.get(name, _NOT_GIVEN)
        if value is _NOT_GIVEN:
            default = part.get("default", part.get("examples", [None])[0])
            lines.append(f"#{name}: {format_setting(default)}")
        elif isinstance(value, dict):
            lines += [f"{name}:", *_render_account(value, part, "  ")]
        elif value and isinstance(value, list) and isinstance(value[0], dict):
            lines.append(f"{name}:")
            lines += [one for box in value for one in _render_account(box, part["items"], "- ")]
        else:
            lines.append(f"{name}: {format_setting(value)}")
    others = settings.keys() - properties.keys()
    lines += [f"{name}: {format_setting(settings[name])}" for name in settings if name in others]
    return "\n".join(lines) + "\n"


def _render_account(value: Mapping[str, Any], part: Document, first: str) -> Iterator[str]:
    """Render a postbox or postman with all its settings."""
    branch = "then" if value["kind"] == part["if"]["properties"]["kind"]["const"] else "else"
    properties = {**part["properties"], **part[branch]["properties"]}
    yield f"{first}kind: {value['kind']}"
    for name, schema in properties.items():
        if name == "kind":
            continue
        yield from _render_comment(schema, "  ")
        nothing = "none" if name == "done" else ""
        default = schema.get("default")
        setting, mark = (value[name], "") if name in value else (default, "#")
        text = format_setting(setting) if setting is not None else "none" if not mark else nothing
        yield f"  {mark}{name}: {text}".rstrip()
    # unknown settings are written as given, and refused when they are read
    yield from (
        f"  {name}: {format_setting(value[name])}" for name in value if name not in properties
    )


def _render_comment(part: Document, indent: str) -> list[str]:
    start, words = f"{indent}# ", " ".join(part.get("description", "").split())
    return textwrap.wrap(words, _WIDTH, initial_indent=start, subsequent_indent=start)


def format_setting(value: Any) -> str:
    """Format a value on one line of YAML; numbers of seconds stay text and need no quotes."""
    if isinstance(value, str) and value.replace(".", "").isdigit():
        return value
    return format_inline(value)


_TOKENS = "microsoft:CLIENT_ID, google:CLIENT_ID or https://ISSUER:CLIENT_ID"
_BY_TOKENS = "oauth:"
_SERVERS = {
    "microsoft": ("imaps://outlook.office365.com", "smtp://smtp.office365.com"),
    "google": ("imaps://imap.gmail.com", "smtps://smtp.gmail.com"),
}
"""Where the mailboxes of a provider are."""
_PERSONAL = re.compile(r"@(outlook|hotmail|live|msn)\.")
_PERSONAL_POSTMAN = "smtp://smtp-mail.outlook.com"
"""Personal mailboxes of Microsoft send elsewhere than those of organizations."""


@click.command(
    epilog=format_example(
        "adjudicator init --address games@example.org --gm ada@example.org \\",
        "  --in imaps://games@mail.example.org --in-password file:imap-password \\",
        "  --out smtps://games@mail.example.org --out-password file:imap-password",
        "adjudicator init --address games@outlook.com --gm ada@example.org --oauth microsoft:ID",
        "adjudicator init --address games@example.org --in maildir:post/in --out maildir:post/out",
        "adjudicator init --systemd",
    )
)
@click.option("--config", metavar="FILE", help="The file to write. [./adjudicator.yaml]")
@click.option("--address", help="The address that players write to.")
@click.option("--title", help="The name shown with the address. [Adjudicator]")
@click.option("--gm", multiple=True, metavar="ADDRESS", help="The address of the GM.")
@click.option("--games", metavar="FOLDER", help="The folder with the games. [./games]")
@click.option(
    "--in",
    "postbox",
    metavar="PLACE",
    help="Where letters arrive: imaps://USER@HOST, imap://USER@HOST (STARTTLS), maildir:FOLDER.",
)
@click.option("--in-password", metavar="WHERE", help=f"Where its password is found: {WHERE_KEPT}.")
@click.option(
    "--out",
    "postman",
    metavar="PLACE",
    help="How letters leave: smtps://USER@HOST, smtp://USER@HOST (STARTTLS), maildir:FOLDER.",
)
@click.option(
    "--out-password", metavar="WHERE", help="Where its password is found. [--in-password]"
)
@click.option(
    "--oauth",
    metavar="WHO:CLIENT_ID",
    help=f"Who gives tokens in place of passwords: {_TOKENS}.",
)
@click.option("--oauth-secret", metavar="WHERE", help="Where its client secret is found, if any.")
@click.option(
    "--setting",
    "others",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=complete_server_settings,
    help="Any other setting: round=5, postbox.done=none, postman.connections=2.",
)
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
@click.option("--print", "only_print", is_flag=True, help="Print the file instead of writing it.")
@click.option(
    "--systemd",
    is_flag=True,
    help="Print systemd units: the daemon and a nightly verified backup.",
)
def init_command(**params: Any) -> None:
    """Write the settings of the daemon, each with an explanation.

    At a terminal, missing settings are asked for. Passwords are not: the file
    only says where each is found. For a mailbox of Microsoft or Google, --oauth
    is enough: the servers are known. With --systemd nothing is written.
    """
    path = choose_settings_file(params["config"])
    if params["systemd"]:
        folders = _list_folders(path)
        print_data(render_units(path, folders[0], folders))
        return
    if path.exists() and not (params["force"] or params["only_print"]):
        raise Refused(f"{path} already exists; --force overwrites it")
    text = render_settings(_complete_settings(params), params["config"] or DEFAULT_SETTINGS_FILE)
    parse_settings(text, path)
    if params["only_print"]:
        print_data(text)
        return
    _write(path, text, force=params["force"])
    print_data(str(path))
    for user in dict.fromkeys(one.user for one in list_logins(read_settings_file(path))):
        print_note(f"Log in once: {find_own_command('login', user, '--config', path)}")
    print_note(f"Check the file, then run: {find_own_command('serve', '--config', path)}")


def _list_folders(path: Path) -> list[str]:
    """List the folders that the daemon writes to."""
    if not path.exists():
        return [str(path.parent / "games")]
    settings = read_settings_file(path)
    folders = [str(folder) for folder in list_post_folders(settings)]
    return [settings.home, *folders, *filter(None, [settings.site])]


def _complete_settings(params: Mapping[str, Any]) -> dict[str, Any]:
    """Complete the required settings, asking for missing ones at a terminal."""
    settings: dict[str, Any] = {}
    if params["games"]:
        settings["home"] = params["games"]
    settings["address"] = params["address"] or _ask(
        "--address", "Address that players write to", check=_check_addresses
    )
    oauth = _read_oauth(params["oauth"], params["oauth_secret"]) if params["oauth"] else None
    servers = _find_servers(oauth, settings["address"])
    postbox, postman = params["postbox"] or servers[0], params["postman"] or servers[1]
    # with all required options the command was pasted: the next line of input is no answer
    is_asking = questions.can_ask() and not (params["address"] and postbox and postman)
    title = params["title"] or (
        is_asking and questions.ask_word("Name shown with the address", "Adjudicator")
    )
    if title:
        settings["title"] = title
    gm = params["gm"] or (
        is_asking
        and questions.ask_word("Your own address, as the GM", "", _check_addresses).split()
    )
    if gm:
        settings["gm"] = list(gm)
    place = postbox or _ask(
        "--in",
        "Where letters arrive (imaps://user@host or maildir:folder)",
        "maildir:post/in",
        partial(_read_place, option="--in"),
    )
    entry = _Entry(oauth, settings["address"], params["in_password"])
    box, entry = _read_account(place, entry, "--in")
    settings["postboxes"] = [box]
    place = postman or _ask(
        "--out",
        "How letters leave (smtps://user@host or maildir:folder)",
        "maildir:post/out",
        partial(_read_place, option="--out"),
    )
    entry = entry._replace(password=params["out_password"] or entry.password)
    settings["postman"], _ = _read_account(place, entry, "--out")
    for name, value in read_options(params["others"], "--setting").items():
        part, dot, key = name.partition(".")
        accounts = {"postbox": box, "postman": settings["postman"]}
        if not dot:
            settings[name] = value
        elif part in accounts:
            accounts[part][key] = value
        else:
            raise Refused(f"--setting {name}: expected a name, postbox.NAME or postman.NAME")
    return settings


def _ask(
    option: str,
    question: str,
    default: str | None = None,
    check: Callable[[str], object] | None = None,
) -> str:
    if not questions.can_ask():
        raise click.UsageError(f"Missing option '{option}'")
    return questions.ask_word(question, default, check)


def _check_addresses(text: str) -> None:
    for address in text.split():
        check_address(address)


class _Entry(NamedTuple):
    """What was said of logging in."""

    oauth: dict[str, Any] | None
    address: str
    """Whose mailbox it is by OAuth, if the place does not say."""
    password: str | None


def _read_account(place: str, entry: _Entry, option: str) -> tuple[dict[str, Any], _Entry]:
    """Read the settings of a postbox or postman, and what was said of logging in."""
    settings = _read_place(place, option, entry.address if entry.oauth else None)
    if "user" not in settings:
        return settings, entry
    option = f"{option}-password"
    if not (entry.password or entry.oauth):
        question = f"Where is its password ({WHERE_KEPT}), or {_BY_TOKENS}microsoft:CLIENT_ID"
        answer = _ask(option, question, check=partial(_check_entry, option=option))
        if answer.startswith(_BY_TOKENS):
            entry = entry._replace(oauth=_read_oauth(answer.removeprefix(_BY_TOKENS), None))
        else:
            entry = entry._replace(password=answer)
    if entry.password:
        return settings | {"password": read_secret_place(entry.password, option)}, entry
    return settings | {"oauth": entry.oauth}, entry


def _check_entry(text: str, option: str) -> None:
    if text.startswith(_BY_TOKENS):
        _split_oauth(text.removeprefix(_BY_TOKENS))
    else:
        read_secret_place(text, option)


def _split_oauth(text: str) -> tuple[str, str]:
    who, _, client = text.rpartition(":")
    if not client or not (who in _SERVERS or who.startswith("https://")):
        raise Refused(f"{text}: expected {_TOKENS}")
    return who, client


def _read_oauth(text: str, secret: str | None) -> dict[str, Any]:
    who, client = _split_oauth(text)
    settings: dict[str, Any] = {
        "provider" if who in _SERVERS else "issuer": who,
        "client_id": client,
    }
    option = "--oauth-secret"
    if who == "google" and secret is None:  # it gives every client one
        question = f"Where is the client secret ({WHERE_KEPT})"
        secret = _ask(option, question, check=partial(read_secret_place, option=option))
    if secret is not None:
        settings["client_secret"] = read_secret_place(secret, option)
    return settings


def _find_servers(oauth: Mapping[str, Any] | None, address: str) -> tuple[str | None, str | None]:
    """Find where a provider's letters arrive and leave."""
    settings = oauth or {}
    of_microsoft = str(settings.get("issuer", "")).startswith("https://login.microsoftonline.com/")
    provider = "microsoft" if of_microsoft else settings.get("provider", "")
    postbox, postman = _SERVERS.get(provider, (None, None))
    if postman == _SERVERS["microsoft"][1] and _PERSONAL.search(address.lower()):
        postman = _PERSONAL_POSTMAN
    return postbox, postman


def _read_place(place: str, option: str, user: str | None = None) -> dict[str, Any]:
    """Read the settings of a postbox or postman, without its password."""
    if place.startswith("maildir:") and place != "maildir:":
        return {"kind": "maildir", "folder": place.removeprefix("maildir:")}
    kind = "imap" if option == "--in" else "smtp"
    scheme = re.match(rf"{kind}(s|\+plain)?:", place)
    try:
        url = urlsplit(place)
        host, port = url.hostname, url.port
    except ValueError:
        host = None
    if scheme is None or not host:
        raise Refused(f"{option} {place}: expected {kind}s://USER@HOST or maildir:FOLDER")
    if url.password:
        raise Refused(
            f"{option}: leave the password out; say where it is found: "
            f"{option}-password {WHERE_KEPT}"
        )
    settings: dict[str, Any] = {"kind": kind, "host": host}
    if port:
        settings["port"] = port
    if scheme[1] != "s":
        settings["security"] = "plain" if scheme[1] else "starttls"
    if url.username or user:
        settings["user"] = unquote(url.username) if url.username else user
    elif kind == "imap":
        raise Refused(f"{option} {place}: expected a user, imaps://USER@HOST")
    if kind == "imap" and url.path.strip("/"):
        settings["folder"] = unquote(url.path.strip("/"))
    return settings


def _write(path: Path, text: str, *, force: bool) -> None:
    """Write the file for its owner only, since it names accounts."""
    how = os.O_TRUNC if force else os.O_EXCL
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | how, 0o600)
    except FileExistsError as error:
        raise Refused(f"{path} already exists; --force overwrites it") from error
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
