"""What becomes of letters when the mail server refuses, stalls, hangs up or is not there."""

import asyncio
import logging
import socket
import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from adjudicator.adapters.mail.accounts import Password, Secret, SmtpOut, make_tls_context
from adjudicator.adapters.mail.smtp import SmtpPostman
from adjudicator.adapters.mail.troubles import Backoff
from adjudicator.desk.model.mail import Posting, Sent
from tests.servers.certificate import make_certificate
from tests.servers.ports import free_ports
from tests.servers.smtpd import HANG_UP, STALL, Manners, smtpd

LETTER = b"From: gm@game.test\r\nSubject: Ember\r\n\r\n.a line with a dot\r\nAn order, please.\r\n"
ADA, BO, CY = "ada@example.org", "bo@example.org", "cy@example.org"


def posting(*recipients: str) -> Posting:
    return Posting("gm@game.test", recipients or (ADA,), LETTER)


def postman(port: int, **settings: object) -> SmtpPostman:
    made = SmtpOut(host="127.0.0.1", port=port, security="plain", **settings)  # type: ignore[arg-type]  # by name
    return SmtpPostman(made, Secret("hush"), make_tls_context(None))


def say(port: int, *letters: Posting, **settings: object) -> list[Sequence[Sent]]:
    """Sends letters one after the other through one postman."""

    async def run() -> list[Sequence[Sent]]:
        man = postman(port, **settings)
        try:
            return [await man.send(letter) for letter in letters]
        finally:
            await man.close()

    return asyncio.run(run())


def results(sent: Sequence[Sent]) -> list[tuple[str, str, str]]:
    return [(each.recipient.split("@")[0], each.status, each.reply) for each in sent]


def test_a_letter_arrives_as_it_was_written() -> None:
    manners = Manners()
    with smtpd(manners) as server:
        assert [results(sent) for sent in say(server.port, posting(ADA, BO))] == [
            [("ada", "taken", "250 taken"), ("bo", "taken", "250 taken")]
        ]
    assert manners.taken == [("gm@game.test", (ADA, BO), LETTER)]


def test_each_recipient_has_an_answer_of_their_own() -> None:
    manners = Manners(recipients={ADA: "451 come back later", CY: "550 5.1.1 unknown user"})
    with smtpd(manners) as server:
        [sent] = say(server.port, posting(ADA, BO, CY))
    assert results(sent) == [
        ("ada", "later", "451 come back later"),
        ("bo", "taken", "250 taken"),
        ("cy", "never", "550 5.1.1 unknown user"),
    ]
    assert [recipients for _, recipients, _ in manners.taken] == [(BO,)]


def test_a_refused_letter_does_not_stain_the_next_one_on_the_same_connection() -> None:
    manners = Manners(recipients={ADA: "550 unknown user"})
    with smtpd(manners) as server:
        first, second = say(server.port, posting(ADA), posting(BO))
    assert [results(first), results(second)] == [
        [("ada", "never", "550 unknown user")],
        [("bo", "taken", "250 taken")],
    ]
    assert manners.connections == 1


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("452 4.2.2 mailbox full", "later"),
        ("552 5.2.2 mailbox full", "later"),
        ("550 5.7.1 we do not like you", "never"),
        ("553 no such name", "never"),
        ("530 5.7.0 authentication required", "later"),
    ],
)
def test_a_recipients_answer_says_when_to_try_again(answer: str, status: str) -> None:
    with smtpd(Manners(recipients={ADA: answer})) as server:
        [[sent]] = say(server.port, posting())
    assert (sent.status, sent.reply) == (status, answer)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("451 4.3.0 no room just now", "later"),
        ("554 5.7.1 this looks like spam", "never"),
        ("552 5.3.4 too big", "never"),
    ],
)
def test_an_answer_to_the_whole_letter_holds_for_all_who_were_accepted(
    answer: str, status: str
) -> None:
    with smtpd(Manners(data=answer, recipients={BO: "550 unknown"})) as server:
        [sent] = say(server.port, posting(ADA, BO))
    assert results(sent) == [("ada", status, answer), ("bo", "never", "550 unknown")]


@pytest.mark.parametrize(("answer", "status"), [("451 later", "later"), ("553 not you", "never")])
def test_a_refused_sender_holds_for_everybody(answer: str, status: str) -> None:
    with smtpd(Manners(sender=answer)) as server:
        [sent] = say(server.port, posting(ADA, BO))
    assert results(sent) == [("ada", status, answer), ("bo", status, answer)]


def test_a_server_that_hangs_up_in_the_middle_of_a_letter_gets_it_again() -> None:
    manners = Manners(data=HANG_UP, recipients={BO: "550 unknown"})
    with smtpd(manners) as server:
        [sent] = say(server.port, posting(ADA, BO))
        assert [(s.recipient, s.status) for s in sent] == [(ADA, "later"), (BO, "never")]
        assert sent[0].reply == f"127.0.0.1:{server.port}: the connection was lost"
        manners.data = None
        [again] = say(server.port, posting(ADA))
    assert [s.status for s in again] == ["taken"]


def test_a_half_sent_letter_on_a_kept_connection_is_not_sent_twice_at_once() -> None:
    manners = Manners()

    async def run(port: int) -> list[str]:
        man = postman(port)
        first = await man.send(posting())
        manners.data = HANG_UP
        second = await man.send(posting())
        await man.close()
        return [first[0].status, second[0].status]

    with smtpd(manners) as server:
        assert asyncio.run(run(server.port)) == ["taken", "later"]
    assert manners.connections == 1


def test_a_kept_connection_that_the_server_closed_is_made_anew_without_a_word() -> None:
    manners = Manners()

    async def run() -> list[str]:
        man = postman(server.port)
        first = await man.send(posting())
        server.hang_up()
        await asyncio.sleep(0.1)
        second = await man.send(posting())
        await man.close()
        return [first[0].status, second[0].status]

    with smtpd(manners) as server:
        assert asyncio.run(run()) == ["taken", "taken"]
    assert manners.connections == 2


def test_a_goodbye_in_place_of_an_answer_on_a_kept_connection_is_no_answer_to_the_letter() -> None:
    manners = Manners()

    async def run(port: int) -> list[str]:
        man = postman(port)
        first = await man.send(posting())
        manners.sender = "421 too long silent"
        refused = await man.send(posting())
        manners.sender = None
        third = await man.send(posting())
        await man.close()
        return [each[0].status for each in (first, refused, third)]

    with smtpd(manners) as server:
        assert asyncio.run(run(server.port)) == ["taken", "later", "taken"]


def test_a_connection_is_used_again_while_it_is_young() -> None:
    now = [0.0]
    manners = Manners()

    async def run(port: int) -> None:
        settings = SmtpOut(host="127.0.0.1", port=port, security="plain", keep=30)
        man = SmtpPostman(settings, None, make_tls_context(None), clock=lambda: now[0])
        for pause in (0, 29, 29, 31):
            now[0] += pause
            await man.send(posting())
        await man.close()

    with smtpd(manners) as server:
        asyncio.run(run(server.port))
    assert (len(manners.taken), manners.connections) == (4, 2)


def test_so_many_letters_at_once_as_the_settings_allow() -> None:
    manners = Manners(pause=0.05, together=3)

    async def run(port: int) -> None:
        man = postman(port, connections=3)
        await asyncio.gather(*(man.send(posting()) for _ in range(12)))
        await man.close()

    with smtpd(manners) as server:
        asyncio.run(run(server.port))
    assert len(manners.taken) == 12
    assert (manners.most_at_once, manners.connections) == (3, 3)


def test_a_server_that_says_nothing_is_given_up_in_time() -> None:
    with smtpd(Manners(sender=STALL)) as server:
        [[sent]] = say(server.port, posting(), timeout=0.2)
    assert sent.status == "later"
    assert "no answer in time" in sent.reply


def test_a_server_that_is_not_there_is_later_and_is_left_alone_for_longer_and_longer() -> None:
    [port] = free_ports(1)
    now = [1000.0]
    manners = Manners()

    async def run() -> None:
        settings = SmtpOut(host="127.0.0.1", port=port, security="plain")
        backoff = Backoff(first=1, most=30)
        man = SmtpPostman(
            settings, None, make_tls_context(None), clock=lambda: now[0], backoff=backoff
        )
        for pause in (0, 1, 2, 4, 8, 16, 30, 30):
            now[0] += pause
            [sent] = await man.send(posting())
            assert sent.status == "later"
            assert sent.reply.startswith(f"127.0.0.1:{port}: the connection was refused")
        with smtpd(manners, port=port):
            now[0] += 29  # half a minute has not passed yet: it is not asked
            assert [s.status for s in await man.send(posting())] == ["later"]
            assert manners.connections == 0
            now[0] += 3600
            assert [s.status for s in await man.send(posting())] == ["taken"]
            await man.close()

    asyncio.run(run())


def test_a_wrong_password_is_told_plainly_and_the_letter_stays(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    password = Password(variable="X")
    with smtpd(Manners(), passwords={"gm": "right"}) as server:
        [[sent]] = say(server.port, posting(), user="gm", password=password)
    assert sent.status == "later"
    assert "the user name or the password was rejected; correct them" in sent.reply
    assert "hush" not in sent.reply + caplog.text


def test_a_good_password_opens() -> None:
    with smtpd(Manners(), passwords={"gm": "hush"}) as server:
        [[sent]] = say(server.port, posting(), user="gm", password=Password(variable="X"))
    assert sent.status == "taken"


@pytest.mark.parametrize("address", ["a@b.example\r\nRCPT TO:<c@d.example>", "a\nb", "\ud800@x"])
def test_what_is_no_address_is_never_sent_and_spoils_nothing(address: str) -> None:
    manners = Manners()
    with smtpd(manners) as server:
        [sent] = say(server.port, posting(address, BO))
    assert [s.status for s in sent] == ["never", "taken"]
    assert [recipients for _, recipients, _ in manners.taken] == [(BO,)]


def test_an_address_that_the_server_cannot_write_is_told_so() -> None:
    with smtpd(Manners()) as server:
        [sent] = say(server.port, posting("jürgen@example.org", BO))
    assert results(sent) == [
        ("jürgen", "never", "the mail server takes only ASCII in addresses"),
        ("bo", "taken", "250 taken"),
    ]


def test_an_empty_sender_wants_no_answer() -> None:
    manners = Manners()
    with smtpd(manners) as server:
        [[sent]] = say(server.port, Posting("", (ADA,), LETTER))
    assert sent.status == "taken"
    assert [sender for sender, _, _ in manners.taken] == ["<>"]  # what stood in MAIL FROM


def test_lines_of_eight_bits_are_announced() -> None:
    manners = Manners()
    with smtpd(manners) as server:
        say(server.port, Posting("gm@game.test", (ADA,), "ä\r\n".encode()))
    assert "BODY=8BITMIME" in manners.options[0]


def served(context: ssl.SSLContext, authority: str | None, host: str = "localhost") -> Sent:
    """One letter to a server with this certificate, over TLS from the start."""

    async def run(port: int) -> Sent:
        settings = SmtpOut(host=host, port=port, security="tls")
        man = SmtpPostman(settings, None, make_tls_context(authority))
        [sent] = await man.send(posting())
        await man.close()
        return sent

    with smtpd(Manners(), tls=context) as server:
        return asyncio.run(run(server.port))


@pytest.mark.parametrize(
    ("name", "trusted", "words"),
    [
        ("localhost", True, None),
        ("localhost", False, "the certificate is not trusted: self-signed certificate; if it"),
        ("elsewhere.test", True, "the certificate is for another name; set `host` to that name"),
    ],
)
def test_only_a_server_with_a_good_certificate_is_believed(
    name: str, trusted: bool, words: str | None, tmp_path: Path
) -> None:
    certificate = make_certificate(tmp_path, name)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, tmp_path / "key.pem")
    sent = served(context, str(certificate) if trusted else None)
    if words is None:
        assert sent.status == "taken"
    else:
        assert sent.status == "later"
        assert words in sent.reply


def test_a_server_without_starttls_is_not_spoken_to_in_the_clear() -> None:
    manners = Manners()

    async def run(port: int) -> Sent:
        man = SmtpPostman(
            SmtpOut(host="127.0.0.1", port=port, security="starttls"), None, make_tls_context(None)
        )
        [sent] = await man.send(posting())
        return sent

    with smtpd(manners) as server:
        sent = asyncio.run(run(server.port))
    assert sent.status == "later"
    assert "the server has no STARTTLS; set `security` to tls" in sent.reply
    assert not manners.taken


def test_a_password_of_any_letters_opens() -> None:
    async def run(port: int) -> Sent:
        settings = SmtpOut(
            host="127.0.0.1",
            port=port,
            security="plain",
            user="gm",
            password=Password(variable="X"),
        )
        man = SmtpPostman(settings, Secret("gänsefüße"), make_tls_context(None))
        [sent] = await man.send(posting())
        await man.close()
        return sent

    with smtpd(Manners(), passwords={"gm": "gänsefüße"}) as server:
        assert asyncio.run(run(server.port)).status == "taken"


@contextmanager
def overheard(folder: Path) -> Iterator[tuple[int, list[str]]]:
    """A server to whose consent to STARTTLS somebody on the way adds a line in the clear."""
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    heard: list[str] = []

    def talk(client: socket.socket, offer: str) -> None:
        with client.makefile("rb") as lines:
            for raw in lines:
                heard.append(raw.decode().strip())
                if heard[-1] == "STARTTLS":
                    client.sendall(b"220 go\r\n250-hello\r\n250 AUTH PLAIN LOGIN\r\n")
                    with tls.wrap_socket(client, server_side=True) as private:
                        talk(private, "250-hello\r\n250 SIZE 1000000")
                    return
                client.sendall(f"{offer if 'EHLO' in heard[-1] else '250 fine'}\r\n".encode())

    def listen() -> None:
        with suppress(OSError):
            client, _ = listener.accept()
            with client:
                client.sendall(b"220 hello\r\n")
                talk(client, "250-hello\r\n250 STARTTLS")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = threading.Thread(target=listen)
        server.start()
        yield listener.getsockname()[1], heard
        listener.shutdown(socket.SHUT_RDWR)
    server.join()


def test_what_somebody_adds_to_starttls_is_not_believed(tmp_path: Path) -> None:
    """Who believes it says a password to a server that has asked for none."""
    authority = str(make_certificate(tmp_path))
    with overheard(tmp_path) as (port, heard):
        made = SmtpOut(
            host="localhost",
            port=port,
            security="starttls",
            user="gm",
            password=Password(variable="X"),
        )
        postman = SmtpPostman(made, Secret("hush"), make_tls_context(authority))

        async def run() -> Sequence[Sent]:
            try:
                return await postman.send(posting())
            finally:
                await postman.close()

        (sent,) = asyncio.run(run())
    assert sent.status == "later"
    greetings = [line for line in heard if line.startswith("EHLO")]
    assert len(greetings) == 2, "what it can is asked again once the line is private"
    assert not any(line.startswith("AUTH") for line in heard), heard
