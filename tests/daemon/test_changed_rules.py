"""A program with other rules is installed under a game that is being played by mail."""

import subprocess
import sys

from adjudicator.cli.demo.mail_programs import read_envelope
from tests.cli.conftest import Gm
from tests.daemon.conftest import SEATS, House, address
from tests.daemon.people import Bots, reply
from tests.daemon.running import start_program, until

UPDATED = """\
import sys
from msgspec.structs import replace
from adjudicator.__main__ import main
from adjudicator.adapters.games import library

class Rules:
    def __init__(self, rules):
        self.rules = rules
    def __getattr__(self, name):
        return getattr(self.rules, name)
    def resolve(self, state, orders, dice, **given):
        after, events = self.rules.resolve(state, orders, dice, **given)
        table = after.table
        players = {s: replace(own, tokens=own.tokens + 3) for s, own in table.players.items()}
        return replace(after, table=replace(table, players=players)), events

class Kind:
    digest = "f" * 64
    def __init__(self, kind):
        self.kind, self.rules = kind, Rules(kind.rules)
    def __getattr__(self, name):
        return getattr(self.kind, name)

find = library.FolderLibrary.kind
library.FolderLibrary.kind = lambda self, *given: Kind(find(self, *given))
sys.argv[0] = "adjudicator"
main()
"""


def test_letters_wait_until_the_changed_rules_are_accepted(house: House) -> None:
    house.game(turns=3)
    gm = Gm(house.office.home.path)
    gm("close", "ember", "--now")
    program = (sys.executable, "-c", UPDATED)

    def do(*words: str, code: int = 0) -> str:
        command = [*program, "--home", str(gm.home), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    daemon = house.watch(start_program(house.config, house.log, program))
    (told,) = until(lambda: house.letters("gm@players.test"), what="the letter to the GM")
    assert "Letters to it wait in the postbox" in told.as_string()
    until(lambda: all(house.letters(player, "1-plan") for player in SEATS.values()))
    step, wanted = Bots(house.office, "ember").wanted()
    for number, (seat, player) in enumerate(SEATS.items()):
        report = house.letters(player, "1-plan")[0]
        house.post(reply(address(player), report, read_envelope(report), wanted[seat], number))
    until(lambda: len(daemon.logged("letter waits")) == 3, what="the letters")
    assert "ember: the rules have changed" in do("status", code=1)
    assert "- turn 1, plan (1-plan): " in do("accept", "ember", "--dry-run")
    assert (waiting(house), daemon.logged("letter in")) == (3, [])
    assert gm.json("show", "ember")["step"] == step

    do("accept", "ember")
    until(lambda: daemon.logged("clock", step=step), what="the closing")
    events = [one for one in daemon.lines() if one["event"] in ("letter in", "clock")]
    assert [one.get("outcome") or one["step"] for one in events] == [*["receipt"] * 3, step]
    assert waiting(house) == 0
    assert daemon.stop() == 0
    assert "all is as it was recorded" in do("verify", "ember")


def waiting(house: House) -> int:
    """Letters that were not done with."""
    folders = [house.folder / "in" / name for name in ("new", "cur")]
    return len([path for folder in folders for path in folder.iterdir()])
