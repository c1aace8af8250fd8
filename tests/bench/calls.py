"""How much of the program one letter and one closing pass through: functions and files, counted.

Counted are the distinct code objects of the package `adjudicator` that begin to run (the `call`
events of `sys.setprofile`) inside `receive_letter` for a reply with a set of orders, and inside
`close_step` for a step with all orders on file. A generator expression or a lambda is a code object
of its own; what other packages do, and what has run before in the same process (imports, compiled
templates and schemas), is not counted. Both are counted in a program that is warm: the same work
has been done once before on a copy.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

from msgspec import Struct

import adjudicator

_PACKAGE = str(Path(adjudicator.__file__).parent)


class Calls(Struct):
    """What ran while it was traced."""

    functions: set[CodeType]
    total: int = 0

    @property
    def files(self) -> set[str]:
        """The files of these functions, relative to the package."""
        return {code.co_filename.removeprefix(_PACKAGE) for code in self.functions}

    def by_file(self) -> Mapping[str, list[str]]:
        """The names of the functions of each file, for whoever wants to know where they go."""
        found: dict[str, list[str]] = {}
        for code in sorted(self.functions, key=lambda one: (one.co_filename, one.co_firstlineno)):
            found.setdefault(code.co_filename.removeprefix(_PACKAGE), []).append(code.co_qualname)
        return found


@contextmanager
def trace_calls() -> Iterator[Calls]:
    """Count the functions of the package that are called inside."""
    calls = Calls(set())

    def note(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(_PACKAGE):
            calls.total += 1
            calls.functions.add(code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def count_calls(work: Callable[[], object]) -> Calls:
    """What runs while this is done."""
    with trace_calls() as calls:
        work()
    return calls
