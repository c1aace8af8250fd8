"""The site of the games as played, opened from the disk in Chromium as whoever is shown it does."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from click.testing import CliRunner
from playwright.sync_api import Browser, Locator

from adjudicator.cli.app import cli
from tests.browser.showing import PHONE, WIDEST, Scheme, Shown, opened
from tests.played import list_records

KINDS = ("jump-wars", "jump-gate", "jump-gate-2010", "jump-drive")
PARTS = ("index.html", "league.html", "orders", "players", *KINDS)
"""What lies at the top of the site: pages of all games and people, and a folder for each kind."""
BESIDE = {"site.css", "site.js", "games.js", "feed.xml", "icon.svg"}
FEW = ("three", "three-2010", "three-second", "three-square")
"""The shortest game of each kind."""
HEX = "jump-wars/eight-hex/index.html"
SQUARE = "jump-wars/three-square/index.html"
TURN = "jump-wars/three-square/turn/5.html"
SEAT = "jump-wars/three-square/seats/blue/5.html"
ROUND = "jump-drive/three/turn/1.html"
OF_EACH_TEMPLATE = (
    "index.html",
    "league.html",
    "players/bot-easy-*.html",
    "jump-gate/three-second/turn/9.html",
    TURN,
    SEAT,
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

    def come_to(self, name: str) -> None:
        """Wait for this step, which may be on another page."""
        self.page.wait_for_url(lambda url: url.endswith(f"#{name}"))
        assert self.step() == name

    @property
    def slider(self) -> Locator:
        return self.page.locator("input[type=range]")

    def step(self) -> str:
        """The one step that is shown; slider, words and picture agree with it."""
        (step,) = self.page.locator("article.step:visible").all()
        name = str(step.get_attribute("id"))
        label = step.locator(".when").inner_text()
        spoken = str(self.slider.get_attribute("aria-valuetext"))
        assert spoken.lower().startswith(f"{label.lower()}: ")
        assert step.locator("h2").inner_text() in (spoken[len(label) + 2 :], label)
        assert self.page.title().endswith(step.locator("h2").inner_text())
        number = name.partition("-")[0]
        where = self.page.locator("#where").inner_text().replace("\N{NO-BREAK SPACE}", " ")
        assert f"step {int(number) + 1} of" in where
        assert self.slider.input_value() == number
        assert step.locator(".stage > svg [data-space]").first.is_visible()
        return name

    def good(self) -> None:
        assert self.shown.faults(blank=True) == []


def pages_of(top: Path, *, every: bool) -> list[Path]:
    """The pages of a part of the site; or of each game its own, a seat's, and those of a turn."""
    if top.is_file():
        return [top]
    pages = sorted(top.rglob("*.html"))
    games = sorted({page.parent for page in top.glob("*/index.html")})
    if every or not games:
        return pages
    seat = [min(game.glob("seats/*.html")) for game in games]
    turns = [game / folder / "2.html" for game in games for folder in ("turn", "seats/red")]
    return [page for page in pages if page.name in ("index.html", "rules.html")] + seat + turns


@pytest.mark.parametrize(
    "every", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["some", "every"]
)
@pytest.mark.parametrize("part", PARTS)
def test_every_page_opens_without_a_word(screen: Shown, site: Path, part: str, every: bool) -> None:
    """Of each game everybody's page, one seat's and those of one turn; all in `make soak`."""
    pages = pages_of(site / part, every=every)
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
    assert {path.name for path in site.iterdir()} - BESIDE == set(PARTS)


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
    (page,) = site.glob(name)
    screen.file(page)
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
    game.come_to(names[middle])
    game.page.mouse.click(box["x"] + 2, box["y"] + box["height"] / 2)
    game.come_to(names[0])
    game.good()


def test_keys_alone_play_through_a_game(screen: Shown, site: Path) -> None:
    game, names = Game(screen, site), steps(site)
    game.page.keyboard.press("Home")
    game.come_to(names[0])
    for name in names[1:]:
        game.page.keyboard.press("ArrowRight")
        game.come_to(name)
    game.slider.focus()
    for key, expected in (("ArrowRight", -1), ("ArrowLeft", -2), ("End", -1), ("ArrowLeft", -2)):
        game.page.keyboard.press(key)
        game.come_to(names[expected])
    game.good()


def test_buttons_move_too(screen: Shown, site: Path) -> None:
    game, names = Game(screen, site), steps(site)
    for name, expected in (
        ("First step", 0),
        ("Next step", 1),
        ("Last step", -1),
        ("Previous step", -2),
    ):
        game.page.get_by_role("link", name=name).click()
        game.come_to(names[expected])
    game.good()


def test_a_swipe_turns_the_page(chromium: Browser, site: Path) -> None:
    with opened(chromium, has_touch=True) as screen:
        game, names = Game(screen, site, anchor=steps(site)[-1]), steps(site)
        game.page.evaluate(SWIPE, [200, 300])
        game.come_to(names[-2])
        game.page.evaluate(SWIPE, [300, 200])
        game.come_to(names[-1])
        game.good()


SWIPE = """([from, to]) => {
  const area = document.querySelector(".step.shown .told");
  const touch = (x) => new Touch({identifier: 1, target: area, clientX: x, clientY: 200});
  area.dispatchEvent(new TouchEvent("touchstart", {touches: [touch(from)], bubbles: true}));
  area.dispatchEvent(new TouchEvent("touchend", {changedTouches: [touch(to)], bubbles: true}));
}"""


def test_a_step_has_an_address_and_the_way_back_is_kept(screen: Shown, site: Path) -> None:
    names = steps(site)
    game = Game(screen, site, anchor=names[3])
    game.come_to(names[3])
    assert "/turn/" in game.page.url
    for name in names[4:6]:
        game.page.keyboard.press("ArrowRight")
        game.come_to(name)
    for name in (names[4], names[3]):
        game.page.go_back()
        game.come_to(name)
    game.page.go_forward()
    game.come_to(names[4])
    game.good()


def test_an_address_that_names_no_step_does_no_harm(screen: Shown, site: Path) -> None:
    screen.at(WIDEST)
    for anchor in ("%E0%A4%A", '"><img src=x onerror=alert(1)>', "99-nowhere"):
        screen.file(site / TURN, anchor)
        step = screen.page.locator(".step:visible")
        assert step.get_attribute("id") == steps_of(site, TURN)[-1]
        assert screen.faults(blank=True) == []


def test_a_map_is_whole_on_a_laptop(screen: Shown, site: Path) -> None:
    screen.page.set_viewport_size({"width": 1440, "height": 900})
    for page in (TURN, SQUARE):
        screen.file(site / page)
        box = screen.page.locator(".stage:visible > svg").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 900


@pytest.mark.parametrize("page", [TURN, SEAT])
def test_a_space_tells_of_itself_and_lights_its_events(
    screen: Shown, site: Path, page: str
) -> None:
    screen.at(WIDEST)
    screen.file(site / page)
    step = screen.page.locator(".step:visible")
    ringed = step.locator("g[id$=above] > rect").count()
    assert (ringed > 2, "in reach of" in step.inner_text()) == (page == SEAT, page == SEAT)
    event = step.locator("li[data-at]").first
    place = str(event.get_attribute("data-at")).split()[-1]
    step.locator(f"[data-space={place}]").click()
    told = step.locator(".place")
    assert told.inner_text().startswith(f"{place}, ")
    assert "lit" in str(event.get_attribute("class"))
    assert screen.stumbles() == []
    screen.page.keyboard.press("Tab")
    told.get_by_role("button", name="Close").click()
    assert not told.is_visible()
    event.get_by_role("button").click()
    lit = step.locator("[data-space].lit")
    assert place in [one.get_attribute("data-space") for one in lit.all()]
    assert screen.faults(blank=True) == []


def test_keys_go_from_space_to_space(screen: Shown, site: Path) -> None:
    screen.at(WIDEST)
    screen.file(site / TURN)
    stage = screen.page.locator(".stage:visible")
    stage.focus()
    said = []
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
        screen.page.keyboard.press(key)
        said.append(stage.get_by_role("status").inner_text().partition(",")[0])
    assert said == ["A1", "B1", "B2", "A2"]
    screen.page.keyboard.press("Escape")
    assert not stage.get_by_role("status").is_visible()
    assert screen.page.locator(".step:visible").get_attribute("id") == steps_of(site, TURN)[-1]


def steps_of(site: Path, page: str) -> list[str]:
    """The names of the steps on a page."""
    return re.findall(r'<article class="step" id="([^"]+)"', (site / page).read_text("utf-8"))


@pytest.mark.parametrize("page", [TURN, ROUND])
def test_moves_are_shown_before_what_they_came_to(chromium: Browser, site: Path, page: str) -> None:
    """But not to whoever wants no motion."""
    for motion, wanted in (("no-preference", "before"), ("reduce", "")):
        with opened(chromium, reduced_motion=motion) as screen:
            screen.at(WIDEST)
            screen.file(site / page, steps_of(site, page)[-2])
            screen.page.keyboard.press("ArrowRight")
            stage = screen.page.locator(".step:visible .stage")
            assert stage.get_attribute("class") == f"stage {wanted}".strip()
            moving = screen.page.locator(".stage.before, .stage.orders")
            moving.wait_for(state="detached")
            assert screen.said == []


@pytest.mark.parametrize(("page", "step"), [(TURN, -1), ("jump-drive/three/turn/5.html", 0)])
def test_each_phase_of_a_move_shows_something_else(
    screen: Shown, site: Path, page: str, step: int
) -> None:
    screen.at(WIDEST)
    screen.file(site / page, steps_of(site, page)[step])
    stage = screen.page.locator(".step:visible .stage")
    seen = [stage.evaluate(PHASE, one) or stage.screenshot(animations="disabled") for one in PHASES]
    assert len(set(seen)) == len(PHASES)


PHASES = ("before", "orders", "after")
PHASE = """(stage, phase) => {
  const before = stage.querySelector(".before");
  before.hidden = phase === "after";
  before.loading = "eager";
  stage.className = `stage ${phase}`;
  return before.decode();
}"""


def test_a_turn_is_printed_on_one_sheet_and_a_light_one(screen: Shown, site: Path) -> None:
    for page in (
        TURN,
        "jump-gate/three-second/turn/9.html",
        "jump-drive/three/turn/4.html",
        SQUARE,
    ):
        screen.at(WIDEST, "dark")
        screen.file(site / page)
        paper = screen.page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1, page
    screen.page.emulate_media(media="print", color_scheme="dark")
    ground = screen.page.locator(".stage:visible > svg > rect").first
    assert ground.evaluate("one => getComputedStyle(one).fill") == "rgb(255, 255, 255)"


def test_search_finds_and_says_how_many(screen: Shown, site: Path) -> None:
    screen.file(site / "index.html")
    box, hits = screen.page.get_by_role("searchbox"), screen.page.locator("#hits")
    assert hits.get_attribute("aria-live") == "polite"
    cards = screen.page.locator(".card:visible")
    games = [page.parent.name for page in site.glob("*/*/index.html")]
    assert (cards.count(), hits.inner_text()) == (len(games), f"{len(games)} games")
    heights = screen.page.eval_on_selector_all(".card img", "all => all.map(one => one.height)")
    assert max(heights) < 400
    gates = [game for game in games if game.endswith(("second", "2010"))]
    of_2010 = [game for game in games if game.endswith("2010")]
    for words, wanted in (("gate", gates), ("GATE 2010", of_2010), ("no such game", [])):
        box.fill(words)
        said = f"{len(wanted)} game{'s' if len(wanted) != 1 else ''} found"
        assert (cards.count(), hits.inner_text()) == (len(wanted), said)
        assert screen.faults(blank=True) == []
    assert screen.page.get_by_text("No game has “no such game” in it.").is_visible()
    screen.page.get_by_label("Kind").select_option("Jump Drive")
    assert screen.page.get_by_text("No game of Jump Drive has “no such game” in it.").is_visible()
    screen.page.get_by_role("button", name="Show all games").click()
    assert cards.count() == len(games)
    screen.page.get_by_label("Kind").select_option("Jump Wars")
    name = longest(site).parent.name
    box.fill(name)
    address = screen.page.evaluate("location.href")
    box.press("Enter")
    cards.get_by_role("link", name=name).click()
    assert screen.page.locator("h1").inner_text() == name
    assert screen.faults(blank=True) == []
    screen.page.goto("about:blank")
    screen.page.goto(address)
    assert (cards.count(), box.input_value()) == (1, name)


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
        screen.file(site / TURN)
        assert not screen.page.locator("input[type=range]").is_visible()
        shown = screen.page.locator("article.step:visible")
        assert [one.get_attribute("id") for one in shown.all()] == steps_of(site, TURN)
        screen.page.get_by_role("link", name="Next turn").click()
        assert screen.page.url.endswith("/turn/6.html")
        for width in (PHONE, WIDEST):
            screen.at(width)
            assert screen.faults(blank=True) == []
