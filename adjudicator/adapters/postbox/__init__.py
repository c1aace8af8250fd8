"""Where letters arrive."""

from adjudicator.adapters.postbox.opening import open_postbox
from adjudicator.adapters.postbox.settings import ImapBox, MaildirBox, PostboxSettings

__all__ = ["ImapBox", "MaildirBox", "PostboxSettings", "open_postbox"]
