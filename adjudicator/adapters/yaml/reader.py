"""Read YAML from people safely: as text with places, nothing executed or guessed.

The tree is built from the parser's events in one loop that is never recursive: the loaders of
PyYAML recurse, and the C one kills the process when lists nest deeply enough.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from adjudicator.adapters.yaml.faults import UNPRINTABLE, explain_yaml_fault, make_yaml_fault
from adjudicator.core.finding import Finding, Path
from adjudicator.core.forms.fault_messages import format_finding, shorten
from adjudicator.core.forms.reading import Mark, Text

if TYPE_CHECKING:
    import yaml

_TOP_KEY = re.compile(r"[^\W\d][\w .-]*:(\s|$)")
_LINE_END = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
"""As YAML has it; Python takes some control characters for ends of lines, too."""
_MOST_FAULTS = 20
_MOST_IN_LINE = 5  # in one line


class Limits(Struct, frozen=True):
    """Limits on the YAML that is read."""

    size: int
    events: int
    levels: int


LETTER_LIMITS = Limits(size=64 * 1024, events=5_000, levels=20)
"""The limits for letters from anybody."""
FILE_LIMITS = Limits(size=8 * 1024 * 1024, events=1_000_000, levels=60)
"""The limits for files of the server and its GM."""


class Unreadable(Exception):  # noqa: N818 - it is said of a text
    """The text is not YAML as we read it: every fault that could be found, with its place."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        sentences = [format_finding(finding) for finding in findings[:_MOST_IN_LINE]]
        more = len(findings) - len(sentences)
        super().__init__("; ".join(sentences) + (f"; and {more} more" if more else ""))
        self.findings = findings


def parse_yaml(text: str) -> Text:
    """Parse a player's text, keeping every scalar as written; raises Unreadable."""
    return _parse(text, LETTER_LIMITS, _as_written)


def try_parse_yaml(text: str, *, small_keys: bool = False) -> Text | tuple[Finding, ...]:
    """Parse a text like `parse_yaml`, or return what is wrong with it.

    With `small_keys`, capitals in keys don't matter.
    """
    try:
        return _parse(text, LETTER_LIMITS, _as_written, small_keys=small_keys)
    except Unreadable as fault:
        return fault.findings


def load_yaml(text: str) -> Any:
    """Load a file of our own with integers, true, false and null (YAML 1.2); raises Unreadable."""
    return _parse(text, FILE_LIMITS, _core_value).value


def load_yaml_scalars(text: str) -> Text:
    """Load a file of our own, keeping every scalar as written; raises Unreadable."""
    return _parse(text, FILE_LIMITS, _as_written)


def _as_written(event: "yaml.ScalarEvent") -> Any:
    return event.value if event.value or not event.implicit[0] else None


_CORE = {"": None, "~": None, "null": None, "true": True, "false": False}
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")


def _core_value(event: "yaml.ScalarEvent") -> Any:
    text = event.value
    if not event.implicit[0]:
        return text
    if text in _CORE:
        return _CORE[text]
    return int(text) if _INTEGER.fullmatch(text) else text


def _parse(
    text: str,
    limits: Limits,
    scalar: Callable[["yaml.ScalarEvent"], Any],
    *,
    small_keys: bool = False,
) -> Text:
    text = text.removeprefix("\ufeff")
    findings = _find_bad_signs(text, limits)
    if findings:
        raise Unreadable(tuple(findings))
    lines = text.splitlines()
    builder: _Builder | None = None
    rest = text
    while len(findings) <= _MOST_FAULTS:
        builder = _Builder(limits, scalar, small_keys=small_keys)
        stopped = builder.run(rest, lines)
        findings += builder.faults
        if not stopped:
            break
        after = max(finding.line or 0 for finding in findings)
        onward = next((n for n in range(after, len(lines)) if _TOP_KEY.match(lines[n])), None)
        if onward is None or builder.exhausted:
            break
        # All faults are shown at once: go on at the next line that can
        # begin a key, with empty lines before it so that places stay true.
        rest = "\n" * onward + "\n".join(lines[onward:])
    if findings or builder is None:
        raise Unreadable(_limit(findings))
    return Text(value=builder.value, marks=builder.marks, keys=builder.keys)


def _limit(findings: list[Finding]) -> tuple[Finding, ...]:
    """Limit the findings to as many as a person reads."""
    first = findings[:_MOST_FAULTS]
    if len(findings) > len(first):
        following = findings[len(first)]
        more = f"more faults follow from here on; these are the first {len(first)}"
        first.append(make_yaml_fault(following.line or 1, following.column or 1, more))
    return tuple(first)


def _find_bad_signs(text: str, limits: Limits) -> list[Finding]:
    most = f"the text is longer than {limits.size // 1024} KB, which is too long to be read"
    if len(text) > limits.size or len(text.encode("utf-8", "replace")) > limits.size:
        return [make_yaml_fault(1, 1, most)]
    findings = []
    for bad in UNPRINTABLE.finditer(text):
        ends = [end.end() for end in _LINE_END.finditer(text, 0, bad.start())]
        column = bad.start() - (ends[-1] if ends else 0) + 1
        code = f"U+{ord(bad.group()):04X}"
        message = f"control character {code} is not allowed: remove it"
        findings.append(make_yaml_fault(len(ends) + 1, column, message))
        if len(findings) > _MOST_FAULTS:
            break
    return findings


class _Stop(Exception):  # noqa: N818 - it ends a walk
    def __init__(self, finding: Finding, *, exhausted: bool = False) -> None:
        super().__init__(finding.message)
        self.finding = finding
        self.exhausted = exhausted


class _Frame(Struct):
    """A list or mapping that is being filled."""

    into: dict[str, Any] | list[Any]
    path: Path
    key: str | None = None
    """Of a mapping, the one whose value comes next."""

    @property
    def wants_key(self) -> bool:
        """Whether a key comes next."""
        return self.key is None and isinstance(self.into, dict)


class _Builder:
    """Builds the tree from events, one at a time, and notes where everything stood."""

    def __init__(
        self, limits: Limits, scalar: Callable[["yaml.ScalarEvent"], Any], *, small_keys: bool
    ) -> None:
        self.value: Any = None
        self.marks: dict[Path, Mark] = {}
        self.keys: dict[Path, Mark] = {}
        self.faults: list[Finding] = []
        self.exhausted = False
        self._limits = limits
        self._scalar = scalar
        self._small_keys = small_keys
        self._stack: list[_Frame] = []
        self._documents = 0

    def run(self, text: str, lines: list[str]) -> bool:
        """Read everything; returns True if a fault stopped it."""
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            for number, event in enumerate(yaml.parse(text, Loader=loader)):
                self._take(event, number)
        except yaml.MarkedYAMLError as error:
            self.faults.append(_explain_error(lines, error))
            return True
        except _Stop as stop:
            self.faults.append(stop.finding)
            self.exhausted = stop.exhausted
            return True
        return False

    def _take(self, event: "yaml.Event", number: int) -> None:
        import yaml

        if number >= self._limits.events:
            many = "there are too many values here to be read"
            raise _Stop(_fault_at(event, many), exhausted=True)
        if isinstance(event, yaml.ScalarEvent):
            self._refuse_tags(event)
            self._take_scalar(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._stack.pop()
        elif isinstance(event, yaml.CollectionStartEvent):
            self._refuse_tags(event)
            self._open_frame(event, {} if isinstance(event, yaml.MappingStartEvent) else [])
        elif isinstance(event, yaml.AliasEvent):
            star = f'"*{shorten(str(event.anchor))}" needs quotation marks'
            self.faults.append(_fault_at(event, f"{star}: references are not read"))
            if self._stack and self._stack[-1].wants_key:
                self._stack[-1].key = f"*{event.anchor}"  # it stands for a key; the value follows
            else:
                self._place(event, None)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise _Stop(
                    _fault_at(event, 'a second document begins here: remove the line "---"')
                )

    def _refuse_tags(self, event: "yaml.ScalarEvent | yaml.CollectionStartEvent") -> None:
        if event.anchor is not None:
            word = f'"&{shorten(event.anchor)}" needs quotation marks'
            self.faults.append(_fault_at(event, f"{word}: anchors are not read"))
        if event.tag is not None:
            self.faults.append(
                _fault_at(event, 'a value that begins with "!" needs quotation marks')
            )

    def _take_scalar(self, event: "yaml.ScalarEvent") -> None:
        frame = self._stack[-1] if self._stack else None
        if frame is None or not frame.wants_key:
            self._place(event, self._scalar(event))
            return
        frame.key = event.value.strip().lower() if self._small_keys else str(event.value)
        path = (*frame.path, frame.key)
        if path in self.keys:
            first = self.keys[path].line
            words = f'"{shorten(event.value)}" appears twice; the first is in line {first}'
            self.faults.append(_fault_at(event, words))
        else:
            self.keys[path] = _mark_of(event)

    def _open_frame(self, event: "yaml.Event", into: "dict[str, Any] | list[Any]") -> None:
        if len(self._stack) >= self._limits.levels:
            deep = f"this is nested more than {self._limits.levels} levels deep"
            raise _Stop(_fault_at(event, deep), exhausted=True)
        if self._stack and self._stack[-1].wants_key:
            raise _Stop(_fault_at(event, "a key must be a word, not a list or a mapping"))
        self._stack.append(_Frame(into, self._place(event, into)))

    def _place(self, event: "yaml.Event", value: Any) -> Path:
        """Put the value at the current place, and return its path."""
        path: Path = ()
        frame = self._stack[-1] if self._stack else None
        if frame is None:
            self.value = value
        elif isinstance(frame.into, list):
            path = (*frame.path, len(frame.into))
            frame.into.append(value)
        else:
            assert frame.key is not None
            path = (*frame.path, frame.key)
            frame.into[frame.key] = value
            frame.key = None
        self.marks[path] = _mark_of(event)
        return path


def _mark_of(event: "yaml.Event") -> Mark:
    assert event.start_mark is not None  # the parser marks every event
    return Mark(line=event.start_mark.line + 1, column=event.start_mark.column + 1)


def _fault_at(event: "yaml.Event", message: str) -> Finding:
    mark = _mark_of(event)
    return make_yaml_fault(mark.line, mark.column, message)


def _explain_error(lines: list[str], error: "yaml.MarkedYAMLError") -> Finding:
    at, context = error.problem_mark, error.context_mark
    place = (at.line, at.column) if at else (0, 0)
    start = (context.line, context.column) if context else None
    return explain_yaml_fault(lines, error.problem or "", place, start)
