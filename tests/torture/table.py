"""The figures of houses that were tortured, as a table."""

from collections import Counter
from collections.abc import Mapping, Sequence

from adjudicator.core.events import format_count
from tests.torture.audit import count_repeats
from tests.torture.evidence import Evidence
from tests.torture.run import Torture

_HEADS = (
    *("kill -9", "faults", "letters", "with copies", "letters out", "files", "repeats", "steps"),
    *("lost", "twice", "verified", "not verified", "damaged"),
)


def count_figures(torture: Torture, evidence: Evidence, faults: Sequence[str]) -> Mapping[str, int]:
    """Count column by column what a house came to."""
    sink = torture.house.post.sink
    written, files = len(evidence.written), len(evidence.received)
    return {
        "kill -9": torture.counts["kill -9"],
        "faults": torture.faults.total() + (sink.faults.total() if sink else 0),
        "letters": written,
        "with copies": written + torture.crowd.copies,
        "letters out": len({(one.mailbox, one.message_id) for one in evidence.received}),
        "files": files,
        "repeats": count_repeats(evidence),
        "steps": len(evidence.closed),
        "lost": sum("has 0 fates" in fault for fault in faults),
        "twice": sum("twice" in fault for fault in faults),
        "verified": evidence.verified,
        "not verified": len(evidence.unverified),
        "damaged": len(evidence.damage),
    }


def name_house(torture: Torture, daemons: int) -> str:
    """Name the ways of its letters, its database, and how many serve it."""
    engine = "PostgreSQL" if torture.house.url else "SQLite"
    return f"{torture.house.post.name}, {engine}, {format_count(daemons, 'daemon')}"


def as_table(rows: Sequence[tuple[str, Mapping[str, int]]]) -> str:
    """Write a table in Markdown: all houses of a name in one line, with how many they are."""
    houses = Counter(name for name, _ in rows)
    lines = [["run", "houses", *_HEADS], ["---"] * (len(_HEADS) + 2)]
    for name, count in houses.items():
        total = sum((Counter(one) for other, one in rows if other == name), Counter[str]())
        lines.append([name, str(count), *(str(total[head]) for head in _HEADS)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
