"""Whether the text inside a tag can be seen, as a browser reads its attributes and style sheets.

Colours are not read.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import unescape

from msgspec import Struct

from adjudicator.adapters.mail.inbound.html.variables import (
    Variables,
    has_calls,
    inherit_variables,
    substitute,
)

_ATTRIBUTE = re.compile(r"""([^\s=>"'/]+)(?:\s{0,20}=\s{0,20}("[^"]*"|'[^']*'|[^\s>]+))?""")
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|([^\n]))", re.IGNORECASE)
_PIECE = re.compile(r""";|"[^"]*"?|'[^']*'?|\([^)]*\)?|[^;"'(]+""")
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?"
_LENGTH = re.compile(rf"(?:calc\(\s*)?({_NUMBER})([a-z]+|%|)(?:\s*\))?")
_CALL = re.compile(r"(scale|translate)(?:3d|[xyz])?\(([^)]*)\)")
_IMPORTANT = re.compile(r"\s*!\s*important$")
_WIDE = "inherit|initial|unset|revert"
_KEYWORDS = {
    "display": re.compile(
        "none|contents|block|inline|flex|grid|table|ruby|list-item|flow-root"
        rf"|(?:inline|table)-[a-z-]+|{_WIDE}"
    ),
    "visibility": re.compile(f"visible|hidden|collapse|{_WIDE}"),
    "position": re.compile(f"static|relative|absolute|fixed|sticky|{_WIDE}"),
    "float": re.compile(f"left|right|none|{_WIDE}"),
    "overflow": re.compile(rf"(?:visible|hidden|clip|scroll|auto|overlay|{_WIDE}|\s)+"),
}
_KEYWORDS |= dict.fromkeys(("overflow-x", "overflow-y"), _KEYWORDS["overflow"])
"""What a browser takes; it goes by an earlier declaration where the last one is none of these."""
_LENGTH_NAMES = """
width height max-width max-height left right top bottom margin-left margin-top text-indent font-size
opacity
"""
_LENGTHS = frozenset(_LENGTH_NAMES.split())
_CUSTOM = "--"
_LETTERS = re.compile(r"(?<![\w-])(--[\w-]+)|[A-Z]+")
_MOST_VARIABLES = 400
_LONGEST = 300
"""Signs of a declaration that is read; longer ones are pictures."""
_MOST = 20_000
"""Signs of a style attribute that are read."""

_SMALLEST = 2.0
"""Pixels; what is smaller is a dot, or nothing."""
_FAINTEST = 0.05
_FAR = 500.0
"""Pixels; what is moved so far to the left or up lies beyond the page."""
_PIXELS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78}
_PIXELS |= dict.fromkeys(("rem", "em", "ch", "ex"), 16.0)
_PIXELS |= dict.fromkeys(("%", "vw", "vh", "vmin", "vmax"), 6.4)

_OTHERS = ("mso-hide", "content-visibility", "clip", "clip-path", "margin", "transform", "font")
_NAMES = frozenset((*_KEYWORDS, *_LENGTHS, *_OTHERS))
"""What can hide something."""

Declaration = tuple[str, str, bool]
"""Name, value, and whether it is !important."""
Declarations = Mapping[str, str]


class Appearance(Struct, frozen=True):
    """How the text inside a tag looks."""

    is_gone: bool = False
    """Nothing inside can be shown again."""
    is_veiled: bool = False
    """By `visibility`, which a tag inside may take back."""
    font: float = 16.0
    """Pixels."""
    variables: tuple[tuple[str, str], ...] = ()
    """Custom properties, by name."""

    @property
    def is_hidden(self) -> bool:
        """Whether the text is invisible."""
        return self.is_gone or self.is_veiled or self.font < _SMALLEST


@lru_cache(maxsize=512)  # pages say the same in each line
def look_inside(
    around: Appearance,
    attributes: str,
    sheets: tuple[Declaration, ...] = (),
    *,
    is_block: bool,
) -> Appearance:
    """Work out how text looks inside a tag with these attributes and declarations."""
    values = read_attributes(attributes)
    style = _settle((*sheets, *read_declarations(values.get("style", ""))))
    own = {name: value for name, value in style.items() if name.startswith(_CUSTOM)}
    variables = inherit_variables(dict(around.variables), own) if own else dict(around.variables)
    style = dict(_fill_in(style, variables))
    veil = style.get("visibility", "inherit")
    is_gone = around.is_gone or ("hidden" in values and style.get("display") in (None, "none"))
    return Appearance(
        is_gone=is_gone or _hides_all(style, is_block=is_block),
        is_veiled=veil in ("hidden", "collapse") or (around.is_veiled and veil == "inherit"),
        font=_find_font(style, around.font),
        variables=tuple(sorted(variables.items())[:_MOST_VARIABLES]),
    )


def _fill_in(style: Declarations, variables: Variables) -> Iterator[tuple[str, str]]:
    """Put variables into values; one that then is none counts as if nothing had been declared."""
    for name, value in style.items():
        if not has_calls(value):
            yield name, value
            continue
        full_value = (substitute(value, variables.get) or "").lower()
        if full_value and _is_valid(name, full_value):
            yield name, full_value
        elif name == "display":
            yield name, "inline"


def _hides_all(style: Declarations, *, is_block: bool) -> bool:
    """Whether these declarations hide a tag with everything inside it."""
    opacity = _read_pixels(style.get("opacity", "1").replace("%", "e-2"))
    return (
        style.get("display") == "none"
        or style.get("mso-hide") == "all"
        or style.get("content-visibility") == "hidden"
        or (opacity is not None and opacity < _FAINTEST)
        or _has_no_room(style, is_block=is_block)
        or _is_off_screen(style)
    )


def _has_no_room(style: Declarations, *, is_block: bool) -> bool:
    """Whether the tag has no size and cuts off its content."""
    clip = style.get("clip", "") + style.get("clip-path", "")
    if re.match(r"rect\((?:[01](?:px)?[,\s]*){4}\)|inset\((?:50|100)%|circle\(0", clip):
        return True
    cuts = " ".join(style.get(f"overflow{axis}", "") for axis in ("", "-x", "-y"))
    if not re.search("hidden|clip|scroll|auto|overlay", cuts):
        return False
    shown_as = style.get("display", "block" if is_block else "inline")
    if shown_as == "inline" and not _is_taken_out(style) and style.get("float", "none") == "none":
        return False  # what is part of a line has no size of its own
    names = ("width", "height", "max-width", "max-height")
    sizes = (_read_pixels(style[name]) for name in names if name in style)
    return any(size is not None and size < _SMALLEST for size in sizes)


def _is_taken_out(style: Declarations) -> bool:
    return style.get("position") in ("absolute", "fixed")


def _is_off_screen(style: Declarations) -> bool:
    """Whether the tag is moved off the screen, out of reach of scrolling."""
    names = ["margin-left", "margin-top", "text-indent"]
    if style.get("position", "static") != "static":
        names += ["left", "top"]
        far = [_read_pixels(style[name]) for name in ("right", "bottom") if name in style]
        if any(one is not None and one > _FAR for one in far):
            return True
    offsets = [_read_pixels(style[name]) for name in names if name in style]
    offsets += [_read_pixels(one) for one in style.get("margin", "").split()]
    for call, arguments in _CALL.findall(style.get("transform", "")):
        sizes = [_read_pixels(one) for one in re.split(r"[\s,]+", arguments.strip())]
        if call == "scale" and any(size is not None and abs(size) < _FAINTEST for size in sizes):
            return True
        offsets += sizes if call == "translate" else []
    return any(one is not None and one < -_FAR for one in offsets)


def _find_font(style: Declarations, around: float) -> float:
    """Find the font size, in pixels."""
    size = style.get("font-size")
    if size is None and "font" in style:
        sizes = [one.partition("/")[0] for one in style["font"].split()]
        size = next((one for one in sizes if one[:1] in ".0123456789" and one[1:] != "00"), "")
    match = _LENGTH.fullmatch(size or "inherit")
    if match is None:
        # a word such as `medium`, `larger` or `inherit`
        return around if size in (None, "inherit", "unset", "larger", "smaller") else 16.0
    if match[2] in ("em", "%", "ex", "ch"):
        share = {"%": 0.01, "em": 1.0}.get(match[2], 0.5)
        return float(match[1]) * share * around
    return _read_pixels(size or "") or 0.0


def _read_pixels(value: str) -> float | None:
    """Read a length in pixels; None if it isn't one."""
    match = _LENGTH.fullmatch(value)
    unit = _PIXELS.get(match[2]) if match else None
    return None if match is None or unit is None else float(match[1]) * unit


def read_attributes(text: str) -> dict[str, str]:
    """Read the attributes of a tag; the first of each name counts."""
    attributes: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(text):
        plain = value[1:-1] if value[:1] in ("'", '"') else value
        attributes.setdefault(name.lower(), unescape(plain))
    return attributes


def read_declarations(style: str) -> tuple[Declaration, ...]:
    """Read the valid declarations that can hide something, in lower case."""
    declarations = []
    for name, value in _split_declarations(style):
        plain = _IMPORTANT.sub("", value)
        is_known = name in _NAMES and (has_calls(plain) or _is_valid(name, plain))
        if is_known or name.startswith(_CUSTOM):
            declarations.append((name, plain, plain != value))
    return tuple(declarations)


def _settle(declared: Iterable[Declaration]) -> Declarations:
    """Keep the last declaration of each name, giving !important ones precedence."""
    values: dict[str, str] = {}
    important: set[str] = set()
    for name, value, is_important in declared:
        if is_important or name not in important:
            values[name] = value
            important |= {name} if is_important else set()
    return values


def _is_valid(name: str, value: str) -> bool:
    if name in _KEYWORDS:
        return _KEYWORDS[name].fullmatch(value) is not None
    if name in _LENGTHS:
        return value.replace("-", "").isalpha() or "(" in value or _read_pixels(value) is not None
    return bool(value)


def _split_declarations(style: str) -> Iterator[tuple[str, str]]:
    statement = ""
    for piece in (*_PIECE.findall(without_comments(style[:_MOST])), ";"):
        if piece != ";":
            statement += piece
            continue
        whole = " ".join(unescape_style(statement).split())
        name, _, value = _LETTERS.sub(_lower, whole if len(whole) <= _LONGEST else "").partition(
            ":"
        )
        yield name.strip(), value.strip()
        statement = ""


def _lower(match: "re.Match[str]") -> str:
    """Lower everything but the names of custom properties."""
    return match[1] or match[0].lower()


def without_comments(style: str) -> str:
    """Remove what browsers ignore in a style."""
    return _COMMENT.sub(" ", style)


def unescape_style(text: str) -> str:
    """Replace the escapes in a style with their characters."""
    return _ESCAPE.sub(_unescape, text)


def _unescape(match: "re.Match[str]") -> str:
    number = int(match[1], 16) if match[1] else 0
    return chr(number) if 0 < number < 0x110000 else match[2] or "\ufffd"
