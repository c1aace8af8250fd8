"""Split style sheets into rules: nested ones with what is around them, layers in their order."""

import re
from collections.abc import Iterator
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.mail.inbound.html.media import fits_screen
from adjudicator.adapters.mail.inbound.html.selectors import TooMuchStyleError
from adjudicator.adapters.mail.inbound.html.styles import without_comments

_TOKEN = re.compile(r""""[^"]*"?|'[^']*'?|<!--|-->|[{};]|[^{};"'<-]+|.""", re.DOTALL)
_CONDITION = re.compile(r"@(media|supports)\b(.*)", re.IGNORECASE | re.DOTALL)
_LAYER = re.compile(r"@layer(?![\w-])(.*)", re.IGNORECASE | re.DOTALL)
_UNSURE = re.compile(r"\bnot\b|\bselector\b", re.IGNORECASE)
_CUSTOM = re.compile(r"--[\w-]*\s*:")
_QUOTED = r""""[^"]*"?|'[^']*'?|\[[^\]]*\]?|\\."""
_NEST = re.compile(rf"({_QUOTED})|&", re.DOTALL)
_PART = re.compile(rf"(?:{_QUOTED}|[^,()]|\((?:[^()]|\([^()]*\))*\)|.)", re.DOTALL)
_JOINTS = ("+", "~", ">")
_ROOT = ":where(:root)"
_DEEPEST = 10
_LONGEST = 4_000
"""Signs of a selector with all that is around it."""
_LAST = 1_000_000

LayerRank = tuple[int, ...]
"""Of a layer: the highest counts, and what is in no layer is higher than all."""


class SheetRule(Struct, frozen=True):
    """Declarations as they stand in a sheet, and which tags they are for."""

    selectors: str
    declarations: str
    rank: LayerRank


class _Block(Struct, frozen=True):
    """An open pair of braces."""

    selectors: str = ""
    """Empty outside of all rules."""
    layer: tuple[str, ...] = ()
    counts: bool = True


class SheetSplitter:
    """Splits the sheets of a page, which share their layers."""

    def __init__(self) -> None:
        self._layers: dict[tuple[str, ...], int] = {}

    def split(self, sheet: str) -> Iterator[SheetRule]:
        """Split a sheet; what is still open at its end ends there."""
        blocks, declarations, text = [_Block()], [""], ""
        for piece in _TOKEN.findall(without_comments(sheet)):
            if piece == "{":
                yield from self._tell(blocks[-1], declarations[-1])
                declarations[-1] = ""
                blocks.append(self._open(blocks[-1], text.strip()))
                declarations.append("")
                text = ""
                if len(blocks) > _DEEPEST:
                    raise TooMuchStyleError
            elif piece == "}":
                if len(blocks) > 1:
                    yield from self._tell(blocks.pop(), declarations.pop() + text)
                text = ""
            elif piece == ";":
                self._name_layers(blocks[-1], text)
                declarations[-1] += f"{text};" if blocks[-1].selectors else ""
                text = ""
            elif piece not in ("<!--", "-->"):
                text += piece
        declarations[-1] += text
        for block, own in zip(reversed(blocks), reversed(declarations), strict=True):
            yield from self._tell(block, own)

    def _tell(self, block: _Block, declarations: str) -> Iterator[SheetRule]:
        if block.counts and block.selectors and declarations.strip():
            rank = [self._layers[path] for path in _list_paths(block.layer)]
            yield SheetRule(block.selectors, declarations, (*rank, _LAST))

    def _open(self, around: _Block, head: str) -> _Block:
        """Open what begins with this head."""
        if layer := _LAYER.fullmatch(head):
            name = layer[1].strip() or f"#{len(self._layers)}"  # one without a name is its own
            return replace(around, layer=self._enter(around, name))
        if head.startswith("@"):
            return replace(around, counts=around.counts and _applies(head))
        if _CUSTOM.match(head) or (not head and not around.selectors):
            return _Block(counts=False)  # the braces are part of a value
        nested = _nest(head, around.selectors)
        if len(nested) > _LONGEST:
            raise TooMuchStyleError
        return replace(around, selectors=nested)

    def _name_layers(self, around: _Block, statement: str) -> None:
        """Take note of layers that are only named, in this order."""
        if match := _LAYER.fullmatch(statement.strip()):
            for name in match[1].split(","):
                self._enter(around, name.strip())

    def _enter(self, around: _Block, name: str) -> tuple[str, ...]:
        layer = (*around.layer, *name.split("."))
        if around.counts:
            for path in _list_paths(layer):
                self._layers.setdefault(path, len(self._layers))
        return layer


def _list_paths(layer: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return accumulate((name,) for name in layer)


def _applies(head: str) -> bool:
    """Whether what stands inside such a rule counts; a browser supports what a sheet asks for."""
    match = _CONDITION.fullmatch(head)
    if match is None:
        return False
    if match[1].lower() == "media":
        return fits_screen(match[2].strip() or "all")
    return not _UNSURE.search(match[2])


def _nest(head: str, around: str) -> str:
    """Write selectors so that they mean the same outside of the rule that they stand in."""
    outer = f":is({around})" if around else _ROOT
    if not around and "&" not in head:
        return head
    return ",".join(_nest_one(part.strip(), outer, inside=bool(around)) for part in _part(head))


def _nest_one(selector: str, outer: str, *, inside: bool) -> str:
    replaced = _NEST.sub(lambda match: match[1] or outer, selector)
    if not inside or (replaced != selector and not selector.startswith(_JOINTS)):
        return replaced
    return f"{outer} {replaced}"


def _part(selectors: str) -> list[str]:
    """Part a list at its commas."""
    parts = [""]
    for piece in _PART.findall(selectors):
        if piece == ",":
            parts.append("")
        else:
            parts[-1] += piece
    return parts
