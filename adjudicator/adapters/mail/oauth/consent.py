"""Ask a person for consent: by a code that they type elsewhere, or in a browser that comes back."""

import base64
import hashlib
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlencode, urlsplit

from msgspec import Struct

from adjudicator.adapters.mail.accounts import OAuth, Secret
from adjudicator.adapters.mail.oauth.faults import hide_secrets
from adjudicator.adapters.mail.oauth.http import TokenAnswer, TokenHttp, check_url
from adjudicator.adapters.mail.oauth.issuers import Issuer
from adjudicator.adapters.mail.oauth.login import describe_refusal
from adjudicator.adapters.mail.oauth.tokens import TokenFile, Tokens, read_grant
from adjudicator.adapters.mail.troubles import TokenTrouble
from adjudicator.desk.model.errors import Refused

_DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_DECLINED = ("access_denied", "authorization_declined")
_TOO_LATE = ("expired_token", "bad_verification_code")
_LONGEST_CODE = 3600
"""Seconds that a code may be good for."""
_USUAL_PAUSE, _LONGEST_PAUSE = 5, 60
"""Seconds between two questions whether the code was typed in."""


class Applicant(Struct, frozen=True, kw_only=True):
    """Who asks whom for consent to which mailbox."""

    oauth: OAuth
    user: str
    secret: Secret | None
    issuer: Issuer
    http: TokenHttp

    def ask_token(self, grant: Mapping[str, str]) -> TokenAnswer:
        """Ask the token endpoint."""
        return self.http.ask(self.issuer.token, {**grant, **self._identify()})

    def ask_code(self) -> TokenAnswer:
        """Ask for a code to be typed in elsewhere."""
        form = {"scope": " ".join(self.issuer.scopes), **self._identify()}
        return self.http.ask(self.issuer.device, form)

    def keep(self, answer: TokenAnswer, at: datetime) -> None:
        """Keep what was granted; raises TokenTrouble if it is of no use."""
        draft = Tokens(
            issuer=self.oauth.name,
            client_id=self.oauth.client_id,
            endpoint=self.issuer.token,
            refresh_token="",
            since=at.astimezone(UTC).isoformat(timespec="seconds"),
        )
        granted = read_grant(answer, draft, at.timestamp())
        file = TokenFile(self.oauth.folder)
        with file.lock():
            file.write(granted)

    def _identify(self) -> dict[str, str]:
        fields = {"client_id": self.oauth.client_id}
        return fields | ({"client_secret": self.secret.reveal()} if self.secret else {})


class DeviceCode(Struct, frozen=True, kw_only=True):
    """A code that a person types in on any device (RFC 8628)."""

    place: str
    """The address where it is typed in."""
    code: str
    seconds: float
    """How long it is good for."""
    pause: float
    device_code: str

    def __repr__(self) -> str:
        return f"DeviceCode(place={self.place!r}, …)"


def request_code(applicant: Applicant) -> DeviceCode:
    """Request a code; raises Refused or TokenTrouble."""
    answer = applicant.ask_code()
    if not answer.is_well:
        raise describe_refusal(answer)
    content = answer.content
    # Microsoft's older endpoint calls it verification_url
    place = content.get("verification_uri", content.get("verification_url"))
    code, device_code = content.get("user_code"), content.get("device_code")
    if not (isinstance(place, str) and isinstance(code, str) and isinstance(device_code, str)):
        raise TokenTrouble(f"{answer.place}: it answered without a code to type in")
    check_url(place)
    return DeviceCode(
        place=place,
        code=hide_secrets(code, ()),
        seconds=_limit(content.get("expires_in"), 900, _LONGEST_CODE),
        pause=_limit(content.get("interval"), _USUAL_PAUSE, _LONGEST_PAUSE),
        device_code=device_code,
    )


def await_code(
    applicant: Applicant,
    code: DeviceCode,
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> TokenAnswer:
    """Wait until the code was typed in and consent given; raises Refused if it was not."""
    until, pause = clock() + code.seconds, code.pause
    while clock() < until:
        sleep(pause)
        try:
            answer = applicant.ask_token(
                {"grant_type": _DEVICE_GRANT, "device_code": code.device_code}
            )
        except TokenTrouble:  # asked again, less often (RFC 8628, 3.5)
            pause = min(pause * 2, _LONGEST_PAUSE)
            continue
        if answer.is_well:
            return answer
        if answer.error == "slow_down":
            pause = min(pause + _USUAL_PAUSE, _LONGEST_PAUSE)
        elif answer.error in _DECLINED:
            raise Refused("consent was declined in the browser; nothing was changed")
        elif answer.error in _TOO_LATE:
            break
        elif answer.error != "authorization_pending":
            raise describe_refusal(answer)
    raise Refused("the code was not typed in in time; ask for another one by the same command")


def _limit(answer: object, usual: float, most: float) -> float:
    seconds = float(answer) if isinstance(answer, int | float) and answer > 0 else usual
    return min(seconds, most)


class Visit(Struct, frozen=True, kw_only=True):
    """A visit of a browser to the issuer, from which it comes back with a code (RFC 8252)."""

    redirect: str
    """Where it comes back to."""
    state: str
    """What only a browser that we sent there can know."""
    verifier: str
    """What only the program can know that asked (RFC 7636)."""

    def __repr__(self) -> str:
        return f"Visit(redirect={self.redirect!r}, …)"

    def make_address(self, applicant: Applicant) -> str:
        """Make the address to be opened."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        query = {
            "response_type": "code",
            "client_id": applicant.oauth.client_id,
            "redirect_uri": self.redirect,
            "scope": " ".join(applicant.issuer.scopes),
            "state": self.state,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            "login_hint": applicant.user,
            **applicant.issuer.asks,
        }
        address = applicant.issuer.authorize
        return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(query)}"

    def read_code(self, address: str) -> str | None:
        """Read the code from the address that a browser came back to; None if it is another one.

        Raises Refused if there is no consent.
        """
        try:
            query = parse_qs(urlsplit(address.strip()).query, max_num_fields=20)
        except ValueError:
            return None
        parameters = {name: values[0] for name, values in query.items()}
        if not secrets.compare_digest(parameters.get("state", "").encode(), self.state.encode()):
            return None
        if "error" in parameters:
            why = hide_secrets(parameters.get("error_description") or parameters["error"], ())
            raise Refused(f"consent was not given ({why}); nothing was changed")
        return parameters.get("code") or None


def begin_visit(redirect: str) -> Visit:
    """Begin a visit with secrets that nobody can guess."""
    return Visit(
        redirect=redirect, state=secrets.token_urlsafe(32), verifier=secrets.token_urlsafe(64)
    )


def await_visitor(
    applicant: Applicant, visit: Visit, addresses: Iterable[str], refuse: Callable[[str], None]
) -> TokenAnswer:
    """Exchange the code of the first address that belongs to this visit for tokens.

    Others are refused, and the wait goes on.
    """
    code = None
    for address in addresses:
        code = visit.read_code(address)
        if code is not None:
            break
        refuse(address)
    if code is None:
        raise Refused("nobody came back from the browser in time; run the same command again")
    answer = applicant.ask_token(
        {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": visit.redirect,
            "code_verifier": visit.verifier,
        }
    )
    if not answer.is_well:
        raise describe_refusal(answer)
    return answer
