"""What lies at the top of a site: the list of games and its search, the league, people, feeds."""

import re
from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from msgspec.structs import replace

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.site.build import BuiltGame
from adjudicator.adapters.site.front import render_front
from adjudicator.core.document import decode
from tests.adapters.site.conftest import Shop, parsed
from tests.played import unpack_game


def test_the_index_finds_a_game_by_all_that_is_said_of_it(pages: Mapping[str, bytes]) -> None:
    cards = {kind: words for words, kind, _, card in listed(pages) if "three" in card}
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
        assert wanted in cards["jump-wars"]


def listed(pages: Mapping[str, bytes]) -> Any:
    """What the search of the index looks at."""
    return decode(pages["games.js"].partition(b"GAMES = ")[2].rstrip().rstrip(b";"))


def test_a_name_is_found_as_it_is_written(shipped: Mapping[str, BuiltGame]) -> None:
    """The script makes what is typed small, which leaves a sharp s as it is."""
    sheet = shipped["jump-drive/three"].sheet
    named = replace(sheet, players={"red": ("Weiß",)})
    front = render_front(Shop(FolderLibrary()).printer, [named])
    assert "Weiß".lower() in listed(front)[0][0]


def test_a_card_says_who_won_and_by_how_much(shipped: Mapping[str, BuiltGame]) -> None:
    page = render_front(Shop(FolderLibrary()).printer, [shipped["jump-drive/three"].sheet])
    card = " ".join("".join(parsed(page["index.html"]).find(".//li").itertext()).split())  # type: ignore[union-attr]
    assert "red (a bot) 60 won green (a bot) 49 blue (a bot) 26 Victory points" in card


def test_a_long_list_has_pages(shipped: Mapping[str, BuiltGame]) -> None:
    sheet = shipped["jump-drive/three"].sheet
    many = [replace(sheet, id=f"game-{n:03}") for n in range(100)]
    front = render_front(Shop(FolderLibrary()).printer, many)
    files = ["index.html", "games/2.html", "games/3.html"]
    assert [front[one].count(b'<li class="card">') for one in files] == [48, 48, 4]
    assert b'href="games/3.html"' in front["index.html"]
    for target in ("../index.html", "3.html", "../jump-drive/game-050/index.html"):
        assert f'href="{target}"'.encode() in front["games/2.html"]
    assert len(listed(front)) == 100


def test_players_are_listed_over_all_games_and_for_each_kind(
    shipped: Mapping[str, BuiltGame], trees: Mapping[str, Element]
) -> None:
    """Somebody who stays out of the tables is not named there."""
    tables = trees["league.html"].findall(".//table")
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
    front = render_front(Shop(FolderLibrary()).printer, [ended])
    page = parsed(front["league.html"])
    named = {"".join(one.itertext()).strip() for one in page.findall(".//tbody/tr/th")}
    assert named == {"Ada", "Bo"}
    people = {one for one in front if one.startswith("players/")}
    links = {one.get("href") for one in page.findall(".//tbody/tr/th/a")}
    assert links == people
    assert len(people) == 2
    (ada,) = (front[one].decode() for one in people if one.startswith("players/ada"))
    assert re.findall(r"<h1><bdi>(.*?)</bdi></h1>", ada) == ["Ada"]
    assert '<a href="../jump-drive/three/index.html"><bdi>three</bdi></a>' in ada


def test_games_of_two_kinds_with_one_name_are_two_pages_to_whoever_played_both(
    shipped: Mapping[str, BuiltGame],
) -> None:
    sheet = shipped["jump-drive/three"].sheet
    running = [
        replace(sheet, kind=kind, status="running", ended=None, players={"red": ("Ada",)})
        for kind in ("jump-gate", "jump-wars")
    ]
    assert sheet.ended is not None
    results = tuple(replace(one, name="Ada") for one in sheet.ended.results[:1])
    over = [
        replace(sheet, kind=kind, ended=replace(sheet.ended, results=results))
        for kind in ("jump-drive", "jump-gate-2010")
    ]
    front = render_front(Shop(FolderLibrary()).printer, [*running, *over])
    (page,) = (parsed(front[one]) for one in front if one.startswith("players/"))
    links = [one.get("href") for one in page.findall(".//tbody/tr/th/a")]
    kinds = {"jump-drive", "jump-gate", "jump-gate-2010", "jump-wars"}
    assert sorted(map(str, links)) == sorted(f"../{kind}/three/index.html" for kind in kinds)


def test_feeds_tell_the_last_steps(shipped: Mapping[str, BuiltGame]) -> None:
    built = shipped["jump-wars/three-square"]
    atom = "{http://www.w3.org/2005/Atom}"
    for feed, folder in (
        (built.files["feed.xml"], ""),
        (
            render_front(Shop(FolderLibrary()).printer, [built.sheet])["feed.xml"],
            f"{built.folder}/",
        ),
    ):
        tree = fromstring(feed)
        assert all(tree.findtext(f"{atom}{one}") for one in ("id", "title", "updated"))
        entries = tree.findall(f"{atom}entry")
        stops = built.sheet.steps[: -len(entries) - 1 : -1]
        assert len(entries) == 30
        for entry, stop in zip(entries, stops, strict=True):
            assert stop.headline in str(entry.findtext(f"{atom}title"))
            assert entry.findtext(f"{atom}updated") == stop.closed
            link = entry.find(f"{atom}link")
            assert link is not None
            assert link.get("href") == f"{folder}{stop.page}#{stop.step}"
        assert len({entry.findtext(f"{atom}id") for entry in entries}) == len(entries)
