"""The table of players: results, reliability and ratings over the games that have ended."""

from datetime import UTC, datetime, timedelta
from typing import Any

from adjudicator.desk.model.values import Status
from adjudicator.desk.questions.ratings import Ended, Result, list_ratings, read_ended
from adjudicator.desk.steps.record import read_record
from tests.desk.conftest import GAME, Desk

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)


def game(number: int, *ranks: tuple[str, int]) -> Ended:
    """A game with these players on these ranks."""
    best = [name for name, rank in ranks if rank == 1]
    results = [
        Result(
            name=name,
            rank=rank,
            share=1 / len(best) if rank == 1 else 0,
            missed=0,
            reactions=(timedelta(hours=rank),),
        )
        for name, rank in ranks
    ]
    at = NOON + timedelta(days=number)
    return Ended(game=f"g{number}", kind="toy", at=at, results=tuple(results))


def rows(*games: Ended) -> dict[str, Any]:
    return {row["name"]: row for row in list_ratings(games)}


def test_who_wins_more_is_rated_higher_whatever_the_order_of_reading() -> None:
    games = [game(n, ("Ada", 1), ("Bo", 2), ("Cleo", 3)) for n in range(5)]
    found = list_ratings(games)
    assert [row["name"] for row in found] == ["Ada", "Bo", "Cleo"]
    assert list_ratings(reversed(games)) == found
    ada = found[0]
    assert (ada["games"], ada["won"], ada["share"], ada["reaction"]) == (5, 5, 1.0, 3600)


def test_a_drawn_game_shares_the_victory_and_leaves_equals_equal() -> None:
    found = rows(game(1, ("Ada", 1), ("Bo", 1)))
    assert found["Ada"]["share"] == found["Bo"]["share"] == 0.5
    assert found["Ada"]["rating"] == found["Bo"]["rating"]


def test_an_upset_moves_ratings_more_than_what_was_expected() -> None:
    before = [game(n, ("Ada", 1), ("Bo", 2)) for n in range(8)]
    known = rows(*before)
    usual = rows(*before, game(9, ("Ada", 1), ("Bo", 2)))
    upset = rows(*before, game(9, ("Ada", 2), ("Bo", 1)))
    assert upset["Bo"]["mu"] - known["Bo"]["mu"] > known["Bo"]["mu"] - usual["Bo"]["mu"] > 0


def test_who_stays_out_of_the_table_still_was_an_opponent() -> None:
    games = [game(n, ("Ada", 1), ("Bo", 2)) for n in range(3)]
    unnamed = [game(n, ("Ada", 1), ("", 2)) for n in range(3)]
    found = rows(*unnamed)
    assert set(found) == {"Ada"}
    assert found["Ada"] == rows(*games)["Ada"]


def test_several_bots_of_one_strength_in_a_game_are_one_player() -> None:
    found = rows(game(1, ("Ada", 1), ("bot:easy", 2), ("bot:easy", 3)))
    assert found["bot:easy"]["games"] == 2
    assert found["Ada"]["rating"] > found["bot:easy"]["rating"]


def test_a_game_is_read_with_its_ranks_missed_steps_and_reactions(desk: Desk) -> None:
    desk.new(settings={"nmr_limit": 99})
    desk.later(hours=2)
    while desk.game().status is not Status.OVER:
        desk.play(seats=("red", "blue"))
        desk.close()
    kind = desk.library.kind("toy-duel")
    found = desk.see(lambda books: read_ended(read_record(books, GAME), books.seatings(GAME), kind))
    assert found is not None
    results = {one.name: one for one in found.results}
    assert set(results) == {"Ada", "Bo", "Cleo"}
    assert sum(one.share for one in found.results) == 1
    assert {one.rank == 1 for one in found.results if one.share} == {True}
    assert results["Cleo"].missed > 0 == results["Ada"].missed
    assert results["Ada"].reactions[0] == timedelta(hours=2)
    assert results["Cleo"].reactions == ()
    without = desk.see(
        lambda books: read_ended(read_record(books, GAME), books.seatings(GAME), kind, {"Ada"})
    )
    assert without is not None
    assert [one.name for one in without.results] == ["", "Bo", "Cleo"]


def test_a_running_game_is_not_read(desk: Desk) -> None:
    desk.new()
    kind = desk.library.kind("toy-duel")
    found = desk.see(lambda books: read_ended(read_record(books, GAME), books.seatings(GAME), kind))
    assert found is None
