"""The revisions of the schema: which one a database has, and which ones this program knows."""

from collections.abc import Mapping
from typing import Final

from adjudicator.adapters.store.prepared import DriverTransaction
from adjudicator.adapters.store.trouble import StoreTrouble

REVISIONS = (
    *("0003", "0006", "0007", "0008", "0010", "0011", "0012", "0013", "0014"),
    *("0015", "0016", "0017", "0018", "0019"),
)
"""Of the schema, one a release, oldest first; the last is the one that this program writes."""

VERSION_TABLE = "adjudicator_schema"
"""The table of the revision, named so as not to collide with others in a shared database."""

_FIND_TABLE: Final[Mapping[str, str]] = {
    "sqlite": f"SELECT name FROM sqlite_master WHERE type = 'table' AND name = '{VERSION_TABLE}'",
    "postgresql": f"SELECT to_regclass('{VERSION_TABLE}')",
}


def read_revision(transaction: DriverTransaction) -> str | None:
    """Read the database's revision; None if it is empty."""
    if transaction.ask(_FIND_TABLE[transaction.engine]) is None:
        return None
    revision: str | None = transaction.ask(f"SELECT version_num FROM {VERSION_TABLE}")
    return revision


def is_newest(revision: str | None, name: str) -> bool:
    """Whether a database needs no update; raises StoreTrouble where it can have none."""
    if revision is not None and revision > REVISIONS[-1]:
        raise StoreTrouble(
            f"{name}: it was written by a newer adjudicator (schema {revision}, this program knows"
            f" {REVISIONS[-1]}); update the program: pip install --upgrade pbem-adjudicator"
        )
    if revision is not None and revision not in REVISIONS:
        raise StoreTrouble(
            f"{name}: it was written by an adjudicator between two releases (schema {revision}); "
            "export its games with that program, and import them into a new home"
        )
    return revision == REVISIONS[-1]
