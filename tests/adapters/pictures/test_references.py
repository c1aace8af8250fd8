"""Twelve pictures are as they were when somebody last looked at them.

After a change on purpose: `python -m tests.adapters.pictures.test_references`, then look at them.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
from PIL import Image, ImageChops, ImageStat

from adjudicator.adapters.render.painter import paint
from adjudicator.adapters.render.png import _list_fonts, _pack
from adjudicator.adapters.render.printer import draw_thumb
from tests.adapters.pictures.positions import crowded, empires, played
from tests.adapters.pictures.test_pictures import PRINTER, drawn

HERE: Final = Path(__file__).with_name("references")
ZOOM: Final = 0.5
FAR: Final = 24
"""So far a part of a pixel may be off, of 255: fonts are drawn a little otherwise elsewhere."""
MANY: Final = 0.004
"""This part of the pixels may be farther off."""


def list_svgs() -> Iterator[tuple[str, str]]:
    """The pictures by name: with few and many seats, at the start, in the middle, at the end."""
    wars = list(played("jump_wars"))
    many = [one for one in wars if one["game"]["id"] == "eight-hex"]
    few = [one for one in wars if one["game"]["id"] != "eight-hex"]
    for name, document, seat in [
        ("map-full-square", crowded("square"), "red"),
        ("map-full-hex", crowded("hex"), "black"),
        ("map-many-start", many[0], "blue"),
        ("map-many-middle", many[len(many) // 2], "purple"),
        ("map-many-end", many[-1], "orange"),
        ("map-few-middle", few[len(few) // 2], "green"),
    ]:
        yield name, drawn({**document, "seat": seat})["map"].whole.decode()
    yield "turns", drawn(many[-1])["turns"].whole.decode()
    for name, kind in (("ring-second", "jump_gate"), ("ring-2010", "jump_gate_2010")):
        reports = list(played(kind))
        middle = reports[len(reports) // 2]
        yield name, drawn(middle, "jump_gate")["ring"].whole.decode()
    drive = list(played("jump_drive"))
    yield "empires", drawn(drive[-1], "jump_drive")["empires"].whole.decode()
    yield "empires-few", drawn(empires(2), "jump_drive")["empires"].whole.decode()
    thumb = draw_thumb(PRINTER, drive[-1], "jump_drive")
    assert thumb is not None
    yield "race", thumb.content.decode()


@pytest.fixture(scope="module")
def svgs() -> dict[str, str]:
    return dict(list_svgs())


NAMES: Final = sorted(path.stem for path in HERE.glob("*.png"))


def test_there_are_twelve(svgs: dict[str, str]) -> None:
    assert sorted(svgs) == NAMES
    assert len(NAMES) == 12


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_as_it_was(name: str, svgs: dict[str, str]) -> None:
    made = Image.open(BytesIO(_pack(paint(svgs[name], ZOOM, _list_fonts())))).convert("RGB")
    known = Image.open(HERE / f"{name}.png").convert("RGB")
    assert made.size == known.size
    apart = ImageChops.difference(made, known).convert("L").point(lambda value: value > FAR and 255)
    assert ImageStat.Stat(apart).mean[0] / 255 < MANY


def test_a_picture_with_something_missing_is_another(svgs: dict[str, str]) -> None:
    svg = svgs["map-many-end"]
    begin = svg.index("<g data-jump=")
    less = svg[:begin] + svg[svg.index("</g>", begin) + 4 :]
    whole, part = (paint(one, ZOOM, _list_fonts()) for one in (svg, less))
    apart = ImageChops.difference(whole, part).convert("L").point(lambda value: value > FAR and 255)
    assert ImageStat.Stat(apart).mean[0] / 255 > 0.0005


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for name, svg in list_svgs():
        (HERE / f"{name}.png").write_bytes(_pack(paint(svg, ZOOM, _list_fonts())))


if __name__ == "__main__":
    main()
