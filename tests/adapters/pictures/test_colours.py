"""The colours of the seats can be told apart, whatever colours the reader sees."""

import itertools
import re
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.printer import Printer
from tests.adapters.pictures.eyes import EYES, contrast, distance, measure_strength

COLOURS: Any = (
    Printer([find_data_folder("templates")])
    ._environment.get_template("common/colours.svg.j2")
    .module
)
FILLS: dict[str, str] = COLOURS.fills
QUIET: dict[str, str] = COLOURS.quiet
FAR = 25
"""A dozen times what can just be told apart."""
FROM_TERRAIN = 18
"""Terrain is no sign of its own: it has to lie behind, not to be told apart from everything."""


def test_every_seat_of_every_game_has_a_colour() -> None:
    library = FolderLibrary()
    seats = {seat for kind in library.kinds() for seat in library.kind(kind).components()["seats"]}
    assert len(seats) >= 8
    assert seats <= set(FILLS)


@pytest.mark.parametrize("eye", EYES)
def test_any_two_colours_are_far_apart(eye: str) -> None:
    far = {
        pair: distance(FILLS[pair[0]], FILLS[pair[1]], eye)
        for pair in itertools.combinations(FILLS, 2)
    }
    assert len(far) == 36
    assert {pair: how for pair, how in far.items() if how < FAR} == {}


@pytest.mark.parametrize("eye", EYES)
def test_terrain_is_no_seat_s_colour(eye: str) -> None:
    far = {
        (seat, kind): distance(FILLS[seat], QUIET[kind], eye) for seat in FILLS for kind in QUIET
    }
    assert len(far) == 9 * len(QUIET) >= 50
    assert {pair: how for pair, how in far.items() if how < FROM_TERRAIN} == {}


def test_only_seats_have_strong_colours() -> None:
    grey = ("white", "black", "empire")
    assert min(measure_strength(FILLS[seat]) for seat in FILLS if seat not in grey) > 45
    assert max(measure_strength(colour) for colour in QUIET.values()) < 15


def test_terrain_is_of_one_tone_and_still_has_a_shape() -> None:
    grounds = [QUIET[kind] for kind in QUIET if kind != "shape"]
    assert max(contrast(one, other) for one in grounds for other in grounds) < 1.6
    assert min(contrast(QUIET["shape"], ground) for ground in grounds) > 1.2
    assert min(contrast(COLOURS.bright, COLOURS.paper), contrast(COLOURS.faint, COLOURS.paper)) > 7


def test_the_measure_knows_what_such_eyes_mistake() -> None:
    assert distance("#ff0000", "#00b400", "usual") > 100
    assert distance("#a05000", "#5a7800", "deuteranopia") < 12
    assert distance("#000000", "#ffffff", "protanopia") == pytest.approx(100, abs=0.1)


def test_letters_on_a_colour_can_be_read() -> None:
    found = {seat: contrast(FILLS[seat], COLOURS.inks[seat]) for seat in FILLS}
    assert {seat: how for seat, how in found.items() if how < 4.5} == {}


def test_no_template_has_colours_of_its_own_for_seats() -> None:
    templates = Path(find_data_folder("templates"))
    others = [path for path in templates.glob("*/*.svg.j2") if path.parent.name != "common"]
    assert others
    painted = [path for path in others if re.search(r"seat.*fill|fill.*seat", path.read_text())]
    assert len(painted) > 4
    lacking = [one.name for one in painted if "common/colours.svg.j2" not in one.read_text()]
    assert lacking == []
