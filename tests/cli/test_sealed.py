"""Bundles that only a passphrase opens."""

import shutil
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudicator.adapters.bundle import seal
from tests.cli.conftest import Gm
from tests.cli.test_backup import GmAt, members


@pytest.fixture(scope="module")
def opened_once() -> Iterator[Callable[[bytes, str], bytes]]:
    """Decrypts with a passphrase, each opener once: it takes a second, as it must for a thief."""
    decrypt, cached = seal.pyrage.passphrase.decrypt, {}

    def opened(opener: bytes, passphrase: str) -> bytes:
        if (opener, passphrase) not in cached:
            cached[opener, passphrase] = bytes(decrypt(opener, passphrase))
        return cached[opener, passphrase]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seal.pyrage.passphrase, "decrypt", opened)
        yield opened


@pytest.fixture(scope="module")
def sealed_once(tmp_path_factory: pytest.TempPathFactory, opened_once: object) -> Path:
    """A home with a game, and beside it a bundle that a passphrase opens."""
    folder = tmp_path_factory.mktemp("sealed")
    (folder / "word").write_text("correct horse\n")
    (folder / "word").chmod(0o600)
    gm = Gm(folder / "home")
    gm("new", "ember", "--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue=Bo", "--start")
    word = f"file:{folder / 'word'}"
    gm("backup", folder / "games.bundle", "--passphrase", word, "--verify")
    return folder


@pytest.fixture
def sealed(sealed_once: Path, tmp_path: Path) -> Path:
    """A copy of that bundle."""
    return Path(shutil.copy(sealed_once / "games.bundle", tmp_path))


def test_a_passphrase_encrypts_everything(
    sealed_once: Path, sealed: Path, gm_at: GmAt, tmp_path: Path
) -> None:
    secret = (sealed_once / "home" / "secret").read_bytes()
    content = sealed.read_bytes()
    assert secret not in content
    assert b"adjudicator.db" not in content
    assert members(sealed)["identity.age"].startswith(b"age-encryption.org/v1\n-> scrypt ")
    other = gm_at(tmp_path / "other")
    assert "there is no terminal to ask at" in other.refused("restore", sealed)
    wrong = other.refused("restore", sealed, "--passphrase", "variable:WORD", WORD="wrong")
    assert "not the right one" in wrong
    other("restore", sealed, "--passphrase", "variable:WORD", WORD="correct horse")
    assert (other.home / "secret").read_bytes() == secret


def test_a_machine_that_is_busy_for_a_moment_is_measured_again(
    sealed: Path,
    gm_at: GmAt,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    opened_once: Callable[[bytes, str], bytes],
) -> None:
    other, busy = gm_at(tmp_path / "other"), iter([True] * 60)

    def measured(opener: bytes, passphrase: str) -> bytes:
        if next(busy, False):
            raise seal.pyrage.DecryptError("Excessive work parameter for passphrase.")
        return opened_once(opener, passphrase)

    monkeypatch.setattr(seal.pyrage.passphrase, "decrypt", measured)
    told = other.refused("restore", sealed, "--passphrase", "variable:WORD", WORD="correct horse")
    assert "too slow or too busy for the passphrase; try again" in told
    other("restore", sealed, "--passphrase", "variable:WORD", WORD="correct horse")


def test_an_encrypted_bundle_that_was_changed_is_refused(
    sealed: Path, gm_at: GmAt, tmp_path: Path
) -> None:
    with tarfile.open(sealed) as tar:
        member = tar.getmember("bundle.tgz.age")
    content = bytearray(sealed.read_bytes())
    content[member.offset_data + member.size // 2] ^= 1
    sealed.write_bytes(content)
    other = gm_at(tmp_path / "other")
    said = other.refused("restore", sealed, "--passphrase", "variable:WORD", WORD="correct horse")
    assert "damaged" in said
    assert not other.home.exists()
