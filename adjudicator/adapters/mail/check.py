"""Whether letters can come and go: connects to everything that the settings name."""

import asyncio
import ipaddress
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from adjudicator.adapters.mail.accounts import (
    ImapBox,
    MaildirBox,
    MaildirOut,
    PostboxSettings,
    PostmanSettings,
    SmtpOut,
    find_password,
    make_tls_context,
)
from adjudicator.adapters.mail.maildir import FOLDERS, list_letters, read_status
from adjudicator.desk.model.errors import Refused


class MailCheck(Struct, frozen=True):
    """What a look at one place of the post office came to."""

    what: str
    words: str
    well: bool = True


def check_mail(
    boxes: Sequence[PostboxSettings],
    man: PostmanSettings,
    environment: Mapping[str, str] = os.environ,
) -> Iterator[MailCheck]:
    """One finding or more for each place; nothing is changed anywhere."""
    for box in boxes:
        if isinstance(box, MaildirBox):
            yield check_folder(
                "postbox", Path(box.folder), ("new", "cur") if box.done else ("new",)
            )
        else:
            yield from _check_imap(box, environment)
    if isinstance(man, MaildirOut):
        yield check_folder("postman", Path(man.folder))
    else:
        yield from _check_smtp(man, environment)


def check_folder(what: str, folder: Path, waiting: Sequence[str] = ()) -> MailCheck:
    """A folder of letters: there and ours to write, or to be made.

    `waiting` names the subfolders whose letters are to be counted; none for a folder of Maildirs.
    """
    folder = folder.expanduser()
    if not folder.exists():
        parent = next(each for each in folder.absolute().parents if each.exists())
        if _is_writable(parent):
            return MailCheck(what, f"{folder} does not exist yet; it will be made when needed")
        return MailCheck(what, f"{folder} cannot be made; make {parent} writable", well=False)
    inside = (folder / name for name in (FOLDERS if waiting else ()))
    for place in (folder, *(each for each in inside if each.exists())):
        if not place.is_dir():
            return MailCheck(what, f"{place} is not a folder; name another one", well=False)
        if not _is_writable(place):
            return MailCheck(what, f"{place} cannot be written; check its permissions", well=False)
    if not waiting:
        return MailCheck(what, str(folder))
    return MailCheck(what, f"{folder}, letters waiting: {_count_letters(folder, waiting)}")


def check_cleartext(what: str, place: str, host: str) -> MailCheck | None:
    """A password without TLS is nobody else's only on this machine."""
    if _is_here(host):
        return None
    words = (
        "the password is sent unencrypted: anybody on the way can read it; set `security` to tls"
    )
    return MailCheck(what, f"{place}: {words}", well=False)


def _check_imap(box: ImapBox, environment: Mapping[str, str]) -> Iterator[MailCheck]:
    from adjudicator.adapters.mail.imap import probe_mailbox

    if box.security == "plain" and (wrong := check_cleartext("postbox", box.place, box.host)):
        yield wrong

    def words() -> str:
        password = find_password(box.password, environment)
        waiting, can_idle = probe_mailbox(box, password, make_tls_context(box.authority))
        at_once = can_idle and box.idle
        how = "announced at once" if at_once else f"looked for every {box.poll:g} seconds"
        return (
            f"{box.place}: {box.user} can log in ({box.security}); new letters are {how};"
            f" letters in {box.folder}: {waiting}"
        )

    yield _try_server("postbox", words)


def _check_smtp(man: SmtpOut, environment: Mapping[str, str]) -> Iterator[MailCheck]:
    from adjudicator.adapters.mail.smtp import reach

    if man.security == "plain" and man.user is not None:
        wrong = check_cleartext("postman", man.place, man.host)
        if wrong is not None:
            yield wrong

    def words() -> str:
        password = find_password(man.password, environment) if man.password else None
        asyncio.run(reach(man, password, make_tls_context(man.authority)))
        does = f"{man.user} can log in" if man.user else "it takes letters without a password"
        return f"{man.place}: {does} ({man.security})"

    yield _try_server("postman", words)


def _try_server(what: str, words: Callable[[], str]) -> MailCheck:
    try:
        return MailCheck(what, words())
    except Refused as refused:
        return MailCheck(what, str(refused), well=False)


def _is_writable(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.R_OK | os.W_OK | os.X_OK)


def _count_letters(folder: Path, names: Sequence[str]) -> int:
    there = [name for name in names if (folder / name).is_dir()]
    return sum(1 for _, entry in list_letters(folder, there) if read_status(entry) is not None)


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
