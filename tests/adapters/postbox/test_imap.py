"""IMAP on a real server: what goes wrong over weeks, and that it costs no letter."""

import logging
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.adapters.mail.accounts import ImapBox, Password, Secret, make_tls_context
from adjudicator.adapters.mail.connections import open_postbox
from adjudicator.adapters.mail.imap import ImapPostbox
from adjudicator.adapters.mail.imap_client import enter_mailbox
from adjudicator.adapters.mail.troubles import Backoff
from adjudicator.desk.model.errors import Away
from tests.adapters.postbox.conftest import ENVIRONMENT, NEVER, imap_settings, other_program
from tests.adapters.postbox.test_contract import letter, numbers
from tests.daemon.running import PATIENCE
from tests.servers.certificate import make_certificate
from tests.servers.dovecot import FULL, PASSWORD, Dovecot, running_dovecot
from tests.servers.ports import HOST

SECURITIES = ("tls", "starttls", "plain")


class Clock:
    """Time that passes only when somebody sleeps, or a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def opened(settings: ImapBox, clock: Clock | None = None, words: str = PASSWORD) -> ImapPostbox:
    context = make_tls_context(settings.authority)
    if clock is None:
        return ImapPostbox(settings, Secret(words), context)
    return ImapPostbox(settings, Secret(words), context, clock=clock, sleep=clock.sleep)


@pytest.fixture
def own() -> Iterator[Dovecot]:
    """A Dovecot that a test may end."""
    with running_dovecot() as server:
        yield server


# --- servers that go away ---


def test_a_server_that_ends_in_the_middle_of_idle_is_noticed_and_does_not_spin(
    own: Dovecot,
) -> None:
    user = own.user()
    box = opened(imap_settings(own, user))
    assert not box.fetch()
    ending = threading.Timer(0.3, own.end)
    ending.start()
    busy = time.thread_time()
    assert not box.wait(NEVER)
    ending.join()
    for number in range(3):
        box.wait(0.5)
        words = "the connection was refused" if number else "the connection was lost"
        with pytest.raises(Away, match=rf"mailbox {user} at localhost:\d+: {words}"):
            box.fetch()
    assert time.thread_time() - busy < 1
    own.start()
    own.deliver(user, letter(1))
    while not box.wait(1):
        pass
    assert numbers(box.fetch()) == [1]
    box.close()


def test_after_an_hour_away_the_first_try_brings_everything(own: Dovecot) -> None:
    clock = Clock()
    user = own.user()
    box = opened(imap_settings(own, user), clock)
    own.deliver(user, letter(1))
    [first] = box.fetch()
    own.end()
    pauses = []
    gone = clock.now
    while clock.now < gone + 3600:
        with pytest.raises(Away):
            box.fetch()
        before = clock.now
        assert box.wait(1000)
        pauses.append(clock.now - before)
    assert pauses[:8] == [1, 2, 4, 8, 16, 32, 60, 60]
    own.start()
    own.deliver(user, letter(2))
    assert numbers(box.fetch()) == [1, 2]
    box.file_away([first.id])
    assert numbers(box.fetch()) == [2]
    box.close()


def test_a_restart_between_two_fetches_goes_unnoticed(own: Dovecot) -> None:
    user = own.user()
    box = opened(imap_settings(own, user))
    own.deliver(user, letter(1))
    [first] = box.fetch()
    own.end()
    own.start()
    box.file_away([first.id])
    assert not box.fetch()
    box.close()


@pytest.mark.parametrize("security", SECURITIES)
def test_a_server_that_takes_the_connection_and_says_nothing_is_away(
    dovecot: Dovecot, security: str
) -> None:
    told: list[str] = []

    def look(port: int) -> None:
        settings = imap_settings(dovecot, "u0", port=port, security=security, timeout=0.2)
        with pytest.raises(Away) as away:
            opened(settings).fetch()
        told.append(str(away.value))

    with socket.create_server((HOST, 0)) as mute:
        looking = threading.Thread(target=look, args=mute.getsockname()[1:2], daemon=True)
        looking.start()
        looking.join(PATIENCE)
        assert "no answer in time" in told[0]


@pytest.mark.parametrize("security", SECURITIES)
def test_a_server_whose_host_is_gone_is_noticed_in_the_middle_of_idle(
    dovecot: Dovecot, security: str
) -> None:
    """Nobody ends such a connection: the system has to ask, and soon."""
    settings = imap_settings(dovecot, dovecot.user(), security=security)
    client = enter_mailbox(settings, Secret(PASSWORD), make_tls_context(settings.authority))
    connection = client.socket()
    assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    idle, interval, count = (
        connection.getsockopt(socket.IPPROTO_TCP, option)
        for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
    )
    assert idle + interval * count <= 30
    client.logout()


def test_until_it_is_worth_asking_again_nobody_is_asked(own: Dovecot) -> None:
    clock = Clock()
    user = own.user()
    own.end()
    box = opened(imap_settings(own, user), clock)
    with pytest.raises(Away):
        box.fetch()
    own.start()
    with pytest.raises(Away, match="the connection was refused"):
        box.fetch()
    assert not box.wait(0.4)
    assert box.wait(0.7)
    assert not box.fetch()
    box.close()


# --- who is let in, and who is believed ---


def test_a_wrong_password_is_told_plainly_is_in_no_log_and_not_tried_often(
    dovecot: Dovecot, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    clock = Clock()
    user = dovecot.user()
    box = opened(imap_settings(dovecot, user), clock, "hush-hush")
    with pytest.raises(Away) as caught:
        box.fetch()
    words = str(caught.value)
    assert words.startswith(
        f"mailbox {user} at localhost:{dovecot.imaps}: the user name or the password"
    )
    assert "was rejected; correct them" in words
    assert "hush-hush" not in words + repr(caught.value.__cause__) + caplog.text
    assert not box.wait(299)
    assert box.wait(2)


def test_a_good_password_is_in_no_log_either(
    dovecot: Dovecot, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    box = opened(imap_settings(dovecot, dovecot.user()))
    box.fetch()
    box.close()
    assert f'"{PASSWORD}"' not in caplog.text
    assert f" {PASSWORD}" not in caplog.text


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_certificate_that_nobody_vouches_for_is_refused(dovecot: Dovecot, security: str) -> None:
    settings = imap_settings(dovecot, dovecot.user(), security=security, authority=None)
    with pytest.raises(Away, match=r"the certificate is not trusted: self-signed .* `authority`"):
        opened(settings).fetch()


def test_another_authority_than_the_servers_is_no_help(dovecot: Dovecot, tmp_path: Path) -> None:
    stranger = str(make_certificate(tmp_path))
    settings = imap_settings(dovecot, dovecot.user(), authority=stranger)
    with pytest.raises(Away, match="the certificate is not trusted"):
        opened(settings).fetch()


def test_a_certificate_for_another_name_is_refused() -> None:
    with (
        running_dovecot(lambda: Dovecot(certificate="elsewhere.test")) as other,
        pytest.raises(Away, match="the certificate is for another name; set `host` to that"),
    ):
        opened(imap_settings(other, other.user())).fetch()


def test_security_and_port_must_belong_together(dovecot: Dovecot) -> None:
    settings = imap_settings(dovecot, dovecot.user(), port=dovecot.imap)
    with pytest.raises(Away, match="no TLS on this port; check port and `security`"):
        opened(settings).fetch()


def test_the_settings_open_it_with_a_password_from_the_environment(dovecot: Dovecot) -> None:
    user = dovecot.user()
    dovecot.deliver(user, letter(1))
    box = open_postbox(imap_settings(dovecot, user), ENVIRONMENT)
    assert numbers(box.fetch()) == [1]
    box.close()


# --- letters that others move, mark and delete ---


def test_a_new_uidvalidity_takes_nothing_away_and_loses_nothing(dovecot: Dovecot) -> None:
    """The folder was made anew: UID 1 is another letter now."""
    user = dovecot.user()
    with other_program(dovecot, user) as client:
        client.create_folder("Games")
        client.append("Games", letter(1))
        box = opened(imap_settings(dovecot, user, folder="Games"))
        [old] = box.fetch()
        client.delete_folder("Games")
        time.sleep(1.1)  # Dovecot's UIDVALIDITY is a time in seconds
        client.create_folder("Games")
        client.append("Games", letter(2))
        box.file_away([old.id])
        [new] = box.fetch()
        assert numbers([new]) == [2]
        assert old.id.split(".")[1] == new.id.split(".")[1]
        assert old.id != new.id
        box.file_away([new.id])
        assert not box.fetch()
    box.close()


def test_reading_marks_nothing_as_seen(dovecot: Dovecot) -> None:
    user = dovecot.user()
    dovecot.deliver(user, letter(1))
    box = opened(imap_settings(dovecot, user))
    box.fetch()
    box.close()
    with other_program(dovecot, user) as client:
        client.select_folder("INBOX")
        assert client.search("UNSEEN") == [1]


def test_what_the_gm_saw_is_read_and_what_the_gm_deleted_is_not(dovecot: Dovecot) -> None:
    user = dovecot.user()
    dovecot.deliver(user, letter(1), letter(2))
    with other_program(dovecot, user) as client:
        client.select_folder("INBOX")
        client.add_flags([1, 2], [b"\\Seen"])
        client.add_flags([2], [b"\\Deleted"])
    box = opened(imap_settings(dovecot, user))
    assert numbers(box.fetch()) == [1]
    box.close()


def test_without_move_only_our_own_letters_are_expunged(bare_dovecot: Dovecot) -> None:
    user = bare_dovecot.user()
    bare_dovecot.deliver(user, letter(1), letter(2))
    with other_program(bare_dovecot, user) as client:
        client.select_folder("INBOX")
        client.add_flags([2], [b"\\Deleted"])
    box = opened(imap_settings(bare_dovecot, user))
    box.file_away([parcel.id for parcel in box.fetch()])
    box.close()
    with other_program(bare_dovecot, user) as client:
        client.select_folder("INBOX")
        assert client.search() == [2]
        client.select_folder("INBOX/Done")
        assert len(client.search()) == 1


def test_a_full_mailbox_keeps_its_letters_until_there_is_room(bare_dovecot: Dovecot) -> None:
    """Without MOVE a letter lies in two folders for a moment: too much for this one."""
    clock = Clock()
    bare_dovecot.deliver(
        FULL, letter(1, "x" * 60 + "\r\n" * 5), letter(2, ("x" * 60 + "\r\n") * 40)
    )
    box = opened(imap_settings(bare_dovecot, FULL), clock)
    first, second = box.fetch()
    with pytest.raises(Away, match=f"mailbox {FULL} at .*: the mailbox is full; make room in it"):
        box.file_away([second.id])
    assert box.wait(2)
    assert [parcel.id for parcel in box.fetch()] == [first.id, second.id]
    with other_program(bare_dovecot, FULL) as client:
        client.select_folder("INBOX")
        client.delete_messages([1])
        client.expunge()
        client.append("INBOX", letter(3))
    assert numbers(box.fetch()) == [2, 3]
    box.close()


def test_two_hundred_and_fifty_letters_come_in_portions(dovecot: Dovecot) -> None:
    user = dovecot.user()
    dovecot.place(user, *(letter(number) for number in range(1, 251)))
    box = opened(imap_settings(dovecot, user))
    seen = []
    while parcels := box.fetch():
        assert len(parcels) <= 100
        seen += numbers(parcels)
        box.file_away([parcel.id for parcel in parcels])
    assert seen == list(range(1, 251))
    assert len(box.fetch(1000)) == 0
    box.close()


def test_idle_is_begun_anew_and_still_tells(dovecot: Dovecot) -> None:
    user = dovecot.user()
    box = opened(imap_settings(dovecot, user, renew=0.1))
    assert not box.fetch()
    assert not box.wait(0.35)
    delivery = threading.Timer(0.5, dovecot.deliver, [user, letter(1)])
    delivery.start()
    assert box.wait(NEVER)
    delivery.join()
    box.close()


def test_a_password_of_other_letters_is_not_a_broken_connection(dovecot: Dovecot) -> None:
    box = opened(imap_settings(dovecot, dovecot.user()), words="gänsefüße")
    with pytest.raises(Away, match="the user name or the password was rejected"):
        box.fetch()


def test_backoff_can_be_handed_in(dovecot: Dovecot) -> None:
    clock = Clock()
    settings = imap_settings(dovecot, dovecot.user(), port=1, password=Password(variable="X"))
    box = ImapPostbox(
        settings,
        Secret(PASSWORD),
        make_tls_context(settings.authority),
        clock=clock,
        sleep=clock.sleep,
        backoff=Backoff(first=7),
    )
    with pytest.raises(Away):
        box.fetch()
    assert box.wait(100)
    assert clock.now == 1007
