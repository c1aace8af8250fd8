"""What is written in pictures can still be read on a phone, where they are half as wide."""

import re

import pytest

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render.printer import Printer, draw_pictures
from tests.adapters.pictures.positions import played

PHONE = 336
"""Pixels that a phone has for a picture, its page's margins apart."""
LEAST = 11
"""Pixels that words and numbers are high; phones have two or three dots to a pixel."""
PRINTER = Printer([find_data_folder("templates")])
WORDS = re.compile(r'font-size="([0-9.]+)"[^>]*>([^<]+)</text>')


@pytest.mark.parametrize("game", ["jump_wars", "jump_gate", "jump_drive"])
def test_words_in_pictures_are_large_enough_for_a_phone(game: str) -> None:
    sizes = [
        (float(size) * PHONE / one.width, words)
        for paper in list(played(game))[::4]
        for one in draw_pictures(PRINTER, paper, game)
        for size, words in WORDS.findall(one.content.decode())
    ]
    assert len(sizes) > 50
    assert sorted({words for size, words in sizes if size < LEAST}) == []
