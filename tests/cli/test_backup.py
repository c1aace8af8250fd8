"""A home in one file: written while it is played, checked, restored, moved."""

import gzip
import io
import json
import os
import signal
import stat
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudicator.adapters.bundle.workspace import open_workspace
from tests.cli.conftest import Gm
from tests.cli.test_damaged import TAMPERED, change
from tests.servers.postgres import PostgreSQL

GmAt = Callable[[Path], Gm]
ENGINES = ["sqlite", "postgresql"]


class Served(Gm):
    """A GM whose books may lie in a PostgreSQL."""

    def __init__(self, home: Path, url: str | None = None) -> None:
        super().__init__(home)
        self.env = {"ADJUDICATOR_DATABASE": url} if url else {}

    def __call__(self, *words, **wanted):  # type: ignore[no-untyped-def]
        """The same, with the database named in the environment."""
        return super().__call__(*words, **{**self.env, **wanted})


@pytest.fixture(params=ENGINES)
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Served]]:
    """Homes by name, each with a database of its own."""

    def place(name: str) -> Served:
        if request.param == "sqlite":
            return Served(tmp_path / name)
        server: PostgreSQL = request.getfixturevalue("postgresql")
        return Served(tmp_path / name, server.database())

    return place


@pytest.fixture
def played(places: Callable[[str], Served]) -> Served:
    """A game of two that has an archive, orders on file and players with addresses."""
    gm = places("home")
    seats = ("--seat", "red=Ada", "--seat", "blue=Bo")
    gm("new", "ember", "--kind", "jump-wars", *seats, "--seed", "7", "--start")
    gm("address", "ember", "red", "ada@example.org")
    gm("close", "ember", "--now")
    gm("export", "ember")
    gm("submit", "ember", "blue", "-", typed="jump: []")
    return gm


@pytest.fixture
def bundle(played: Served, tmp_path: Path) -> Path:
    path = tmp_path / "games.bundle"
    played("backup", path)
    return path


def told(gm: Gm) -> list[object]:
    """What must be the same wherever the home is: position, orders, keys, letters."""
    folder = gm.home.parent / f"letters-{gm.home.name}"
    gm("letters", "ember", "--all", "--out", folder)
    letters = sorted((path.name, path.read_text()) for path in folder.rglob("*.txt"))
    return [gm.json("show", "ember"), gm.json("orders", "ember"), letters]


def test_a_moved_home_is_played_on_as_it_was(
    played: Served, places: Callable[[str], Served], tmp_path: Path
) -> None:
    before = told(played)
    path = tmp_path / "games.bundle"
    played("backup", "--move", path)
    other = places("other")
    other("restore", path)
    assert told(other) == before
    assert "WRONG  journal" not in other("doctor").stdout
    other("close", "ember", "--now")
    assert other.json("verify", "ember")["faults"] == []
    assert (other.home / "jump_wars" / "ember" / "chain.txt").is_file()


def test_a_frozen_home_plays_nothing(played: Served, tmp_path: Path) -> None:
    played("backup", "--move", tmp_path / "games.bundle")
    seats = ("--seat", "red=A", "--seat", "blue=B")
    for words in (
        ("close", "ember", "--now"),
        ("submit", "ember", "red", "-"),
        ("new", "x", "--kind", "jump-wars", *seats),
        ("note", "ember", "hm"),
    ):
        said = played.refused(*words, typed="jump: []")
        assert "were moved to another home" in said
        assert "recover" in said
    assert "WRONG  secret: " in played("doctor", code=1).stdout
    assert "PROBLEM  home" in played("status", code=1).stdout
    assert played.json("games")[0]["id"] == "ember"  # looking is no playing


def test_serve_is_refused_in_a_frozen_home(played: Served, tmp_path: Path) -> None:
    config = tmp_path / "adjudicator.yaml"
    played(
        *("init", "--address", "games@example.org", "--config", config, "--games", played.home),
        *("--in", f"maildir:{tmp_path / 'in'}", "--out", f"maildir:{tmp_path / 'out'}"),
    )
    played("backup", "--move", tmp_path / "games.bundle")
    assert "were moved" in played.refused("serve", "--config", config)


def test_a_frozen_home_writes_its_bundle_again_and_recovers(played: Served, tmp_path: Path) -> None:
    played("backup", "--move", tmp_path / "lost.bundle")
    first = played.json("backup", "--move", tmp_path / "again.bundle")
    assert first["moved"]
    played("recover", "--yes")
    assert played.json("show", "ember")["step"] == "100-jump"
    played("close", "ember", "--now")


def test_a_move_that_fails_freezes_nothing(played: Served, tmp_path: Path) -> None:
    archive = played.home / "jump_wars" / "ember" / "game.yaml"
    archive.unlink()
    archive.symlink_to(tmp_path)
    (played.home / "secret").rename(tmp_path / "secret")
    played.refused("backup", "--move", tmp_path / "games.bundle")
    (tmp_path / "secret").rename(played.home / "secret")
    assert not list(tmp_path.glob("*games.bundle*"))
    played("close", "ember", "--now")


def test_what_was_not_moved_is_a_copy(
    bundle: Path, played: Served, places: Callable[[str], Served]
) -> None:
    other = places("other")
    said = other("restore", bundle).stderr
    assert "recover" in said
    assert "is a copy" in other.refused("close", "ember", "--now")
    assert "WRONG  journal" in other("doctor", code=1).stdout
    played("close", "ember", "--now")  # the home that it was made from goes on
    other("recover", "--yes")
    assert other.json("show", "ember")["step"] == "100-jump"
    other("close", "ember", "--now")
    assert other.json("verify", "ember")["faults"] == []


def test_no_bundle_is_restored_over_anything(
    bundle: Path, played: Served, places: Callable[[str], Served]
) -> None:
    before = sorted(played.home.rglob("*"))
    assert "already exists" in played.refused("restore", bundle)
    assert sorted(played.home.rglob("*")) == before
    other = Served(places("other").home, played.env.get("ADJUDICATOR_DATABASE"))
    if other.env:
        assert "it is in use; name an empty database" in other.refused("restore", bundle)
        assert not other.home.exists()


def test_a_bundle_is_for_its_owner_alone(
    bundle: Path, played: Served, places: Callable[[str], Served]
) -> None:
    assert stat.S_IMODE(bundle.stat().st_mode) == 0o600
    other = places("other")
    other("restore", bundle)
    paths = (other.home, *other.home.rglob("*"))
    assert [path for path in paths if stat.S_IMODE(path.stat().st_mode) & 0o077] == []
    assert [path for path in played.home.parent.iterdir() if path.name.startswith(".")] == []
    assert find_unfinished(played.home) == []


def find_unfinished(*places: Path) -> list[Path]:
    """What an unfinished backup leaves."""
    return [path for place in places for path in place.iterdir() if path.name.startswith(".")]


KILLED = """
import os, signal
from adjudicator.cli.keeping import home_files
home_files.copy_store = lambda store, copy: os.kill(os.getpid(), signal.SIGKILL)
from adjudicator.__main__ import main
main()
"""


def kill_backup(home: Path, target: Path) -> None:
    """A backup that is killed before the database is in it."""
    words = [sys.executable, "-c", KILLED, "backup", str(target)]
    ended = subprocess.run(words, env={**os.environ, "ADJUDICATOR_HOME": str(home)}, check=False)
    assert ended.returncode == -signal.SIGKILL


def test_what_a_killed_backup_leaves_is_swept_by_the_next(duel: Gm, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    kill_backup(duel.home, folder / "games.bundle")
    left = find_unfinished(duel.home, folder)
    assert {path.parent for path in left} == {duel.home, folder}
    others = folder / ".backup-mine"
    others.mkdir()
    with open_workspace(folder) as held:
        (held / "bundle").touch()
        duel("backup", folder / "games.bundle")
        assert (held / "bundle").exists(), "a process that lives holds it"
        assert sorted(find_unfinished(duel.home, folder)) == sorted([held, others])
    assert find_unfinished(duel.home, folder) == [others]


def test_folders_that_others_made_are_not_swept(tmp_path: Path) -> None:
    """Whatever a link of that name leads to is not touched."""
    precious = tmp_path / "precious"
    precious.mkdir()
    (tmp_path / ".adjudicator-work-abcdefgh").symlink_to(precious)
    with open_workspace(tmp_path):
        assert list(precious.iterdir()) == []
    assert precious.is_dir()


def members(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as tar:
        return {one.name: tar.extractfile(one).read() for one in tar}  # type: ignore[union-attr]


def rewrite(path: Path, files: dict[str, bytes], **changes: object) -> None:
    with tarfile.open(path, "w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            for field, value in changes.items():
                setattr(member, field, value)
            tar.addfile(member, io.BytesIO(content))


@pytest.fixture
def small(duel: Gm, tmp_path: Path) -> Path:
    path = tmp_path / "games.bundle"
    duel("backup", path)
    return path


def damage_cut(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 2 // 3])


def damage_end(path: Path) -> None:
    files = members(path)
    del files["bundle.json"]
    rewrite(path, files)


def damage_byte(path: Path) -> None:
    files = members(path)
    content = bytearray(files["adjudicator.db"])
    content[len(content) // 2] ^= 1
    rewrite(path, {**files, "adjudicator.db": bytes(content)})


def damage_missing(path: Path) -> None:
    rewrite(path, {name: one for name, one in members(path).items() if name != "secret"})


def damage_more(path: Path) -> None:
    rewrite(path, {"more": b"", **members(path)})


def damage_outside(path: Path) -> None:
    rewrite(path, {"../outside": b"", **members(path)})


def damage_link(path: Path) -> None:
    rewrite(path, members(path), type=tarfile.SYMTYPE, linkname="/etc/passwd")


def damage_newer(path: Path) -> None:
    files = members(path)
    facts = {**json.loads(files["bundle.json"]), "bundle": 2}
    rewrite(path, {**files, "bundle.json": json.dumps(facts).encode()})


def damage_other(path: Path) -> None:
    path.write_bytes(gzip.compress(b"a letter"))


def damage_text(path: Path) -> None:
    path.write_text("a letter")


@pytest.mark.parametrize("words", [(), ("--dry-run",)])
@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (damage_cut, "damaged"),
        (damage_end, "its end is missing"),
        (damage_byte, "adjudicator.db in it is not as it was written"),
        (damage_missing, "secret in it is missing"),
        (damage_more, "more in it is not as it was written"),
        (damage_outside, "'../outside'"),
        (damage_link, "which no bundle does"),
        (damage_newer, "a newer adjudicator wrote it"),
        (damage_other, "damaged or not a bundle"),
        (damage_text, "damaged or not a bundle"),
    ],
)
def test_every_digest_is_checked_before_anything_is_written(
    small: Path, gm_at: GmAt, damage: Callable[[Path], None], said: str, words: tuple[str, ...]
) -> None:
    damage(small)
    other = gm_at(small.parent / "other")
    before = sorted(small.parent.iterdir())
    assert said in other.refused("restore", small, *words)
    assert sorted(small.parent.iterdir()) == before


def test_a_verified_backup_finds_a_damaged_home(duel: Gm, tmp_path: Path) -> None:
    path = tmp_path / "games.bundle"
    assert "games replayed: 1" in duel("backup", path, "--verify").stderr
    duel("close", "ember", "--now")
    change(duel.home, TAMPERED)
    said = duel.refused("backup", tmp_path / "second.bundle", "--verify")
    assert "ember is not as it was recorded" in said


def test_a_folder_keeps_the_newest(duel: Gm, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    old = [folder / f"adjudicator-2026010{day}T031500Z.bundle" for day in range(1, 5)]
    other = folder / "adjudicator-notes.bundle"
    for path in (*old, other):
        path.touch()
    made = duel.json("backup", folder, "--keep", "3")
    assert made["removed"] == [str(path) for path in old[:2]]
    assert sorted(folder.iterdir()) == sorted([*old[2:], other, Path(made["file"])])


def test_nothing_is_overwritten(small: Path, duel: Gm) -> None:
    assert "already exists" in duel.refused("backup", small)
    assert "there is no folder" in duel.refused("backup", small.parent / "no" / "games.bundle")


def test_a_home_that_cannot_be_written_is_backed_up(duel: Gm, gm_at: GmAt, tmp_path: Path) -> None:
    """A disk that has failed may still be read."""
    duel.home.chmod(0o500)
    (duel.home / "adjudicator.db").chmod(0o400)
    try:
        duel("backup", tmp_path / "games.bundle")
    finally:
        duel.home.chmod(0o700)
        (duel.home / "adjudicator.db").chmod(0o600)
    other = gm_at(tmp_path / "other")
    other("restore", tmp_path / "games.bundle")
    assert other.json("games")[0]["id"] == "ember"


def test_the_settings_of_the_daemon_come_along(
    duel: Gm, gm_at: GmAt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    duel(
        *("init", "--address", "games@example.org", "--games", duel.home),
        *("--in", f"maildir:{tmp_path / 'in'}", "--out", f"maildir:{tmp_path / 'out'}"),
    )
    duel("backup", tmp_path / "games.bundle")
    other = gm_at(tmp_path / "other")
    other("restore", tmp_path / "games.bundle")
    kept = (other.home / "adjudicator.yaml").read_text()
    assert kept == (tmp_path / "adjudicator.yaml").read_text()
