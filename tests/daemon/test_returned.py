"""A letter that comes back to its own return path, over a real Postfix and a real Dovecot."""

from pathlib import Path

from adjudicator.desk.model.values import Player
from tests.daemon.running import config, until
from tests.daemon.servers import GAMES, PLAYERS, Served, imap
from tests.servers.dovecot import FULL, Dovecot
from tests.servers.postfix import Postfix


def test_what_comes_back_to_its_own_return_path_is_understood(
    tmp_path: Path, dovecot: Dovecot, postfix: Postfix
) -> None:
    served = Served(tmp_path, dovecot, postfix)
    gone = f"{FULL}@{PLAYERS}"  # Postfix takes the letter, and Dovecot has no room for it
    try:
        config(
            served.folder,
            served.settings(
                address=f"{served.user}@{GAMES}",
                bounces=f"{served.user}+{{token}}@{GAMES}",
                gm=[f"{dovecot.user()}@{PLAYERS}"],
                postboxes=[imap(dovecot, served.user)],
                postman={
                    "kind": "smtp",
                    "host": "localhost",
                    "port": postfix.smtp,
                    "security": "plain",
                },
            ),
        )
        served.game()
        with served.office.making() as books:
            books.save(Player(name="Ada", addresses=(gone,)))
        daemon = served.start().ready()
        until(lambda: _returned(served, gone), what="the delivery report")
        assert daemon.stop() == 0
    finally:
        served.close()
    log = (postfix.folder / "postfix.log").read_text()
    assert f"from=<{served.user}+ember.0.red.report.1." in log


def _returned(served: Served, address: str) -> int:
    with served.office.reading() as books:
        return len(books.returned(address))
