"""The plain values in which everything is stored and told."""

from collections.abc import Mapping
from typing import Any

Seat = str
Document = Mapping[str, Any]
Orders = Mapping[Seat, Document]
"""What is on file for a step, a form per seat; a seat left out sent nothing."""


class Impossible(Exception):  # noqa: N818 - it is said of a position, not of the program
    """A position or option that cannot be: the path of the offending key, and what is wrong."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path
        self.message = message
