"""The folders of seeds, orders and templates, in the checkout or in the wheel.

The checkout beside the package comes first; the copy inside the package is what a wheel brings.
(An editable install makes that copy too, and then never renews it.)
"""

from collections.abc import Sequence
from pathlib import Path

PARTS = ("seeds", "orders", "templates")


def find_data_home() -> Path:
    """Find the folder that holds seeds, orders and templates."""
    package = Path(__file__).resolve().parents[2]
    checkout = package.parent
    if all((checkout / part).is_dir() for part in PARTS[:2]):
        return checkout
    return package / "_data"


def find_data_folder(part: str) -> Path:
    """Find one of the server's folders: seeds, orders or templates."""
    return find_data_home() / part


def find_in_roots(roots: Sequence[Path], *parts: str) -> Path | None:
    """Find the first of the roots' files or folders with this name; None if none has it."""
    return next((path for root in roots if (path := root.joinpath(*parts)).exists()), None)
