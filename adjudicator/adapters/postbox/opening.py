"""The postbox that the settings name."""

import os
from collections.abc import Mapping

from adjudicator.adapters.postbox.maildir import MaildirPostbox
from adjudicator.adapters.postbox.settings import MaildirBox, PostboxSettings
from adjudicator.desk.ports import Postbox


def open_postbox(settings: PostboxSettings, environment: Mapping[str, str] = os.environ) -> Postbox:
    """Ready to fetch; no server is asked before. Raises Refused."""
    if isinstance(settings, MaildirBox):
        return MaildirPostbox(settings)
    from adjudicator.adapters.credentials import found
    from adjudicator.adapters.postbox.imap import ImapPostbox
    from adjudicator.adapters.trust import trust

    password = found(settings.password, environment)
    return ImapPostbox(settings, password, trust(settings.authority))
