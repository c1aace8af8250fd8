"""The postbox and the postman that the settings name; what speaks to servers is imported late."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.adapters.mail.accounts import (
    ImapBox,
    MaildirBox,
    MaildirOut,
    PostboxSettings,
    PostmanSettings,
    Secret,
    SmtpOut,
    find_password,
    make_tls_context,
)
from adjudicator.adapters.mail.maildir import MaildirPostbox, MaildirPostman, make_maildir
from adjudicator.desk.model.ports import Postbox, Postman

if TYPE_CHECKING:
    from adjudicator.adapters.mail.oauth.login import Login


def open_postbox(settings: PostboxSettings, environment: Mapping[str, str] = os.environ) -> Postbox:
    """Open a postbox that connects on its first fetch. Raises Refused."""
    if isinstance(settings, MaildirBox):
        return MaildirPostbox(settings)
    from adjudicator.adapters.mail.imap import ImapPostbox

    entry = find_entry(settings, environment)
    assert entry is not None
    return ImapPostbox(settings, entry, make_tls_context(settings.authority))


def identify_box(settings: PostboxSettings) -> str:
    """Identify a postbox, on whichever machine its settings are read."""
    if not isinstance(settings, MaildirBox):
        return f"imap {settings.user}@{settings.host.lower()}:{settings.number}/{settings.folder}"
    folder = Path(settings.folder).expanduser()
    try:
        make_maildir(folder)
        # the device number differs between the machines that share a folder
        return f"maildir {os.statvfs(folder).f_fsid:x}.{folder.stat().st_ino:x}"
    except OSError:  # it is read as soon as it can be
        return f"maildir {folder}"


def open_postman(settings: PostmanSettings, environment: Mapping[str, str] = os.environ) -> Postman:
    """Open a postman that connects for its first letter. Raises Refused."""
    if isinstance(settings, MaildirOut):
        return MaildirPostman(settings)
    from adjudicator.adapters.mail.deliverability.signing import open_signer
    from adjudicator.adapters.mail.smtp import SmtpPostman

    entry = find_entry(settings, environment)
    sign = open_signer(settings.dkim) if settings.dkim else None
    return SmtpPostman(settings, entry, make_tls_context(settings.authority), sign=sign)


def find_entry(
    account: ImapBox | SmtpOut, environment: Mapping[str, str] = os.environ
) -> "Secret | Login | None":
    """Find what lets us in; raises Refused if a password is not found, or nobody logged in."""
    if account.oauth is None:
        return find_password(account.password, environment) if account.password else None
    from adjudicator.adapters.mail.oauth.login import open_login

    return open_login(account, environment)
