"""Pages as Chromium shows them: what it says of them, what sticks out, what axe finds."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, Playwright, Request

from tests.servers.needed import need_program

SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
"""For whoever changes a template and sets this variable: look at them."""
WANTED = "ADJUDICATOR_TESTS_SCREENSHOTS"
PHONE, SMALL, WIDE, WIDEST = 360, 320, 1200, 1440
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_GRAVE = ("serious", "critical")
_AXE = """async grave => {
  const found = await axe.run({resultTypes: ["violations"], preload: false});
  return found.violations.filter(one => grave.includes(one.impact)).flatMap(one =>
    one.nodes.map(node => `${one.id} (${one.impact}): ${node.target} ${node.failureSummary}`));
}"""
_FAULTS = """([least, blank]) => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    const out = [...document.body.querySelectorAll("*")].filter(
      one => one.getBoundingClientRect().right > root.clientWidth + 0.5);
    found.push(`${root.scrollWidth} px are more than the ${root.clientWidth} of the screen: ` +
      out.slice(-3).map(one => one.outerHTML.slice(0, 80)).join(" | "));
  }
  for (const picture of document.images) {
    const worded = blank ? picture.hasAttribute("alt") : picture.alt.trim();
    if (!worded) found.push(`${picture.src.slice(0, 60)} has no words`);
    const lazy = picture.loading === "lazy" && !picture.complete;
    if (!lazy && !picture.naturalWidth) found.push(`${picture.src.slice(0, 60)} is not shown`);
  }
  for (const table of document.querySelectorAll("table.wide")) {
    const box = table.parentNode;
    const title = table.caption?.innerText;
    if (box.scrollWidth > box.clientWidth + 1) found.push(`the table ${title} is cut off`);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = new Set();
  while (texts.nextNode()) {
    const here = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !here.getClientRects().length) continue;
    const size = parseFloat(getComputedStyle(here).fontSize);
    if (size < least) small.add(`${size} px are too small for ${here.outerHTML.slice(0, 60)}`);
  }
  return [...found, ...small];
}"""
LEAST = 12
"""Pixels of the smallest words."""


def launched(playwright: Playwright) -> Browser:
    """The system's Chromium with a profile of its own that is thrown away."""
    path = need_program("Chromium", "chromium", "chromium-browser")
    return playwright.chromium.launch(
        executable_path=path, headless=True, chromium_sandbox=False, args=list(_FLAGS)
    )


class Shown:
    """A page on a screen, and everything that is not as it should be about it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.said: list[str] = []
        page.on("console", lambda one: self.said.append(f"console: {one.text}"))
        page.on("pageerror", lambda one: self.said.append(f"error: {one}"))
        page.on("request", lambda one: self._asked(one.url))
        page.on("requestfailed", self._failed)

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # its page was left before it came
            self.said.append(f"failed: {request.url[:80]}")

    def _asked(self, url: str) -> None:
        if not url.startswith(("data:", "file:", "about:")):
            self.said.append(f"from elsewhere: {url}")

    def letter(self, html: str) -> None:
        """Show a letter; what was said of another is forgotten."""
        self.said.clear()
        self.page.set_content(html)

    def file(self, path: Path, anchor: str = "") -> None:
        """Open a page from the disk; what was said of another is forgotten."""
        self.said.clear()
        self.page.goto(path.as_uri() + (f"#{anchor}" if anchor else ""))

    def at(self, width: int, scheme: Scheme = "light", height: int = 800) -> None:
        """On a screen of this width, light or dark."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme=scheme)

    def faults(self, *, blank: bool = False) -> list[str]:
        """What was said, asked for, sticks out, is too small or without words.

        A picture may say expressly that it has none, where words beside it are enough.
        """
        found: list[str] = self.page.evaluate(_FAULTS, [LEAST, blank])
        return [*self.said, *found]

    def stumbles(self) -> list[str]:
        """What axe finds that is serious or critical."""
        if not self.page.evaluate("typeof axe === 'object'"):
            self.page.evaluate(AXE_SCRIPT)
        found: list[str] = self.page.evaluate(_AXE, _GRAVE)
        return found

    def keep(self, name: str) -> None:
        """A screenshot of the whole page, for whoever wants it."""
        if WANTED in os.environ:
            self.page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)


@contextmanager
def opened(browser: Browser, **wishes: Any) -> Iterator[Shown]:
    """A fresh page that nothing from outside reaches."""
    context = browser.new_context(**{"offline": True, "reduced_motion": "reduce", **wishes})
    try:
        yield Shown(context.new_page())
    finally:
        context.close()
