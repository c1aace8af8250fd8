"""The table of a load: a column for each run."""

import statistics
from collections.abc import Sequence

from adjudicator.adapters.render.text_layout import lay_out_table
from tests.load.hour import Hour

_QUARTER = 4


def write_table(hours: Sequence[tuple[str, Hour, float]]) -> str:
    """Write what was measured, run beside run."""
    columns = [_column(hour, floor) for _, hour, floor in hours]
    names = [name for name, _ in columns[0]]
    rows = [(name, *(column[n][1] for column in columns)) for n, name in enumerate(names)]
    return lay_out_table(("", *(name for name, _, _ in hours)), rows, indent=0, width=200)


def _column(hour: Hour, floor: float) -> list[tuple[str, str]]:
    span = hour.seconds or 1.0
    return [
        ("letters in", f"{hour.letters}, {hour.letters / span:.1f}/s"),
        ("receipts", f"{len(hour.receipts)}, {_name_percentiles(hour.receipts)}"),
        ("steps closed", f"{hour.closed}, {hour.closed / span:.1f}/s"),
        ("deadline to last report", f"{len(hour.reports)}, {_name_percentiles(hour.reports)}"),
        ("letters out", f"{hour.sent}, {hour.sent / span:.1f}/s"),
        ("seconds", f"{hour.seconds:.0f}, daemons' CPU {hour.cpu:.0f}"),
        ("beside bare parts", f"{hour.seconds / floor:.1f} x of {floor:.0f} s"),
        ("memory", _describe_memory(hour.memory)),
        ("database", f"+{hour.stored / 1024 / max(1, hour.letters):.1f} KiB a letter"),
    ]


def _name_percentiles(seconds: Sequence[float]) -> str:
    """`50 % 0.21 s, 99 % 1.40 s`."""
    if not seconds:
        return "none"
    half, most = (seconds[int(share * (len(seconds) - 1))] for share in (0.5, 0.99))
    return f"50 % {half:.2f} s, 99 % {most:.2f} s"


def _describe_memory(sizes: Sequence[int]) -> str:
    """Tell the most, and how the last quarter compares with the second."""
    part = len(sizes) // _QUARTER
    if not part:
        return f"at most {max(sizes, default=0) / 1024:.0f} MiB"
    early, late = (statistics.median(sizes[n * part : (n + 1) * part]) for n in (1, 3))
    grown = f"last quarter {late / max(1, early):.2f} x the second"
    return f"at most {max(sizes) / 1024:.0f} MiB, {grown}"
