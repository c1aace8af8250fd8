"""Whatever is written: nothing is raised, and there is one answer or a reason for silence."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from adjudicator.adapters.store.opening import open_store
from adjudicator.desk.inbox.receive import receive_letter
from tests.desk.conftest import GAME, Desk
from tests.desk.post import HOUSE, SECRET, Post, block, letter
from tests.samples import examples
from tests.toy.shelf import shelved

WORDS = (
    "",
    "yes",
    "no",
    "red",
    "blue",
    "all",
    "[]",
    "{}",
    "null",
    "~",
    "7",
    "-1",
    "1e9",
    "é",
    "[[",
)
KEYS = (
    "press", "ask", "absent", "prefer", "join", "name", "luck", "observe", "gm", "ready", "preview",
    "clear", "vote", "resign", "after", "play", "from", "standing", "nonsense", "step", "game",
)  # fmt: skip
VALUES = (
    "[{to: [blue], text: Hi}]", "[{to: all, text: 'game: tiny'}]", "[{to: gm, as: anonymous}]",
    "{to: blue}", "[status, report 1, orders, history, rules TD-1, why 1, players, help, resend]",
    "new-key", "report 99", "why x", "{from: 2026-12-24, until: 2026-12-31}",
    "{from: 2026-12-31, until: 1}", "{zone: Europe/Berlin, json: yes}", "{zone: Mars}",
    "{seats: [red, red]}", "tiny", "embers", "[extend 24h, pause, resume]", "[close now]",
    "[rollback 0-setup]", "[replace blue bob@example.org]", "[submit blue]", "[end red x]",
    "[note '']", "[bot blue preview]", "draw", "concede", "owl", "1-pick", "99-pick", "pass",
)  # fmt: skip

LINES = st.builds(
    lambda key, value: f"{key}: {value}",
    st.sampled_from(KEYS),
    st.one_of(st.sampled_from(WORDS), st.sampled_from(VALUES), st.text(max_size=12)),
)
READERS = st.sampled_from(("red", "blue", "gm", "old", "join", "wrong", "none"))
BLOCKS = st.tuples(READERS, st.lists(LINES, max_size=5, unique_by=lambda line: line.split(":")[0]))
SENDERS = st.sampled_from(
    ("ada@example.org", "x@example.com", "gm@example.org", "games@example.org", None)
)


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Post]:
    """A game in its second step; every example is undone."""
    folder: Path = tmp_path_factory.mktemp("anything")
    with shelved() as library, open_store(folder / "adjudicator.db") as store:
        made = Post(Desk(store, library))
        made.new(settings={"press": "grey"})
        made.desk.play()
        made.desk.close()
        yield made


def head(post: Post, reader: str) -> str:
    if reader == "none":
        return ""
    if reader == "wrong":
        return f"game: {GAME}\nkey: 2222-2222\n"
    if reader == "join":
        return f"join: {GAME}\nname: Zoe\n"
    if reader == "old":
        return f"game: {GAME}\nstep: 1-pick\nkey: {post.key('red', '1-pick')}\n"
    return f"game: {GAME}\nkey: {post.key(reader)}\n"


def written(post: Post, reader: str, lines: list[str]) -> str:
    own = {line.split(":")[0] for line in head(post, reader).splitlines()}
    return head(post, reader) + "\n".join(one for one in lines if one.split(":")[0] not in own)


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(blocks=st.lists(BLOCKS, max_size=3), sender=SENDERS, bulk=st.booleans())
def test_every_letter_has_one_answer_or_a_reason(
    post: Post, blocks: list[Any], sender: str | None, *, bulk: bool
) -> None:
    came = letter(sender=sender, bulk=bulk, blocks=[block(written(post, *one)) for one in blocks])
    desk = post.desk
    keys = [post.key(seat, "1-pick") for seat in ("red", "blue", "gm")]
    with desk.store.trying() as books:
        before = {one.message_id for game in (GAME, "") for one in books.letters(game)}
        received = receive_letter(
            books, desk.library, came, house=HOUSE, secret=SECRET, arrived=desk.at, at=desk.at
        )
        event(f"{received.outcome}: {received.reason[:30]}")
        arrival = books.last_arrival()
        assert arrival is not None
        assert arrival.digest == came.digest
        new = [
            one
            for game in (GAME, "")
            for one in books.letters(game)
            if one.message_id not in before
        ]
        if received.outcome == "silence":
            assert received.reason
            assert [one.seat for one in new if one.seat != "gm"] == []
        else:
            assert [one.message_id for one in new].count(received.answer or "") == 1
        assert not any(key.encode() in one.document for key in keys for one in new)
        again = receive_letter(
            books, desk.library, came, house=HOUSE, secret=SECRET, arrived=desk.at, at=desk.at
        )
        assert (again.outcome, again.answer) == ("repeat", received.answer)
