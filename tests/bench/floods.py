"""Floods: what thousands of letters cost the others, a daemon and its post being real.

    .venv/bin/python -m tests.bench.floods [NUMBER] [--servers]

A stranger writes NUMBER letters (5000) under as many names, one player writes as many, two servers
write to each other, and every address answers whatever it gets. Meanwhile a player of another game
asks for its status, and the time until the answer lies in the mailbox is measured. Letters come
and go by folders or, with `--servers`, by Dovecot's IMAP and by SMTP.
"""

import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

from msgspec import Struct

from adjudicator.adapters.mail.maildir import deliver_letter, recipient_folder
from adjudicator.core.dice import seed_from_number
from adjudicator.desk.acts.new import create_game
from tests.daemon.conftest import SEATS, House
from tests.daemon.people import HOUSE
from tests.daemon.running import Running, config
from tests.torture.posts import PASSWORDS, Folders, open_post

_KEY = re.compile(rb"key: ([0-9a-z]{4}-[0-9a-z]{4})")
_ASKING = "cleo@players.test"
_PATIENCE = 60.0
_CALM, _PROBES = 3, 40
_LONGEST = 900.0


class Flood(Struct, frozen=True):
    """What a flood came to."""

    name: str
    letters_in: int
    letters_out: int
    seconds: float
    calm: float
    """The median of some answers before the flood, on this machine as busy as it was."""
    delays: list[float]
    memory: int
    """The daemon's largest resident set, in megabytes."""

    def __str__(self) -> str:
        delays = self.delays or [0.0]
        return (
            f"{self.name}: {self.letters_in} in, {self.letters_out} out, {self.seconds:.0f} s; "
            f"answers of another game after {statistics.median(delays):.2f} s (median), "
            f"{max(delays):.2f} s (longest of {len(delays)}), before the flood {self.calm:.2f} s; "
            f"{self.memory} MB"
        )


def write_letter(sender: str, number: int, *lines: str, **headers: str) -> bytes:
    """A letter as anybody writes it."""
    head = {"From": sender, "To": HOUSE, "Subject": "hello", "Message-ID": f"<{number}@{sender}>"}
    head |= {name.replace("_", "-"): value for name, value in headers.items()}
    return "\r\n".join([*(f"{k}: {v}" for k, v in head.items()), "", *lines, ""]).encode()


def find_letters(folder: Path) -> Iterator[Path]:
    """Whatever lies in a Maildir."""
    return (path for path in folder.glob("new/*") if path.is_file())


class Scene:
    """A server with two games, one of which is flooded; Cleo plays the other one, too."""

    def __init__(self, folder: Path, *, servers: bool = False, **limits: int) -> None:
        folder.mkdir(parents=True)
        self.post = open_post(folder, 1, servers=servers)
        self.house = House(folder)
        self.house.config = config(folder, self.house.settings(**_settings(self.post), **limits))
        self.house.game(settle="10m")
        with self.house.office.making() as books:
            create_game(
                books,
                self.house.office.library,
                game="amber",
                kind="jump-wars",
                seats=SEATS,
                options={"turn_limit": 3},
                settings={"pace": "72h", "host": "game.test"},
                seed=seed_from_number(8),
                luck={},
                verifiable=False,
                components=None,
                start=True,
                at=datetime.now(UTC),
            )
        self.daemon: Running = self.house.serve(**PASSWORDS)
        self.key = self._find_key(_ASKING, b"amber")
        self.ada = self._find_key("ada@players.test", b"ember")
        self._number = 0
        self.pause = 1.0
        """Seconds between two questions."""

    def inbox(self, address: str) -> Path:
        return self.post.out / recipient_folder(address)

    def _find_key(self, address: str, game: bytes) -> str:
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            for path in find_letters(self.inbox(address)):
                content = path.read_bytes()
                if b"game: " + game in content and (found := _KEY.search(content)):
                    return found[1].decode()
            time.sleep(0.1)
        raise AssertionError(f"no letter of {game.decode()} came to {address}")

    def probe(self) -> float:
        """Seconds until Cleo's question in the other game is answered."""
        folder = self.inbox(_ASKING)
        before = {path.name for path in find_letters(folder)}
        self._number += 1
        lines = ("game: amber", f"key: {self.key}", "ask: status", "# end of orders")
        began = time.monotonic()
        self.post.post(write_letter(_ASKING, self._number, *lines))
        while time.monotonic() < began + _PATIENCE:
            for path in find_letters(folder):
                if path.name not in before and b"amber" in path.read_bytes()[:2000]:
                    return time.monotonic() - began
            time.sleep(0.02)
        return _PATIENCE

    def pour(self, letters: Iterable[bytes]) -> None:
        """Letters lie in the postbox all at once, faster than a mail server would take them."""
        owner = self.post.inbox.stat()
        with tempfile.TemporaryDirectory(dir=self.post.inbox.parent) as folder:
            for letter in letters:
                path = deliver_letter(Path(folder), letter)
                os.chown(path, owner.st_uid, owner.st_gid)
            for path in sorted(Path(folder).glob("new/*")):
                path.rename(self.post.inbox / "new" / path.name)

    def count_in(self) -> int:
        with self.house.office.reading() as books:
            return len(books.arrivals())

    def count_out(self) -> int:
        return sum(1 for _ in self.post.out.glob("*/new/*"))

    def memory(self) -> int:
        status = Path(f"/proc/{self.daemon.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        return int(found[1]) // 1024 if found else 0

    def watch(self, name: str, act: Callable[[], Any], is_over: Callable[[], bool]) -> Flood:
        """Let something happen, and probe until it is over."""
        calm = statistics.median(self.probe() for _ in range(_CALM))
        came, went, began = self.count_in(), self.count_out(), time.monotonic()
        act()
        delays = []
        while not is_over() and time.monotonic() < began + _LONGEST:
            delays.append(self.probe())
            # fewer in a long flood: 200 letters of a seat a day are answered
            time.sleep(max(self.pause, (time.monotonic() - began) / _PROBES))
        return Flood(
            name=name,
            letters_in=self.count_in() - came - len(delays),
            letters_out=self.count_out() - went - len(delays),
            seconds=time.monotonic() - began,
            calm=calm,
            delays=delays,
            memory=self.memory(),
        )

    def is_read(self) -> bool:
        """Whether nothing waits, in or out."""
        with self.house.office.reading() as books:
            waits = books.waiting_letters()
        return not waits and not self.post.waiting()

    def reply_to_all(self, known: set[str]) -> int:
        """Every address but the one that asks answers each new letter, and marks nothing."""
        answered = 0
        for path in sorted(self.post.out.glob("*/new/*")):
            sender = path.parts[-3]
            if path.name in known or sender == recipient_folder(_ASKING):
                continue
            known.add(path.name)
            got: Message = message_from_bytes(path.read_bytes())
            headers = {"In_Reply_To": str(got["Message-ID"])}
            answered += 1
            lines = ("Thank you, your letter is on my desk.",)
            self.post.post(write_letter(sender, len(known), *lines, **headers))
        return answered


@contextmanager
def open_scene(folder: Path, *, servers: bool = False, **limits: int) -> Iterator[Scene]:
    """A server that ends with this; its settings may lower what goes out in a day."""
    scene = Scene(folder, servers=servers, **limits)
    try:
        yield scene
    finally:
        scene.house.close()
        scene.post.close()


def _settings(post: Folders) -> dict[str, Any]:
    """As for torture, with the patience that is usual."""
    settings = post.settings()
    for one in (*settings["postboxes"], settings["postman"]):
        one.pop("timeout", None)
    return settings


def flood_by_stranger(scene: Scene, number: int) -> Flood:
    """As many senders as letters."""

    def act() -> None:
        scene.pour(
            write_letter(f"x{one}@forged{one % 977}.example", one, "Please let me play!")
            for one in range(number)
        )

    return scene.watch(f"{number} letters of a stranger", act, scene.is_read)


def flood_by_player(scene: Scene, number: int) -> Flood:
    """Press to all in each letter, with a good key, under two names by turns."""

    def write(one: int) -> bytes:
        sender = ("ada@players.test", f"x{one}@forged.example")[one % 2]
        press = f"press: [{{to: all, text: number {one}}}]"
        lines = ("game: ember", f"key: {scene.ada}", press, "# end of orders")
        return write_letter(sender, one, *lines)

    def act() -> None:
        scene.pour(map(write, range(number)))

    return scene.watch(f"{number} letters of a player", act, scene.is_read)


def answer_everything(scene: Scene, number: int) -> Flood:
    """Each address answers each letter until nothing new comes, or so many were answered."""
    known: set[str] = set()
    quiet = [0]

    def is_over() -> bool:
        quiet[0] = 0 if scene.reply_to_all(known) else quiet[0] + 1
        return len(known) > number or (quiet[0] > 3 and scene.is_read())

    return scene.watch("every address answers", lambda: None, is_over)


def two_servers(scene: Scene, other: Scene, number: int) -> Flood:
    """What each writes to the other's address is delivered there, without the marks of programs."""
    moved: set[str] = set()
    quiet = [0]
    names = {id(scene): "games@other.test", id(other): "games@one.test"}

    def pass_on(origin: Scene, to: Scene) -> int:
        new = [p for p in find_letters(origin.inbox(names[id(origin)])) if p.name not in moved]
        for path in new:
            moved.add(path.name)
            content = path.read_bytes()
            bare = re.sub(rb"(?mi)^(Auto-Submitted|X-Auto-Response-Suppress):.*\n", b"", content)
            sender = names[id(to)].encode()
            bare = re.sub(rb"(?mi)^(From|Reply-To):.*(\n[ \t].*)*$", b"From: " + sender, bare)
            to.post.post(bare)
        return len(new)

    def act() -> None:
        for one in range(number // 100):
            scene.post.post(write_letter("games@other.test", one, "hello"))
            other.post.post(write_letter("games@one.test", one, "hello"))

    def is_over() -> bool:
        news = pass_on(scene, other) + pass_on(other, scene)
        quiet[0] = 0 if news else quiet[0] + 1
        return quiet[0] > 3 and scene.is_read() and other.is_read()

    return scene.watch("two servers", act, is_over)


def main() -> None:
    """All floods, one after the other, each with a line of figures."""
    words = [word for word in sys.argv[1:] if word != "--servers"]
    number, servers = int(words[0]) if words else 5000, "--servers" in sys.argv
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        for flood in (flood_by_stranger, flood_by_player, answer_everything):
            with open_scene(place / flood.__name__, servers=servers) as scene:
                print(flood(scene, number), flush=True)
        with (
            open_scene(place / "one", servers=servers) as scene,
            open_scene(place / "other", servers=servers) as other,
        ):
            print(two_servers(scene, other, number), flush=True)


if __name__ == "__main__":
    main()
