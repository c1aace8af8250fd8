"""The lines that a writer has put into a letter outside any form: no quotation, no signature."""

import re
from collections.abc import Collection, Iterator, Sequence

from adjudicator.adapters.mail.inbound.phrases import FOOT
from adjudicator.adapters.mail.inbound.text import (
    QuotedLine,
    measure_indent,
    mend_line,
    straighten_quotes,
)
from adjudicator.adapters.mail.inbound.writing.press_text import quote_press
from adjudicator.adapters.yaml.reader import try_parse_yaml
from adjudicator.core.forms.reading import Text, WrittenLine

ORDER_SIGN = re.compile(r"[:=][ \t]*\S|\d|\u2192")
"""What a line has that may stand for an order beside a form."""
_MOST = 2_000
_MOST_PARSED = 100
"""Lines of a letter that are tried as YAML."""
_LONGEST = 4_000
_SIGNATURE = re.compile(r"-{2,3} ?|[_=*]{4,90}|-{4,90}")
_MARK = re.compile(
    r"(?:[-*\u2022\u00b7\u25aa\u25cf\u2023\u2043+\u2013\u2014\u00a7\u00bb\u203ao]|->"
    r"|[\u25a0-\u25ff\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]\ufe0f?"
    r"|\(?[0-9]{1,2}[.)]|\(?[a-h]\)) +(?=\S)"
)
_KEYED = re.compile(r"([A-Za-z][\w-]*(?: [\w-]+){0,2}) {0,2}: {0,3}(.*)", re.DOTALL)
ARROWS = re.compile("[\u2192\u2794\u279c\u279d\u279e\u27a1\u21d2\u27f6\u2b95]\ufe0f?")
TIMES = re.compile(
    "(?<![^\\W\\d_])[\u00d7\u2715\u2716\u0445\u2a2f](?=\\s*\\d)|(?<=[\\d\\s])[\u00d7\u2715\u2716\u2a2f]"
)
_FORM_LINE = re.compile(r"\s*(?:#.*|`{3,}.*|~{3,}.*)")
_MOST_BELOW = 20


def write_lines(
    lines: Sequence[QuotedLine], form_places: Collection[int]
) -> tuple[WrittenLine, ...]:
    """List what somebody wrote themselves; `form_places` are those of lines that are in a form."""
    own_lines: list[WrittenLine] = []
    places = list(_find_own(lines, form_places))[:_MOST]
    own = set(places)
    room = _MOST_PARSED
    for number, at in enumerate(places, 1):
        text, is_marked = _clean(lines[at].text)
        value, length = None, 1
        keyed = _KEYED.fullmatch(text) if room else None
        if keyed is not None:
            room -= 1
            below = [lines[n] for n in _below(at, own)]
            value, length = _parse_value(keyed, below, is_marked=is_marked)
        elif room and text.startswith("{") and text.endswith("}"):
            room -= 1
            value = _try_parse([f"entry: {text}"])
        own_lines.append(
            WrittenLine(
                text=text,
                number=number,
                raw=lines[at].text.rstrip(),
                value=value,
                lines=length,
                ends=at + 1 not in own,
            )
        )
    return tuple(own_lines) if any(one.text for one in own_lines) else ()


def _find_own(lines: Sequence[QuotedLine], form_places: Collection[int]) -> Iterator[int]:
    """Find the writer's own lines: unquoted, not copied, above a signature."""
    is_signed = False
    for at, line in enumerate(lines):
        if line.depth or line.copied or line.divides:
            is_signed = False
            continue
        bare = line.text.strip()
        is_signed = (
            is_signed
            or bool(_SIGNATURE.fullmatch(bare))
            or bool(FOOT.fullmatch(bare.lower()[:120]))
        )
        if not (is_signed or at in form_places or _FORM_LINE.fullmatch(line.text[:200])):
            yield at


def _below(at: int, own: Collection[int]) -> Iterator[int]:
    for number in range(at + 1, at + 1 + _MOST_BELOW):
        if number not in own:
            return
        yield number


def _clean(raw: str) -> tuple[str, bool]:
    """Mend a line and take the mark of a list away; returns whether there was one."""
    text = straighten_quotes(mend_line(raw[:_LONGEST]))
    text = TIMES.sub("x", ARROWS.sub("->", text)).strip()
    if len(text) > 2 and text[0] == text[-1] and text[0] in "*_`":
        text = text.strip("*_`")
    bare = _MARK.sub("", text, count=1) if _MARK.match(text) else text
    return bare, bare != text


def _parse_value(
    keyed: "re.Match[str]", below: Sequence[QuotedLine], *, is_marked: bool
) -> tuple[Text | None, int]:
    """Parse the YAML that begins with a key: with what is indented below it, or listed."""
    key, rest = keyed[1], keyed[2].strip()
    lines = [f"{key}: {rest}"]
    for line in below:
        text = straighten_quotes(mend_line(line.text))
        is_listed = not (is_marked or rest) and text.lstrip().startswith("- ")
        is_open = rest[:1] in ("[", "{") and _try_parse(lines) is None
        if not text.strip() or not (is_listed or is_open or measure_indent(text)):
            break
        lines.append(f" {text.strip()}" if is_open else text)
    value = _try_parse(lines)
    if value is None and len(lines) > 1:
        lines = lines[:1]
        value = _try_parse(lines)
    return value, len(lines) if value else 1


def _try_parse(lines: Sequence[str]) -> Text | None:
    text = try_parse_yaml(quote_press("\n".join(lines)), small_keys=True)
    if isinstance(text, Text) and isinstance(text.value, dict) and len(text.value) == 1:
        return text
    return None
