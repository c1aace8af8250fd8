"""How much of the program one letter and one closing pass through: functions and files, counted.

Counted are the distinct code objects of the package `adjudicator` that begin to run (the `call`
events of `sys.setprofile`) inside `receive_letter` for a reply with a set of orders, and inside
`close_step` for a step with all orders on file. A lambda or a generator expression is a code object
of its own. The program is one that serves already: its modules are imported, its statements and
forms compiled, the kind of game is known. To the letter the game is new, so that its position is
read from the books; the closing follows the last orders in the same program.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

import adjudicator

_PACKAGE = str(Path(adjudicator.__file__).parent)


class Calls:
    """What ran while it was traced."""

    def __init__(self) -> None:
        self.functions: set[CodeType] = set()

    def __str__(self) -> str:
        return f"{len(self.functions)} functions in {len(self.by_file())} files"

    def by_file(self) -> Mapping[str, list[str]]:
        """The names of the functions of each file, for whoever wants to know where they go."""
        found: dict[str, list[str]] = {}
        for code in sorted(self.functions, key=lambda one: (one.co_filename, one.co_firstlineno)):
            name = getattr(code, "co_qualname", code.co_name)
            found.setdefault(code.co_filename.removeprefix(_PACKAGE), []).append(name)
        return found


@contextmanager
def trace_calls() -> Iterator[Calls]:
    """Count the functions of the package that are called inside."""
    calls = Calls()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(_PACKAGE):
            calls.functions.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)
