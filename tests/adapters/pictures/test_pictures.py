"""Pictures are made of the report's document alone, and are the same on every machine."""

import os
import re
import struct
import subprocess
import sys
from email.message import EmailMessage
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.mail.outbound.letter import MimeWriter
from adjudicator.adapters.render.png import FONT, Artist, render_png
from adjudicator.adapters.render.printer import Picture, Printer, draw_pictures, draw_thumb
from adjudicator.core.document import encode
from tests.adapters.pages.documents import RECEIPT
from tests.adapters.pictures.positions import SEATS, crowded, empires, played
from tests.adapters.test_mime import heading, letter, read
from tests.samples import sampled

MOST = 100_000
"""Bytes of a picture in a mail."""
PRINTER = Printer([find_data_folder("templates")])
GAMES = ("jump_wars", "jump_gate", "jump_drive")


def drawn(document: Any, game: str = "jump_wars") -> dict[str, Picture]:
    return {one.name: one for one in draw_pictures(PRINTER, document, game)}


def words(one: Picture) -> list[str]:
    """All that is written in a picture, its title apart."""
    root = ElementTree.fromstring(one.content.decode())
    return ["".join(text.itertext()).strip() for text in root.iter() if text.tag.endswith("}text")]


@pytest.mark.parametrize("game", GAMES)
def test_every_report_of_the_games_as_played_has_its_pictures(game: str) -> None:
    expected = {name.partition(".")[0] for name in PRINTER.pictures(game)}
    for document in played(game):
        found = drawn(document, game)
        assert set(found) <= expected
        assert found, f"{document['game']['id']} {document['step']}"
        for one in found.values():
            ElementTree.fromstring(one.content.decode())
            assert one.width == 720
            assert len(one.alt) > 40


@pytest.mark.parametrize(("name", "grid"), [("map", "square"), ("map", "hex"), ("turns", "hex")])
def test_the_fullest_picture_is_small_enough_for_a_mail(name: str, grid: str) -> None:
    content = render_png(drawn(crowded(grid))[name].content.decode())
    assert content.startswith(b"\x89PNG")
    (wide,) = struct.unpack(">I", content[16:20])
    assert 700 <= wide <= 1080, "so full a map is drawn smaller, but never smaller than its page"
    assert 20_000 < len(content) <= MOST


@pytest.mark.parametrize("game", GAMES)
def test_pictures_of_the_games_as_played_are_small_enough(game: str) -> None:
    papers = list(played(game))
    for document in papers[3 :: len(papers) // 4]:
        for one in drawn(document, game).values():
            content = render_png(one.whole.decode())
            assert len(content) <= MOST
            assert struct.unpack(">I", content[16:20]) == (1080,)


def test_every_stack_and_homeworld_stands_on_the_map() -> None:
    document = crowded("square")
    said = words(drawn(document)["map"])
    letters = {"red": "R", "blue": "B", "black": "K", "empire": "E", "white": "W"}
    for side, short in letters.items():
        for fleets in document["position"]["fleets"][side].values():
            assert f"{short}{fleets}" in said
        assert short in said
    assert "15" in said, "the fleets lost in a fight"
    assert {"+12", "\N{MINUS SIGN}1", "32"} <= set(said)
    assert set(SEATS) <= set(said)


def test_the_number_of_a_short_jump_hides_no_stack_and_is_not_hidden() -> None:
    document = crowded("hex")
    position = document["position"]
    position["map"] = {"A5": {"home": "blue"}}
    position["fleets"] = {"blue": {"A5": 11, "B5": 17}}
    jump = {"seat": "blue", "from": "A5", "to": "B5", "fleets": 7}
    position["changes"] = {"jumps": [jump], "fights": [], "gained": [], "lost": []}
    svg = drawn(document)["map"].content.decode()
    discs = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="28"', svg)
    ((x, y, wide),) = (tuple(map(float, one)) for one in discs)
    tags = re.findall(
        r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="28.8".*\n.*>B1[17]<', svg
    )
    assert len(tags) == 2
    for left, top, broad in (tuple(map(float, one)) for one in tags):
        assert x + wide <= left or left + broad <= x or y + 28 <= top or top + 28.8 <= y
    assert svg.index(discs[0][0]) > svg.index(">B17<"), "it is drawn above what stands there"


def test_orders_of_a_side_that_go_the_same_way_are_one_arrow_with_their_sum() -> None:
    document = crowded("square")
    jump = {"seat": "blue", "from": "E5", "to": "F5", "fleets": 7}
    other = {**jump, "seat": "red"}
    document["position"]["changes"] = {"jumps": [jump, other, {**jump, "fleets": 29}]}
    picture = drawn(document)["map"]
    assert picture.content.decode().count('data-jump="E5-F5"') == 4, "two arrows, two numbers"
    assert {"36", "7"} <= set(words(picture))
    assert "3 jumps" in picture.alt


def test_the_chart_ends_with_the_numbers_of_the_last_turn() -> None:
    document = crowded("square")
    said = words(drawn(document)["turns"])
    last = document["position"]["past"][-1]
    for key in ("fleets", "mine"):
        assert {f"R{last[key]['red']}", f"B{last[key]['blue']}"} <= set(said)
    assert said.count("31") == 2, "the last turn, below both"
    document["position"]["past"] = document["position"]["past"][:1]
    assert set(drawn(document)) == {"map"}, "one turn is no line yet"


def test_each_kind_of_system_has_a_shape_of_its_own() -> None:
    svg = drawn(crowded("square"))["map"].content.decode()
    kinds = ("star-field", "cluster", "black-hole", "nebula")
    lines = [re.search(rf'<(?:g|path) id="{kind}".*', svg) for kind in kinds]
    shapes = {re.sub(r'#[0-9a-f]{6}|id="[^"]+"', "", one[0]) for one in lines if one}
    assert len(shapes) == 4


def test_the_legend_explains_what_is_on_the_map_and_nothing_else() -> None:
    document = crowded("square")
    position = document["position"]
    assert {"nebula", "cluster", "homeworld", "sabotaged", "new fleets"} <= set(
        words(drawn(document)["map"])
    )
    position["map"] = {"A1": {"home": "red"}, "B2": "nebula"}
    position["changes"] = {"jumps": [{"seat": "red", "from": "A1", "to": "A2", "fleets": 1}]}
    said = set(words(drawn(document)["map"]))
    assert {"nebula", "homeworld", "jump of so many fleets"} <= said
    assert not {"cluster", "star field", "black hole", "sabotaged", "new fleets"} & said


def test_a_reader_s_own_stacks_and_reach_lie_over_the_map_that_all_share() -> None:
    public = {**crowded("hex"), "seat": None}
    public["position"]["fleets"]["red"] = {"A1": 3, "J10": 1}
    public["position"]["map"] |= {"B1": "black-hole"}
    public["position"]["levels"]["red"] = {"jump": 1}
    red, blue = {**public, "seat": "red"}, {**public, "seat": "blue"}
    ours, theirs = drawn(red)["map"], drawn(blue)["map"]
    assert ours.content == theirs.content == drawn(public)["map"].content
    assert drawn(public)["map"].over == b""
    over = ours.over.decode()
    lit = re.findall(r'<use href="#cell" x="([\d.]+)" y="([\d.]+)"/>', over)
    assert len(lit) == len(set(lit)) == 4 + 7, "two steps from A1 and J10, not by way of B1"
    stacks = public["position"]["fleets"]["red"]
    assert over.count("<rect ") == 2 * len(stacks) + 1
    assert words(Picture(name="", content=ours.over, alt="", width=1)) == [
        "you, red",
        "in reach of your jumps",
    ]
    ElementTree.fromstring(ours.whole.decode())
    assert render_png(ours.whole.decode()) != render_png(theirs.whole.decode())


def test_what_a_player_wrote_cannot_draw() -> None:
    document = crowded("square")
    document["game"] = {**document["game"], "id": "<script>&\x07"}
    svg = drawn(document)["map"].content.decode()
    ElementTree.fromstring(svg)
    assert "<script>" not in svg


def test_letters_that_are_no_reports_have_no_pictures() -> None:
    assert drawn(RECEIPT) == {}
    assert drawn({**crowded("square"), "position": {}}) == {}
    assert drawn(crowded("square"), "no_such_game") == {}


PROGRAM = """
import sys
from hashlib import sha256
from adjudicator.adapters.games.data_folders import find_data_folder as folder
from adjudicator.adapters.render.png import Artist
from adjudicator.adapters.render.printer import Printer
from adjudicator.core.document import decode
album = Artist(Printer([folder("templates")]))(decode(sys.stdin.buffer.read()), sys.argv[1])
pictures = [*album.pictures, *([album.near] if album.near else [])]
print(*(sha256(album.render(one).content).hexdigest() for one in pictures))
"""


@pytest.mark.parametrize("one", sampled(product(["C", "tr_TR.UTF-8"], GAMES), 2, "-".join))
def test_the_machine_s_language_and_fonts_change_nothing(
    one: tuple[str, str], tmp_path: Path
) -> None:
    """As on a machine without any font: no folder of fonts can be found."""
    language, game = one
    from hashlib import sha256

    document = crowded("hex") if game == "jump_wars" else list(played(game))[-1]
    document = {**document, "seat": "red"}
    album = Artist(PRINTER)(document, game)
    assert album.near
    pictures = [*album.pictures, album.near]
    here = [sha256(album.render(one).content).hexdigest() for one in pictures]
    env = {
        "PATH": os.environ["PATH"],
        "LC_ALL": language,
        "LANG": language,
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "XDG_DATA_DIRS": str(tmp_path),
        "FONTCONFIG_PATH": str(tmp_path),
        "FONTCONFIG_FILE": str(tmp_path / "none"),
        "PYTHONHASHSEED": "5",
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    command = [sys.executable, "-c", PROGRAM, game]
    done = subprocess.run(command, input=encode(document), env=env, capture_output=True, check=True)
    assert done.stdout.decode().split() == here


def test_letters_are_drawn_whatever_font_is_asked_for() -> None:
    blank = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30">%s</svg>'
    text = '<text y="9" fill="#fff" font-family="No Such Font, sans-serif">R3</text>'
    assert render_png(blank % text) == render_png(
        blank % text.replace("No Such Font, sans-serif", FONT)
    )
    assert render_png(blank % text) != render_png(blank % "")


def mail_of(document: Any, site: str = "", **wanted: Any) -> EmailMessage:
    writer = MimeWriter(PRINTER, FolderLibrary(), Artist(PRINTER), site)
    report = letter(kind="report", template="report/1", number=9)
    return read(writer.write_letter(report, document, heading(**wanted)))


def test_a_mail_brings_its_pictures_and_shows_them_by_name() -> None:
    document = {**crowded("square"), "sections": [{"title": "Map", "lines": ["a"], "words": ["b"]}]}
    _, related = mail_of(document).iter_parts()
    page, *pictures = related.iter_parts()
    assert [one.get_content_type() for one in pictures] == ["image/png"] * len(pictures) != []
    shown = re.findall(r'<img [^>]*src="cid:([^"]+)" alt="([^"]+)"', page.get_content())
    assert [f"<{name}>" for name, _ in shown] == [one["Content-ID"] for one in pictures]
    assert all(len(alt) > 40 for _, alt in shown)
    plain = mail_of(document, pictures=False)
    assert [part.get_content_type() for part in plain.iter_parts()] == ["text/plain", "text/html"]


def test_an_archive_holds_the_pictures_beside_the_page_that_shows_them() -> None:
    document = {**crowded("hex"), "sections": [{"title": "Map", "lines": ["a"], "words": ["b"]}]}
    made = Texts(PRINTER, FolderLibrary().kind("jump-wars"))(document)
    files = re.findall(r'<img [^>]*src="([^"]+)"', made["report.html"].decode())
    assert sorted(files) == sorted(name for name in made if name.endswith(".svg")) != []
    assert made["map.svg"].decode() == drawn(document)["map"].content.decode()
    assert '<link rel="stylesheet" href="report.css">' in made["report.html"].decode()
    assert "<style" not in made["report.html"].decode()
    assert b"prefers-color-scheme: dark" in made["report.css"]


def test_what_all_readers_of_a_step_see_is_there_once() -> None:
    texts = Texts(PRINTER, FolderLibrary().kind("jump-wars"))
    document = {**crowded("hex"), "sections": [{"title": "Map", "lines": ["a"], "words": ["b"]}]}
    above = texts(document)
    assert {"map.svg", "turns.svg", "report.css"} < set(above)
    below = texts({**document, "seat": "red", "headline": "Hello, red"}, above)
    assert set(below) == {"report.html", "report.txt"}
    page = below["report.html"].decode()
    assert set(re.findall(r'(?:src|href)="([^"]+)"', page)) == {f"../{name}" for name in SHARED}
    # a picture that only its reader may see stands in the reader's folder
    fleets = {**document["position"]["fleets"], "red": {"A1": 99}}
    own = texts({**document, "position": {**document["position"], "fleets": fleets}}, above)
    assert set(own) == {"report.html", "report.txt", "map.svg"}
    assert 'src="map.svg"' in own["report.html"].decode()
    assert 'src="../turns.svg"' in own["report.html"].decode()


SHARED = ("map.svg", "report.css", "turns.svg")


def test_the_ring_shows_every_planet_with_its_codes_and_what_lies_there() -> None:
    for document in played("jump_gate"):
        position = document["position"]
        said = words(drawn(document, "jump_gate")["ring"])
        for planet in position["ring"]:
            codes = position["planets"][planet]["codes"]
            assert planet.replace("-", " ").title() in said
            assert (
                f"J{codes['jump']} S{codes['scan']} L{codes['land'][0]},{codes['land'][1]}" in said
            )
        markers = sum(position["black_hole"].values())
        assert f"{markers}/{position['black_hole_end']}" in said
        claims = [site["claim"] for site in position["planets"].values() if site["claim"]]
        ships = list(position["ships"])
        for seat in ships:
            times = claims.count(seat) + 2  # its ship, its row
            marks = [
                site["marks"] for site in position["planets"].values() if seat in site["marks"]
            ]
            assert said.count(seat[0].upper()) >= times + len(marks)


def test_moves_are_arrows_on_the_ring() -> None:
    moved = [one for one in played("jump_gate") if one["position"]["moves"]]
    assert moved
    for document in moved:
        heads = drawn(document, "jump_gate")["ring"].content.decode().count("<polygon")
        assert heads == 2 * len(document["position"]["moves"]) + 1, "and one in the legend"


def test_the_ring_explains_its_signs_and_says_who_is_next() -> None:
    for document in list(played("jump_gate"))[::5]:
        position = document["position"]
        said = words(drawn(document, "jump_gate")["ring"])
        legend = {"gem: white, red, blue", "energel: light, dark", "water", "fame", "sand"}
        assert {*legend, "J · S · L", "codes to jump, scan, land"} <= set(said)
        assert (f"moves of {document['turn']}" in said) == bool(position["moves"])
        asked = (position["awaiting"] or {}).get("asked") or [position["active"]]
        begins = [one for one in said if one.startswith(f"{', '.join(asked)} ")]
        assert len(begins) == (0 if document["over"] else 1)
        if begins and not position["awaiting"]:
            left = f"plays turn {position['turn']} next: {position['actions_left']} action"
            assert left in begins[0]


def test_empires_show_the_race_and_what_each_card_brings() -> None:
    said = words(drawn(empires(12), "jump_drive")["empires"])
    assert {"R0", "B17", "G34", "Y51"} <= set(said)
    assert said.count("Old World 11") == 4
    assert said.count("11") == 4, "its VP, in each empire"
    assert said.count("51") == 4, "its cost"
    assert len(render_png(drawn(empires(25), "jump_drive")["empires"].content.decode())) < MOST
    assert words(drawn(empires(0), "jump_drive")["empires"]).count("no cards yet") == 4


def test_empires_stand_side_by_side_where_they_are_long() -> None:
    long, short = (drawn(empires(n), "jump_drive")["empires"] for n in (12, 2))
    root = ElementTree.fromstring(long.content.decode())
    tops = [text.get("y") for text in root.iter() if "".join(text.itertext()) in SEATS[:4]]
    assert len(tops) == 4
    assert len(set(tops)) == 2
    assert long.height < 2 * short.height


def test_the_race_alone_stands_for_a_game_in_lists() -> None:
    thumb = draw_thumb(PRINTER, empires(12), "jump_drive")
    assert thumb is not None
    assert {"R0", "B17", "G34", "Y51", "50"} <= set(words(thumb))
    assert "Old World 1" not in words(thumb)
    assert thumb.height < 330
    assert "empires.thumb.svg" not in PRINTER.pictures("jump_drive")


@pytest.mark.parametrize(
    ("name", "game", "room"), [("map", "jump_wars", 32), ("ring", "jump_gate", 73)]
)
def test_a_board_alone_stands_for_a_game_in_lists(name: str, game: str, room: int) -> None:
    """All spaces are seen, and no words below that explain them."""
    document = crowded("hex") if name == "map" else next(iter(played(game)))
    thumb, whole = draw_thumb(PRINTER, document, game), drawn(document, game)[name]
    assert thumb is not None
    assert thumb.height < whole.height - 100
    root = ElementTree.fromstring(thumb.content.decode())
    _, top, _, high = map(float, str(root.get("viewBox")).split())
    middles = [
        float(str(one.get("transform")).rstrip(")").split()[1])
        for one in root.iter()
        if one.get("data-space")
    ]
    assert top < min(middles) - room
    assert max(middles) + room < top + high
    below = [
        text.get("y")
        for text in root.iter()
        if (text.text or "").startswith(("homeworld", "water"))
    ]
    assert below
    assert all(float(str(y)) - 24 > top + high for y in below)
