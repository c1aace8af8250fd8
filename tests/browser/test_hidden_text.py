"""What style sheets hide, and what they don't: Chromium sees it as we read it."""

from tests.adapters.letter.style_sheets import HIDING, SHOWING
from tests.adapters.letter.test_hidden import sheet
from tests.browser.showing import Shown

_IS_SEEN = """() => {
  const form = document.getElementById("y"), line = form.firstElementChild;
  const shown = line.checkVisibility({checkOpacity: true, checkVisibilityCSS: true});
  const box = form.getBoundingClientRect();
  const size = parseFloat(getComputedStyle(line).fontSize);
  return shown && size > 1 && box.left > -500 && box.height > 0;
}"""


def test_a_browser_shows_what_is_read_and_nothing_else(shown: Shown) -> None:
    shown.at(1280, height=720)
    wrong = []
    for seen, sheets in ((False, HIDING), (True, SHOWING)):
        for rules in sheets:
            shown.letter(f"<!doctype html>{sheet(rules)}")
            if shown.page.evaluate(_IS_SEEN) is not seen:
                wrong.append(rules)
    assert wrong == []
