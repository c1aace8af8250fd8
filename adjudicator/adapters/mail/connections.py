"""The postbox and the postman that the settings name; what speaks to servers is imported late."""

import os
from collections.abc import Mapping

from adjudicator.adapters.mail.accounts import (
    MaildirBox,
    MaildirOut,
    PostboxSettings,
    PostmanSettings,
    find_password,
    make_tls_context,
)
from adjudicator.adapters.mail.maildir import MaildirPostbox, MaildirPostman
from adjudicator.desk.model.ports import Postbox, Postman


def open_postbox(settings: PostboxSettings, environment: Mapping[str, str] = os.environ) -> Postbox:
    """Open a postbox that connects on its first fetch. Raises Refused."""
    if isinstance(settings, MaildirBox):
        return MaildirPostbox(settings)
    from adjudicator.adapters.mail.imap import ImapPostbox

    password = find_password(settings.password, environment)
    return ImapPostbox(settings, password, make_tls_context(settings.authority))


def open_postman(settings: PostmanSettings, environment: Mapping[str, str] = os.environ) -> Postman:
    """Open a postman that connects for its first letter. Raises Refused."""
    if isinstance(settings, MaildirOut):
        return MaildirPostman(settings)
    from adjudicator.adapters.mail.smtp import SmtpPostman

    password = find_password(settings.password, environment) if settings.password else None
    return SmtpPostman(settings, password, make_tls_context(settings.authority))
