"""Scripts of the pages: a browser reads them, every name is declared and used, none is unsafe."""

import re
from collections import Counter

import pytest

from adjudicator.adapters.render.order_page import render_order_page
from tests.browser.order_pages import KINDS, PRINTER
from tests.browser.script_names import find_undeclared, find_unused
from tests.browser.showing import Shown

SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
PAGES = {kind: SCRIPT.findall(render_order_page(PRINTER, kind).decode())[0] for kind in KINDS}
SCRIPTS = {**PAGES, "site": PRINTER.text("site.js", {}, "site")}
FROM_ELSEWHERE = {"GAMES", "PICTURES", "STORY"}
"""What the site's script has from the scripts of games and turns."""
UNSAFE = re.compile(
    r"\.(?:inner|outer)HTML|insertAdjacentHTML|\beval\b|new Function|document\.write"
)
READS = "source => { new Function('\"use strict\";' + source); }"
BAD = """
function add(one, other) {
  const [sum, more] = [one + othre, 1], { kept, ...rest } = one;
  const left = one.map((each, n) => n);
  return rest;
}
"""


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_browser_reads_it_and_has_all_that_it_does_not_declare(shown: Shown, name: str) -> None:
    shown.page.evaluate(READS, SCRIPTS[name])
    missing = shown.page.evaluate(
        "names => names.filter((one) => !(one in window))", find_undeclared(SCRIPTS[name])
    )
    assert set(missing) <= FROM_ELSEWHERE


def test_everything_is_used() -> None:
    """What the order pages share, on one of them at least."""
    seen = Counter(one for script in PAGES.values() for one in find_unused(script))
    assert [
        one for one, pages in seen.items() if pages == len(PAGES) or "function" not in one
    ] == []
    assert find_unused(SCRIPTS["site"]) == []


@pytest.mark.parametrize("kind", PAGES)
def test_no_text_becomes_markup_or_script_on_a_page_for_orders(kind: str) -> None:
    assert UNSAFE.findall(PAGES[kind]) == []
    assert UNSAFE.findall(SCRIPTS["site"]), "the site's own markup does: the search works"


def test_what_is_wrong_is_found() -> None:
    assert [one.split()[0] for one in reversed(find_unused(BAD))] == [
        "add",
        "other",
        "sum",
        "more",
        "left",
    ]
    assert find_undeclared(BAD) == ["othre"]
