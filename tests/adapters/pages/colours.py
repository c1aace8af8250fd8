"""What colours the words of a page have on what ground, on light and on dark screens."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element

from tests.adapters.pages.reading import hidden, parsed

ENOUGH = 4.5
"""WCAG 2, level AA, for words of any size."""
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{(.*?\})\s*\}", re.DOTALL)
Style = Mapping[str, str]


class Words(NamedTuple):
    """Some words as they are shown."""

    text: str
    ink: str
    ground: str

    @property
    def contrast(self) -> float:
        """How far apart ink and ground are, from 1 to 21."""
        light, dark = sorted((_luminance(self.ink), _luminance(self.ground)), reverse=True)
        return (light + 0.05) / (dark + 0.05)


def shown(page: str, *, dark: bool) -> Iterator[Words]:
    """All words of the page with their colours."""
    root = parsed(page)
    sheet = "".join(one.text or "" for one in root.iter("style"))
    rules = list(_dark_rules(sheet)) if dark else []
    found = root.find("body")
    assert found is not None
    yield from _walk(found, (root,), Words("", "#000000", "#ffffff"), rules)


def _walk(
    element: Element,
    above: tuple[Element, ...],
    around: Words,
    rules: list[tuple[list[str], Style]],
) -> Iterator[Words]:
    if not isinstance(element.tag, str) or hidden(element):
        return
    path = (*above, element)
    style = dict(_declared(element.get("style", "")))
    matching = [(_weight(one), n, two) for n, (one, two) in enumerate(rules) if _fits(one, path)]
    for _, _, more in sorted(matching, key=lambda rule: rule[:2]):
        style |= more
    here = Words("", style.get("color", around.ink), style.get("background-color", around.ground))
    for text in (element.text, *(child.tail for child in element)):
        if (text or "").strip():
            yield here._replace(text=(text or "").strip())
    for child in element:
        yield from _walk(child, path, here, rules)


def _dark_rules(sheet: str) -> Iterator[tuple[list[str], Style]]:
    for block in _DARK.findall(sheet):
        for selectors, declared in _RULE.findall(block):
            style = dict(_declared(declared))
            for selector in selectors.split(","):
                yield selector.split(), style


def _declared(style: str) -> Iterator[tuple[str, str]]:
    for one in style.split(";"):
        name, _, value = one.partition(":")
        if value:
            yield name.strip(), value.replace("!important", "").strip()


def _weight(selector: list[str]) -> tuple[int, int]:
    return (sum(one.count(".") for one in selector), sum(one[0] != "." for one in selector))


def _fits(selector: list[str], path: tuple[Element, ...]) -> bool:
    if not _one_fits(selector[-1], path[-1]):
        return False
    wanted = selector[:-1]
    for element in reversed(path[:-1]):
        if wanted and _one_fits(wanted[-1], element):
            wanted = wanted[:-1]
    return not wanted


def _one_fits(simple: str, element: Element) -> bool:
    tag, *classes = simple.split(".")
    own = element.get("class", "").split()
    return (not tag or tag == element.tag) and all(one in own for one in classes)


def _luminance(colour: str) -> float:
    assert re.fullmatch(r"#[0-9a-f]{6}", colour), f"{colour}: write it as #rrggbb"
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
