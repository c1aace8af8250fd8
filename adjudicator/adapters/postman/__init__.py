"""How letters leave."""

from adjudicator.adapters.postman.opening import open_postman
from adjudicator.adapters.postman.settings import MaildirOut, PostmanSettings, SmtpOut

__all__ = ["MaildirOut", "PostmanSettings", "SmtpOut", "open_postman"]
