"""One connection to a mail server, encrypted and logged in."""

import asyncio
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
            await smtp.login(settings.user.encode(), password.reveal().encode())
    except BaseException:
        hang_up(smtp)
        raise
    return smtp


async def goodbye(smtp: SMTP) -> None:
    """Ended politely if the server answers soon, else ended."""
    with suppress(SMTPException, OSError):
        if smtp.is_connected:
            await _quit(smtp)
    hang_up(smtp)
    await asyncio.sleep(0)  # the loop closes the socket in its next round


async def _quit(smtp: SMTP) -> None:
    """As aiosmtplib does, but it begins a slow farewell of TLS, too, that nobody waits for."""
    await smtp.execute_command(b"QUIT", timeout=_GOODBYE_SECONDS)


def hang_up(smtp: SMTP) -> None:
    """At once, whatever was being said."""
    if smtp.transport is not None:
        smtp.transport.abort()  # type: ignore[attr-defined]  # a socket's transport has it
    smtp.close()


def _own_name() -> str:
    """Asked of the machine, not of a name server that may take its time."""
    name = socket.gethostname()
    return name if _HOST.match(name) else "localhost"
