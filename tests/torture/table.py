"""The figures of a run, as a table."""

from collections.abc import Mapping, Sequence

from tests.torture.audit import count_repeats
from tests.torture.evidence import Evidence
from tests.torture.run import Torture


def figures(torture: Torture, evidence: Evidence, faults: Sequence[str]) -> dict[str, str]:
    """Column by column."""
    lost = sum("has 0 fates" in fault for fault in faults)
    twice = sum("twice" in fault for fault in faults)
    out = len({(one.mailbox, one.message_id) for one in evidence.received})
    sink = torture.house.post.sink
    return {
        "run": f"{torture.house.post.name}, {_engine(torture)}",
        "kill -9": str(torture.counts["kill -9"]),
        "faults": str(torture.faults.total() + (sink.faults.total() if sink else 0)),
        "letters (copies)": f"{len(evidence.written)} "
        f"({len(evidence.written) + torture.crowd.copies})",
        "letters out / files": f"{out} / {len(evidence.received)}",
        "repeats": str(count_repeats(evidence)),
        "steps": str(len(evidence.closed)),
        "lost": str(lost),
        "twice": str(twice),
        "verify": f"{evidence.verified}/{evidence.verified + len(evidence.unverified)}",
        "integrity": "-" if torture.house.url else "ok" if not evidence.damage else "DAMAGED",
    }


def _engine(torture: Torture) -> str:
    return "PostgreSQL" if torture.house.url else "SQLite"


def as_table(rows: Sequence[Mapping[str, str]]) -> str:
    """In Markdown."""
    heads = list(rows[0])
    lines = [heads, ["---"] * len(heads), *([row[head] for head in heads] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
