"""What a reader is told, as bytes; a report is made once of what is seen alike."""

from collections.abc import Sequence
from typing import Any

import msgspec

from adjudicator.core.document import encode
from adjudicator.core.events import Event

_MOST = 2000
_as_it_stands = msgspec.json.Encoder()
"""Keys keep their order here, so that what could come out otherwise counts as something else."""
_reports: dict[tuple[int, bytes], bytes] = {}


def report_bytes(rules: Any, view: Any, seen: Sequence[Event]) -> bytes:
    """The report of a view and its events; rules are pure, so alike makes alike."""
    key = (id(rules), _as_it_stands.encode([view, seen]))
    if key not in _reports:
        if len(_reports) >= _MOST:
            _reports.clear()
        _reports[key] = encode(rules.report(view, seen))
    return _reports[key]
