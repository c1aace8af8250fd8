"""IMAP servers that lack something, say odd things, or leave in mid-sentence."""

import ssl
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adjudicator.adapters.mail.accounts import ImapBox, Password, Secret, make_tls_context
from adjudicator.adapters.mail.imap import ImapPostbox
from adjudicator.desk.model.errors import Away
from tests.adapters.postbox.conftest import NEVER
from tests.servers.certificate import make_certificate
from tests.servers.imapd import HANG_UP, Script, imapd


def opened(port: int, **settings: object) -> ImapPostbox:
    given: dict[str, object] = {
        "host": "127.0.0.1",
        "port": port,
        "user": "gm",
        "password": Password(variable="X"),
        "security": "plain",
        "timeout": 60.0,
    }
    made = ImapBox(**(given | settings))  # type: ignore[arg-type]  # by name
    return ImapPostbox(made, Secret("hush"), make_tls_context(made.authority))


class HandWound:
    """A clock that only sleeping moves, so that no machine is too slow for it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def refusal(script: Script, **settings: object) -> str:
    """What a fetch says."""
    with imapd(script) as port:
        box = opened(port, **settings)
        with pytest.raises(Away) as caught:
            box.fetch()
        box.close()
    return str(caught.value)


def test_the_script_itself_works() -> None:
    script = Script()
    with imapd(script) as port:
        box = opened(port)
        assert not box.fetch()
        assert not box.wait(0.05)
        box.close()
    assert (script.connections, script.count("IDLE"), script.count("LOGOUT")) == (1, 1, 1)


def test_a_server_without_starttls_gets_no_password() -> None:
    script = Script()
    words = refusal(script, security="starttls")
    assert "the server has no STARTTLS; set `security` to tls" in words
    assert script.count("LOGIN") == 0


INJECTED = (
    '* LIST () "/" "Done"',
    '* NAMESPACE (("evil/" "/")) NIL NIL',
    "* CAPABILITY IMAP4rev1 LOGINDISABLED",
    "* OK [ALERT] believe me",
)


@pytest.mark.parametrize("before", [(), INJECTED], ids=["", "before the answer"])
@pytest.mark.parametrize("after", [(), INJECTED], ids=["", "with the answer"])
def test_what_somebody_says_in_the_clear_is_forgotten_once_the_line_is_private(
    before: tuple[str, ...], after: tuple[str, ...], tmp_path: Path
) -> None:
    """On the way anybody can add to what the server says, as long as it can be read."""
    certificate = make_certificate(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate, tmp_path / "key.pem")
    offered = "* CAPABILITY IMAP4rev1 STARTTLS MOVE NAMESPACE"
    answers = {
        "CAPABILITY": (offered,),
        "LIST": (),
        "NAMESPACE": ('* NAMESPACE (("" "/")) NIL NIL',),
    }
    script = Script(answers, tls=tls, injected=(before, after))
    with imapd(script) as port:
        box = opened(port, security="starttls", host="localhost", authority=str(certificate))
        assert not box.fetch()
        box.close()
    assert script.count("LOGIN ") == 1
    assert script.count('CREATE "Done"') == 1, "there is no such folder, whatever was said"


def test_who_says_in_the_clear_that_we_are_logged_in_is_not_believed(tmp_path: Path) -> None:
    script = Script(greeting="* PREAUTH hello", tls=ssl.create_default_context())
    words = refusal(script, security="starttls", authority=str(make_certificate(tmp_path)))
    assert "STARTTLS" in words
    assert script.count("SELECT") == 0


def test_a_server_that_takes_no_password_in_the_clear_gets_none() -> None:
    script = Script({"CAPABILITY": ("* CAPABILITY IMAP4rev1 LOGINDISABLED",)})
    assert "no password on this connection; set `security` to tls" in refusal(script)
    assert script.count("LOGIN ") == 0


def test_a_server_that_cannot_check_passwords_now_is_not_a_wrong_password() -> None:
    script = Script({"LOGIN": ("TAG NO [UNAVAILABLE] try later",)})
    assert "the server cannot check logins now ([UNAVAILABLE] try later)" in refusal(script)


def test_a_server_that_keeps_no_marks_is_told_of() -> None:
    script = Script({"SELECT": ("* OK [PERMANENTFLAGS (\\Seen)] x", "* OK [UIDVALIDITY 7] x")})
    words = refusal(script, done=None)
    assert "the server keeps no flags in this folder; set `done` to the name of a folder" in words


def test_no_command_is_longer_than_servers_take() -> None:
    """RFC 2683, 3.2.1.5; what `recover` reads again may be the letters of weeks."""
    uids = " ".join(map(str, range(1_000_000, 1_003_000)))
    script = Script({"SEARCH": (f"* SEARCH {uids}",)})
    with imapd(script) as port:
        box = opened(port)
        assert not box.reread(datetime(2026, 1, 1, tzinfo=UTC))
        box.close()
    assert script.count("FETCH") == 15
    assert max(map(len, script.heard)) < 8000


def test_in_a_folder_that_keeps_every_letter_they_are_marked_and_not_moved() -> None:
    """What is moved from Gmail's All Mail gets another label, and stays there to be read again."""
    script = Script(
        {
            "LIST": ('* LIST (\\All \\HasNoChildren) "/" "[Gmail]/All Mail"',),
            "SEARCH": ("* SEARCH 5",),
        }
    )
    with imapd(script) as port:
        box = opened(port, folder="[Gmail]/All Mail")
        box.fetch()
        box.file_away(["7.5"])
        box.close()
    assert script.count("STORE 5 +FLAGS.SILENT ($Adjudicated)") == 1
    assert (script.count("MOVE"), script.count("CREATE")) == (0, 0)
    assert script.count("UNKEYWORD $Adjudicated") > 0


def test_a_folder_that_is_not_there_is_told_in_the_servers_words() -> None:
    script = Script({"SELECT": ("TAG NO [NONEXISTENT] no folder Games",)})
    assert "no folder Games" in refusal(script, folder="Games")


def test_a_server_that_says_nothing_is_given_up_in_time() -> None:
    script = Script({"SEARCH": ("* SEARCH 1",), "FETCH": ("* 1 FETCH (UID 1 BODY[] {100}",)})
    assert "no answer in time" in refusal(script, timeout=0.5)


def test_a_server_that_hangs_up_in_the_middle_is_asked_once_more_anew() -> None:
    script = Script()
    with imapd(script) as port:
        box = opened(port)
        assert not box.fetch()
        script.answers["SEARCH"] = (HANG_UP,)
        with pytest.raises(Away, match="the connection was lost"):
            box.fetch()
        assert script.connections == 2
        box.close()


@pytest.mark.parametrize("idle", [("* BYE shutting down",), ("* BYE gone", HANG_UP), (HANG_UP,)])
def test_a_goodbye_in_idle_ends_the_waiting_and_the_next_is_a_pause(idle: tuple[str, ...]) -> None:
    script = Script(idle=idle)
    clock = HandWound()
    with imapd(script) as port:
        box = opened(port)
        box._clock, box._sleep = clock, clock.sleep
        assert not box.fetch()
        assert not box.wait(NEVER)
        assert not box.wait(0.3)
        assert script.connections == 1
        assert box.wait(1)
        assert not box.fetch()
        assert script.connections == 2
        box.close()


def test_signs_of_life_in_idle_are_no_letters() -> None:
    script = Script(idle=("* OK Still here", "* 1 FETCH (FLAGS (\\Seen))", "* 1 EXPUNGE"))
    with imapd(script) as port:
        box = opened(port)
        assert not box.fetch()
        begun = time.monotonic()
        assert not box.wait(0.4)
        assert time.monotonic() - begun > 0.35
        assert script.count("IDLE") == 1
        box.close()


def test_an_arrival_told_with_the_answer_to_a_search_is_not_slept_over() -> None:
    """It is not in that answer, and no IDLE will tell it again."""
    script = Script()
    with imapd(script) as port:
        box = opened(port)
        assert not box.fetch()
        script.answers["SEARCH"] = ("* SEARCH", "* 1 EXISTS")
        searches = script.count("SEARCH")
        box.wait(0)
        script.answers.pop("SEARCH")
        assert script.count("SEARCH") >= searches + 2
        box.close()


def test_a_size_that_is_a_lie_does_not_open_the_door() -> None:
    body = "x" * (1024 * 1024 + 5)
    script = Script(
        {
            "SEARCH": ("* SEARCH 1",),
            "FETCH": (
                (
                    '* 1 FETCH (UID 1 RFC822.SIZE 10 INTERNALDATE "18-Nov-2026 20:00:00 +0100"'
                    f" BODY[] {{{len(body)}}}"
                ),
                f"{body})",
            ),
        }
    )
    with imapd(script) as port:
        box = opened(port)
        [parcel] = box.fetch()
        assert (parcel.content, parcel.size) == (None, len(body))
        assert parcel.arrived.isoformat() == "2026-11-18T20:00:00+01:00"
        box.close()


def test_idle_is_never_longer_than_servers_allow() -> None:
    with pytest.raises(ValueError, match="renew: expected at most 1680 seconds, got 1740"):
        opened(143, renew=1740)


@pytest.mark.parametrize(
    "told",
    [
        "* 1 FETCH (UID 1 RFC822.SIZE 10)",
        "* 1 FETCH (UID 1 RFC822.SIZE x)",
        "* 1 FETCH (((",
        "* oh",
    ],
)
def test_a_server_that_babbles_ends_nothing(told: str) -> None:
    script = Script({"SEARCH": ("* SEARCH 1",), "FETCH": (told,)})
    assert refusal(script).startswith("mailbox gm at 127.0.0.1:")


def test_a_password_that_the_server_cannot_take_is_not_shown() -> None:
    script = Script()
    with imapd(script) as port:
        box = opened(port)
        box._entry = Secret("gänsefüße")
        with pytest.raises(
            Away, match="the server takes passwords in ASCII only; choose another password"
        ) as no:
            box.fetch()
    assert "ä" not in f"{no.value}{no.value.__cause__}{script.heard}"
