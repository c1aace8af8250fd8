"""How letters leave: the postman that the settings name."""

import os
from collections.abc import Mapping

from adjudicator.adapters.mail.accounts import MaildirOut, PostmanSettings
from adjudicator.adapters.mail.postman.maildir import MaildirPostman
from adjudicator.desk.model.ports import Postman


def open_postman(settings: PostmanSettings, environment: Mapping[str, str] = os.environ) -> Postman:
    """Ready to send; no server is asked before the first letter. Raises Refused."""
    if isinstance(settings, MaildirOut):
        return MaildirPostman(settings)
    from adjudicator.adapters.mail.access import find_password, make_tls_context
    from adjudicator.adapters.mail.postman.smtp import SmtpPostman

    password = find_password(settings.password, environment) if settings.password else None
    return SmtpPostman(settings, password, make_tls_context(settings.authority))
