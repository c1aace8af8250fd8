"""The store: SQLite by default, PostgreSQL by URL."""

from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.trouble import StoreTrouble

__all__ = ["SqlStore", "StoreTrouble", "open_store"]
