"""The folders of seeds, orders and templates, in the checkout or in the wheel.

The checkout beside the package comes first; the copy inside the package is what a wheel brings.
(An editable install makes that copy too, and then never renews it.)
"""

from collections.abc import Sequence
from pathlib import Path

PARTS = ("seeds", "orders", "templates")


def find_data_home() -> Path:
    """The folder that holds seeds, orders and templates."""
    package = Path(__file__).resolve().parents[2]
    checkout = package.parent
    if all((checkout / part).is_dir() for part in PARTS[:2]):
        return checkout
    return package / "_data"


def find_data_folder(part: str) -> Path:
    """One of the server's folders: seeds, orders or templates."""
    return find_data_home() / part


def find_in_roots(roots: Sequence[Path], *parts: str) -> Path | None:
    """The first of the roots' files or folders of this name; None when none has it."""
    return next((path for root in roots if (path := root.joinpath(*parts)).exists()), None)
