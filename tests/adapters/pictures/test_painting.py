"""Our own painter draws what a whole SVG program draws, and leaves to it what it does not know."""

import re
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageFilter, ImageStat

from adjudicator.adapters.render.board import Board, Crowd, lay_in_rows
from adjudicator.adapters.render.outlines import UnpaintableError, cut_line, trace_outline
from adjudicator.adapters.render.painter import paint
from adjudicator.adapters.render.png import _list_fonts, _rasterize, render_png
from adjudicator.adapters.render.svg_helpers import Arrow
from adjudicator.rules.jump_wars.position.space import list_spaces_within
from tests.adapters.pictures.positions import crowded
from tests.adapters.pictures.test_pictures import drawn

PAGE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60" viewBox="0 0 80 60">'
    '<rect width="80" height="60" fill="#123"/>%s</svg>'
)


def painted(body: str) -> Image.Image:
    return paint(PAGE % body, 1.5, _list_fonts())


def differ(one: Image.Image, other: Image.Image) -> float:
    """How far two pictures are apart, of 255, on the average; edges half a pixel off are none."""
    assert one.size == other.size
    soft = [picture.filter(ImageFilter.BoxBlur(2)) for picture in (one, other)]
    means = ImageStat.Stat(ImageChops.difference(*soft)).mean
    return sum(means) / 3


@pytest.mark.parametrize(
    "body",
    [
        '<rect width="80" height="60" fill="#123456"/>',
        '<rect x="9" y="9" width="50" height="30" rx="8" fill="#fff" stroke="#f00"/>',
        '<circle cx="40" cy="30" r="20" fill="none" stroke="#0f0" stroke-width="6"/>',
        '<ellipse cx="40" cy="30" rx="30" ry="12" fill="#08f" fill-opacity=".5"/>',
        '<polygon points="10,50 40,5 70,50" fill="#ff0" stroke="#fff" stroke-width="3"/>',
        '<path d="M5 30Q20 5 40 30T75 30" fill="none" stroke="#fff" stroke-width="5"/>',
        '<path d="M10 10h30v20h-30ZM50 10C70 10 70 50 50 50Z" fill="#fff"/>',
        '<path d="M5 30H75" stroke="#fff" stroke-width="4" stroke-dasharray="10 5"/>',
        '<g transform="translate(40 30)rotate(30)scale(2)"><rect width="16" height="10"/></g>',
        '<defs><circle id="a" r="9"/></defs><use href="#a" x="20" y="20" fill="#f0f"/>',
        '<text x="40" y="40" font-size="24" font-weight="700" text-anchor="middle">B12</text>',
        '<text y="40" font-size="24" stroke="#00f" stroke-width="4" paint-order="stroke">ab</text>',
    ],
)  # fmt: skip
def test_a_shape_is_as_a_whole_program_draws_it(body: str) -> None:
    ours, theirs = painted(body), _rasterize(PAGE % body, 1.5)
    assert differ(ours, painted("")) > 1, "something is drawn"
    assert differ(ours, theirs) < 3


@pytest.mark.parametrize("grid", ["square", "hex"])
def test_a_whole_map_is_as_a_whole_program_draws_it(grid: str) -> None:
    document: dict[str, Any] = {**crowded(grid), "seat": "red"}
    svg = drawn(document)["map"].whole.decode()
    assert differ(paint(svg, 1.5, _list_fonts()), _rasterize(svg, 1.5)) < 6


@pytest.mark.parametrize(
    "body",
    [
        '<image href="x.png"/>',
        '<rect width="9" height="9" fill="url(#shade)"/>',
        '<path d="M0 0A5 5 0 0 1 9 9"/>',
        '<g clip-path="url(#a)"/>',
        '<g style="fill: red"/>',
        '<use href="#nobody"/>',
        '<rect width="9" height="9" transform="skewX(9)"/>',
        '<text x="1" y="9"><tspan>a</tspan></text>',
    ],
)
def test_what_it_does_not_know_is_left_to_a_whole_program(body: str) -> None:
    with pytest.raises(UnpaintableError):
        painted(body)
    assert render_png(PAGE % body).startswith(b"\x89PNG")


def test_what_all_readers_see_is_painted_once_and_stays_as_it_is() -> None:
    ground = '<rect width="80" height="60" fill="#123456"/><g id="reader"/>'
    plain = painted(ground)
    ringed = painted(f'{ground}<circle cx="40" cy="30" r="20" fill="#fff"/>')
    assert differ(plain, ringed) > 9
    assert differ(plain, painted(ground)) == 0


def test_a_line_is_cut_into_dashes() -> None:
    ((points, closed),) = trace_outline(("path", "M0 0H25"))
    assert not closed
    assert list(cut_line((points, closed), "10 5")) == [
        (((0, 0), (10, 0)), False),
        (((15, 0), (25, 0)), False),
    ]


def test_hexes_of_even_rows_are_moved_by_half_a_space() -> None:
    board = Board(columns="AB", rows=2, left=10, top=20, wide=30, tall=40, hexes=True)
    assert [board.find(space) for space in board.list_spaces()] == [
        (25, 40), (55, 40), (40, 80), (70, 80)]  # fmt: skip


@pytest.mark.parametrize("grid", ["square", "hex"])
@pytest.mark.parametrize("crossing", [False, True])
@pytest.mark.parametrize("far", [1, 2, 3])
def test_what_is_near_is_what_the_rules_call_near(grid: str, crossing: bool, far: int) -> None:
    holes = frozenset({"B2", "C3", "D3", "E9", "J5", "A4"})
    board = Board(columns="ABCDEFGHIJ", rows=10, left=0, top=0, wide=9, tall=9, hexes=grid == "hex")
    for start in ("A1", "C4", "E10", "J6"):
        walls = frozenset() if crossing else holes
        near = set(list_spaces_within(grid, walls, start, far)) - holes
        assert set(board.list_near([start], far, holes, crossing=crossing)) - {start} == near


def test_an_arrow_goes_round_what_stands_in_its_way() -> None:
    free, crowd = Crowd((0, 0, 400, 200)), Crowd((0, 0, 400, 200))
    straight = middle_of(free.route((60, 100), (340, 100), wide=28, tall=28).arrow)
    crowd.take(straight, 50, 30)
    bent = middle_of(crowd.route((60, 100), (340, 100), wide=28, tall=28).arrow)
    assert abs(bent[1] - straight[1]) > 15


def middle_of(arrow: Arrow) -> tuple[float, float]:
    """The point halfway on its line."""
    first, bend, last = (
        tuple(map(float, point.split(","))) for point in re.findall(r"[-\d.]+,[-\d.]+", arrow.line)
    )
    x, y = ((a + 2 * b + c) / 4 for a, b, c in zip(first, bend, last, strict=True))
    return x, y


def test_a_number_stands_where_there_is_room_and_not_outside() -> None:
    crowd = Crowd((0, 0, 100, 100))
    assert crowd.place([(5, 5), (50, 50), (60, 50)], 20, 20) == (50, 50)
    assert crowd.place([(5, 5), (50, 50), (75, 50)], 20, 20) == (75, 50)


def test_a_legend_begins_a_new_row_where_there_is_no_room() -> None:
    assert lay_in_rows([40, 50, 30], 100) == [(0, 0), (40, 0), (0, 1)]
