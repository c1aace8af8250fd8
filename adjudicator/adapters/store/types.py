"""Column types that read back what was written, the same on both engines."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect, Float, Text
from sqlalchemy.types import TypeDecorator, TypeEngine

from adjudicator.core.document import decode, encode


class Instant(TypeDecorator[datetime]):
    """An aware instant: timestamptz on PostgreSQL, ISO text of one width in UTC on SQLite."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the type that the engine knows."""
        return DateTime(timezone=True) if dialect.name == "postgresql" else Text()

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Convert an instant to UTC; one without a zone is a mistake of the caller."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"an instant needs a zone: expected an aware datetime, got {value}")
        instant = value.astimezone(UTC)
        if dialect.name == "postgresql":
            return instant
        return instant.isoformat(timespec="microseconds")

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Convert to UTC, whatever the session's zone is."""
        if value is None:
            return None
        if dialect.name == "postgresql":
            return value.astimezone(UTC)  # type: ignore[no-any-return]  # psycopg's datetime
        return datetime.fromisoformat(value)


class Real(TypeDecorator[float]):
    """A number with a fraction, as the driver gives it: SQLAlchemy would ask for more first."""

    impl = Float
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> None:  # noqa: ARG002 - SQLAlchemy's
        """Convert nothing."""
        return


class Canonical(TypeDecorator[Any]):
    """A document as canonical JSON, readable with any database tool."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's
        """Convert a document to canonical text; None stays NULL."""
        return None if value is None else encode(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ARG002 - SQLAlchemy's
        """Parse the document."""
        return None if value is None else decode(value)


class OrPublic(TypeDecorator[str]):
    """A seat, or the public: kept as the empty text, because NULL would be unlike itself."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str:  # noqa: ARG002 - SQLAlchemy's
        """Store None as the public."""
        return value or ""

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's
        """Read the public as None."""
        return value or None
