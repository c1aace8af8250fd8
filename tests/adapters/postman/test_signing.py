"""Letters signed as receivers verify it, and what the DNS must say of them."""

import asyncio
import subprocess
from pathlib import Path

import dkim
import pytest
from msgspec.structs import replace

from adjudicator.adapters.mail.accounts import Dkim, SmtpOut
from adjudicator.adapters.mail.connections import open_postman
from adjudicator.adapters.mail.deliverability.signing import (
    make_record,
    name_record,
    open_signer,
    read_signing_key,
)
from adjudicator.adapters.settings import parse_settings
from adjudicator.desk.model.errors import Refused
from tests.adapters.postman.test_smtp_manners import ADA, posting
from tests.servers.smtpd import Manners, Renaming, smtpd


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Dkim:
    """As the settings tell a GM to make it."""
    path = tmp_path_factory.mktemp("keys") / "dkim.pem"
    subprocess.run(["openssl", "genrsa", "-out", path, "2048"], check=True, capture_output=True)
    path.chmod(0o600)
    return Dkim(selector="games", key=str(path), domain="game.test")


def is_verified(letter: bytes, key: Dkim) -> bool:
    """As a receiver does, who finds our record in the DNS and no other."""
    record = make_record(read_signing_key(key)).encode()
    place = f"{name_record(key)}.".encode()
    return dkim.verify(letter, dnsfunc=lambda name, timeout=5: {place: record}.get(name))


LETTER = (
    b"From: Games <gm@game.test>\r\nTo: ada@example.org\r\nSubject: Ember,\r\n  turn 3\r\n"
    b"Message-ID: <1@game.test>\r\nReferences: <a@x>\r\n <b@x>\r\n"
    b"List-Unsubscribe: <mailto:gm@game.test>\r\n\r\n.a line  with a dot \r\n\r\n\r\n"
)


def test_a_signed_letter_is_verified_with_the_record_that_is_to_be_published(key: Dkim) -> None:
    signed = open_signer(key)(LETTER)
    assert signed.endswith(LETTER)
    assert is_verified(signed, key)
    head = signed.removesuffix(LETTER)
    assert b"d=game.test" in head
    assert b"list-unsubscribe" in head
    for changed in (b"turn 4", b"turn 33"):
        assert not is_verified(signed.replace(b"turn 3", changed), key)


def test_the_record_is_the_public_key_as_openssl_writes_it(key: Dkim) -> None:
    told = subprocess.run(
        ["openssl", "rsa", "-in", key.key, "-pubout"], check=True, capture_output=True, text=True
    )
    lines = [one for one in told.stdout.splitlines() if not one.startswith("-")]
    assert make_record(read_signing_key(key)) == f"v=DKIM1; k=rsa; p={''.join(lines)}"


@pytest.mark.parametrize("manners", [Manners(), Renaming()], ids=["as it is", "renamed"])
def test_what_the_postman_sends_is_signed(key: Dkim, manners: Manners) -> None:
    """Also where a server on the way gives it another Message-ID."""

    async def send(port: int) -> str:
        settings = SmtpOut(host="127.0.0.1", port=port, security="plain", dkim=key)
        man = open_postman(settings, {})
        (sent,) = await man.send(replace(posting(ADA), content=LETTER))
        await man.close()
        return sent.status

    with smtpd(manners) as server:
        assert asyncio.run(send(server.port)) == "taken"
    ((_, _, content),) = manners.taken
    assert is_verified(content, key)


def refusal(key: Dkim) -> str:
    with pytest.raises(Refused) as refused:
        open_signer(key)
    return str(refused.value)


def test_a_key_that_cannot_be_used_is_told_with_a_way_out(key: Dkim, tmp_path: Path) -> None:
    path = tmp_path / "dkim.pem"
    other = replace(key, key=str(path))
    assert f"make one by `openssl genrsa -out {path} 2048`" in refusal(other)
    path.write_bytes(Path(key.key).read_bytes())
    path.chmod(0o640)
    assert f"mode 640, others can read this key and sign letters with it; chmod 600 {path}" in (
        refusal(other)
    )
    path.write_text("hello")
    path.chmod(0o600)
    assert "expected an RSA key in PEM form" in refusal(other)
    subprocess.run(["openssl", "genrsa", "-out", path, "768"], check=True, capture_output=True)
    assert "too short" in refusal(other)


def test_a_key_shows_itself_to_nobody(key: Dkim) -> None:
    assert "PRIVATE" not in repr(read_signing_key(key))


def test_the_settings_name_key_and_domain(tmp_path: Path) -> None:
    text = (
        "address: games@Example.org\npostboxes: [{kind: maildir, folder: in}]\n"
        "postman: {kind: smtp, host: localhost, dkim: {selector: games, key: dkim.pem}}\n"
    )
    settings = parse_settings(text, tmp_path / "adjudicator.yaml")
    assert isinstance(settings.postman, SmtpOut)
    assert settings.postman.dkim == Dkim(
        selector="games", key=str(tmp_path / "dkim.pem"), domain="example.org"
    )
