"""Who gives tokens: Microsoft, Google, or any issuer that publishes its metadata."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.mail.accounts import OAuth
from adjudicator.adapters.mail.oauth.faults import hide_secrets
from adjudicator.adapters.mail.oauth.http import TokenAnswer, TokenHttp, check_url
from adjudicator.desk.model.errors import Refused

_MICROSOFT = "https://login.microsoftonline.com"
_COMMON = f"{_MICROSOFT}/common/oauth2/v2.0"
_OFFICE = "https://outlook.office.com"


class Issuer(Struct, frozen=True, kw_only=True):
    """Where consent and tokens are asked for."""

    token: str
    authorize: str
    device: str = ""
    """Empty: consent is given in a browser that comes back to this machine."""
    scopes: tuple[str, ...]
    host: str = "127.0.0.1"
    """How a browser calls this machine; the registration of the client names it."""
    asks: Mapping[str, str] = {}
    """What else is asked of a browser, so that the right account gives a refresh token."""


PROVIDERS: Mapping[str, Issuer] = {
    "microsoft": Issuer(
        token=f"{_COMMON}/token",
        authorize=f"{_COMMON}/authorize",
        device=f"{_COMMON}/devicecode",
        scopes=(f"{_OFFICE}/IMAP.AccessAsUser.All", f"{_OFFICE}/SMTP.Send", "offline_access"),
        # registered as http://localhost, any port is right
        host="localhost",
        asks={"prompt": "select_account"},
    ),
    # by a device code Google gives no consent for mail
    "google": Issuer(
        token="https://oauth2.googleapis.com/token",  # noqa: S106 - an address
        authorize="https://accounts.google.com/o/oauth2/v2/auth",
        scopes=("https://mail.google.com/",),
        asks={"access_type": "offline", "prompt": "consent"},
    ),
}
_SCOPES = ("openid", "email", "offline_access")


def find_issuer(oauth: OAuth, http: TokenHttp) -> Issuer:
    """Find where tokens are asked for; raises Refused or TokenTrouble."""
    if oauth.provider is not None:
        issuer = PROVIDERS[oauth.provider]
    else:
        issuer = _read_metadata(str(oauth.issuer), http)
    return replace(issuer, scopes=oauth.scopes or issuer.scopes)


def _read_metadata(issuer: str, http: TokenHttp) -> Issuer:
    """Read the metadata of OpenID Connect, else those of OAuth (RFC 8414)."""
    answer = _find_metadata(issuer, http)
    own = answer.content.get("issuer")
    if not isinstance(own, str) or own.rstrip("/") != issuer.rstrip("/"):
        own_name = hide_secrets(str(own), ())
        raise Refused(f"issuer: {issuer} calls itself {own_name}; write it as it does")
    result = Issuer(
        token=_read_endpoint(answer, "token_endpoint"),
        authorize=_read_endpoint(answer, "authorization_endpoint"),
        device=_read_endpoint(answer, "device_authorization_endpoint", required=False),
        scopes=_SCOPES,
    )
    if issuer.startswith(f"{_MICROSOFT}/"):  # the directory of one organization
        common = PROVIDERS["microsoft"]
        return replace(result, scopes=common.scopes, host=common.host, asks=common.asks)
    return result


def _find_metadata(issuer: str, http: TokenHttp) -> TokenAnswer:
    check_url(issuer)
    parts = urlsplit(issuer.rstrip("/"))
    for url in (
        f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        f"https://{parts.netloc}/.well-known/oauth-authorization-server{parts.path}",
    ):
        answer = http.ask(url)
        if answer.is_well:
            return answer
    raise Refused(f"issuer: {issuer} publishes no metadata ({answer.explain()}); check the address")


def _read_endpoint(answer: TokenAnswer, name: str, *, required: bool = True) -> str:
    url = answer.content.get(name, "")
    if not url and not required:
        return ""
    if not isinstance(url, str) or not url:
        raise Refused(f"{answer.place}: its metadata name no {name}; ask its operator")
    check_url(url)
    return url
