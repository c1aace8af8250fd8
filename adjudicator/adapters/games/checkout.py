"""A checkout that holds games: folders of rules, seeds, orders, templates and tests."""

import importlib
import pkgutil
from collections.abc import Sequence
from pathlib import Path

import adjudicator.rules
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.desk.model.errors import Refused

RULES = ("rules", "adjudicator/rules")
"""Where the packages of rules lie in it."""


def open_checkout(root: Path) -> tuple[FolderLibrary, Sequence[str]]:
    """Open a library that also knows the games of the checkout and their kinds.

    Their packages are imported as they will be in the program: `adjudicator.rules.<game>`.
    """
    folder = next((root / name for name in RULES if (root / name).is_dir()), None)
    if folder is None:
        raise Refused(f"{root} holds no game: there is no folder {' and no '.join(RULES)}")
    games = [info.name for info in pkgutil.iter_modules([str(folder)])]
    if str(folder.resolve()) not in map(str, adjudicator.rules.__path__):
        adjudicator.rules.__path__.append(str(folder.resolve()))
    packages = [importlib.import_module(f"{adjudicator.rules.__name__}.{name}") for name in games]
    kinds = sorted(kind for package in packages for kind in getattr(package, "GAMES", ()))
    if not kinds:
        raise Refused(f"{folder} holds no game: no package there has GAMES")
    return FolderLibrary([root.resolve()]), kinds
