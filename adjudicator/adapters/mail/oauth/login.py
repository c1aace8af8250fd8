"""The login of a mailbox: gives a valid token, and renews it in time."""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from msgspec.structs import replace

from adjudicator.adapters.mail.accounts import ImapBox, OAuth, Secret, SmtpOut, find_password
from adjudicator.adapters.mail.oauth.http import TokenAnswer, TokenHttp
from adjudicator.adapters.mail.oauth.tokens import TokenFile, Tokens, read_grant
from adjudicator.adapters.mail.troubles import LoginExpired, TokenTrouble
from adjudicator.desk.model.errors import Refused

_ENDS = ("invalid_grant", "interaction_required", "consent_required", "login_required")
"""Errors after which only a person can go on."""


class Login:
    """For any number of threads and programs: only one renews, the others use what it got."""

    def __init__(
        self,
        oauth: OAuth,
        user: str,
        secret: Secret | None,
        http: TokenHttp,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.user = user
        self._oauth = oauth
        self._secret = secret
        self._http = http
        self._clock = clock
        self._file = TokenFile(oauth.folder)
        self._unsaved: tuple[str, Tokens] | None = None
        """The refresh token that is in the file, and what could not be written since."""

    def find_token(self, old_token: Secret | None = None) -> Secret:
        """Find a token other than the one that the mail server rejected; raises TokenTrouble."""
        unfit = old_token.reveal() if old_token else ""
        tokens = self.read()
        if not self._is_fresh(tokens, unfit):
            try:
                with self._file.lock():
                    tokens = self._renew(unfit)
            except TokenTrouble:
                raise
            except OSError as error:
                raise TokenTrouble(f"{error.filename or 'the login'}: {error.strerror}") from None
        return Secret(tokens.access_token)

    def read(self) -> Tokens:
        """Read the tokens as they are; raises LoginExpired if they cannot be renewed."""
        tokens = self._read_newest()
        if tokens is None:
            raise LoginExpired(f"nobody has logged in as {self.user} yet; {self._way_out}")
        if (tokens.issuer, tokens.client_id) != (self._oauth.name, self._oauth.client_id):
            raise LoginExpired(
                f"{self.user} logged in for another provider or client id; {self._way_out}"
            )
        if tokens.ended:
            raise LoginExpired(f"{tokens.ended}; {self._way_out}")
        return tokens

    def require_made(self) -> None:
        """Raise LoginExpired if nobody ever logged in; one that has expired is reported later."""
        if self._file.read() is None:
            self.read()

    @property
    def _way_out(self) -> str:
        return f"run `adjudicator login {self.user}`"

    def _read_newest(self) -> Tokens | None:
        try:
            tokens = self._file.read()
        except LoginExpired as expired:
            raise LoginExpired(f"{expired}; {self._way_out}") from None
        if tokens is None or self._unsaved is None:
            return tokens
        replaced, newer = self._unsaved
        if tokens.refresh_token != replaced:  # somebody logged in since
            self._unsaved = None
            return tokens
        self._save(newer, replaced)
        return newer

    def _is_fresh(self, tokens: Tokens, unfit: str) -> bool:
        return tokens.access_token != unfit and tokens.is_fresh(self._clock())

    def _renew(self, unfit: str) -> Tokens:
        """Renew the tokens, unless another program has done so meanwhile."""
        tokens = self.read()
        if self._is_fresh(tokens, unfit):
            return tokens
        try:
            answer = self._http.ask(tokens.endpoint, self._make_form(tokens))
            if not answer.is_well:
                self._judge(answer, tokens)
            newer = read_grant(answer, tokens, self._clock())
        except LoginExpired:
            raise
        except TokenTrouble:
            if tokens.access_token != unfit and tokens.is_valid(self._clock()):
                return tokens
            raise
        self._save(newer, tokens.refresh_token)
        return newer

    def _make_form(self, tokens: Tokens) -> Mapping[str, str]:
        form = {
            "grant_type": "refresh_token",
            "refresh_token": tokens.refresh_token,
            "client_id": self._oauth.client_id,
        }
        return form | ({"client_secret": self._secret.reveal()} if self._secret else {})

    def _judge(self, answer: TokenAnswer, tokens: Tokens) -> None:
        """Raise what a refusal means."""
        if answer.error not in _ENDS:
            raise describe_refusal(answer)
        why = f"the consent for {self.user} is no longer valid ({answer.explain()})"
        self._save(replace(tokens, ended=why, access_token=""), tokens.refresh_token)
        raise LoginExpired(f"{why}; {self._way_out}")

    def _save(self, tokens: Tokens, replaced: str) -> None:
        """Save the tokens before they are used; a full disk does not keep letters waiting."""
        token_on_file = self._unsaved[0] if self._unsaved else replaced
        self._unsaved = (token_on_file, tokens)
        with suppress(OSError):
            self._file.write(tokens)
            self._unsaved = None


def open_login(account: ImapBox | SmtpOut, environment: Mapping[str, str] = os.environ) -> Login:
    """Open the login of an account; raises Refused if nobody ever logged in."""
    oauth, user = account.oauth, account.user
    assert oauth is not None
    assert user is not None
    secret = find_password(oauth.client_secret, environment) if oauth.client_secret else None
    login = Login(oauth, user, secret, TokenHttp(account.authority))
    try:
        login.require_made()
    except TokenTrouble as trouble:
        raise Refused(str(trouble)) from trouble
    return login


def describe_refusal(answer: TokenAnswer) -> TokenTrouble:
    """Describe a refusal that has to do with the client, not with the mailbox."""
    return TokenTrouble(
        f"{answer.place}: it refused ({answer.explain()}); check client_id, client_secret and"
        " scopes in the settings",
        slow=True,
    )
