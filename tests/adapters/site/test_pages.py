"""Pages as a browser, a screen reader and a suspicious reader want them."""

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from itertools import pairwise
from os.path import normpath
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree.ElementTree import Element

import pytest
import yaml
from markupsafe import escape
from PIL import Image

from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.render.order_page import FOLDER as ORDER_PAGES
from adjudicator.adapters.render.sentences import label_report
from adjudicator.adapters.site.build import BuiltGame
from adjudicator.adapters.site.charts import find_places
from adjudicator.core.document import decode
from tests.adapters.site.conftest import GAME, OPEN_PRESS, Play, Shop, parsed, turn_pages
from tests.played import unpack_game

MOST, WHOLE = 300_000, 4_000_000
"""Bytes of a page, and of the one that shows a whole game, for whoever asks for it."""


def test_every_kind_is_there(shipped: Mapping[str, BuiltGame]) -> None:
    assert {folder.partition("/")[0] for folder in shipped} == {
        "jump-wars",
        "jump-gate",
        "jump-gate-2010",
        "jump-drive",
    }


def test_pages_are_small_enough_to_be_opened_anywhere(pages: Mapping[str, bytes]) -> None:
    sizes = {path: len(page) for path, page in pages.items()}
    whole = {path: size for path, size in sizes.items() if path.endswith("/all.html")}
    assert {path: size for path, size in whole.items() if size > WHOLE} == {}
    assert {path: size for path, size in (sizes.items() - whole.items()) if size > MOST} == {}


def test_every_link_and_picture_leads_to_a_file_and_a_place_that_are_there(
    pages: Mapping[str, bytes], trees: Mapping[str, Element]
) -> None:
    places = {path: {one.get("id") for one in tree.iter()} for path, tree in trees.items()}
    missing = []
    for path, tree in trees.items():
        for reference in references(tree):
            target, _, anchor = reference.partition("#")
            place = resolved(path, target) if target else path
            known = place in pages
            if known and anchor:
                known = anchor in places.get(place, {anchor})
            if not known:
                missing.append((path, reference))
    assert missing == []


def references(tree: Element) -> Iterator[str]:
    """What a page leads to; what lies over a picture leads to parts of it, in another file."""
    over = {one for found in tree.iter("template") for one in found.iter()}
    for one in tree.iter():
        if one in over:
            continue
        for name in ("href", "src"):
            if one.get(name):
                yield str(one.get(name))


def resolved(page: str, target: str) -> str:
    parts: list[str] = list(PurePosixPath(page).parent.parts)
    for part in PurePosixPath(target).parts:
        parts = parts[:-1] if part == ".." else [*parts, part]
    return "/".join(parts)


def test_nothing_comes_from_elsewhere_and_only_our_own_scripts_run(
    pages: Mapping[str, bytes], trees: Mapping[str, Element]
) -> None:
    for path, tree in trees.items():
        for one in tree.iter():
            assert not [name for name in one.keys() if name.startswith("on")], path  # noqa: SIM118
        scripts = list(tree.iter("script"))
        assert "default-src 'none'" in policy(tree)
        if path.startswith(ORDER_PAGES):
            (script,) = scripts
            own = sha256((script.text or "").encode()).digest()
            assert f"script-src 'sha256-{b64encode(own).decode()}'" in policy(tree)
            continue
        names = [(one.get("src") or "").rpartition("/")[2] for one in scripts]
        assert names[-1] == "site.js"
        pictures = {name for name in names if re.fullmatch(r"\d+\.js", name)}
        assert set(names) <= {"site.js", "story.js", "games.js", *pictures}
        assert not any((one.text or "").strip() for one in scripts)
    known = {b"http://www.w3.org/2000/svg", b"http://www.w3.org/2005/Atom"}
    for path, content in pages.items():
        assert set(re.findall(rb"https?://[^\s\"'<>)\\]+", content)) <= known, path
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
            # the picture before a move stands below the one that is told of, and what a script
            # draws in the place of is named by what it stands in
            assert one.get("alt") or one.get("class") == "before" or one.get("data-picture"), path
        for stage in (one for one in tree.iter("div") if one.get("class", "").startswith("stage")):
            assert stage.get("aria-label"), path
        for table in tree.iter("table"):
            assert all(one.get("scope") for one in table.iter("th")), path


def test_every_step_is_there_with_its_story(
    shipped: Mapping[str, BuiltGame], trees: Mapping[str, Element]
) -> None:
    for folder, built in shipped.items():
        whole = {one.get("id"): one for one in trees[f"{folder}/all.html"].iter("article")}
        assert list(whole) == [stop.step for stop in built.sheet.steps]
        for stop in built.sheet.steps:
            found = trees[f"{folder}/{stop.page}"].iter("article")
            for step in (*(one for one in found if one.get("id") == stop.step), whole[stop.step]):
                said = " ".join("".join(step.itertext()).split())
                assert " ".join(stop.headline.split()) in said
                stages = [one.get("aria-label") for one in step.iter("div") if one.get("role")]
                assert [one for one in stages if one in {shot.alt for shot in stop.pictures}]
                assert any(str(one.get("href")).endswith(stop.report) for one in step.iter("a"))
    assert len(shipped) >= 4


def test_turns_lead_to_each_other_and_have_titles_of_their_own(
    shipped: Mapping[str, BuiltGame], trees: Mapping[str, Element]
) -> None:
    for folder, built in shipped.items():
        turns = list(dict.fromkeys(stop.page for stop in built.sheet.steps))
        links = {"prev": [None, *turns[:-1]], "next": [*turns[1:], None]}
        for rel, wanted in links.items():
            for page, other in zip(turns, wanted, strict=True):
                found = [
                    one for one in trees[f"{folder}/{page}"].iter("a") if one.get("rel") == rel
                ]
                assert [f"turn/{one.get('href')}" for one in found] == ([other] if other else [])
        titles = {"".join(next(trees[f"{folder}/{one}"].iter("title")).itertext()) for one in turns}
        assert len(titles) == len(turns) > 3


def test_what_a_page_loads_first_is_small(pages: Mapping[str, bytes]) -> None:
    """The pages of a game and of its seats with all that they load, packed as by a web server."""
    for path, page in pages.items():
        if re.fullmatch(r"[\w-]+/[\w-]+/(index|seats/\w+)\.html", path):
            named = re.findall(
                r'<(?:script src|link rel="stylesheet" href)="([^"]+)"', page.decode()
            )
            loaded = [page, *(pages[normpath(f"{path}/../{one}")] for one in named)]
            assert len(loaded) > 3
            assert sum(len(gzip.compress(one)) for one in loaded) < 150_000, path


def test_pages_of_seats_draw_the_pictures_of_their_turn(pages: Mapping[str, bytes]) -> None:
    seen = 0
    for path, page in pages.items():
        named = re.findall(r'data-picture="([^"]+)"', page.decode()) if "/seats/" in path else []
        if named:
            (script,) = re.findall(r'<script src="([^"]*turn/[^"]+)"', page.decode())
            drawn = pages[normpath(f"{path}/../{script}")].decode()
            told = json.loads(drawn.partition("PICTURES = ")[2].rstrip(";\n"))
            assert set(named) <= told.keys()
            assert all('<svg xmlns="http' in told[one] for one in named)
            seen += len(named)
    assert seen > 100


def _orders(report: Path) -> Sequence[Mapping[str, Any]]:
    orders = decode(report.read_bytes())["orders"] or {}
    return orders.get("entries", ())


def test_a_finished_game_tells_orders_and_how_to_check_it(shipped: Mapping[str, BuiltGame]) -> None:
    files = shipped["jump-wars/three-square"].files
    page = turn_pages(files)
    assert "<h3>Orders</h3>" in page
    archive = unpack_game("three-square")
    reports = sorted(archive.glob("steps/*/*/report.json"))
    ordered = [entry["text"] for path in reports for entry in _orders(path)]
    assert len(ordered) > 30
    assert [text for text in ordered if str(escape(text)) not in page] == []
    seed = yaml.safe_load((archive / "game.yaml").read_bytes())["seed"]
    assert f"<code>{seed}</code>" in files["index.html"].decode()
    seat = files["seats/red.html"].decode()
    assert "The report that red got" in seat
    assert "Your hand" in seat


@pytest.mark.parametrize(
    ("folder", "titles"),
    [
        ("jump-wars/three-square", ["Fleets", "RT mined in the turn"]),
        ("jump-gate/three-second", ["Points, hidden resources only at the end", "Planets claimed"]),
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
    page = turn_pages(shop.of(play("toy-duel", 2)).files)
    assert OPEN_PRESS not in page
    assert "Hello &lt;b&gt;everybody&lt;/b&gt; &amp; good luck" in page


def test_where_the_site_is_on_the_web_turns_have_pictures_to_share(play: Play, shop: Shop) -> None:
    with play("jump-wars", 3).reading() as books:
        dossier = collect_dossier(books, GAME)
    url = "https://games.example.org/pages"
    files = shop.built(dossier, url=url).files
    tree = parsed(files["turn/1.html"])
    shared = {one.get("property"): one.get("content") for one in tree.iter("meta")}
    assert shared["og:image"] == f"{url}/jump-wars/{GAME}/turn/1.png"
    assert shared["og:title"] == f"{GAME}, turn 1"
    wide, tall = Image.open(BytesIO(files["turn/1.png"])).size
    assert wide / tall == pytest.approx(1200 / 630, abs=0.05)
    assert (
        f'<link rel="self" href="{url}/jump-wars/{GAME}/feed.xml"/>' in files["feed.xml"].decode()
    )
    plain = shop.built(dossier).files
    assert not any(name.endswith(".png") for name in plain)
    assert b"og:image" not in plain["turn/1.html"]
