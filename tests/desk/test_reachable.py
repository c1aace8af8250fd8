"""Who waits for a seat can be reached, the GM knows who cannot, and guests are private."""

import pytest

from adjudicator.desk.model.errors import Refused
from tests.desk.conftest import Desk
from tests.desk.post import Post, letter
from tests.desk.wishing import order

SETTINGS = {"nmr": "substitute", "nmr_limit": 1, "pace": "72h"}


def documents(post: Post) -> str:
    """All that was ever written to anybody, but for the GM."""
    return " ".join(str(one.document) for one in post.outbox() if one.seat != "gm")


def test_substitutes_are_named_as_seats_are_and_nobody_reads_their_addresses(desk: Desk) -> None:
    post = Post(desk)
    names = ["zoe@example.org", "Yan <yan@example.org>"]
    post.new(settings={**SETTINGS, "substitutes": names})
    assert desk.game().settings["substitutes"] == ["Zoe", "Yan"]
    order(desk, "adjust substitutes=zoe@example.org,xaver@example.net now")
    assert desk.game().settings["substitutes"] == ["Zoe", "Xaver"]
    desk.later(days=4)
    desk.close()
    assert desk.seating("red").player == "Zoe"
    assert "Zoe plays the seat" in documents(post)
    assert "zoe@" not in documents(post)
    assert "xaver@" not in documents(post)


def test_substitutes_whom_nobody_knows_are_refused(desk: Desk) -> None:
    post = Post(desk)
    post.new(settings=SETTINGS)
    (why,) = order(desk, "adjust substitutes=Nemo").not_taken
    assert 'nobody called "Nemo" is known; write the address, too' in why
    with pytest.raises(Refused, match="is not an address"):
        desk.new(game="other", settings={"substitutes": ["Nemo@nowhere"]})


def test_the_gm_learns_that_somebody_cannot_be_reached(desk: Desk) -> None:
    post = Post(desk)
    post.new(settings={**SETTINGS, "substitutes": ["Dan"]})
    said = order(desk, "replace green Emil").done
    assert any("Emil has no address" in one for one in said)
    desk.later(days=4)
    closing = desk.close()
    assert any("Dan has no address" in one for one in closing.notes)
    assert "no address" not in documents(post)


def test_games_for_the_invited_are_listed_to_them_alone(desk: Desk) -> None:
    post = Post(desk)
    seats = {"red": None, "blue": None}
    desk.new(seats=seats, luck={}, start=False, settings={"invited": ["ada@example.org"]})
    for sender, listed in (("eve@example.com", False), ("ada@example.org", True)):
        received = post.take(letter("ask: help", sender=sender))
        assert ("write `join: tiny`" in str(post.answer(received))) is listed
