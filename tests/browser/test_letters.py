"""Letters as Chromium shows them, on phones and on wide screens, light and dark."""

from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from _pytest.mark.structures import ParameterSet
from playwright.sync_api import Browser

from tests.browser.inbox import JOINING, KINDS, SCENES, joining, mailed, name_of, scenes, shipped
from tests.browser.showing import PHONE, SCHEMES, SMALL, WIDE, WIDEST, Shown, opened
from tests.samples import sampled

DAILY = tuple(kind for kind in KINDS if kind != "jump-gate")
"""Jump Gate has the letters of its other edition; `make soak` looks at them, too."""
IN_SOAK = pytest.param("jump-gate", marks=pytest.mark.soak)
REPORTS = sampled(shipped(), 5, name_of)
HALFWAY = sampled(shipped()[1::4], 4, name_of)
BAD = """<!doctype html><html lang="en"><title>Bad</title><body>
<p style="color: #999; background-color: #fff">Hardly to be read.</p>
<p style="font-size: 9px">Tiny.</p>
<p style="width: 500px">Wide.</p>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="">
<img src="https://example.org/seen.png" alt="A spy">
<script>console.log("Hello")</script><script>nothing.at.all</script>"""


def cases(scenes: Sequence[str], one_in: int) -> list[ParameterSet]:
    """Scenes of each kind of game."""
    others = product(["jump-gate"], scenes)
    return [
        *sampled(product(DAILY, scenes), one_in, " ".join),
        *(pytest.param(one, marks=pytest.mark.soak, id=" ".join(one)) for one in others),
    ]


@pytest.fixture(scope="module")
def screen(chromium: Browser) -> Iterator[Shown]:
    """One page for all letters, which are put into it one after the other."""
    with opened(chromium) as page:
        yield page


def assert_good(screen: Shown, html: str, name: str = "") -> None:
    """The letter is as it should be on every screen; what has a name is kept as pictures."""
    screen.letter(html)
    found: list[str] = []
    for scheme in SCHEMES:
        for width in (SMALL, PHONE, WIDE, WIDEST):
            screen.at(width, scheme)
            found += [f"{width} px, {scheme}: {one}" for one in screen.faults()]
            if width == PHONE or (width == WIDE and scheme == "light"):
                found += [f"{width} px, {scheme}: {one}" for one in screen.stumbles()]
                if name:
                    screen.keep(f"letters/{name}-{width}-{scheme}".replace(" ", "-"))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("letter", cases(SCENES, 4))
def test_letters_of_a_game_that_is_played(screen: Shown, letter: tuple[str, str]) -> None:
    kind, scene = letter
    assert_good(screen, scenes(kind)[scene], f"{kind} {scene}" if kind == KINDS[0] else "")


@pytest.mark.parametrize("kind", [*DAILY, IN_SOAK])
def test_no_letter_is_wider_than_the_smallest_phone(screen: Shown, kind: str) -> None:
    letters = {**joining(kind), **scenes(kind)}
    assert letters.keys() == {*JOINING, *SCENES}
    found = []
    for name, html in letters.items():
        screen.letter(html)
        screen.at(SMALL)
        found += [f"{name}: {one}" for one in screen.faults()]
    assert found == []


@pytest.mark.parametrize("letter", cases(JOINING, 3))
def test_letters_of_a_game_that_has_not_begun(screen: Shown, letter: tuple[str, str]) -> None:
    kind, scene = letter
    assert_good(screen, joining(kind)[scene], f"{kind} {scene}" if kind == KINDS[0] else "")


@pytest.mark.parametrize("report", REPORTS)
def test_reports_of_the_games_as_played(screen: Shown, report: tuple[str, str]) -> None:
    assert_good(screen, mailed(report), f"report {name_of(report)}")


@pytest.mark.parametrize("report", HALFWAY)
def test_reports_without_pictures(screen: Shown, report: tuple[str, str]) -> None:
    html = mailed(report, pictures=False)
    assert "<img" not in html
    assert_good(screen, html, f"report {name_of(report)} without pictures")


def test_what_is_bad_is_found(screen: Shown) -> None:
    screen.letter(BAD)
    screen.at(PHONE)
    found = "\n".join(screen.faults())
    for one in (
        "console: Hello",
        "error: nothing is not defined",
        "from elsewhere: https://example.org/seen.png",
        "9 px are too small for <p",
        "px are more than the 360",
        "has no words",
        "is not shown",
    ):
        assert one in found
    assert "color-contrast (serious)" in "\n".join(screen.stumbles())
