"""Where letters arrive: the postbox that the settings name."""

import os
from collections.abc import Mapping

from adjudicator.adapters.mail.accounts import MaildirBox, PostboxSettings
from adjudicator.adapters.mail.postbox.maildir import MaildirPostbox
from adjudicator.desk.model.ports import Postbox


def open_postbox(settings: PostboxSettings, environment: Mapping[str, str] = os.environ) -> Postbox:
    """Ready to fetch; no server is asked before. Raises Refused."""
    if isinstance(settings, MaildirBox):
        return MaildirPostbox(settings)
    from adjudicator.adapters.mail.access import find_password, make_tls_context
    from adjudicator.adapters.mail.postbox.imap import ImapPostbox

    password = find_password(settings.password, environment)
    return ImapPostbox(settings, password, make_tls_context(settings.authority))
