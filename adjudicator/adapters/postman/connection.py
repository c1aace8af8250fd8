"""One connection to a mail server, encrypted and logged in."""

import re
import socket
import ssl
from contextlib import suppress

from aiosmtplib import SMTP, SMTPException

from adjudicator.adapters.credentials import Secret
from adjudicator.adapters.postman.settings import SmtpOut

_HOST = re.compile(r"^[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$")
_GOODBYE_SECONDS = 2.0


async def connect(settings: SmtpOut, password: Secret | None, context: ssl.SSLContext) -> SMTP:
    """Ready for a letter; raises what aiosmtplib, the network or TLS raise."""
    smtp = SMTP(
        hostname=settings.host,
        port=settings.number,
        use_tls=settings.security == "tls",
        start_tls=settings.security == "starttls",
        tls_context=None if settings.security == "plain" else context,
        timeout=settings.timeout,
        local_hostname=_own_name(),
    )
    await smtp.connect()
    try:
        await smtp.ehlo()
        if settings.user is not None and password is not None:
            await smtp.login(settings.user, password.reveal())
    except BaseException:
        smtp.close()
        raise
    return smtp


async def goodbye(smtp: SMTP) -> None:
    """Ended politely if the server answers soon, else ended."""
    with suppress(SMTPException, OSError):
        if smtp.is_connected:
            await smtp.quit(timeout=_GOODBYE_SECONDS)
    smtp.close()


def _own_name() -> str:
    """Asked of the machine, not of a name server that may take its time."""
    name = socket.gethostname()
    return name if _HOST.match(name) else "localhost"
