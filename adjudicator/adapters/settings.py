"""The server's settings: adjudicator.yaml against its schema, every path relative to the file."""

from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.mail.accounts import (
    ImapBox,
    MaildirBox,
    MaildirOut,
    Password,
    PostboxSettings,
    PostmanSettings,
    SmtpOut,
    name_login,
)
from adjudicator.adapters.yaml.reader import Unreadable, load_yaml_scalars
from adjudicator.core.finding import Finding
from adjudicator.core.forms.fault_messages import format_finding
from adjudicator.core.forms.order_form import read_form
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.people import House

SETTINGS_FORM = "adjudicator"
"""orders/common/adjudicator.yaml explains every setting."""
LOGINS = "logins"
"""The folder of the home in which logins by OAuth are kept."""
KEEP_LETTERS = 90
"""Days, where no setting says otherwise."""
_MOST_FAULTS = 5
_NOT_HERE = (
    "are not written here; say where one is found by exactly one of {file: /path} (mode 0600),"
    " {credential: name} (systemd) and {variable: NAME} (environment)"
)


class ServeSettings(House, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of the daemon, those of the server included; paths are absolute."""

    address: str
    home: str = "games"
    postboxes: tuple[PostboxSettings, ...]
    postman: PostmanSettings
    site: str = ""
    """The folder of the pages; empty: none are written."""
    site_url: str = ""
    """Where that folder is on the web."""
    round: int = 10
    keep_letters: int = KEEP_LETTERS
    """For how many days the bytes of letters that went out are kept."""
    log: Literal["text", "json"] = "text"

    @property
    def house(self) -> House:
        """The server's identity, as the desk needs it."""
        own = House(**{name: getattr(self, name) for name in House.__struct_fields__})
        aliases = tuple(alias.lower() for alias in self.aliases)
        bounces = self.bounces.lower()
        return replace(own, address=self.address.lower(), aliases=aliases, bounces=bounces)


def list_post_folders(settings: ServeSettings) -> list[Path]:
    """List the Maildirs for incoming and outgoing letters."""
    posts = (*settings.postboxes, settings.postman)
    return [Path(one.folder) for one in posts if isinstance(one, MaildirBox | MaildirOut)]


def read_settings_file(path: Path) -> ServeSettings:
    """Read the settings file; raises Refused, which names every fault with its line."""
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError as error:
        raise Refused(
            f"{path} is not there; `adjudicator init` writes one, --config names another"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{path}: it cannot be read ({error})") from error
    return parse_settings(text, path)


def parse_settings(text: str, path: Path) -> ServeSettings:
    """Parse the settings in this text, read from this file."""
    try:
        reading = read_form(FolderLibrary().common(SETTINGS_FORM), load_yaml_scalars(text), {})
    except Unreadable as fault:
        findings = fault.findings[:_MOST_FAULTS]
        faults = [_describe_fault(one, _find_line(text, one.line or 0)) for one in findings]
        raise Refused(f"{path}: {'; '.join(faults)}") from None
    if reading.findings:
        faults = [_describe_fault(finding) for finding in reading.findings[:_MOST_FAULTS]]
        raise Refused(f"{path}: {'; '.join(faults)}")
    try:
        settings = msgspec.convert(dict(reading.orders or {}), ServeSettings, strict=False)
    except msgspec.ValidationError as wrong:
        raise Refused(f"{path}: {wrong}") from wrong
    resolved = _resolve_paths(settings, path.parent)
    if clash := _find_clash(resolved):
        raise Refused(f"{path}: {clash}")
    return resolved


def _find_line(text: str, number: int) -> str:
    """Find a line, with the one above if that has the key of its value."""
    above, line = ["", "", *text.splitlines(), ""][number : number + 2]
    return above + line if above.rstrip().endswith(":") else line


def _describe_fault(finding: Finding, line: str = "") -> str:
    """Describe a fault without repeating a password that may be there, or in this line of YAML."""
    key = str(finding.path[-1]) if finding.path else ""
    for secret, name in (("password", "passwords"), ("client_secret", "client secrets")):
        if secret == key or secret in line:
            return format_finding(replace(finding, message=f"{name} {_NOT_HERE}"))
    return format_finding(finding)


def _resolve_paths(settings: ServeSettings, folder: Path) -> ServeSettings:
    """Resolve every path in the settings relative to the file's folder."""
    home = _resolve(folder, settings.home)
    return replace(
        settings,
        home=home,
        site=_resolve(folder, settings.site) if settings.site else "",
        postboxes=tuple(_resolve_box(box, folder, home) for box in settings.postboxes),
        postman=_resolve_account(_name_domain(settings.postman, settings), folder, home)
        if isinstance(settings.postman, SmtpOut)
        else replace(settings.postman, folder=_resolve(folder, settings.postman.folder)),
    )


def _resolve_box(box: PostboxSettings, folder: Path, home: str) -> PostboxSettings:
    if isinstance(box, MaildirBox):
        return replace(box, folder=_resolve(folder, box.folder))
    return _resolve_account(box, folder, home)


Account = TypeVar("Account", ImapBox, SmtpOut)


def _resolve_account(settings: Account, folder: Path, home: str) -> Account:
    """Resolve the files of an account: what lets us in and its authority may be paths."""
    changes: dict[str, Any] = {"password": _resolve_password(settings.password, folder)}
    if settings.oauth is not None:
        changes["oauth"] = replace(
            settings.oauth,
            client_secret=_resolve_password(settings.oauth.client_secret, folder),
            folder=str(Path(home) / LOGINS / name_login(settings.user or "")),
        )
    if isinstance(settings, SmtpOut) and settings.dkim is not None:
        changes["dkim"] = replace(settings.dkim, key=_resolve(folder, settings.dkim.key))
    if settings.authority is not None:
        changes["authority"] = _resolve(folder, settings.authority)
    return replace(settings, **changes)


def _name_domain(postman: SmtpOut, house: House) -> SmtpOut:
    """Name the domain that signs letters: the address's own, if no other is named."""
    if postman.dkim is None or postman.dkim.domain:
        return postman
    return replace(postman, dkim=replace(postman.dkim, domain=house.host.lower()))


def _resolve_password(password: Password | None, folder: Path) -> Password | None:
    if password is None or password.file is None:
        return password
    return Password(file=_resolve(folder, password.file))


def _find_clash(settings: ServeSettings) -> str:
    """Find a user whose login would be two: each has one place in the home."""
    logins = {one.user: one.oauth for one in list_logins(settings)}
    for one in list_logins(settings):
        if one.oauth != logins[one.user]:
            return f"{one.user}: postboxes and postman name different `oauth`; write it alike"
    return ""


def list_logins(settings: ServeSettings) -> list[ImapBox | SmtpOut]:
    """List the accounts that log in by OAuth."""
    posts = (*settings.postboxes, settings.postman)
    return [one for one in posts if isinstance(one, ImapBox | SmtpOut) and one.oauth]


def _resolve(folder: Path, path: str) -> str:
    return str(folder / Path(path).expanduser())
