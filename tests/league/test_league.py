"""The league plays whole games by views alone, and counts them right."""

import pytest

import adjudicator
from tests.league.__main__ import main
from tests.league.matches import Match, Played, list_duels, list_mixed, play_all, play_match
from tests.league.standings import find_interval, sum_up


def test_a_tiny_league_of_every_kind_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games=2", "--first=normal", "--second=random", "--jobs=1"]) == 0
    told = capsys.readouterr().out
    for kind in adjudicator.kinds():
        assert f"\n{kind}, 2 seats\n" in told
    assert told.count("normal : random      2") == len(adjudicator.kinds())


def test_a_game_that_does_not_end_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["jump-drive", "--games=1", "--seats=3", "--mixed", "--most=2", "--jobs=1"]
    assert main(words) == 1
    assert "no end: --seed 1, normal, " in capsys.readouterr().out


def duels(**changed: object) -> list[Match]:
    how: dict[str, object] = {"kind": "jump-drive", "seats": 3, "games": 7, "seed": 5}
    how |= {"pair": ("normal", "random"), "options": {}, "most": 100}
    return list(list_duels(**(how | changed)))  # type: ignore[arg-type]


def test_every_deal_is_played_from_every_seat() -> None:
    assert [(match.seed, match.players.index("normal")) for match in duels()] == [
        (5, 0), (5, 1), (5, 2), (6, 0), (6, 1), (6, 2), (7, 0),
    ]  # fmt: skip
    assert {match.players.count("random") for match in duels()} == {2}


def test_the_first_player_is_in_every_mixed_game() -> None:
    mixed = list_mixed("jump-drive", 4, ["hard", "easy"], 20, 1, options={}, most=9)
    players = [match.players for match in mixed]
    assert all("hard" in one for one in players)
    assert len(set(players)) > 5


def test_the_same_league_is_the_same_in_processes() -> None:
    def results(jobs: int) -> list[object]:
        return [(one.shares, one.turns) for one in play_all(duels(seats=2, games=3), jobs)]

    assert results(2) == results(1)


def test_a_shared_victory_is_half_a_victory_and_a_draw_is_nobodys() -> None:
    match = duels(seats=2, games=1)[0]
    played = play_match(match)

    def sum_up_shares(*shares: tuple[float, ...]) -> float:
        made = [
            Played(match=match, shares=own, ranks=(1, 1), turns=1, ended=True, times=played.times)
            for own in shares
        ]
        return sum_up("normal", made).share

    assert sum_up_shares((1.0, 0.0), (0.5, 0.5)) == 0.75
    assert sum_up("normal", [played]).fair == 0.5


def test_the_interval_is_wilsons() -> None:
    """Newcombe 1998, table I: 81 of 263 are 0.2553 to 0.3662, 15 of 148 0.0624 to 0.1605."""
    assert [round(end, 4) for end in find_interval(81 / 263, 263)] == [0.2553, 0.3662]
    assert [round(end, 4) for end in find_interval(15 / 148, 148)] == [0.0624, 0.1605]
    assert find_interval(0.0, 20)[0] == 0.0
