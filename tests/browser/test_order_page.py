"""The page on which orders are chosen: what it makes is taken, and no address of it can harm."""

import json
import random
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import adjudicator
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.order_page import (
    collect_page_data,
    link_order_page,
    list_pages,
    render_order_page,
)
from adjudicator.adapters.render.printer import Printer
from adjudicator.core.document import encode
from adjudicator.core.finding import Grade
from adjudicator.library.game import GameState
from tests.browser.showing import PHONE, SCHEMES, SMALL, WIDEST, Shown

PRINTER = Printer(FolderLibrary().templates())
KINDS = list_pages(PRINTER)
ADDRESS, SUBJECT = "games@example.org", "[ember] Your turn"
WRONG = (Grade.UNREADABLE, Grade.REFUSED)
Position = tuple[GameState, str, dict[str, Any]]


def describe(game: GameState, seat: str) -> dict[str, Any]:
    """A report's document with its key, as its reader has it."""
    document: dict[str, Any] = json.loads(encode(game.report(seat).document))
    document["form"]["envelope"]["key"] = "7f3k-q2mx"
    return document


def list_positions(kind: str, games: int, every: int) -> Iterator[Position]:
    """Some of the positions of games by bots and random play, for somebody who owes orders."""
    own = adjudicator.load(kind)
    for seed in range(games):
        options = {"interrupts": "ask"} if "jump-gate" in kind and seed % 2 == 0 else {}
        game, chance = own.new(seed=seed, seats=3, options=options), random.Random(seed)
        while not game.over and game.number < 60:
            orders = {}
            for number, seat in enumerate(game.due):
                if (game.number + number) % every == 0:
                    data = collect_page_data(describe(game, seat), ADDRESS, SUBJECT)
                    assert data is not None, "every form of this kind offers choices"
                    yield game, seat, dict(data)
                wild = chance.random() < 0.3
                orders[seat] = game.legal(seat, seed * 99 + number) if wild else game.bot(seat)
            game = game.close(orders)


def pack(data: Any) -> str:
    """Any data behind the # of an address, also such as no letter has."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = squeezer.compress(json.dumps(data).encode()) + squeezer.flush()
    return urlsafe_b64encode(packed).decode().rstrip("=")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site")
    for kind in KINDS:
        (made / f"{kind}.html").write_bytes(render_order_page(PRINTER, kind))
    return made


def open_page(shown: Shown, folder: Path, kind: str, fragment: str) -> None:
    shown.page.goto("about:blank")
    shown.page.goto(f"{(folder / f'{kind}.html').as_uri()}#{fragment}")
    shown.page.wait_for_selector("#bar:visible, #trouble:not(:empty)")


def write_text(shown: Shown, text: str) -> None:
    """What somebody writes who would rather see the block."""
    shown.page.evaluate("document.getElementById('as-text').open = true")
    shown.page.fill("#text", text)


def read_orders(shown: Shown) -> str:
    """The block as it would be sent, without its head."""
    block = str(shown.page.input_value("#text"))
    return "\n".join(block.splitlines()[4:])


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_tapped_the_orders_that_come_of_it_are_taken(
    kind: str, shown: Shown, folder: Path
) -> None:
    chance, complete = random.Random(kind), 0
    for game, seat, data in islice(list_positions(kind, 2, 9), 12):
        open_page(shown, folder, kind, pack(data))
        for _ in range(8):
            able = shown.page.query_selector_all("#board button:not(:disabled), #orders button")
            chance.choice(able).click()
            if shown.page.inner_text("#outlook").strip().endswith("Complete."):
                complete += 1
                orders = read_orders(shown)
                found = [one for one in game.check(seat, orders) if one.grade in WRONG]
                assert found == [], (game.step, orders)
    assert complete > 20
    assert [one for one in shown.said if one.startswith("from elsewhere")] == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_letter_has_the_block_and_fits_into_a_link(
    kind: str, shown: Shown, folder: Path
) -> None:
    game, seat, data = next(list_positions(kind, 1, 1))
    open_page(shown, folder, kind, pack(data))
    write_text(shown, read_block(data, "pass: yes"))
    href = urlsplit(str(shown.page.get_attribute("#send", "href")))
    assert (href.scheme, href.path) == ("mailto", ADDRESS)
    said = parse_qs(href.query)
    assert said["subject"] == [f"Re: {SUBJECT}"]
    lines = said["body"][0].split("\r\n")
    assert lines[:4] == [f"{key}: {value}" for key, value in data["envelope"].items()]
    assert "pass: true" in lines
    assert [one for one in game.check(seat, "\n".join(lines[4:])) if one.grade in WRONG] == []
    shown.page.evaluate("document.getElementById('more').open = true")
    shown.page.fill("#press-text", "A longer message. " * 120)
    assert shown.page.get_attribute("#send", "href") is None
    assert "too long for a link" in shown.page.inner_text("#note")


def read_block(data: dict[str, Any], orders: str) -> str:
    head = "".join(f"{key}: {value}\n" for key, value in data["envelope"].items())
    return f"{head}{orders}\n# end of orders\n"


@pytest.mark.parametrize("kind", KINDS)
def test_text_is_read_back_and_what_cannot_be_read_is_sent_as_it_stands(
    kind: str, shown: Shown, folder: Path
) -> None:
    again = 0
    for game, seat, data in islice(list_positions(kind, 1, 7), 6):
        open_page(shown, folder, kind, pack(data))
        own = data["orders"] or game.bot(seat)
        lines = "\n".join(f"{key}: {json.dumps(one)}" for key, one in own.items())
        shown.page.evaluate("document.activeElement.blur()")
        shown.page.click("#as-text summary")
        shown.page.fill(
            "#text", read_block(data, f"{lines}\npress: [{{to: all, text: 'It''s on'}}]")
        )
        assert "It's on" in shown.page.inner_text("#outlook")
        assert shown.page.inner_text("#note") == ""
        again += 1
    assert again > 2
    write_text(shown, "build: [what")
    assert "sent as you wrote it" in shown.page.inner_text("#note")
    body = parse_qs(urlsplit(str(shown.page.get_attribute("#send", "href"))).query)["body"]
    assert body == ["build: [what"]


HOSTILE = (
    '"><img src=x onerror=alert(1)>',
    "</script><script>alert(1)</script>",
    "javascript:alert(1)",
)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_in_the_address_runs_or_reaches_anybody(
    kind: str, shown: Shown, folder: Path
) -> None:
    alarms: list[str] = []
    shown.page.on("dialog", lambda one: (alarms.append(one.message), one.dismiss()))
    _, _, data = next(list_positions(kind, 1, 1))
    for evil in HOSTILE:
        open_page(shown, folder, kind, pack(poison(data, evil)))
        assert shown.page.query_selector("#board img, #board script, #orders script") is None
    for key in ("address", "envelope", "choices", "position", "form", "kind"):
        for value in (HOSTILE[0], None, [], {"game": HOSTILE[1]}):
            open_page(shown, folder, kind, pack({**data, key: value}))
            href = shown.page.get_attribute("#send", "href")
            assert href is None or href.startswith(f"mailto:{ADDRESS}?subject=")
    for fragment in ("", "%", "AAAA", "x" * 9000, pack({"__proto__": {"x": 1}}), pack([]), BOMB):
        open_page(shown, folder, kind, fragment)
        assert "cannot read its address" in shown.page.inner_text("#trouble")
    assert alarms == []
    assert [one for one in shown.said if one.startswith("from elsewhere")] == []


BOMB = pack("a" * 50_000_000)


def poison(value: Any, evil: str, key: str = "") -> Any:
    """The same data with hostile words in place of every text but those that are checked."""
    if isinstance(value, dict):
        checked = ("kind", "address", "envelope", "form")
        return {name: one if name in checked else poison(one, evil) for name, one in value.items()}
    if isinstance(value, list):
        return [poison(one, evil) for one in value]
    return f"{value}{evil}" if isinstance(value, str) else value


@pytest.mark.parametrize("kind", KINDS)
def test_it_works_by_keyboard_alone(kind: str, shown: Shown, folder: Path) -> None:
    _, _, data = next(list_positions(kind, 1, 1))
    open_page(shown, folder, kind, pack(data))
    reached = set()
    for _ in range(200):
        shown.page.keyboard.press("Tab")
        here = shown.page.evaluate("document.activeElement.id || document.activeElement.tagName")
        reached.add(here)
        if here == "BUTTON":
            shown.page.keyboard.press("Enter")
        if here == "copy":
            break
    assert {"BUTTON", "SUMMARY", "copy"} <= reached


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_stumbles_on_it(kind: str, shown: Shown, folder: Path) -> None:
    seen = set()
    for _, _, data in list_positions(kind, 1, 9):
        if data["form"] in seen:
            continue
        seen.add(data["form"])
        open_page(shown, folder, kind, pack(data))
        for scheme in SCHEMES:
            for width in (SMALL, PHONE, WIDEST):
                shown.at(width, scheme)
                assert shown.faults() == []
            assert shown.stumbles() == []
    assert len(seen) > 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_small_and_its_address_is_short(kind: str, folder: Path) -> None:
    assert (folder / f"{kind}.html").stat().st_size < 60_000
    tried = 0
    for game, seat, _ in list_positions(kind, 3, 3):
        link = link_order_page(describe(game, seat), "https://games.example.org", ADDRESS, SUBJECT)
        assert link.startswith(f"https://games.example.org/orders/{kind}.html#")
        assert len(link.partition("#")[2]) <= 6_000
        tried += 1
    assert tried > 10


def test_jumps_are_judged_as_the_rules_judge_them(shown: Shown, folder: Path) -> None:
    """The page and the receipt find the same of a list's orders to fail, whatever they are."""
    seen, chance = {True: 0, False: 0}, random.Random(3)
    for game, seat, data in list_positions("jump-wars", 2, 6):
        if data["form"] != "jump":
            continue
        open_page(shown, folder, "jump-wars", pack(data))
        for _ in range(6):
            orders = draw_jumps(data, chance)
            told = shown.page.evaluate(
                "([data, orders]) => judge(game.prepare(data), orders)", [data, orders]
            )
            bad = {
                one.path for one in game.check(seat, orders) if one.grade is not Grade.UNREADABLE
            }
            for n, fault in enumerate(told["jumps"]):
                assert bool(fault) is (("jump", n) in bad), (game.step, orders, fault)
                seen[bool(fault)] += 1
    assert min(seen.values()) > 30, seen


def draw_jumps(data: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Jumps as somebody might order them who does not know the rules."""
    own = list(data["position"]["fleets"].get(data["seat"], {})) or ["A1"]
    raises = [card for card in data["position"]["hand"] if card in ("jump", "command", "logistics")]
    jumps = []
    for _ in range(1 + chance.randrange(4)):
        source = chance.choice(own)
        column, row = "ABCDEFGHIJ".index(source[0]), int(source[1:])
        near = (column + chance.randint(-2, 2)) % 10, (row + chance.randint(-2, 2) - 1) % 10 + 1
        number = chance.choice([1, 1, 2, 5, 9])
        jumps.append(f"{source}-{'ABCDEFGHIJ'[near[0]]}{near[1]} x{number}")
    form: dict[str, Any] = {"jump": jumps}
    return {**form, "cutting_edge": raises[:1]} if raises and chance.random() < 0.5 else form


def test_actions_are_judged_as_the_rules_judge_them(shown: Shown, folder: Path) -> None:
    """The page and the receipt agree on the first action of a list that is not legal."""
    seen, chance = {True: 0, False: 0}, random.Random(5)
    for game, seat, data in islice(list_positions("jump-gate", 2, 2), 16):
        if data["form"] != "turn":
            continue
        open_page(shown, folder, "jump-gate", pack(data))
        tried = [{"actions": draw_actions(data, chance)} for _ in range(60)]
        found = shown.page.evaluate(
            "([data, tried]) => tried.map((one) => judge(data, one).faults)", [data, tried]
        )
        for orders, faults in zip(tried, found, strict=True):
            refused = [one.path for one in game.check(seat, orders) if one.grade in WRONG]
            first = [("actions", n) for n, fault in enumerate(faults) if fault]
            assert first == refused, (game.step, data["position"], orders, faults)
            seen[bool(first)] += 1
    assert min(seen.values()) > 30, seen


def draw_actions(data: dict[str, Any], chance: random.Random) -> list[dict[str, Any]]:
    """Two actions as somebody might write them who names every card but does not know the rules."""
    hand, ring = list(data["position"]["hand"]), data["position"]["ring"]
    chance.shuffle(hand)
    here = data["position"]["ships"][data["seat"]]["at"]
    actions: list[dict[str, Any]] = []
    for _ in range(2):
        do = chance.choice(["fly", "jump", "jump", "scan", "land", "harvest", "research"])
        cards = [hand.pop() for _ in range(min(len(hand), 2 if do == "land" else 1))]
        if do != "fly" and len(cards) < (2 if do == "land" else 1):
            break
        target = chance.choice(ring)
        offer = data["position"]["planets"].get(here, {}).get("face_up", [])
        take = {"take": [chance.choice(offer)]} if do == "harvest" and offer else {}
        actions.append(
            {
                "fly": {"do": "fly", "to": target},
                "jump": {"do": "jump", "to": target, "card": cards[:1] and cards[0]},
                "scan": {"do": "scan", "card": cards[:1] and cards[0]},
                "land": {"do": "land", "cards": cards},
                "harvest": {"do": "harvest", "card": cards[:1] and cards[0], **take},
                "research": {"do": "research", "discard": cards},
            }[do]
        )
        if do in ("fly", "jump"):
            here = target
    return actions or [{"do": "research"}]
