"""The trace id of a letter or an act, and of everything that it causes, in books and logs alike."""

from datetime import datetime

from adjudicator.core.document import digest

_SIGNS = 10


def trace_id(*names: str | None) -> str:
    """The id that goes with the first of these names that is one."""
    name = next(filter(None, names), "")
    return digest(name.encode("utf-8", "surrogatepass"))[:_SIGNS]


def act_trace_id(what: str, at: datetime) -> str:
    """The id of what nobody wrote a letter for: the clock's acts, and those by hand."""
    return trace_id(f"{what} {at.isoformat()}")
