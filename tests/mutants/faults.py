"""Small faults for a module: each is one place where the source says something else."""

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Div: "*",
    ast.Mod: "*",
}


class Mutant(NamedTuple):
    """A module with one fault in it."""

    path: str
    line: int
    before: str
    after: str
    source: str
    lines: range
    """Those of the expression or statement that has the fault: tests that reach it pass one."""
    function: str
    """The qualified name of the function or method whose body has the fault; "" for none."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before!r} -> {self.after!r}"


class _Span(NamedTuple):
    start: int
    end: int
    line: int


class _Body(NamedTuple):
    """What a function at the top of a module, or of a class, does when it is called."""

    name: str
    start: int
    end: int


class Module:
    """The source of a module, by bytes as the syntax tree counts them."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._text = text.encode("utf-8")
        self._tree = ast.parse(text)
        self._starts = [0]
        for line in self._text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._bodies = list(self._find_bodies(self._tree.body, ""))

    def mutants(self) -> Iterator[Mutant]:
        """All of them, in the order of the syntax tree."""
        for node in ast.walk(self._tree):
            for span, after in self._faults(node):
                yield self._mutant(node, span, after)

    def control(self) -> Mutant:
        """The module with nothing wrong in it: tests that fail with this one prove nothing."""
        source = self._text.decode("utf-8") + "\n# nothing is wrong here\n"
        return Mutant(self._path, 0, "", "a comment", source, range(0), "")

    def _mutant(self, node: ast.AST, span: _Span, after: str) -> Mutant:
        before = self._text[span.start : span.end]
        source = self._text[: span.start] + after.encode("utf-8") + self._text[span.end :]
        short = " ".join(before.decode("utf-8").split())
        return Mutant(
            *(self._path, span.line, short, after, source.decode("utf-8")),
            *(_lines(node), self._function(span)),
        )

    def _function(self, span: _Span) -> str:
        found = [b.name for b in self._bodies if b.start <= span.start and span.end <= b.end]
        names = [body.name for body in self._bodies]
        return found[0] if found and names.count(found[0]) == 1 else ""

    def _find_bodies(self, statements: list[ast.stmt], within: str) -> Iterator[_Body]:
        for one in statements:
            if isinstance(one, ast.ClassDef):
                yield from self._find_bodies(one.body, f"{within}{one.name}.")
            elif isinstance(one, ast.FunctionDef):
                first, last = self._span(one.body[0]), self._span(one.body[-1])
                yield _Body(f"{within}{one.name}", first.start, last.end)

    def _span(self, node: ast.AST) -> _Span:
        assert isinstance(node, ast.expr | ast.stmt)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._starts[node.lineno - 1] + node.col_offset
        return _Span(start, self._starts[node.end_lineno - 1] + node.end_col_offset, node.lineno)

    def _said(self, node: ast.AST) -> str:
        span = self._span(node)
        return self._text[span.start : span.end].decode("utf-8")

    def _between(self, left: ast.AST, right: ast.AST) -> _Span | None:
        """The operator between two parts; None where a bracket or a comment is in the way."""
        start, end = self._span(left).end, self._span(right).start
        gap = self._text[start:end]
        said = gap.strip()
        if b"(" in gap or b")" in gap or b"#" in gap or not said:
            return None
        at = start + gap.index(said)
        return _Span(at, at + len(said), self._span(left).line)

    def _faults(self, node: ast.AST) -> Iterator[tuple[_Span, str]]:
        match node:
            case ast.Compare():
                yield from self._compared(node)
            case ast.BinOp() if type(node.op) in _OPERATORS and not _is_words(node):
                yield from self._instead(node.left, node.right, _OPERATORS[type(node.op)])
            case ast.BoolOp():
                other = "or" if isinstance(node.op, ast.And) else "and"
                for left, right in pairwise(node.values):
                    yield from self._instead(left, right, other)
            case ast.If() | ast.IfExp() | ast.While():
                yield self._span(node.test), f"(not ({self._said(node.test)}))"
            case _:
                yield from self._whole(node)

    def _whole(self, node: ast.AST) -> Iterator[tuple[_Span, str]]:
        """Something else instead of the whole node."""
        match node:
            case ast.UnaryOp(op=ast.Not()):
                yield self._span(node), f"({self._said(node.operand)})"
            case ast.Constant(value=bool() as value):
                yield self._span(node), str(not value)
            case ast.Constant(value=int() as value):
                yield self._span(node), str(value + 1)
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                yield self._span(value), "None"
            case ast.Expr(value=ast.Call()):
                yield self._span(node), "pass"
            case ast.Continue():
                yield self._span(node), "break"
            case ast.Break():
                yield self._span(node), "continue"

    def _compared(self, node: ast.Compare) -> Iterator[tuple[_Span, str]]:
        parts = [node.left, *node.comparators]
        for (left, right), operator in zip(pairwise(parts), node.ops, strict=True):
            yield from self._instead(left, right, _COMPARISONS[type(operator)])

    def _instead(self, left: ast.AST, right: ast.AST, after: str) -> Iterator[tuple[_Span, str]]:
        span = self._between(left, right)
        if span is not None:
            yield span, after


def _lines(node: ast.AST) -> range:
    """Those of a condition without what depends on it."""
    whole = node.test if isinstance(node, ast.If | ast.IfExp | ast.While) else node
    assert isinstance(whole, ast.expr | ast.stmt)
    return range(whole.lineno, (whole.end_lineno or whole.lineno) + 1)


def _is_words(node: ast.BinOp) -> bool:
    """Sums of texts: what is said is no matter of mutants."""
    return any(
        isinstance(one, ast.JoinedStr | ast.Constant) and not _is_number(one)
        for one in (node.left, node.right)
    )


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)
