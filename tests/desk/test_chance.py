"""Who chose the dice: told where the server alone did."""

from typing import Any

import pytest

from adjudicator.adapters.archive.verify import verify_record
from adjudicator.core.dice import seed_from_number
from adjudicator.desk.questions.screens import show_game
from adjudicator.desk.steps.chance import SERVER_ALONE, find_hosts
from adjudicator.desk.steps.record import read_record
from tests.desk.conftest import GAME, Desk

HOST = "gm@players.test"
SEATS = {"red": f"Ada <{HOST}>", "blue": "Bo <bo@players.test>", "green": "bot"}


@pytest.mark.parametrize(
    ("luck", "alone"),
    [
        ({}, True),
        ({"red": "seven owls"}, True),  # the host's own
        ({"green": "seven owls"}, True),  # a bot has no words
        ({"blue": "  "}, True),
        ({"blue": "seven owls"}, False),
        ({"red": "an owl", "blue": "seven owls"}, False),
    ],
)
def test_it_is_told_when_the_server_alone_chose_the_dice(
    desk: Desk, luck: dict[str, str], alone: bool
) -> None:
    desk.new(seats=SEATS, luck=luck, hosts=[HOST])
    advice = [one.text for one in desk.see(lambda b: b.notes(GAME)) if one.act == "advice"]
    assert (SERVER_ALONE in advice) is alone
    facts = desk.see(lambda books: show_game(books, desk.library, GAME, hosts=[HOST]))
    assert (facts["chance"] == SERVER_ALONE) is alone
    with desk.store.reading() as books:
        record, seatings = read_record(books, GAME), books.seatings(GAME)
        verdict = verify_record(
            record, desk.library.kind("toy-duel"), seatings, find_hosts(books, [HOST])
        )
    assert not verdict.faults
    assert (SERVER_ALONE in verdict.notes) is alone


def test_a_player_who_comes_later_does_not_make_the_words_theirs(desk: Desk) -> None:
    desk.new(seats={**SEATS, "green": "bot"}, luck={"green": "seven owls"}, hosts=[HOST])
    desk.later(hours=1)
    with desk.store.writing() as books:
        old = books.seatings(GAME)[-1]
        books.save(_after(old, desk.at))
    facts = desk.see(lambda books: show_game(books, desk.library, GAME, hosts=[HOST]))
    assert facts["chance"] == SERVER_ALONE


def _after(seating: Any, at: Any) -> Any:
    from msgspec.structs import replace

    return replace(seating, number=seating.number + 1, kind="player", player="Bo", since=at)


def test_before_the_start_words_may_still_come(desk: Desk) -> None:
    desk.new(seats={"red": "Ada", "blue": None}, luck={}, start=False)
    facts = desk.see(lambda books: show_game(books, desk.library, GAME))
    assert facts["chance"].startswith("no luck words have come from a player yet")


def test_a_chosen_seed_proves_nothing_whatever_the_words(desk: Desk) -> None:
    desk.new(seed=seed_from_number(3), verifiable=False)
    facts = desk.see(lambda books: show_game(books, desk.library, GAME))
    assert "prove nothing" in facts["chance"]
