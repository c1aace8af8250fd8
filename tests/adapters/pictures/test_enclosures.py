"""Mails bring their reader's part of a picture, the whole where it fits, and are not heavy."""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from io import BytesIO
from statistics import median
from typing import Any
from urllib.parse import unquote

import pytest
from PIL import Image, ImageChops

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.mail.outbound.letter import MimeWriter
from adjudicator.adapters.render.board import Board
from adjudicator.adapters.render.png import _SHARP, Artist, _draw
from adjudicator.core.document import decode
from tests.adapters.pictures.positions import crowded, empires
from tests.adapters.pictures.test_pictures import PRINTER
from tests.adapters.test_mime import heading, letter, read
from tests.played import list_records, unpack_game

SITE = "https://games.example.org"
WANTED = 90_000
"""Bytes of a mail, in the middle of a game's."""
MOST = 140_000
"""Of one of eight players who has nothing left, and sees the whole map."""
MAP = {
    "title": "Map",
    "lines": ["Signs", "", "   A   B", " 1 .r3 .", " 2 .   +"],
    "words": ["Homeworlds: red A1."],
}
FORM = {
    "envelope": {"game": "ember", "step": "12-jump", "key": "7f3k", "after": None},
    "orders": {},
    "comments": ["Orders"],
    "prefill": False,
}
BOARD = Board(columns="ABCDEFGHIJ", rows=10, left=46, top=82, wide=66, tall=66)


def mail_of(document: Any, site: str = "") -> bytes:
    writer = MimeWriter(PRINTER, FolderLibrary(), Artist(PRINTER), site)
    report = letter(kind="report", template="report/1", seat=document["seat"], number=9)
    return writer.write_letter(report, document, heading(kind=document["game"]["kind"]))


def names_of(mail: EmailMessage) -> list[str]:
    return [
        str(part.get_filename()) for part in mail.walk() if part.get_content_maintype() == "image"
    ]


def page_of(mail: EmailMessage) -> str:
    page = mail.get_body(("html",))
    assert page is not None
    content: str = page.get_content()
    return content


def own_reports(game: str, every: int) -> Iterator[Any]:
    """Reports of one seat after the other, through a game as played."""
    steps = sorted((unpack_game(game) / "steps").iterdir())
    for number, step in enumerate(steps[2::every]):
        papers = sorted(step.glob("*/report.json"))
        yield decode(papers[number % len(papers)].read_bytes())


def test_with_a_site_a_mail_brings_the_reader_s_part_and_leads_to_the_whole() -> None:
    document = {**crowded("hex"), "seat": "red", "sections": []}
    mail = read(mail_of(document, SITE))
    assert names_of(mail) == ["map-near.png"]
    link = f"{SITE}/jump-wars/ember/turn/4.html#12-jump"
    assert page_of(mail).count(f'href="{link}"') == 2, "the picture, and words below it"


def test_without_a_site_the_whole_comes_too_where_it_fits() -> None:
    document = {**empires(2), "seat": "red"}
    document["game"] = {**document["game"], "kind": "jump-drive"}
    mail = read(mail_of(document))
    assert names_of(mail) == ["empires-near.png", "empires.png"]
    assert "The whole stands below." in page_of(mail)


def test_a_whole_that_is_too_large_is_drawn_by_letters() -> None:
    mail = read(mail_of({**crowded("hex"), "seat": "red", "sections": [MAP]}))
    assert names_of(mail) == ["map-near.png"]
    page = page_of(mail)
    assert page.index("<img") < page.index("The whole stands below.") < page.index("The map;")


def test_what_does_not_fit_either_is_had_by_asking() -> None:
    document = {**crowded("hex"), "seat": "red", "sections": [MAP], "form": FORM}
    document["welcome"] = {"title": "Welcome", "lines": ["So much. " * 40] * 80, "words": []}
    mail = read(mail_of(document))
    assert names_of(mail) == ["map-near.png"]
    page = page_of(mail)
    assert "The map;" not in page
    asking = re.search(r'href="(mailto:[^"]+)"[^>]*>Get the whole by mail', page)
    assert asking
    assert unquote(asking[1]).splitlines()[-3:] == ["key: 7f3k", "ask: map", "# end of orders"]


def test_who_asks_for_the_position_alone_gets_the_whole() -> None:
    document = {**crowded("hex"), "seat": "red", "alone": True}
    assert names_of(read(mail_of(document, SITE))) == ["map.png"]
    mail = read(mail_of(document))
    assert "map.png" in names_of(mail)
    assert "map-near.png" not in names_of(mail)


def test_who_has_nothing_on_the_map_sees_the_whole() -> None:
    document = {**crowded("square"), "seat": "red"}
    position = document["position"]
    position["fleets"] = {**position["fleets"], "red": {}}
    mail = read(mail_of(document, SITE))
    assert names_of(mail) == ["map-near.png"], "the homeworld is left"
    assert "You have none at A1." in page_of(mail)
    position["map"] = {**position["map"], "A1": {"home": "blue"}}
    assert names_of(read(mail_of(document, SITE))) == ["map.png"]


def test_the_part_is_cut_out_of_the_whole() -> None:
    document = {**crowded("square"), "seat": "red"}
    document["position"]["fleets"] = {**document["position"]["fleets"], "red": {"C4": 3, "E6": 1}}
    album = Artist(PRINTER)(document, "jump_wars")
    assert album.near
    view = re.search(rb'viewBox="([^"]+)"', album.near.content)
    assert view
    x, y, wide, high = (round(float(one) * _SHARP) for one in view[1].split())
    part = Image.open(BytesIO(album.render(album.near).content)).convert("RGB")
    assert part.size == (wide, high)
    whole = _draw(album.pictures[0].whole.decode(), _SHARP).crop((x, y, x + wide, y + high))
    inside = (round(36 * _SHARP), round(36 * _SHARP), wide, high)
    apart = ImageChops.difference(part.crop(inside), whole.crop(inside)).convert("L")
    assert apart.resize((1, 1), Image.Resampling.BOX).getpixel((0, 0)) in range(3), "colours apart"
    shown = re.findall(r">(\d+|[A-J])</text>", album.near.content.decode())
    assert {"C", "E", "4", "6"} <= set(shown), "columns and rows have their names at the edges"


@pytest.mark.parametrize(
    ("fleets", "expected"),
    [
        ({"A1": 3}, 560),
        ({"A1": 3, "F5": 1}, 560),
        ({"A5": 3, "H6": 1}, 640),
        ({"A5": 1, "J6": 1}, 720),
    ],
)
def test_the_window_is_as_close_as_all_fleets_allow(fleets: dict[str, int], expected: int) -> None:
    x, y, wide, high = BOARD.find_window(fleets, (560, 640, 720), 0.74, 34)
    assert wide == expected
    for across, down in map(BOARD.find, fleets):
        assert x + 34 < across - 30
        assert across + 30 < x + wide
        assert y + 34 < down - 30
        assert down + 30 < y + high


def test_the_window_hides_nothing_of_a_homeworld_in_the_first_row() -> None:
    """The sign of its owner stands 17 px about a point 18 px above its middle."""
    hexes = Board(columns=BOARD.columns, rows=10, left=42, top=94, wide=64, tall=55.3, hexes=True)
    for board in (BOARD, hexes):
        _, y, _, _ = board.find_window({"A1": 5}, (560, 640, 720), 0.74, 34)
        assert y + 34 < board.find("A1")[1] - 18 - 17


def test_the_window_leaves_room_beside_the_last_column() -> None:
    x, _, wide, _ = BOARD.find_window({"J1": 165}, (560, 640, 720), 0.74, 34)
    assert x + wide == 720


def test_the_window_shows_where_most_fleets_are_where_they_are_far_apart() -> None:
    _, y, _, high = BOARD.find_window({"A1": 2, "B10": 9, "J10": 1}, (560, 640, 720), 0.74, 34)
    assert y + high > BOARD.find("B10")[1] + 30
    assert y > BOARD.find("A1")[1]


GAMES = [record.name for record in list_records()]


@pytest.mark.parametrize("game", GAMES)
def test_mails_are_light_through_a_whole_game(game: str) -> None:
    steps = len(list((unpack_game(game) / "steps").iterdir()))
    sizes = [len(mail_of(one, SITE)) for one in own_reports(game, max(2, steps // 4))]
    assert len(sizes) > 2
    assert median(sizes) <= WANTED
    assert max(sizes) <= MOST


@pytest.mark.parametrize("game", GAMES)
def test_mails_are_light_without_a_site(game: str) -> None:
    steps = len(list((unpack_game(game) / "steps").iterdir()))
    sizes = [len(mail_of(one)) for one in own_reports(game, max(2, steps // 4))]
    assert median(sizes) <= WANTED
    assert max(sizes) <= MOST
