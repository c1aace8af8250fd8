"""Check whether letters can come and go, by connecting to everything that the settings name."""

import asyncio
import ipaddress
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.adapters.mail.accounts import (
    CheckResult,
    ImapBox,
    MaildirBox,
    MaildirOut,
    PostboxSettings,
    PostmanSettings,
    Secret,
    SmtpOut,
    make_tls_context,
)
from adjudicator.adapters.mail.connections import find_entry
from adjudicator.adapters.mail.maildir import FOLDERS, list_letters, read_status
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.errors import Refused

if TYPE_CHECKING:
    from adjudicator.adapters.mail.oauth.login import Login


def check_mail(
    boxes: Sequence[PostboxSettings],
    man: PostmanSettings,
    environment: Mapping[str, str] = os.environ,
) -> Iterator[CheckResult]:
    """Check every postbox and postman, with at least one finding for each; changes nothing."""
    for box in boxes:
        if isinstance(box, MaildirBox):
            waiting = ("new", "cur") if box.done else ("new",)
            yield _check_folder("postbox", Path(box.folder), waiting)
        else:
            yield from check_account(box, environment)
    if isinstance(man, MaildirOut):
        yield _check_folder("postman", Path(man.folder))
    else:
        yield from check_account(man, environment)


def check_account(
    account: ImapBox | SmtpOut, environment: Mapping[str, str] = os.environ
) -> Iterator[CheckResult]:
    """Check an account on a server by logging in."""
    if isinstance(account, ImapBox):
        yield from _check_server("postbox", account, partial(_try_imap, account, environment))
    else:
        yield from _check_server("postman", account, partial(_try_smtp, account, environment))


def _check_folder(what: str, folder: Path, waiting: Sequence[str] = ()) -> CheckResult:
    """Check that a folder of letters is ours to write, or can be made.

    `waiting` names the subfolders whose letters are counted; empty for a folder of Maildirs.
    """
    folder = folder.expanduser()
    if not folder.exists():
        parent = next(each for each in folder.absolute().parents if each.exists())
        if _is_writable(parent):
            return CheckResult(what, f"{folder} does not exist yet; it will be made when needed")
        return CheckResult(what, f"{folder} cannot be made; make {parent} writable", well=False)
    inside = (folder / name for name in (FOLDERS if waiting else ()))
    for place in (folder, *(each for each in inside if each.exists())):
        if not place.is_dir():
            return CheckResult(what, f"{place} is not a folder; name another one", well=False)
        if not _is_writable(place):
            return CheckResult(
                what, f"{place} cannot be written; check its permissions", well=False
            )
    if not waiting:
        return CheckResult(what, str(folder))
    there = [name for name in waiting if (folder / name).is_dir()]
    count = sum(read_status(entry) is not None for _, entry in list_letters(folder, there))
    return CheckResult(what, f"{folder}, letters waiting: {count}")


def _check_server(
    what: str, account: ImapBox | SmtpOut, attempt: Callable[[], str]
) -> Iterator[CheckResult]:
    """Check a server by logging in; a password without TLS is safe on this machine only."""
    if account.security == "plain" and account.user and not _is_here(account.host):
        what_is_sent = "token" if account.oauth else "password"
        words = (
            f"the {what_is_sent} is sent unencrypted: anybody on the way can read it; set"
            " `security` to tls"
        )
        yield CheckResult(what, f"{account.place}: {words}", well=False)
    try:
        yield CheckResult(what, attempt())
    except Refused as refusal:
        yield CheckResult(what, str(refusal), well=False)


def _try_imap(box: ImapBox, environment: Mapping[str, str]) -> str:
    from adjudicator.adapters.mail.imap_client import probe_mailbox

    entry = find_entry(box, environment)
    assert entry is not None
    waiting, can_idle = probe_mailbox(box, entry, make_tls_context(box.authority))
    at_once = can_idle and box.idle
    how = "announced at once" if at_once else f"looked for every {box.poll:g} seconds"
    return (
        f"{box.place}: {_describe_entry(box, entry)}; new letters are {how};"
        f" letters in {box.folder}: {waiting}"
    )


def _try_smtp(man: SmtpOut, environment: Mapping[str, str]) -> str:
    from adjudicator.adapters.mail.smtp import try_login

    entry = find_entry(man, environment)
    asyncio.run(try_login(man, entry, make_tls_context(man.authority)))
    return f"{man.place}: {_describe_entry(man, entry)}"


def _describe_entry(account: ImapBox | SmtpOut, entry: "Secret | Login | None") -> str:
    if account.user is None:
        return f"it takes letters without a password ({account.security})"
    sentence = f"{account.user} can log in ({account.security})"
    if account.oauth is None or entry is None or isinstance(entry, Secret):
        return sentence
    since = format_deadline(datetime.fromisoformat(entry.read().since), "UTC")
    return f"{sentence} with tokens of {account.oauth.name}, consent given {since}"


def _is_writable(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.R_OK | os.W_OK | os.X_OK)


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
