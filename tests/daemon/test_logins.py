"""A mailbox whose consent has ended: the GM is told once, in plain words, and nothing is lost."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon.conftest import House
from tests.daemon.running import config, until
from tests.daemon.test_maildir import _status
from tests.servers.certificate import make_certificate
from tests.servers.tokend import CLIENT, TokenServer, running_token_server

USER = "games@game.test"


@pytest.fixture
def tokens(tmp_path: Path) -> Iterator[TokenServer]:
    folder = tmp_path / "tls"
    folder.mkdir()
    with running_token_server(make_certificate(folder), user=USER) as server:
        yield server


@pytest.fixture
def house(house: House, tokens: TokenServer) -> House:
    """Letters come from a mailbox whose token has run out, and go to folders."""
    oauth = {"issuer": tokens.url, "client_id": CLIENT}
    box = {"kind": "imap", "host": "localhost", "port": 1, "user": USER}
    box |= {"oauth": oauth, "authority": tokens.authority}
    config(house.folder, house.settings(postboxes=[box]))
    kept = {"issuer": tokens.url, "client_id": CLIENT, "endpoint": f"{tokens.url}/token"}
    kept |= {"refresh_token": tokens.consent().refresh, "since": "2026-11-01T00:00:00+00:00"}
    login = house.folder / "home" / "logins" / USER / "token.json"
    login.parent.mkdir(parents=True)
    login.write_text(json.dumps(kept))
    return house


def notices(house: House) -> list[str]:
    """What the GM was told of postboxes."""
    letters = house.letters("gm@players.test")
    return [str(one.get_body().get_content()) for one in letters if "postbox" in one["Subject"]]


def is_told_to_the_next(house: House) -> bool:
    """Whether the next daemon will know that the GM has the letter."""
    with house.office.reading() as books:
        problems = [one for beat in books.heartbeats() for one in beat.facts.get("problems", ())]
    return any(one["mailed"] for one in problems)


def test_the_gm_is_told_once_with_the_command(house: House, tokens: TokenServer) -> None:
    tokens.revoke()
    daemon = house.serve()
    (line,) = until(lambda: daemon.logged("trouble", place="postbox 1"))
    way_out = f"run `adjudicator login {USER}`"
    assert f"the consent for {USER} is no longer valid (invalid_grant: " in line["words"]
    assert line["words"].endswith(way_out)
    [told] = until(lambda: notices(house))
    assert "UTC, no letters could be fetched: mailbox" in " ".join(told.split())
    assert way_out in " ".join(told.split())
    [problem] = _status(house, 1)["problems"]
    assert problem["words"] == line["words"]
    until(lambda: is_told_to_the_next(house))
    assert daemon.stop() == 0
    again = house.serve()
    until(lambda: again.logged("trouble", place="postbox 1"))
    assert again.stop() == 0
    assert len(notices(house)) == 1
    assert tokens.count("refresh_token") == 1  # an expired login is not tried again
    assert "refresh-" not in house.log.read_text()


def test_a_token_server_that_stumbles_is_a_trouble_like_any_other(
    house: House, tokens: TokenServer
) -> None:
    tokens.answers["/token"] = (503, {}, b"<html>")
    daemon = house.serve()
    (line,) = until(lambda: daemon.logged("trouble", place="postbox 1"))
    assert "it cannot answer now (HTTP 503)" in line["words"]
    del tokens.answers["/token"]  # then only the mailbox is missing

    def is_renewed() -> bool:
        problems = _status(house, 1)["problems"]
        return any("localhost:1: the connection was refused" in one["words"] for one in problems)

    until(is_renewed)
    assert daemon.stop() == 0
    assert notices(house) == []
    assert "access-" not in house.log.read_text()
