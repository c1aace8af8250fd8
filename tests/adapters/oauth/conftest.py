"""A mailbox whose tokens come from a server of the test, and time that passes when told to."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adjudicator.adapters.mail.accounts import ImapBox, OAuth, Secret, SmtpOut, name_login
from adjudicator.adapters.mail.oauth.consent import Applicant
from adjudicator.adapters.mail.oauth.http import TokenHttp
from adjudicator.adapters.mail.oauth.issuers import find_issuer
from adjudicator.adapters.mail.oauth.login import Login
from tests.servers.certificate import make_certificate
from tests.servers.dovecot import DOMAIN, Dovecot, running_dovecot
from tests.servers.postfix import Postfix, running_postfix
from tests.servers.tokend import CLIENT, TokenServer, running_token_server

USER = "games@game.test"
START = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Clock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now = START.timestamp()

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def tokens(certificate: Path) -> Iterator[TokenServer]:
    with running_token_server(certificate, user=USER) as server:
        yield server


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def http(certificate: Path) -> TokenHttp:
    return TokenHttp(str(certificate))


@pytest.fixture
def applicant(tokens: TokenServer, http: TokenHttp, tmp_path: Path) -> Applicant:
    folder = str(tmp_path / "logins" / name_login(USER))
    oauth = OAuth(client_id=CLIENT, issuer=tokens.url, folder=folder)
    issuer = find_issuer(oauth, http)
    return Applicant(oauth=oauth, user=USER, secret=None, issuer=issuer, http=http)


@pytest.fixture
def token_file(applicant: Applicant) -> Path:
    return Path(applicant.oauth.folder) / "token.json"


OpenLogin = Callable[[], Login]


@pytest.fixture
def open_login(applicant: Applicant, clock: Clock) -> OpenLogin:
    """Opens the login, in one program or several."""

    def opened() -> Login:
        return Login(applicant.oauth, USER, applicant.secret, applicant.http, clock=clock)

    return opened


@pytest.fixture
def login(tokens: TokenServer, applicant: Applicant, open_login: OpenLogin) -> Login:
    """A login that somebody has just consented to."""
    code = {"grant_type": "refresh_token", "refresh_token": tokens.consent().refresh}
    applicant.keep(applicant.ask_token(code), START)
    return open_login()


def reveal(secret: Secret) -> str:
    return secret.reveal()


# --- real mail servers ---


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TokenServer]:
    """A token server that a Dovecot asks about tokens."""
    certificate = make_certificate(tmp_path_factory.mktemp("tls"))
    with running_token_server(certificate) as server:
        yield server


@pytest.fixture(scope="session")
def dovecot(shared: TokenServer) -> Iterator[Dovecot]:
    """A Dovecot that asks the token server whether a token is good."""
    with running_dovecot(lambda: Dovecot(introspection=f"{shared.plain}/introspect")) as server:
        # one authority for both
        Path(shared.authority).write_text(
            Path(shared.authority).read_text() + Path(server.authority).read_text()
        )
        yield server


@pytest.fixture(scope="session")
def postfix(dovecot: Dovecot) -> Iterator[Postfix]:
    with running_postfix(dovecot) as server:
        yield server


class Mailbox:
    """A mailbox whose owner has consented."""

    def __init__(self, tokens: TokenServer, dovecot: Dovecot, folder: Path) -> None:
        self.name = dovecot.user()
        self.user = f"{self.name}@{DOMAIN}"
        self.tokens = tokens
        self.dovecot = dovecot
        tokens.user = self.user
        self.oauth = OAuth(client_id=CLIENT, issuer=tokens.url, folder=str(folder / self.name))
        self.box = ImapBox(
            host="localhost",
            port=dovecot.imaps,
            user=self.user,
            oauth=self.oauth,
            authority=tokens.authority,
        )

    def consent(self) -> None:
        http = TokenHttp(self.tokens.authority)
        applicant = Applicant(
            oauth=self.oauth,
            user=self.user,
            secret=None,
            issuer=find_issuer(self.oauth, http),
            http=http,
        )
        form = {"grant_type": "refresh_token", "refresh_token": self.tokens.consent().refresh}
        applicant.keep(applicant.ask_token(form), datetime.fromtimestamp(time.time(), UTC))

    def man(self, port: int, security: str = "tls") -> SmtpOut:
        return SmtpOut(
            host="localhost",
            port=port,
            security=security,  # type: ignore[arg-type]  # one of them
            user=self.user,
            oauth=self.oauth,
            authority=self.tokens.authority,
        )


@pytest.fixture
def mailbox(shared: TokenServer, dovecot: Dovecot, tmp_path: Path) -> Iterator[Mailbox]:
    mailbox = Mailbox(shared, dovecot, tmp_path)
    mailbox.consent()
    yield mailbox
    shared.answers.clear()
    shared.rotates, shared.grace, shared.size = False, 0.0, 40
