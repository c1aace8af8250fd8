"""The page on which orders are chosen: what it makes is taken, and no address of it can harm."""

import json
import random
import re
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from adjudicator.adapters.render.order_page import link_order_page
from adjudicator.adapters.yaml.reader import parse_yaml
from adjudicator.core.forms.reading import Text
from tests.browser.order_pages import (
    ADDRESS,
    KINDS,
    SUBJECT,
    WRONG,
    Data,
    describe,
    list_forms,
    list_positions,
    open_page,
    open_part,
    pack,
    read_block,
    read_orders,
    write_pages,
    write_text,
)
from tests.browser.showing import PHONE, SCHEMES, SMALL, WIDEST, Shown


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pages(tmp_path_factory.mktemp("site"))


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


ODD = (
    "jump: C4-D5 x3, A1-B2 all",
    "jump:\n  - from: A1\n    to: B2  # home\n    fleets: 3\n  -   C4-D5 x1",
    "jump:\n- {from: A1,\n   to: B2, fleets: all}\nfight: {targets: [blue]}",
    "build: MAX\ntech:\n  advance:\n  - jump\n  pair: 'attack'",
    'build:\n- A1 x2\n- {at: "C4", fleets: max}',
    "trade:\n- with: blue\n  give:\n    rt: 05\n    cards: [attack, jump]",
    "homeworld: [A1, j10]\nstanding:\n  reveal: pass",
    "development: survey-team\npay:\n- genetics-lab\n- genetics-lab",
    "explore: Yes\ndiscard: auto",
    "actions: [fly to anno, research]",
    "actions:\n  - do: jump\n    to: anno\n  - do: research\n    discard: [n02]\nend: on",
    "collect: fame, water",
    "mark:\n- 'fame'\n- none\nstanding: {collect: [fame], black_hole: avoid}",
    'press:\n- to: all\n  text: |\n    Hello: "you"\n    # all of you\n\n    Bye.\nready: no',
    "press: [{to: blue, text: 'It''s on # now'}, {to: all, text: \"tab\\tand \\u00e4\"}]",
    "ahead:\n- if: {card: [n29]}\n  pass: yes\n-  pass: true\nvote: draw",
    "move-homeworld: B2\n\n# a comment\nfinal: {discard: [trade]}",
    "__proto__: {polluted: yes}\nconstructor: {prototype: {polluted: yes}}\npass: yes",
)
"""Orders as people write them."""
UNREADABLE = ("build: [what", "build: &a 3", "\tbuild: 3", "build: 3\nbuild: 4", "press: Hi all")


@pytest.mark.parametrize("kind", KINDS)
def test_what_people_write_means_the_same_when_the_page_has_read_it(
    kind: str, shown: Shown, folder: Path
) -> None:
    for number, (game, seat, data) in enumerate(list_forms(kind, 2)):
        open_page(shown, folder, kind, pack(data))
        for part in ("as-text", "more"):
            open_part(shown, part)
        real = [*lay_out(game.bot(seat)), *lay_out(game.legal(seat, 5))]
        for orders in (*real, *(ODD if number == 0 else ())):
            typed = read_block(data, orders).replace("\n", "\r\n")
            shown.page.fill("#text", typed)
            assert shown.page.inner_text("#note") == "", orders
            for _ in range(2):  # so that the page writes the block anew
                shown.page.click("#wait")
            again = shown.page.input_value("#text")
            assert find_meaning(again) == find_meaning(typed)
    assert shown.page.evaluate("({}).polluted") is None


def lay_out(orders: Data) -> list[str]:
    """The same orders in three hands: in one line a key, below each other, and with a flourish."""
    lines = [f"{key}: {json.dumps(one)}" for key, one in orders.items()]
    below = "\n".join(lay_below(orders, 0))
    return ["\n".join(lines) or "pass: yes", below or "pass: yes", "\n\n".join(reversed(lines))]


def lay_below(value: Any, depth: int) -> list[str]:
    """Keys and entries below each other, each set in by two."""
    margin, lines = " " * depth, []
    for key, one in value.items():
        if isinstance(one, dict):
            lines += [f"{margin}{key}:", *lay_below(one, depth + 2)]
        elif isinstance(one, list):
            lines.append(f"{margin}{key}:")
            for entry in one:
                keyed = isinstance(entry, dict)
                first, *rest = lay_below(entry, depth + 4) if keyed else [str(entry)]
                lines += [f"{margin}  - {first.strip()}", *rest]
        else:
            lines.append(f"{margin}{key}: {json.dumps(one)}  # so")
    return lines


SAME = {"yes": "true", "on": "true", "no": "false", "off": "false"}


def find_meaning(block: str) -> Any:
    """What the server's own reader finds in a block, one word for each yes and no."""
    text = parse_yaml(block)
    assert isinstance(text, Text), text
    return settle(text.value)


def settle(value: Any) -> Any:
    if isinstance(value, dict):
        return {key.replace("-", "_"): settle(one) for key, one in value.items()}
    if isinstance(value, list):
        return [settle(one) for one in value]
    return SAME.get(str(value).casefold(), str(value).strip()) if value else ""


def test_what_cannot_be_read_is_sent_as_it_stands(shown: Shown, folder: Path) -> None:
    _, _, data = next(list_positions("jump-wars", 1, 1))
    open_page(shown, folder, "jump-wars", pack(data))
    for orders in UNREADABLE:
        typed = read_block(data, orders)
        for text in (typed, orders):
            write_text(shown, text)
            assert "sent as you wrote it" in shown.page.inner_text("#note")
            body = parse_qs(urlsplit(str(shown.page.get_attribute("#send", "href"))).query)["body"]
            assert body == [text.replace("\n", "\r\n")]


def test_several_of_a_kind_are_chosen_one_after_the_other(shown: Shown, folder: Path) -> None:
    """Trades, sabotage and nova bombs of Jump Wars, by one who has the abilities."""
    forms = {}
    for game, seat, data in list_positions("jump-wars", 2, 3):
        if len(set(data["position"]["hand"])) > 1 and len(data["choices"]["seats"]) > 2:
            forms.setdefault(data["form"], (game, seat, data))
    for form in ("plan", "jump"):
        game, seat, data = forms[form]
        data["position"]["specials"][seat] = ["sabotage", "nova-bombs"]
        others = [one for one in data["choices"]["seats"] if one != seat]
        open_page(shown, folder, "jump-wars", pack(data))
        select = shown.page.select_option
        if form == "plan":
            select("[data-name='Trade with']", others[0])
            select("[data-name='Trade 2 with']", others[1])
            select("[data-name='You give 2: tokens']", "3")
            select("[data-name='Discard']", index=1)
            select("[data-name='Discard 2']", index=1)
            select("[data-name='To remove a fleet of 2']", index=1)
        else:
            place = shown.page.locator("[data-name^='Nova bombs at']").first
            place.select_option("1")
        orders = read_orders(shown)
        assert [one for one in game.check(seat, orders) if one.grade in WRONG] == []
        written = settle(parse_yaml(orders).value)
        if form == "plan":
            first, second = written["trade"]
            assert (first["with"], second) == (others[0], {"with": others[1], "give": {"rt": "3"}})
            assert len(written["sabotage"]) == 2
            select("[data-name='Trade with']", "")
            assert settle(parse_yaml(read_orders(shown)).value)["trade"] == [second]
        else:
            assert [one["ships"] for one in written["fight"]["nova_bombs"]] == ["1"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "jump-drive"])
def test_standing_orders_are_chosen_too(kind: str, shown: Shown, folder: Path) -> None:
    game, seat, data = next(list_positions(kind, 1, 1))
    open_page(shown, folder, kind, pack(data))
    open_part(shown, "standing-orders")
    for button in range(0, len(shown.page.query_selector_all("#keep button")), 3):
        shown.page.click(f"#keep button >> nth={button}")
    shown.page.select_option("#keep select", index=1)
    orders = read_orders(shown)
    assert "standing: {" in orders
    assert [one for one in game.check(seat, f"{orders}\npass: yes") if one.grade in WRONG] == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_chosen_outlives_a_reload_until_a_newer_letter_comes(
    kind: str, shown: Shown, folder: Path
) -> None:
    """A phone that shows the mail program for a while may forget the page."""
    _, _, data = next(list_positions(kind, 1, 1))
    open_page(shown, folder, kind, pack(data))
    first = read_orders(shown)
    open_part(shown, "more")
    shown.page.fill("#press-text", "Shall we leave each other in peace?")
    shown.page.check("#wait")
    chosen = read_orders(shown)
    shown.page.reload()
    shown.page.wait_for_selector("#bar:visible")
    assert read_orders(shown) == chosen != first
    shown.page.click("#undo")
    assert read_orders(shown) == first
    newer = {**data, "envelope": {**data["envelope"], "after": 1}}
    open_page(shown, folder, kind, pack(newer))
    assert read_orders(shown) == first


def list_lines(shown: Shown) -> list[str]:
    return re.findall(r"Homeworld at [A-J]\d+", shown.page.inner_text("#orders"))


def drag_with_mouse(shown: Shown, start: tuple[float, float], end: tuple[float, float]) -> None:
    shown.page.mouse.move(*start)
    shown.page.mouse.down()
    shown.page.mouse.move(*end, steps=3)
    shown.page.mouse.up()


def drag_with_thumb(shown: Shown, start: tuple[float, float], end: tuple[float, float]) -> None:
    hand = shown.page.context.new_cdp_session(shown.page)
    middle = (start[0], (start[1] + end[1]) / 2)
    for kind, at in (("Start", start), ("Move", middle), ("Move", end), ("End", None)):
        points = [{"x": at[0], "y": at[1]}] if at else []
        hand.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})


@pytest.mark.parametrize("drag", [drag_with_mouse, drag_with_thumb])
def test_lines_are_put_in_order_by_dragging_and_by_a_button(
    drag: Any, shown: Shown, folder: Path
) -> None:
    _, _, data = next(list_positions("jump-wars", 1, 1))
    assert data["form"] == "homeworlds"
    open_page(shown, folder, "jump-wars", pack(data))
    shown.at(PHONE)
    spaces = data["choices"]["free"][:3]
    for space in spaces:
        shown.page.select_option("#board select", value=space)
    lines = [f"Homeworld at {space}" for space in spaces]
    grips = shown.page.locator("#orders .grip")
    grips.nth(1).evaluate("one => one.scrollIntoView({block: 'center'})")
    boxes = [grips.nth(n).bounding_box() or {} for n in range(3)]
    places = [(box["x"] + 20, box["y"] + 20) for box in boxes]
    drag(shown, places[0], (places[2][0], places[2][1] + 25))
    assert list_lines(shown) == [lines[1], lines[2], lines[0]]
    drag(shown, places[2], (places[0][0], places[0][1] - 25))
    assert list_lines(shown) == lines
    shown.page.click("#orders button:text-is('Up') >> nth=1")
    assert list_lines(shown) == [lines[0], lines[2], lines[1]]
    shown.page.click("#undo")
    assert list_lines(shown) == lines
    assert f"homeworld: [{', '.join(spaces)}]" in read_orders(shown)


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
    for key in ("address", "envelope", "choices", "position", "form", "kind", "orders", "ahead"):
        for value in (None, [HOSTILE[0]], {"game": HOSTILE[1]}):
            open_page(shown, folder, kind, pack({**data, key: value}))
            href = shown.page.get_attribute("#send", "href")
            assert href is None or href.startswith(f"mailto:{ADDRESS}?subject=")
    broken = ("", "%", "AAAA", "x" * 9000, pack({"__proto__": {"x": 1}}), pack([]), BOMB)
    for fragment in (*broken, *cut(data)):
        open_page(shown, folder, kind, fragment)
        assert "cannot read its address" in shown.page.inner_text("#trouble")
    for where in (data, data["choices"], data["position"], data["envelope"]):
        where["__proto__"] = {"polluted": "yes"}
        where["constructor"] = {"prototype": {"polluted": "yes"}}
    open_page(shown, folder, kind, pack({**data, "orders": {"__proto__": {"polluted": "yes"}}}))
    assert shown.page.evaluate("({}).polluted || [].polluted") is None
    assert alarms == []
    assert [one for one in shown.said if one.startswith("from elsewhere")] == []


BOMB = pack("a" * 50_000_000)


def cut(data: Data) -> list[str]:
    """An address that lost its end, and those of other pages."""
    whole, others = pack(data), [kind for kind in KINDS if kind != data["kind"]]
    forms = ("constructor", "__proto__", "")
    return [
        *(whole[: len(whole) * part // 4] for part in (1, 2, 3)),
        *(pack({**data, "kind": kind}) for kind in others),
        *(pack({**data, "form": form}) for form in forms),
    ]


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
    forms = list(list_forms(kind, 1))
    for _, _, data in forms:
        open_page(shown, folder, kind, pack(data))
        for part in ("more", "later", "standing-orders", "as-text"):
            open_part(shown, part)
        for scheme in SCHEMES:
            for width in (SMALL, PHONE, WIDEST):
                shown.at(width, scheme)
                assert shown.faults() == []
            assert shown.stumbles() == []
    assert forms


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
