"""Replies that hold only lines of orders, as every program writes, quotes and sends them."""

from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any, NamedTuple

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.core.forms.orders_as_text import spell_orders
from adjudicator.core.forms.reading import Text
from tests.adapters.letter import replies
from tests.adapters.letter.sending import letter, page

KIND = FolderLibrary().kind("jump-wars")
SEATS = KIND.seats[:3]
BOTH: dict[str, Any] = {"tech": {"advance": ["jump"]}, "build": 3}
JUMPS = {"jump": ["A1-B2 x3", "C4-D5 all"]}


class Written(NamedTuple):
    """What somebody types, or a telephone makes of it, and the orders in it."""

    form: str
    lines: list[str]
    orders: dict[str, Any]


WRITTEN = (
    Written("plan", ["build: max"], {"build": "max"}),
    Written("plan", ["Hi,", "", "Build: Max", "", "Thanks, Ada"], {"build": "max"}),
    Written("plan", ["build :max", "Steal: Blue"], {"steal": "blue", "build": "max"}),
    Written("plan", ["* build: 3", "* tech: {advance: jump}"], BOTH),
    Written("plan", ["\u2022 Build 3", "\u2022 Tech: advance \u201cjump\u201d"], BOTH),
    Written("plan", ["1. build: 3", "2) tech: advance jump"], BOTH),
    Written("plan", ["\u2192 build: 3", "\u2705 tech: advance jump"], BOTH),
    Written("plan", ["\u00a7 Build 3", "o Tech: advance jump"], BOTH),
    Written("plan", ["build: 3; tech: advance jump"], BOTH),
    Written("jump", ["A1 \u2013 B2 x 3", "C4 \u2014 D5 all"], JUMPS),
    Written("jump", ["A1\u2192B2 \u00d73, C4\u2192D5 all"], JUMPS),
    Written("jump", ["Jump:", "- A1-B2 x3", "- C4-D5 all"], JUMPS),
    Written("jump", ["Jump: A1-B2 x3, C4-D5 all.", "See you!"], JUMPS),
)


def programs() -> list[dict[str, Any]]:
    return [one for one in replies.entries() if not one.get("forward")]


def read(content: bytes, written: Written) -> Any:
    """What the lines of a letter come to."""
    found = parse_letter(content)
    reading = KIND.free_lines(written.form, found.lines, SEATS, ())
    assert reading.slips == ()
    assert reading.odd == ()
    given = dict(reading.text.value or {})
    orders = KIND.read(written.form, Text(value=given), SEATS).orders if given else None
    return spell_orders(KIND.form(written.form), orders) if orders is not None else None


def written_with(entry: dict[str, Any], written: Written) -> list[str]:
    foot = ["", *entry["foot"].split("\n")] if "foot" in entry else []
    return [*written.lines, *foot]


def samples() -> Iterator[Any]:
    """Each program with three of the texts, each text with many programs; two of them in soak."""
    texts = cycle(WRITTEN)
    for entry in programs():
        for number, written in enumerate(islice(texts, 3)):
            name = f"{entry['name']}-{WRITTEN.index(written)}"
            yield pytest.param(entry, written, id=name, marks=[pytest.mark.soak] * (number > 0))


@pytest.mark.parametrize(("entry", "written"), list(samples()))
def test_lines_above_a_quotation_are_read(entry: dict[str, Any], written: Written) -> None:
    reply = replies.above(entry, written_with(entry, written), [])
    ways = [*replies.sent(reply)]
    for name, content in (ways[0], ways[len(ways) // 2], ways[-1]):
        assert read(content, written) == written.orders, name


@pytest.mark.parametrize("written", WRITTEN, ids=lambda one: one.lines[0])
@pytest.mark.parametrize(
    "frame",
    [
        "{}",
        "> Earlier words\n> game: ember\n> jump:\n> - Z9-Z8 x1\n> # end of orders\n\n{}\n",
        "On Tue, Nov 3, 2026 Ember <judge@example.org> wrote:\n\n> DUE\n\n{}\n\n> PRESS\n> : hi\n",
        "{}\n\n-- \nAda Lovelace\nbuild: 9\n",
    ],
    ids=["alone", "below", "between", "signed"],
)
def test_lines_below_and_between_quotations_are_read(frame: str, written: Written) -> None:
    content = letter(b"\n" + frame.format("\n".join(written.lines)).encode())
    assert read(content, written) == written.orders


@pytest.mark.parametrize(
    "html",
    [
        "<ul><li>build: 3</li><li>tech: advance jump</li></ul>",
        "<ol><li><b>build: 3</b></li><li>tech: advance jump</li></ol>",
        "<p>build:&nbsp;3<br>tech: advance&nbsp;jump</p>",
        "<div dir=auto>Build: 3</div><div dir=auto>Tech: advance jump</div>",
    ],
)
def test_lists_and_paragraphs_of_html_alone_are_read(html: str) -> None:
    assert read(letter(page(html)), Written("plan", [], BOTH)) == BOTH


@pytest.mark.parametrize(
    "title",
    [
        "EMBER, turn 4, plan (Jump Wars)                              Report 9 to red",
        "RECEIPT 9 to red, game ember, turn 4, plan                 replaces receipt 8",
        "NOTICE 2 to red, game ember                                     turn 4, plan",
    ],
)
def test_a_copy_of_our_letter_is_known_by_its_title_in_any_language(title: str) -> None:
    heads = ["De la: Ember", "Trimis: joi", "C\u0103tre: Ada", "Subiect: Turn 4"]
    copy = [*heads, "", title, "", "Write `build: max` now.", "b3: 3 fleets of blue", "build: 7"]
    text = "\n".join(["build: max", "", *copy])
    written = Written("plan", [], {"build": "max"})
    assert read(letter(f"Content-Type: text/plain\n\n{text}\n".encode()), written) == {
        "build": "max"
    }
