"""Ask a token server: over TLS alone, following nothing, reading little, expecting JSON."""

import time
from collections.abc import Mapping
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPSHandler, OpenerDirector, ProxyHandler, Request

import msgspec
from msgspec import Struct

from adjudicator.adapters.mail.accounts import make_tls_context
from adjudicator.adapters.mail.oauth.faults import hide_secrets
from adjudicator.adapters.mail.troubles import TokenTrouble, explain_trouble
from adjudicator.core.document import Document
from adjudicator.desk.model.errors import Refused

PATIENCE = 15.0
"""Seconds for an answer."""
_LARGEST = 64 * 1024
_PORTION = 8 * 1024
_SECRETS = ("client_secret", "refresh_token", "code", "code_verifier", "device_code")
"""Fields of a form that no message may repeat."""


class TokenAnswer(Struct, frozen=True):
    """What a token server answered."""

    place: str
    status: int
    content: Document
    secrets: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"TokenAnswer(place={self.place!r}, status={self.status}, …)"

    @property
    def is_well(self) -> bool:
        """Whether it granted what was asked."""
        return 200 <= self.status < 300

    @property
    def error(self) -> str:
        """The name of the error (RFC 6749, 5.2)."""
        return self._read("error") or f"HTTP {self.status}"

    def explain(self) -> str:
        """Explain the error on one line."""
        return ": ".join(filter(None, (self.error, self._read("error_description"))))

    def _read(self, name: str) -> str:
        value = self.content.get(name)
        return hide_secrets(value, self.secrets) if isinstance(value, str) else ""


class TokenHttp:
    """Asks token servers; `authority` is trusted beside the system's authorities."""

    def __init__(self, authority: str | None = None, patience: float = PATIENCE) -> None:
        context = make_tls_context(None)
        if authority is not None:
            make_tls_context(authority)  # refused in plain words
            context.load_verify_locations(cafile=str(Path(authority).expanduser()))
        self._opener = OpenerDirector()  # knows no redirects and nothing but https
        for handler in (ProxyHandler(), HTTPSHandler(context=context)):
            self._opener.add_handler(handler)
        self._opener.addheaders = [("User-Agent", "adjudicator"), ("Accept", "application/json")]
        self._patience = patience

    def ask(self, url: str, form: Mapping[str, str] | None = None) -> TokenAnswer:
        """Get a document, or post a form; raises TokenTrouble if the answer is none."""
        place = check_url(url)
        body = urlencode(form).encode() if form is not None else None
        secrets = tuple((form or {}).get(name, "") for name in _SECRETS)
        try:
            request = Request(url, body)  # noqa: S310 - checked above
            with self._opener.open(request, timeout=self._patience) as response:
                status, content = response.status, self._read(response)
        except (OSError, HTTPException, ValueError) as error:
            cause = error.reason if isinstance(error, URLError) else error
            cause = cause if isinstance(cause, BaseException) else error
            raise TokenTrouble(hide_secrets(explain_trouble(place, cause), secrets)) from error
        return TokenAnswer(place, status, _decode(place, status, content), secrets)

    def _read(self, response: HTTPResponse) -> bytes:
        """Read all of it, unless it is long or dribbles."""
        until, content = time.monotonic() + self._patience, b""
        while part := response.read1(_PORTION):
            content += part
            if len(content) > _LARGEST:
                raise ValueError(f"the answer is longer than {_LARGEST // 1024} KB")
            if time.monotonic() > until:
                raise TimeoutError
        return content


def check_url(url: str) -> str:
    """Check that the address is one of a TLS server; returns how people call the server."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme != "https" or not url.isascii() or any(map(str.isspace, url)):
        safe_url = hide_secrets(url, ())
        raise Refused(f"the token server {safe_url}: expected an address that begins with https://")
    return f"the token server {host}:{port}" if port else f"the token server {host}"


def _decode(place: str, status: int, content: bytes) -> dict[str, Any]:
    """Decode the answer; raises TokenTrouble for what may be right next time."""
    if 300 <= status < 400:
        raise TokenTrouble(f"{place}: it sends us elsewhere (HTTP {status}), which is not followed")
    if status >= 500 or status == 429:
        raise TokenTrouble(f"{place}: it cannot answer now (HTTP {status})")
    try:
        document = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        document = None
    if not isinstance(document, dict):
        raise TokenTrouble(f"{place}: it answered something else than JSON (HTTP {status})")
    return document
