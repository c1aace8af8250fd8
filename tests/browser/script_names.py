"""The names in a script, and what is wrong with them: enough of a parser for scripts written here.

The browser says whether a script can be read at all; what it says only when a line runs, and what
it never says, is found here: names that nobody declares, and names that nobody uses.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

_PIECE = re.compile(
    r"""(?P<gap>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`$]*`)
    |(?P<name>[A-Za-z_$][\w$]*)
    |(?P<number>\d[\w.]*)
    |(?P<sign>\.\.\.|\?\.|=>|\?\?|.)""",
    re.VERBOSE | re.DOTALL,
)
_PATTERN = re.compile(r"/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^]\\\n]|\\.)*\])+/[a-z]*")
_DIVIDES = re.compile(r"[\w$)\]}]$")
"""After such a piece a stroke divides; elsewhere a pattern begins."""
WORDS = frozenset(
    """async await break case catch class const constructor continue default delete do else false
    finally for function if in instanceof let new null of return static super switch this throw
    true try typeof undefined var void while yield""".split()  # noqa: SIM905
)
_HEADS = ("if", "for", "while", "switch", "catch", "function")
_OPEN, _CLOSED = "([{", ")]}"


class Script(Struct, frozen=True):
    """A script in pieces, and where each bracket's other one is."""

    tokens: Sequence[str]
    partner: dict[int, int]

    def is_name(self, at: int) -> bool:
        """Whether a piece names a thing: no word of the language, no property and no key."""
        token, before = self.tokens[at], self.tokens[at - 1] if at else ""
        after = self.tokens[at + 1] if at + 1 < len(self.tokens) else ""
        is_key = after == ":" and before in ("{", ",")
        is_property = before in (".", "?.") or is_key or self.is_method(at)
        return bool(re.match(r"[A-Za-z_$]", token)) and token not in WORDS and not is_property

    def is_method(self, at: int) -> bool:
        """Whether `name(…) {` in a class or an object begins here."""
        opens = at + 1
        begins = self.tokens[at - 1] in ("{", "}", ",") and self.tokens[at] not in _HEADS
        if not begins or self.tokens[opens : opens + 1] != ["("]:
            return False
        body = self.partner[opens] + 1
        return self.tokens[body : body + 1] == ["{"]


def read_script(source: str) -> Script:
    """Read a script; texts and patterns become zeros."""
    tokens: list[str] = []
    at = 0
    while at < len(source):
        last = tokens[-1] if tokens else ""
        is_divided = _DIVIDES.search(last) and last != "return"
        found = None if is_divided else _PATTERN.match(source, at)
        if found is None:
            found = _PIECE.match(source, at)
            assert found is not None
            kind, piece = found.lastgroup, found[0]
        else:
            kind, piece = "text", ""
        if kind != "gap":
            tokens.append("0" if kind == "text" else piece)
        at = found.end()
    partner: dict[int, int] = {}
    open_ones: list[int] = []
    for at, token in enumerate(tokens):
        if token in _OPEN:
            open_ones.append(at)
        elif token in _CLOSED:
            partner[at] = open_ones.pop()
            partner[partner[at]] = at
    return Script(tokens, partner)


def list_declared(script: Script) -> Iterator[tuple[int, int, int]]:
    """List where names are declared, each with where its scope begins and ends."""
    tokens, partner = script.tokens, script.partner
    blocks = [(0, len(tokens))]
    for at, token in enumerate(tokens):
        if token == "{":
            blocks.append((at, partner[at]))
        elif token == "}":
            blocks.pop()
        elif token in ("const", "let", "var"):
            in_loop = tokens[at - 1] == "("
            scope = (at, _find_body_end(script, partner[at - 1])) if in_loop else blocks[-1]
            yield from ((n, *scope) for n in _list_bound(script, at + 1))
        elif token in ("function", "class") and script.is_name(at + 1):
            yield at + 1, *blocks[-1]
        elif token == "=>":
            first = partner[at - 1] if tokens[at - 1] == ")" else at - 1
            end = _find_arrow_end(script, at)
            yield from ((n, first, end) for n in _list_names(script, first, at))
        elif token == "(" and _has_parameters(script, at):
            after = partner[at]
            yield from ((n, at, partner[after + 1]) for n in _list_names(script, at, after))


def _find_body_end(script: Script, close: int) -> int:
    body = close + 1
    if script.tokens[body] == "{":
        return script.partner[body]
    return _find_end(script, body, ";")


def _has_parameters(script: Script, at: int) -> bool:
    """Whether the brackets hold what a function, a method or a `catch` is given."""
    before, last = script.tokens[at - 2 : at] if at > 1 else ("", script.tokens[at - 1])
    is_given = before == "function" or (last in ("function", "catch") and before != ".")
    return is_given or script.is_method(at - 1)


def _find_arrow_end(script: Script, arrow: int) -> int:
    if script.tokens[arrow + 1] == "{":
        return script.partner[arrow + 1]
    return _find_end(script, arrow + 1, ",;")


def _find_end(script: Script, at: int, ends: str) -> int:
    """Find the end of what begins here: one of these signs, or the bracket that it stands in."""
    while at < len(script.tokens) and script.tokens[at] not in (*ends, *_CLOSED):
        at = script.partner[at] + 1 if script.tokens[at] in _OPEN else at + 1
    return at


def _list_bound(script: Script, at: int) -> Iterator[int]:
    """List the names that a `const` or `let` binds from here on."""
    while True:
        end = at
        if script.tokens[at] in _OPEN:
            end = script.partner[at]
        yield from _list_names(script, at, end + 1)
        end += 1
        if script.tokens[end] == "=":
            end = _find_end(script, end + 1, ",;")
        if script.tokens[end] != ",":
            return
        at = end + 1


def _list_names(script: Script, start: int, end: int) -> Iterator[int]:
    """List the names in a pattern, without its defaults and keys."""
    at = start
    while at < end:
        if script.tokens[at] == "=":
            at = _find_end(script, at + 1, ",")
        elif script.tokens[at] == "[" and script.tokens[script.partner[at] + 1] == ":":
            at = script.partner[at]  # a key that is computed
        elif script.is_name(at):
            yield at
        at += 1


def find_unused(source: str) -> list[str]:
    """Find names that stand nowhere but where they are declared, each with what stands before it.

    What is taken out of an object to have the rest may, and a parameter before one that is used.
    """
    script, found = read_script(source), []
    used_after = -1
    for at, start, end in reversed([*list_declared(script)]):
        name = script.tokens[at]
        uses = [n for n in range(start, end) if script.tokens[n] == name and script.is_name(n)]
        if len(uses) > 1:
            used_after = start
        elif not _is_left_out(script, at) and (start != used_after or script.tokens[start] != "("):
            found.append(f"{name} in {' '.join(script.tokens[max(0, at - 6) : at + 4])}")
    return found


def _is_left_out(script: Script, at: int) -> bool:
    """Whether the pattern in which a name stands keeps the rest of an object."""
    while at and script.tokens[at] not in ("{", "[", "(", ";", "const", "let"):
        at = script.partner[at] - 1 if script.tokens[at] in _CLOSED else at - 1
    return script.tokens[at] == "{" and "..." in script.tokens[at : script.partner[at]]


def find_undeclared(source: str) -> list[str]:
    """Find names that are used and declared nowhere in the script: a browser may have them."""
    script = read_script(source)
    declared = {script.tokens[at] for at, _, _ in list_declared(script)}
    used = {token for at, token in enumerate(script.tokens) if script.is_name(at)}
    return sorted(used - declared)
