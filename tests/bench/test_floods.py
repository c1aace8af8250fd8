"""Floods in small: whatever comes, a player of another game is answered, and little goes out."""

from pathlib import Path

from tests.bench.floods import (
    answer_everything,
    flood_by_player,
    flood_by_stranger,
    open_scene,
    two_servers,
)
from tests.servers.dovecot import installed
from tests.servers.needed import need


def test_strangers_and_players_who_write_much_cause_few_letters(tmp_path: Path) -> None:
    with open_scene(tmp_path / "one", strangers_all=25) as scene:
        strangers = flood_by_stranger(scene, 50)
        assert strangers.letters_in == 50
        assert strangers.letters_out <= 26  # and the notice to the GM
        player = flood_by_player(scene, 60)
        assert player.letters_in == 60
        assert player.letters_out <= 60 + 2 * 20  # a receipt each, and the press of a step


def test_floods_come_and_go_by_real_servers(tmp_path: Path) -> None:
    need("Dovecot", there=installed())
    with open_scene(tmp_path / "one", servers=True) as scene:
        strangers = flood_by_stranger(scene, 60)
        assert strangers.letters_in == 60
        assert strangers.letters_out <= 60
        player = flood_by_player(scene, 30)
        assert player.letters_in == 30
        assert player.letters_out <= 30 + 2 * 20 + 15  # and answers to those who are no player
        scene.pause = 0.1
        robots = answer_everything(scene, 100)
        assert robots.letters_in <= 2 * 2 * 33
        assert robots.letters_out <= 2 * 2 * 31  # 30 answers, and that there are no more


def test_programs_that_answer_each_other_end(tmp_path: Path) -> None:
    with open_scene(tmp_path / "one") as scene, open_scene(tmp_path / "other") as other:
        assert two_servers(scene, other, 300).letters_out <= 8
        scene.pause = 0.1
        robots = answer_everything(scene, 300)
        assert robots.letters_in <= 2 * 2 * 33  # two players in two games
        assert robots.letters_out <= 2 * 2 * 31  # 30 answers, and that there are no more
