"""Pages as a browser, a screen reader and a suspicious reader want them."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
import pytest
import yaml
from markupsafe import escape
from msgspec.structs import replace

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.order_page import FOLDER as ORDER_PAGES
from adjudicator.adapters.render.sentences import label_report
from adjudicator.adapters.site.build import BuiltGame
from adjudicator.adapters.site.charts import find_places
from adjudicator.adapters.site.front import render_front
from adjudicator.core.document import decode
from tests.adapters.site.conftest import OPEN_PRESS, Play, Shop
from tests.played import unpack_game

MOST = 1_500_000


@pytest.fixture(scope="session")
def pages(shipped: Mapping[str, BuiltGame]) -> Mapping[str, bytes]:
    """Every file of a site with the shipped games, by path."""
    files: dict[str, bytes] = {}
    for folder, built in shipped.items():
        files |= {f"{folder}/{path}": content for path, content in built.files.items()}
        files[str(PurePosixPath(folder).parent / "rules.html")] = built.rules
    sheets = [built.sheet for built in shipped.values()]
    return files | render_front(Shop(FolderLibrary()).printer, sheets)


def parsed(page: bytes) -> Element:
    """The page as a tree; every fault in it is an error."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False, strict=True)
    tree: Element = parser.parse(page.decode())
    return tree


@pytest.fixture(scope="session")
def trees(pages: Mapping[str, bytes]) -> Mapping[str, Element]:
    """The pages, read by the book."""
    return {path: parsed(page) for path, page in pages.items() if path.endswith(".html")}


def test_every_kind_is_there(shipped: Mapping[str, BuiltGame]) -> None:
    assert {folder.partition("/")[0] for folder in shipped} == {
        "jump-wars",
        "jump-gate",
        "jump-gate-2010",
        "jump-drive",
    }


def test_pages_are_small_enough_to_be_opened_anywhere(pages: Mapping[str, bytes]) -> None:
    assert {path: len(page) for path, page in pages.items() if len(page) > MOST} == {}


def test_every_link_and_picture_leads_to_a_file_and_a_place_that_are_there(
    pages: Mapping[str, bytes], trees: Mapping[str, Element]
) -> None:
    places = {path: {one.get("id") for one in tree.iter()} for path, tree in trees.items()}
    missing = []
    for path, tree in trees.items():
        for reference in references(tree):
            if reference.startswith("data:"):
                continue
            target, _, anchor = reference.partition("#")
            place = resolved(path, target) if target else path
            known = place in pages
            if known and anchor:
                known = anchor in places.get(place, {anchor})
            if not known:
                missing.append((path, reference))
    assert missing == []


def references(tree: Element) -> Iterator[str]:
    for one in tree.iter():
        for name in ("href", "src"):
            if one.get(name):
                yield str(one.get(name))


def resolved(page: str, target: str) -> str:
    parts: list[str] = list(PurePosixPath(page).parent.parts)
    for part in PurePosixPath(target).parts:
        parts = parts[:-1] if part == ".." else [*parts, part]
    return "/".join(parts)


def test_nothing_comes_from_elsewhere_and_only_the_one_script_runs(
    pages: Mapping[str, bytes], trees: Mapping[str, Element]
) -> None:
    for path, tree in trees.items():
        for one in tree.iter():
            assert not [name for name in one.keys() if name.startswith("on")], path  # noqa: SIM118
        (script,) = tree.iter("script")
        assert "default-src 'none'" in policy(tree)
        if path.startswith(ORDER_PAGES):
            own = sha256((script.text or "").encode()).digest()
            assert f"script-src 'sha256-{b64encode(own).decode()}'" in policy(tree)
            continue
        assert (script.get("src") or "").rpartition("/")[2] == "site.js"
        assert not (script.text or "").strip()
    for path, content in pages.items():
        links = set(re.findall(rb"https?://[^\s\"'<>)]+", content))
        assert links <= {b"http://www.w3.org/2000/svg"}, path
        if path.endswith(".svg"):
            assert b"<script" not in content


def policy(tree: Element) -> str:
    found = [one for one in tree.iter("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    return str(found[0].get("content"))


def test_headings_begin_with_one_and_leave_none_out(trees: Mapping[str, Element]) -> None:
    for path, tree in trees.items():
        levels = [int(one.tag[1]) for one in tree.iter() if re.fullmatch(r"h[1-6]", str(one.tag))]
        assert levels[0] == 1, path
        assert levels.count(1) == 1, path
        jumps = [(a, b) for a, b in pairwise(levels) if b > a + 1]
        assert not jumps, (path, jumps)


def test_every_id_is_given_once(trees: Mapping[str, Element]) -> None:
    for path, tree in trees.items():
        ids = [one.get("id") for one in tree.iter() if one.get("id")]
        assert len(ids) == len(set(ids)), path


def test_pictures_say_what_they_show_and_tables_name_their_columns(
    trees: Mapping[str, Element],
) -> None:
    for path, tree in trees.items():
        for one in tree.iter("img"):
            assert one.get("alt"), path
            assert one.get("loading") == "lazy"
        for table in tree.iter("table"):
            assert all(one.get("scope") for one in table.iter("th")), path


def test_every_step_is_there_with_its_story(
    shipped: Mapping[str, BuiltGame], trees: Mapping[str, Element]
) -> None:
    for folder, built in shipped.items():
        tree = trees[f"{folder}/index.html"]
        steps = list(tree.iter("article"))
        assert [one.get("id") for one in steps] == [stop.step for stop in built.sheet.steps]
        for step, stop in zip(steps, built.sheet.steps, strict=True):
            said = " ".join("".join(step.itertext()).split())
            assert " ".join(stop.headline.split()) in said
            sources = [one.get("src") for one in step.iter("img")]
            assert sources == [shot.file for shot in stop.pictures]
            assert any(one.get("href") == stop.report for one in step.iter("a"))
    assert len(shipped) >= 4


def _orders(report: Path) -> Sequence[Mapping[str, Any]]:
    orders = decode(report.read_bytes())["orders"] or {}
    return orders.get("entries", ())


def test_a_finished_game_tells_orders_and_how_to_check_it(shipped: Mapping[str, BuiltGame]) -> None:
    page = shipped["jump-wars/three-square"].files["index.html"].decode()
    assert "<h4>Orders</h4>" in page
    archive = unpack_game("three-square")
    reports = sorted(archive.glob("steps/*/*/report.json"))
    ordered = [entry["text"] for path in reports for entry in _orders(path)]
    assert len(ordered) > 30
    assert [text for text in ordered if str(escape(text)) not in page] == []
    seed = yaml.safe_load((archive / "game.yaml").read_bytes())["seed"]
    assert f"<code>{seed}</code>" in page
    seat = shipped["jump-wars/three-square"].files["seats/red.html"].decode()
    assert "The report that red got" in seat
    assert "Your hand" in seat


@pytest.mark.parametrize(
    ("folder", "titles"),
    [
        ("jump-wars/three-square", ["Fleets", "RT mined in the turn"]),
        ("jump-gate/three-second", ["Points, without hidden resources", "Planets claimed"]),
        ("jump-gate-2010/three-2010", ["Points", "Planets claimed"]),
        ("jump-drive/three", ["Victory points", "VP a round"]),
    ],
)
def test_every_kind_has_its_charts(
    shipped: Mapping[str, BuiltGame], folder: str, titles: list[str]
) -> None:
    page = shipped[folder].files["index.html"].decode()
    told = re.findall(r"<figcaption>(.*?)</figcaption>", page)
    assert told[:2] == titles
    assert page.count('<svg class="chart"') == len(told)


def test_turns_are_equally_wide_in_a_chart_however_many_steps_they_have() -> None:
    assert find_places(["turn 1", "turn 1", "turn 2", "turn 3", "turn 3"]) == [0, 0.2, 0.4, 0.8, 1]
    assert find_places(["turn 1", "turn 2", "turn 3"]) == [0, 0.5, 1]
    assert find_places(["turn 1"]) == [0]


def test_no_label_of_a_chart_is_cut(shipped: Mapping[str, BuiltGame]) -> None:
    seen = 0
    for built in shipped.values():
        page = built.files["index.html"].decode()
        for chart in re.findall(r'<svg class="chart".*?</svg>', page, re.DOTALL):
            for left, wide in re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', chart):
                assert float(left) + float(wide) <= 440
                seen += 1
    assert seen > 20


def test_a_chart_says_the_numbers_of_the_reports(shipped: Mapping[str, BuiltGame]) -> None:
    built = shipped["jump-drive/three"]
    page = built.files["index.html"].decode()
    table = page[page.index("<caption>Victory points</caption>") :]
    rows = re.findall(r'<th scope="row">([^<]*)</th>\s*((?:<td[^>]*>[^<]*</td>\s*)+)', table)
    told = {step: re.findall(r">(\d+)<", cells) for step, cells in rows[: len(built.sheet.steps)]}
    for path in unpack_game("three").glob("steps/*/report.json"):
        report = decode(path.read_bytes())
        points = report["position"]["vp"]
        seats = ("red", "blue", "green")
        assert told[label_report(report)] == [str(points[seat]) for seat in seats]


def test_a_game_without_measures_of_its_own_is_measured_by_its_tables(
    play: Play, shop: Shop
) -> None:
    page = shop.of(play("toy-duel", 99)).files["index.html"].decode()
    assert re.findall(r"<figcaption>(.*?)</figcaption>", page) == ["Points", "Cards"]


def test_what_people_wrote_stays_text(play: Play, shop: Shop) -> None:
    page = shop.of(play("toy-duel", 2)).files["index.html"].decode()
    assert OPEN_PRESS not in page
    assert "Hello &lt;b&gt;everybody&lt;/b&gt; &amp; good luck" in page


def test_the_index_finds_a_game_by_all_that_is_said_of_it(pages: Mapping[str, bytes]) -> None:
    page = pages["index.html"].decode()
    cards = dict(re.findall(r'data-words="([^"]*)".*?<a href="([^"]*)"', page, re.DOTALL))
    (words,) = [words for words, link in cards.items() if "three-square" in link]
    reports = unpack_game("three-square").glob("steps/*/report.json")
    last = decode(max(reports).read_bytes())
    for wanted in (
        "three-square",
        "jump wars",
        "green",
        "a bot",
        last["turn"],
        last["over"]["text"],
    ):
        assert wanted in words


def test_a_name_is_found_as_it_is_written(shipped: Mapping[str, BuiltGame]) -> None:
    """The script makes what is typed small, which leaves a sharp s as it is."""
    sheet = shipped["jump-drive/three"].sheet
    named = replace(sheet, players={"red": ("Weiß",)})
    page = render_front(Shop(FolderLibrary()).printer, [named])["index.html"].decode()
    assert "Weiß".lower() in re.findall(r'data-words="([^"]*)"', page)[0]


def test_players_are_listed_over_all_games_and_for_each_kind(
    shipped: Mapping[str, BuiltGame], trees: Mapping[str, Element]
) -> None:
    """Somebody who stays out of the tables is not named there."""
    tables = trees["players.html"].findall(".//table")
    assert ["".join(one.find("caption").itertext()) for one in tables] == [  # type: ignore[union-attr]
        "All games",
        "Jump Drive",
        "Jump Gate",
        "Jump Gate 2010",
        "Jump Wars",
    ]
    assert "bot:easy" in "".join(tables[0].itertext())
    sheet = shipped["jump-drive/three"].sheet
    assert sheet.ended is not None
    known = ("Ada", "", "Bo")
    results = tuple(
        replace(one, name=name) for one, name in zip(sheet.ended.results, known, strict=True)
    )
    ended = replace(sheet, ended=replace(sheet.ended, results=results))
    page = parsed(render_front(Shop(FolderLibrary()).printer, [ended])["players.html"])
    named = {"".join(one.itertext()).strip() for one in page.findall(".//tbody/tr/th")}
    assert named == {"Ada", "Bo"}
