"""Which servers are believed: the machine's authorities, or one named in the settings."""

import ssl
from pathlib import Path
from typing import Literal

from adjudicator.desk.errors import Refused

Security = Literal["tls", "starttls", "plain"]


def trust(authority: str | None) -> ssl.SSLContext:
    """What checks a server's certificate and name; there is no way to switch it off."""
    if authority is None:
        return ssl.create_default_context()
    path = Path(authority).expanduser()
    try:
        return ssl.create_default_context(cafile=str(path))
    except ssl.SSLError as error:
        raise Refused(f"{path}: expected certificates in PEM form; name such a file") from error
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}; name your authority's certificate") from error
