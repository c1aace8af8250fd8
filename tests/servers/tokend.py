"""A token server of the tests: consent by code and by browser, renewal, and what Dovecot asks.

Tokens are known to it alone, so that whether one is accepted is what it says just then.
"""

import base64
import hashlib
import json
import secrets
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT = "client-7f3k"
CLIENT_SECRET = "very-secret-of-the-client"
Reply = tuple[int, Mapping[str, str], bytes]


@dataclass
class Grant:
    """What somebody consented to; renewed tokens belong to it, too."""

    user: str
    scope: str
    refresh: str = field(default_factory=lambda: f"refresh-{secrets.token_urlsafe(24)}")


@dataclass
class TokenServer:
    """Its knobs, and what it was asked."""

    user: str = ""
    """Who consents in the browser."""
    rotates: bool = False
    """A refresh token is good for one renewal; using one again ends the whole grant."""
    lifetime: object = 3600
    """What it says of an access token, in seconds."""
    size: int = 40
    """How long an access token is; Microsoft's have thousands of letters."""
    has_devices: bool = True
    needs_secret: bool = False
    grace: float = 0.0
    """Seconds that its clock is ahead of ours."""
    dribble: float = 0.0
    """Seconds between two bytes of an answer."""
    answers: dict[str, Reply] = field(default_factory=dict)
    """What it answers to a path in place of the truth."""
    polls: list[str] = field(default_factory=list)
    """What it answers next to somebody who waits for a code to be typed in."""
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    url: str = ""
    plain: str = ""
    """The same without TLS, for Dovecot."""
    authority: str = ""
    grants: list[Grant] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    access: dict[str, tuple[Grant, float]] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, grant_type: str) -> int:
        """How often tokens were asked for in this way."""
        return sum(form.get("grant_type") == grant_type for _, form in self.asked)

    def consent(self, scope: str = "openid email offline_access") -> Grant:
        """The user consents."""
        self.grants.append(Grant(self.user, scope))
        return self.grants[-1]

    def revoke(self) -> None:
        """The user takes back every consent, and tokens end at once."""
        self.grants.clear()
        self.access.clear()

    def expire(self) -> None:
        """Access tokens end, though nobody was told."""
        self.access.clear()

    def now(self) -> float:
        return time.time() + self.grace

    def give(self, grant: Grant) -> dict[str, object]:
        """Tokens for a grant."""
        token = f"access-{secrets.token_urlsafe(self.size)}"[: self.size]
        seconds = min(self.lifetime, 3600) if isinstance(self.lifetime, int) else 3600
        self.access[token] = (grant, self.now() + seconds)
        given = {"token_type": "Bearer", "access_token": token, "scope": grant.scope}
        return {**given, "expires_in": self.lifetime, "refresh_token": grant.refresh}

    def answer(self, path: str, form: dict[str, str]) -> Reply:
        """What it says to a request."""
        with self.lock:
            self.asked.append((path, form))
            if path in self.answers:
                return self.answers[path]
            status, document = self._answer(path, form)
        headers = {"Content-Type": "application/json"}
        if status == 302:
            return status, {"Location": str(document)}, b""
        return status, headers, json.dumps(document).encode()

    def _answer(self, path: str, form: dict[str, str]) -> tuple[int, Any]:
        if path.endswith("/.well-known/openid-configuration"):
            return 200, self._describe()
        if path == "/authorize":
            code = secrets.token_urlsafe(16)
            self.codes[code] = form
            back = urlencode({"code": code, "state": form["state"]})
            return 302, f"{form['redirect_uri']}?{back}"
        if path == "/introspect":
            return 200, self._introspect(form.get("token", ""))
        if path in ("/device", "/token") and self._is_stranger(form):
            return 401, {"error": "invalid_client", "error_description": "who are you?"}
        if path == "/device":
            self.codes["device-code-1"] = form
            place = f"{self.url}/activate"
            told = {"device_code": "device-code-1", "user_code": "WXYZ-1234"}
            return 200, {**told, "verification_uri": place, "expires_in": 900, "interval": 5}
        if path == "/token":
            return self._grant(form)
        return 404, {"error": "not_found"}

    def _describe(self) -> dict[str, str]:
        named = {"token": "token", "authorization": "authorize"}
        named |= {"device_authorization": "device"} if self.has_devices else {}
        ends = {f"{name}_endpoint": f"{self.url}/{path}" for name, path in named.items()}
        return {"issuer": self.url, **ends}

    def _is_stranger(self, form: dict[str, str]) -> bool:
        wanted = CLIENT_SECRET if self.needs_secret else form.get("client_secret")
        return (form.get("client_id"), form.get("client_secret")) != (CLIENT, wanted)

    def _introspect(self, token: str) -> dict[str, object]:
        grant, until = self.access.get(token, (None, 0.0))
        if grant is None or grant not in self.grants or until <= self.now():
            return {"active": False}
        return {"active": True, "username": grant.user.partition("@")[0], "scope": grant.scope}

    def _grant(self, form: dict[str, str]) -> tuple[int, Any]:
        kind = form.get("grant_type", "")
        if kind == "refresh_token":
            return self._renew(form["refresh_token"])
        if kind == "authorization_code":
            asked = self.codes.pop(form.get("code", ""), {})
            digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            wanted = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            if asked.get("code_challenge") != wanted or asked["code_challenge_method"] != "S256":
                return 400, {"error": "invalid_grant", "error_description": "no such code"}
            if asked["redirect_uri"] != form.get("redirect_uri"):
                return 400, {"error": "invalid_grant", "error_description": "another place"}
            return 200, self.give(self.consent(asked["scope"]))
        if kind.endswith(":device_code"):
            if self.polls:
                return 400, {"error": self.polls.pop(0)}
            return 200, self.give(self.consent(self.codes["device-code-1"]["scope"]))
        return 400, {"error": "unsupported_grant_type"}

    def _renew(self, refresh: str) -> tuple[int, Any]:
        grant = next((one for one in self.grants if one.refresh == refresh), None)
        if grant is None:
            if refresh in self.used:  # somebody has stolen it: nobody keeps anything
                self.revoke()
            why = "AADSTS70008: the refresh token has expired"
            return 400, {"error": "invalid_grant", "error_description": f"{why} ({refresh})"}
        if self.rotates:
            self.used.add(refresh)
            grant.refresh = f"refresh-{secrets.token_urlsafe(24)}"
        return 200, self.give(grant)


class _Handler(BaseHTTPRequestHandler):
    server: "_Server"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self._reply(parts.path, parts.query)

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        self._reply(self.path, self.rfile.read(size).decode())

    def _reply(self, path: str, query: str) -> None:
        form = {name: values[0] for name, values in parse_qs(query).items()}
        status, headers, body = self.server.tokens.answer(path, form)
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        pause = self.server.tokens.dribble
        for start in range(len(body)) if pause else [0]:
            self.wfile.write(body[start : start + 1] if pause else body)
            time.sleep(pause)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


class _Server(ThreadingHTTPServer):
    def __init__(self, tokens: TokenServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.tokens = tokens

    def handle_error(self, *_: object) -> None:
        """A client that does not like our certificate hangs up."""


@contextmanager
def running_token_server(certificate: Path, **knobs: Any) -> Iterator[TokenServer]:
    """A server with this certificate, whose key lies beside it."""
    tokens = TokenServer(authority=str(certificate), **knobs)
    private, plain = _Server(tokens), _Server(tokens)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))
    private.socket = context.wrap_socket(private.socket, server_side=True)
    tokens.url = f"https://localhost:{private.server_port}"
    tokens.plain = f"http://127.0.0.1:{plain.server_port}"
    threads = [
        threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.02})
        for one in (private, plain)
    ]
    for thread in threads:
        thread.start()
    try:
        yield tokens
    finally:
        for server, thread in zip((private, plain), threads, strict=True):
            server.shutdown()
            thread.join()
            server.server_close()
