"""The postman that the settings name."""

import os
from collections.abc import Mapping

from adjudicator.adapters.postman.maildir import MaildirPostman
from adjudicator.adapters.postman.settings import MaildirOut, PostmanSettings
from adjudicator.desk.ports import Postman


def open_postman(settings: PostmanSettings, environment: Mapping[str, str] = os.environ) -> Postman:
    """Ready to send; no server is asked before the first letter. Raises Refused."""
    if isinstance(settings, MaildirOut):
        return MaildirPostman(settings)
    from adjudicator.adapters.credentials import found
    from adjudicator.adapters.postman.smtp import SmtpPostman
    from adjudicator.adapters.trust import trust

    password = found(settings.password, environment) if settings.password else None
    return SmtpPostman(settings, password, trust(settings.authority))
