"""The site of the games as played, opened from the disk in Chromium as whoever is shown it does."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from click.testing import CliRunner
from playwright.sync_api import Browser, Locator

from adjudicator.cli.app import cli
from tests.browser.showing import PHONE, WIDEST, Scheme, Shown, opened
from tests.played import list_records

PARTS = (
    *("index.html", "players.html", "orders"),
    *("jump-wars", "jump-gate", "jump-gate-2010", "jump-drive"),
)
"""What lies at the top of the site: the pages of all games, and a folder for each kind."""
FEW = ("three", "three-2010", "three-second", "three-square")
"""The shortest game of each kind."""
HEX = "jump-wars/eight-hex/index.html"
SQUARE = "jump-wars/three-square/index.html"
OF_EACH_TEMPLATE = (
    "index.html",
    "players.html",
    "jump-gate-2010/three-2010/index.html",
    "jump-drive/three/index.html",
    "jump-wars/three-square/seats/blue.html",
    "jump-wars/rules.html",
    SQUARE,
    "jump-drive/three/seats/green.html",
)
IN_ANOTHER = OF_EACH_TEMPLATE[-2:]
"""All of them is in other pages."""
Look = tuple[int, Scheme]
LOOKS: tuple[Look, ...] = ((WIDEST, "light"), (PHONE, "dark"))
OF_THE_LARGEST = (HEX, "jump-wars/eight-hex/seats/blue.html")


@pytest.fixture(
    scope="module", params=["few", pytest.param("all", marks=pytest.mark.soak)], ids=str
)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of each kind in one site; all games as played in `make soak`."""
    out = tmp_path_factory.mktemp("site")
    records = [one for one in list_records() if request.param == "all" or one.name in FEW]
    done = CliRunner().invoke(cli, ["site", *map(str, records), "--out", str(out)])
    assert done.exit_code == 0, done.output
    return out


def longest(site: Path) -> Path:
    """The page of the longest game, of which most is shown."""
    return next(site / one for one in (HEX, SQUARE) if (site / one).exists())


@pytest.fixture
def screen(chromium: Browser) -> Iterator[Shown]:
    with opened(chromium) as page:
        yield page


def steps(site: Path) -> list[str]:
    """The names of the steps of the longest game: 0-setup, 1-plan and so on."""
    folders = sorted(longest(site).parent.joinpath("steps").iterdir())
    return [
        f"{int(number)}-{phase}" for number, _, phase in (f.name.partition("-") for f in folders)
    ]


class Game:
    """The page of a game, to walk through."""

    def __init__(self, shown: Shown, site: Path, anchor: str = "") -> None:
        self.shown = shown
        self.page = shown.page
        shown.at(WIDEST)
        shown.file(longest(site), anchor)

    @property
    def slider(self) -> Locator:
        return self.page.locator("input[type=range]")

    def step(self) -> str:
        """The one step that is shown; slider, words and picture agree with it."""
        (step,) = self.page.locator("article.step:visible").all()
        name = str(step.get_attribute("id"))
        turn, headline = (str(step.get_attribute(f"data-{one}")) for one in ("turn", "headline"))
        assert self.slider.get_attribute("aria-valuetext") == f"{turn}: {headline}"
        assert turn.startswith("Turn ")
        number, _, phase = name.partition("-")
        assert f"step {int(number) + 1} of" in self.page.locator("#where").inner_text()
        assert self.slider.input_value() == number
        picture = step.locator("img").first
        assert str(picture.get_attribute("src")) == f"steps/{int(number):03}-{phase}/map.svg"
        picture.scroll_into_view_if_needed()
        assert picture.is_visible()
        return name

    def good(self) -> None:
        assert self.shown.faults() == []


def pages_of(top: Path, seats: slice) -> list[Path]:
    """The pages of a part of the site, of each game those of these seats."""
    if top.is_file():
        return [top]
    own = [page for page in sorted(top.rglob("*.html")) if page.parent.name != "seats"]
    folders = sorted(top.glob("*/seats"))
    return [*own, *(page for one in folders for page in sorted(one.glob("*.html"))[seats])]


@pytest.mark.parametrize(
    "seats", [slice(1), pytest.param(slice(1, None), marks=pytest.mark.soak)], ids=["one", "others"]
)
@pytest.mark.parametrize("part", PARTS)
def test_every_page_opens_without_a_word(
    screen: Shown, site: Path, part: str, seats: slice
) -> None:
    """Of each game everybody's page and one seat's; those of the other seats in `make soak`."""
    pages = pages_of(site / part, seats)
    assert pages
    found = []
    for page in pages:
        screen.file(page)
        for width in (PHONE, WIDEST):
            screen.at(width)
            found += [
                f"{page.relative_to(site)}, {width} px: {one}" for one in screen.faults(blank=True)
            ]
    assert not found, "\n".join(found)


def test_the_longest_names_have_room(screen: Shown, tmp_path: Path) -> None:
    home = ["--home", str(tmp_path / "home")]
    seats = [f"--seat=red={'W' * 60}", f"--seat=blue={'مرحبا ' * 9}", "--seat=green=<b>Bo</b>"]
    for command in (
        ["new", "a-game-whose-name-is-very-longer", "--kind", "jump-wars", *seats, "--start"],
        ["site", "--all", "--out", str(tmp_path / "site")],
    ):
        done = CliRunner().invoke(cli, [*home, *command])
        assert done.exit_code == 0, done.output
    for page in sorted((tmp_path / "site").rglob("*.html")):
        screen.file(page)
        for width in (PHONE, WIDEST):
            screen.at(width)
            assert screen.faults(blank=True) == []


def test_no_page_is_left_out(site: Path) -> None:
    assert {path.name for path in site.iterdir()} - {"site.css", "site.js"} == set(PARTS)


def looked_at() -> Iterator[ParameterSet]:
    """Of each template one page, by turns on a wide and light screen and a small and dark one.

    What is in the page of a seat too, and every page on the other screen, in `make soak`.
    """
    for number, name in enumerate(OF_EACH_TEMPLATE):
        for place, look in enumerate(LOOKS):
            usual = name not in IN_ANOTHER and place == number % len(LOOKS)
            yield pytest.param(name, look, marks=() if usual else (pytest.mark.soak,))


@pytest.mark.parametrize(("name", "look"), list(looked_at()))
def test_nobody_stumbles(screen: Shown, site: Path, name: str, look: Look) -> None:
    assert_nobody_stumbles(screen, site, name, (look,))


@pytest.mark.soak
@pytest.mark.parametrize("site", ["all"], indirect=True)
@pytest.mark.parametrize("name", OF_THE_LARGEST)
def test_nobody_stumbles_in_the_largest(screen: Shown, site: Path, name: str) -> None:
    assert_nobody_stumbles(screen, site, name, LOOKS)


def assert_nobody_stumbles(screen: Shown, site: Path, name: str, looks: Iterable[Look]) -> None:
    screen.file(site / name)
    found = []
    for width, scheme in looks:
        screen.at(width, scheme)
        found += [f"{scheme}: {one}" for one in [*screen.faults(blank=True), *screen.stumbles()]]
        screen.keep(f"site/{name.removesuffix('.html').replace('/', '-')}-{width}-{scheme}")
    assert not found, "\n".join(found)


def test_the_slider_moves_with_the_mouse(screen: Shown, site: Path) -> None:
    game, names = Game(screen, site), steps(site)
    assert game.step() == names[-1]
    box = game.slider.bounding_box()
    assert box is not None
    middle = len(names) // 2
    across = box["width"] * middle / (len(names) - 1)
    game.page.mouse.click(box["x"] + across, box["y"] + box["height"] / 2)
    assert game.step() == names[middle]
    game.page.mouse.click(box["x"] + 2, box["y"] + box["height"] / 2)
    assert game.step() == names[0]
    game.good()


def test_keys_move_on_the_slider_and_anywhere_else(screen: Shown, site: Path) -> None:
    game, names = Game(screen, site), steps(site)
    for place in (game.slider, game.page.locator("body")):
        place.focus()
        for key, expected in (
            ("Home", 0),
            ("ArrowLeft", 0),
            ("ArrowRight", 1),
            ("ArrowRight", 2),
            ("End", -1),
            ("ArrowRight", -1),
            ("ArrowLeft", -2),
        ):
            game.page.keyboard.press(key)
            assert game.step() == names[expected], key
    game.good()


def test_buttons_move_too(screen: Shown, site: Path) -> None:
    game, names = Game(screen, site), steps(site)
    for name, expected in (
        ("First step", 0),
        ("Next step", 1),
        ("Last step", -1),
        ("Previous step", -2),
    ):
        game.page.get_by_role("button", name=name).click()
        assert game.step() == names[expected]
    game.good()


def test_a_step_has_an_address_and_the_way_back_is_kept(screen: Shown, site: Path) -> None:
    names = steps(site)
    game = Game(screen, site, anchor=names[3])
    assert game.step() == names[3]
    game.page.keyboard.press("ArrowRight")
    game.page.keyboard.press("ArrowRight")
    assert game.page.url.endswith(f"#{names[5]}")
    game.page.go_back()
    assert game.step() == names[4]
    game.page.go_back()
    assert game.step() == names[3]
    game.page.go_forward()
    assert game.step() == names[4]
    game.good()


def test_search_finds_and_says_how_many(screen: Shown, site: Path) -> None:
    screen.file(site / "index.html")
    box, hits = screen.page.get_by_role("searchbox"), screen.page.locator("#hits")
    assert hits.get_attribute("aria-live") == "polite"
    cards = screen.page.locator(".card:visible")
    games = [page.parent.name for page in site.glob("*/*/index.html")]
    assert (cards.count(), hits.inner_text()) == (len(games), f"{len(games)} games")
    purple = [game for game in games if game in ("eight-hex", "five-second", "six-2010")]
    gates = [game for game in games if game.endswith(("second", "2010"))]
    of_2010 = [game for game in games if game.endswith("2010")]
    for words, wanted in (
        ("gate", gates),
        ("GATE 2010", of_2010),
        ("purple", purple),
        ("no such game", []),
    ):
        box.fill(words)
        said = f"{len(wanted)} game{'s' if len(wanted) != 1 else ''} found"
        assert (cards.count(), hits.inner_text()) == (len(wanted), said)
        assert screen.faults(blank=True) == []
    name = longest(site).parent.name
    box.fill(name)
    box.press("Enter")
    cards.get_by_role("link", name=name).click()
    assert screen.page.locator("h1").inner_text() == name
    assert screen.faults(blank=True) == []


def test_arrows_in_the_search_box_stay_there(screen: Shown, site: Path) -> None:
    screen.file(site / "index.html")
    box = screen.page.get_by_role("searchbox")
    box.press_sequentially("hex")
    for key in ("Home", "x", "End", "ArrowLeft", "y"):
        box.press(key)
    assert box.input_value() == "xheyx"


def test_without_a_script_everything_is_there(chromium: Browser, site: Path) -> None:
    with opened(chromium, java_script_enabled=False) as screen:
        screen.file(site / "index.html")
        assert not screen.page.get_by_role("searchbox").is_visible()
        games = len(list(site.glob("*/*/index.html")))
        assert screen.page.locator(".card:visible").count() == games >= len(FEW)
        screen.file(longest(site))
        assert not screen.page.locator("input[type=range]").is_visible()
        shown = screen.page.locator("article.step:visible")
        assert [one.get_attribute("id") for one in shown.all()] == steps(site)
        for width in (PHONE, WIDEST):
            screen.at(width)
            assert screen.faults(blank=True) == []
