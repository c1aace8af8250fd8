"""Lay out plain text for mail, at most 78 or 40 columns wide.

tabulate wraps at widths that it is given and fits no table to a page; it would save 20 of these
lines. wcwidth would only matter to press in signs two columns wide, which is not aligned.
"""

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from adjudicator.desk.model.deadlines import format_deadline

TEXT_WIDTH = 78
NARROW_WIDTH = 40
"""For small screens, where somebody prefers it."""

_GAP = "  "
_APART = re.compile(r"\S {2,}\S")
_COUNTED = re.compile(r"(?<=[a-z]) (?=\d)")
_JOINT = "\0"
_TIE = "\ue000"
_TYPED = re.compile(r"`[^`]*`")
"""Something to be typed that is not broken over two lines."""
_LEAST = 5  # with less PyYAML takes a width of its own
_SHORT = 8  # characters of a value that shares its line with others


class _Wrapper(textwrap.TextWrapper):
    """Breaks a word that is longer than a line behind a hyphen, or else behind its first line."""

    def _handle_long_word(
        self, reversed_chunks: list[str], cur_line: list[str], cur_len: int, width: int
    ) -> None:
        if cur_line:
            return
        word = reversed_chunks[-1]
        hyphen = word.rfind("-", 0, width)
        if hyphen > 0:
            cur_line.append(word[: hyphen + 1])
            reversed_chunks[-1] = word[hyphen + 1 :]
        else:
            super()._handle_long_word(reversed_chunks, cur_line, cur_len, width)


def wrap(text: object, lead: str = "", hang: int | None = None, width: int = TEXT_WIDTH) -> str:
    """Wrap the words after `lead`, later lines indented by `hang` (default: the lead's length)."""
    later = " " * (len(lead) if hang is None else hang)
    room = _Wrapper(
        width=width,
        initial_indent=lead,
        subsequent_indent=later,
        break_long_words=True,
        break_on_hyphens=False,
    )
    words = " ".join(str(text).split())
    if "`" in words:
        most = width - len(later)
        words = _TYPED.sub(
            lambda match: match[0].replace(" ", _TIE) if len(match[0]) < most else match[0], words
        )
    lines = room.wrap(words)
    return "\n".join(lines).replace(_TIE, " ") if lines else lead.rstrip()


def add_tag(text: object, tag: str | None, lead: str, width: int = TEXT_WIDTH) -> str:
    """Wrap the words, with a rule number at the right margin of the last line."""
    return add_mark(text, f"[{tag}]" if tag else "", lead, width)


def add_mark(text: object, mark: str, lead: str, width: int = TEXT_WIDTH) -> str:
    """Wrap the words, with a mark at the right margin of the last line."""
    lines = wrap(text, lead, width=width).splitlines() or [""]
    if not mark:
        return "\n".join(lines)
    if len(lines[-1]) + len(_GAP) + len(mark) > width:
        lines.append("")
    lines[-1] += mark.rjust(width - len(lines[-1]))
    return "\n".join(lines)


def justify(left: object, right: object, width: int = TEXT_WIDTH) -> str:
    """Write two texts at opposite margins, one below the other if they don't fit."""
    one, other = str(left), str(right)
    if len(one) + len(_GAP) + len(other) <= width:
        return one + other.rjust(width - len(one))
    return f"{wrap(one, width=width)}\n{wrap(other, width=width)}"


def quote(text: object, mark: str = ": ", width: int = TEXT_WIDTH) -> str:
    """Mark each line that players wrote, so that it can't be taken for orders."""
    room = width - len(mark)
    lines: list[str] = []
    for line in str(text).splitlines() or [""]:
        lines += wrap(line, width=room).splitlines() or [""]
    return "\n".join(f"{mark}{line}".rstrip() for line in lines)


def split_lines(lines: Iterable[object], indent: int = 0, width: int = TEXT_WIDTH) -> str:
    """Split ready-made lines (a map) as they are, and fold those that are too long."""
    pieces: list[str] = []
    for line in lines:
        text = " " * indent + str(line).rstrip()
        inside = len(text) - len(text.lstrip())
        pieces.append(text if len(text) <= width else wrap(text, " " * inside, inside + 2, width))
    return "\n".join(line.rstrip() for line in "\n".join(pieces).split("\n"))


def fits(lines: Iterable[object], indent: int = 0, width: int = TEXT_WIDTH) -> bool:
    """Whether a drawing made of lines fits; sentences between its lines may be folded."""
    return all(len(str(line).rstrip()) + indent <= width for line in lines if is_drawn([line]))


def is_drawn(lines: Iterable[object]) -> bool:
    """Whether lines are a drawing, in which every character keeps its place, or sentences."""
    return any(_APART.search(str(line)) for line in lines)


def lay_out_table(
    columns: Sequence[object],
    rows: Iterable[Sequence[object]],
    indent: int = 2,
    width: int = TEXT_WIDTH,
) -> str:
    """Align columns, numbers to the right, and wrap wide cells until the table fits.

    A table too wide for the paper is written row by row instead.
    """
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    heads = [str(name) for name in columns]
    room = width - indent - len(_GAP) * (len(heads) - 1)
    longest = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    right = [are_numbers([row[at] for row in cells]) for at in range(len(heads))]
    if width < TEXT_WIDTH and sum(longest) > room:
        return format_row_by_row(heads, cells, indent, width)
    widths = _fit_widths(longest, room)
    lines: list[str] = []
    for row in [heads, *cells]:
        lines += _lay_out_row(row, widths, right, " " * indent)
    return "\n".join(lines)


def format_row_by_row(
    heads: Sequence[str], rows: Sequence[Sequence[str]], indent: int, width: int
) -> str:
    """Write each row of a table as a block: its first cell, then `name: value` for the others."""
    is_numbered = are_numbers([row[0] for row in rows])
    lead, below = " " * indent, " " * (indent + 2)
    lines = []
    for row in rows:
        first = f"{heads[0]} {row[0]}" if is_numbered else row[0]
        lines.append(wrap(first, lead, indent + 4, width))
        lines += [wrap(line, below, indent + 4, width) for line in _name_cells(heads, row)]
    return "\n".join(lines)


def _name_cells(heads: Sequence[str], row: Sequence[str]) -> list[str]:
    """Format each cell but the first as `name: value`; short ones share a line."""
    lines: list[str] = []
    open_line = False
    for name, value in zip(heads[1:], row[1:], strict=True):
        if not value:
            continue
        cell, short = f"{name}: {value}", len(value) <= _SHORT and "," not in value
        if open_line and short:
            lines[-1] += f", {cell}"
        else:
            lines.append(cell)
        open_line = short
    return lines


def _fit_widths(widths: list[int], room: int) -> list[int]:
    """Narrow the widest column until all fit."""
    while sum(widths) > room and max(widths) > 4:
        widths[widths.index(max(widths))] -= 1
    return widths


def _lay_out_row(
    row: Sequence[str], widths: Sequence[int], right: Sequence[bool], lead: str
) -> list[str]:
    stacks = [_wrap_cell(cell, width) for cell, width in zip(row, widths, strict=True)]
    lines = []
    for at in range(max(len(stack) for stack in stacks)):
        parts = [stack[at] if at < len(stack) else "" for stack in stacks]
        padded = [
            part.rjust(width) if to_right else part.ljust(width)
            for part, width, to_right in zip(parts, widths, right, strict=True)
        ]
        lines.append((lead + _GAP.join(padded)).rstrip())
    return lines


def _wrap_cell(text: str, width: int) -> list[str]:
    """Wrap a cell without tearing `attack 2` apart if there is room for it."""
    words = _COUNTED.sub(_JOINT, text)
    if any(len(word) > width for word in words.split()):
        words = text
    return wrap(words, width=width).replace(_JOINT, " ").splitlines() or [""]


def are_numbers(column: Sequence[str]) -> bool:
    """Whether the cells are numbers, shares, or marks for none."""
    plain = [cell.lstrip("+-").removesuffix(" %").replace(".", "", 1) for cell in column]
    return any(plain) and all(not cell or cell.isdigit() for cell in plain)


_OUTCOMES = {
    "done": "done",
    "part": "done in part",
    "nothing": "came to nothing",
    "negated": "NOT done",
    "struck": "struck",
}


def describe_order_outcome(entry: Mapping[str, Any]) -> str:
    """Describe the outcome of an order, as a report does: `done: all 6 lost`."""
    outcome = _OUTCOMES.get(entry["outcome"], entry["outcome"])
    return f"{outcome}: {entry['then']}" if entry.get("then") else str(outcome)


def lay_out_orders(entries: Iterable[Mapping[str, Any]], width: int = TEXT_WIDTH) -> str:
    """List a reader's orders, each outcome at the right margin and its reason below."""
    lines = []
    for entry in entries:
        lead = f"{entry['n']:>3}  "
        lines.append(add_mark(entry["text"], describe_order_outcome(entry), lead, width))
        why = entry.get("why")
        if entry["outcome"] != "done" and (why or entry.get("rule")):
            lines.append(add_tag(why or "", entry.get("rule"), " " * 7, width))
    return "\n".join(lines)


def format_instant(text: str | None, zone: str | None = None) -> str:
    """Format an instant for its reader: Thu 5 Nov 2026, 20:00 (Europe/Berlin, UTC+1)."""
    return format_deadline(datetime.fromisoformat(text), zone or "UTC") if text else "no deadline"


def shorten_digest(digest: str | None) -> str:
    """Shorten a digest enough to compare by eye: 41d0 77e2."""
    return f"{digest[:4]} {digest[4:8]}" if digest else ""


def format_block(document: Mapping[str, Any], width: int = TEXT_WIDTH) -> str:
    """Format a form as YAML: a line for each entry, as a player would write it."""
    return "\n".join(_dump_entry(str(key), value, width) for key, value in document.items())


def _dump_entry(key: str, value: Any, width: int) -> str:
    is_list = isinstance(value, list | tuple) and not _is_short(value)
    line = f"{key}: {format_inline(value)}"
    if not is_list and len(line) <= width - 2:
        return line
    if isinstance(value, list | tuple):
        return "\n".join([f"{key}:", *(_dump_item(item, width) for item in value)])
    if isinstance(value, Mapping):
        return f"{key}:\n{textwrap.indent(format_block(value, width - 2), '  ')}"
    return _dump_folded({key: value}, width)


def _dump_item(item: Any, width: int) -> str:
    line = f"- {format_inline(item)}"
    if len(line) <= width - 2:
        return line
    if isinstance(item, Mapping):
        return "- " + textwrap.indent(format_block(item, width - 2), "  ").lstrip()
    return _dump_folded([item], width)


def _is_short(values: Sequence[Any]) -> bool:
    """Whether the items fit on one line as single words; orders get a line each, to be added to."""
    plain = [str(value) for value in values if isinstance(value, str | int)]
    return (
        len(plain) == len(values) and " " not in "".join(plain) and len(format_inline(values)) < 60
    )


def format_inline(value: Any) -> str:
    """Format the value as YAML on one line."""
    return _dump([value], width=10_000, flow=True)[1:-1]


def _dump_folded(value: Any, width: int) -> str:
    """Format a long text as YAML on several lines.

    PyYAML folds after the word that was too long, so it is told to fold earlier until all fit.
    """
    block = ""
    for room in range(width - 4, _LEAST, -4):
        block = _dump(value, width=room, flow=False)
        if all(len(line) <= width - 2 for line in block.splitlines()):
            break
    return block


def _dump(value: Any, *, width: int, flow: bool) -> str:
    from adjudicator.adapters.yaml.writer import dump_plainly

    return dump_plainly(value, width=width, flow=flow)


def _put_do_first(value: Any) -> Any:
    """Put the key `do` first; documents keep their keys sorted."""
    if isinstance(value, Mapping):
        first = {key: value[key] for key in ("do",) if key in value}
        return {**first, **{key: _put_do_first(one) for key, one in value.items() if key != "do"}}
    return [_put_do_first(one) for one in value] if isinstance(value, list | tuple) else value


_ENVELOPE = ("join", "game", "step", "key", "after", "luck")
_LUCK = "# luck: (the next word on your luck sheet)"


def format_form_block(form: Mapping[str, Any], width: int = TEXT_WIDTH) -> str:
    """Format the reply block: envelope, orders on file, then help and an example as comments."""
    envelope = form.get("envelope") or {}
    head = {key: envelope[key] for key in _ENVELOPE if envelope.get(key) not in (None, "")}
    parts = [format_block(head, width), format_block(form.get("orders") or {}, width)]
    parts += [format_block({"ahead": form["ahead"]}, width)] if form.get("ahead") else []
    parts += [_LUCK] if envelope.get("luck") == "" else []
    parts += [quote(line, "# ", width) for line in form.get("comments") or ()]
    stands = form.get("orders") or {}
    offered = {key: one for key, one in (form.get("example") or {}).items() if key not in stands}
    example = format_block(_put_do_first(offered), width)
    parts.append("\n".join(f"# {line}".rstrip() for line in example.splitlines()))
    parts.append("# end of orders")
    return "\n".join(part for part in parts if part)
