"""A report on a phone: news, standing, deadline, button and picture are seen without scrolling."""

from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser

from tests.browser.inbox import KINDS, mailed, scenes
from tests.browser.showing import PHONE, Shown, opened

HIGH = 740
"""Of a phone's screen, what its mail program leaves to a letter."""
SITE = "https://games.example.org"
GAMES = (
    "jump_wars/three-square",
    "jump_wars/eight-hex",
    "jump_gate/three-second",
    "jump_gate/six-2010",
    "jump_drive/four-players",
)
_FEET = """() => [".headline", "h1 ~ p strong", ".box strong", ".button", ".picture"].map(one => {
  const found = document.querySelector(one);
  return found ? found.getBoundingClientRect().bottom : 0;
})"""
"""Where news, standing, what is due, button and picture end."""


@pytest.fixture(scope="module")
def screen(chromium: Browser) -> Iterator[Shown]:
    with opened(chromium) as page:
        yield page


def assert_seen_at_once(screen: Shown, html: str) -> None:
    """All of it is there, one below the other, and on the screen."""
    screen.letter(html)
    screen.at(PHONE, height=HIGH)
    feet: list[float] = screen.page.evaluate(_FEET)
    assert feet == sorted(feet)
    assert feet[0] > 0
    assert feet[-1] <= HIGH


@pytest.mark.parametrize(
    ("kind", "scene"),
    [
        *product([kind for kind in KINDS if kind != "jump-gate"], ("first report", "report")),
        *(
            pytest.param("jump-gate", scene, marks=pytest.mark.soak)
            for scene in ("first report", "report")
        ),
    ],
)
def test_a_report_with_a_deadline_is_seen_at_once(screen: Shown, kind: str, scene: str) -> None:
    assert_seen_at_once(screen, scenes(kind)[scene])


@pytest.mark.parametrize(("which", "site"), [("halfway", ""), ("halfway", SITE), ("first", SITE)])
@pytest.mark.parametrize("game", GAMES)
def test_a_report_of_a_game_as_played_is_seen_at_once(
    screen: Shown, game: str, which: str, site: str
) -> None:
    assert_seen_at_once(screen, mailed((game, which), site=site))


def test_what_is_too_long_is_found(screen: Shown) -> None:
    html = mailed((GAMES[0], "halfway"), site=SITE)
    with pytest.raises(AssertionError):
        assert_seen_at_once(screen, html.replace("<h1", "<p>So much more.</p>" * 20 + "<h1"))
