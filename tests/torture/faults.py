"""What is done to the daemon and to everything around it; each fault heals when it is left."""

import os
import random
import resource
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.daemon.running import Running, until
from tests.torture.house import House
from tests.torture.wire import Wire

_HOUR = 3600.0
_FIVE_MINUTES = 300
_MINUTES = 130.0


class Scene(NamedTuple):
    """Who suffers."""

    house: House
    chance: random.Random
    daemon: Running | None = None
    """None: it is not running yet."""


Fault = Callable[[Scene], AbstractContextManager[None]]


@contextmanager
def _full_disk(scene: Scene) -> Iterator[None]:
    """Where no disk can be mounted, no file may grow: as with a quota that is used up."""
    disk, daemon = scene.house.disk, scene.daemon
    if disk is not None:
        disk.fill()
        try:
            yield
        finally:
            disk.free()
        return
    assert daemon is not None
    unlimited = resource.RLIM_INFINITY
    resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (4096, unlimited))
    try:
        yield
    finally:
        if not daemon.ended():
            resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))


@contextmanager
def _read_only(scene: Scene) -> Iterator[None]:
    """The home's disk is remounted before the daemon starts."""
    disk = scene.house.disk
    assert disk is not None
    scene.house.leave()
    # a daemon that was killed may leave a program that tries a letter, and ends by itself
    until(disk.forbid_writing, what="an end of writing in the home of a dead daemon")
    try:
        yield
    finally:
        scene.house.leave()
        disk.allow_writing()


@contextmanager
def _without_rights(*paths: Path) -> Iterator[None]:
    modes = {path: path.stat().st_mode & 0o7777 for path in paths if path.exists()}
    for path in modes:
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def _lost_home(scene: Scene) -> AbstractContextManager[None]:
    scene.house.leave()
    home = scene.house.home
    return _without_rights(home, home / "adjudicator.db", home / "lock")


def _lost_post(scene: Scene) -> AbstractContextManager[None]:
    post = scene.house.post
    folders = [post.inbox / "new", post.inbox / "cur", post.inbox / ".Done" / "cur"]
    return _without_rights(*folders, *(box / "new" for box in post.out.glob("*@*")))


@contextmanager
def _vanished_mailbox(scene: Scene) -> Iterator[None]:
    """It is moved away with everything in it; what came meanwhile is not lost when it is back."""
    inbox = scene.house.post.inbox
    away = inbox.with_name(f"{inbox.name}.away")
    if inbox.exists():  # else nothing has come or been asked for yet
        inbox.rename(away)
    try:
        yield
    finally:
        if away.exists():
            _bring_back(away, inbox)


def _bring_back(away: Path, inbox: Path) -> None:
    """Where the daemon, or its server, has made another mailbox meanwhile, letter by letter."""
    try:
        away.rename(inbox)
    except OSError:
        about = away.stat()
        for path in sorted(away.rglob("*")):
            place = inbox / path.relative_to(away)
            if path.is_dir() and not place.exists():
                place.mkdir(mode=0o700)
                os.chown(place, about.st_uid, about.st_gid)
            elif path.parent.name in ("new", "cur"):
                path.rename(place)
        shutil.rmtree(away)


@contextmanager
def _wrong_clock(scene: Scene) -> Iterator[None]:
    hours = scene.chance.choice((-48, -2, 2, 48))
    scene.house.clock.write_text(str(hours * _HOUR))
    try:
        yield
    finally:
        scene.house.clock.write_text("0")


@contextmanager
def _other_hosts_clock(scene: Scene) -> Iterator[None]:
    """The clock of another host is set wrong, or right again, and stays so."""
    wrong = scene.chance.choice((-_FIVE_MINUTES, 0, _FIVE_MINUTES))
    scene.house.far_clock.write_text(str(wrong))
    yield


@contextmanager
def _stopped(scene: Scene) -> Iterator[None]:
    assert scene.daemon is not None
    scene.daemon.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        scene.daemon.process.send_signal(signal.SIGCONT)


@contextmanager
def stopped_for_minutes(scene: Scene) -> Iterator[None]:
    """Longer than any server waits for us."""
    with _stopped(scene):
        time.sleep(_MINUTES)
        yield


@contextmanager
def _backed_up(scene: Scene) -> Iterator[None]:
    """No fault, but the bundle that may be put back later; nobody must notice."""
    scene.house.back_up()
    yield


@contextmanager
def old_backup(scene: Scene) -> Iterator[None]:
    """Nothing is played in it before somebody recovers it."""
    scene.house.put_back(keep_journal=scene.chance.random() < 0.5)
    try:
        yield
    finally:
        scene.house.recover()


def _on_wire(name: str, mode: str, *lengths: int) -> Fault:
    @contextmanager
    def fault(scene: Scene) -> Iterator[None]:
        wire: Wire = scene.house.post.wires[name]
        wire.set(mode, scene.chance.choice(lengths) if lengths else None)
        wire.cut()
        try:
            yield
        finally:
            wire.heal()

    return fault


@contextmanager
def _rude_sink(scene: Scene) -> Iterator[None]:
    sink = scene.house.post.sink
    assert sink is not None
    sink.often = 0.4
    try:
        yield
    finally:
        sink.often = 0.0


@contextmanager
def _restarted_dovecot(scene: Scene) -> Iterator[None]:
    dovecot = scene.house.post.dovecot
    assert dovecot is not None
    dovecot.end()
    try:
        yield
    finally:
        dovecot.start()


@contextmanager
def _new_uids(scene: Scene) -> Iterator[None]:
    """Dovecot forgets how it has numbered the letters: another UIDVALIDITY."""
    dovecot = scene.house.post.dovecot
    assert dovecot is not None
    dovecot.end()
    for path in scene.house.post.inbox.rglob("dovecot*"):
        if path.is_file():
            path.unlink()
    dovecot.start()
    yield


def _on_postgresql(act: Callable[[House], None], heal: Callable[[House], None] | None) -> Fault:
    @contextmanager
    def fault(scene: Scene) -> Iterator[None]:
        act(scene.house)
        try:
            yield
        finally:
            if heal is not None:
                heal(scene.house)

    return fault


def _restart(number: int) -> Callable[[House], None]:
    def act(house: House) -> None:
        assert house.postgresql is not None
        house.postgresql.restart(number)

    return act


def _say(*statements: str) -> Callable[[House], None]:
    def act(house: House) -> None:
        assert house.postgresql is not None
        assert house.url is not None
        name = house.url.partition("@/")[2].partition("?")[0]
        house.postgresql.execute(*(one.replace("NAME", name) for one in statements))

    return act


_CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'NAME'"
_READ_ONLY = "ALTER DATABASE NAME SET default_transaction_read_only = "
_RUNNING: Mapping[str, Fault] = {
    "mailbox vanishes": _vanished_mailbox,
    "clock jumps": _wrong_clock,
    "SIGSTOP": _stopped,
    "backed up while it runs": _backed_up,
}
_RIGHTS: Mapping[str, Fault] = {"rights lost on the post": _lost_post}
_FILES: Mapping[str, Fault] = {"disk full": _full_disk}
_SERVERS: Mapping[str, Fault] = {
    **{
        f"{name} {said}": _on_wire(name, *how)
        for name in ("IMAP", "SMTP")
        for said, how in {
            "refused": ("refuse",),
            "silent": ("mute",),
            "talks nonsense": ("babble",),
            "spoilt on the way": ("spoil",),
            "cut in the middle": ("pass", 40, 200, 900, 5_000),
        }.items()
    },
    "SMTP answers of 12 sorts": _rude_sink,
    "Dovecot restarts": _restarted_dovecot,
    "UIDVALIDITY changes": _new_uids,
}
POSTGRESQL_FAULTS: Mapping[str, Fault] = {
    "PostgreSQL restarts": _on_postgresql(_restart(signal.SIGINT), None),
    "PostgreSQL crashes": _on_postgresql(_restart(signal.SIGQUIT), None),
    "PostgreSQL backends cut": _on_postgresql(_say(_CUT), None),
    "PostgreSQL read-only": _on_postgresql(
        _say(f"{_READ_ONLY}on", _CUT), _say(f"{_READ_ONLY}off", _CUT)
    ),
}
_HOSTS: Mapping[str, Fault] = {"another host's clock is set": _other_hosts_clock}


def running_faults(house: House, *, alone: bool) -> Mapping[str, Fault]:
    """Those that come while the daemon runs, as far as they are possible here."""
    hosts = {} if alone else _HOSTS
    files = {} if house.postgresql else _FILES
    rights = _RIGHTS if house.post.dovecot is None else {}
    servers = _SERVERS if house.post.dovecot is not None else {}
    postgresql = POSTGRESQL_FAULTS if house.postgresql else {}
    return {**_RUNNING, **files, **rights, **servers, **postgresql, **hosts}


def starting_faults(house: House) -> Mapping[str, Fault]:
    """Those that the daemon finds when it starts."""
    disk: Mapping[str, Fault] = {"home read-only": _read_only} if house.disk else {}
    rights: Mapping[str, Fault] = {"rights lost on the home": _lost_home}
    root = os.geteuid() == 0 and not shutil.which("setpriv")
    return {**disk, **({} if root else rights)}
