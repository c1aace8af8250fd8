"""The texts of one kind of game: what lies in its folders of seeds, orders and tests."""

from collections.abc import Sequence
from pathlib import Path

from adjudicator.adapters.games.data_folders import find_in_roots
from adjudicator.adapters.yaml.reader import Unreadable, load_yaml
from adjudicator.core.document import Document
from adjudicator.desk.model.errors import Refused, Unknown

NOT_FORMS = ("options", "standing", "report")
"""What lies beside a game's forms and is none."""


class Shelf:
    """The texts of one kind: what lies in its game's folders, the kind's own before the game's."""

    def __init__(self, roots: Sequence[Path], game: str, kind: str) -> None:
        self._roots = tuple(roots)
        self.game = game
        self.folder = kind.replace("-", "_")

    def seed(self, name: str) -> Path | None:
        """A file of seeds/<game>/."""
        return find_in_roots(self._roots, "seeds", self.game, name)

    def order(self, name: str) -> Path | None:
        """A schema of orders/<game>/, or the one that is common to all games."""
        return self.own_order(name) or find_in_roots(
            self._roots, "orders", "common", f"{name}.yaml"
        )

    def own_order(self, name: str) -> Path | None:
        """A schema of orders/<game>/."""
        places = ((self.game, self.folder), (self.game,))
        found = (find_in_roots(self._roots, "orders", *place, f"{name}.yaml") for place in places)
        return next((path for path in found if path is not None), None)

    def examples(self) -> tuple[Path, ...]:
        """The examples beside the order forms: those of the game, and of the kind alone."""
        places = ((self.game,), (self.game, self.folder))
        folders = (root.joinpath("orders", *p, "examples") for root in self._roots for p in places)
        return tuple(path for folder in folders for path in sorted(folder.glob("*.yaml")))

    def scenarios(self) -> Path | None:
        """The folder of the game's scenarios, where its tests are at hand."""
        places = (("tests", "games", self.game), ("tests", self.game))
        found = (find_in_roots(self._roots, *place, "scenarios") for place in places)
        return next((path for path in found if path is not None), None)

    def forms(self) -> tuple[str, ...]:
        """The names of the order forms."""
        places = ((self.game,), (self.game, self.folder))
        names = {
            path.stem
            for root in self._roots
            for place in places
            for path in root.joinpath("orders", *place).glob("*.yaml")
        }
        return tuple(sorted(names - set(NOT_FORMS)))

    def templates(self) -> list[Path]:
        """Where its templates may lie."""
        return [root / "templates" for root in self._roots]

    def components(self) -> Document:
        """The components as shipped: of this kind where the game has several."""
        for name in (f"{self.folder}.yaml", "components.yaml"):
            path = self.seed(name)
            if path is not None:
                return read_yaml_file(path)
        raise Unknown(f"seeds/{self.game}/components.yaml is not there; every game needs it")


def read_yaml_file(path: Path) -> Document:
    """A YAML file of our own that holds a mapping; what is wrong in it is told with its place."""
    try:
        document = load_yaml(path.read_text(encoding="utf-8"))
    except Unreadable as fault:
        raise Refused(f"{path}: {fault}") from fault
    if not isinstance(document, dict):
        raise Refused(f"{path}: a mapping was expected")
    return document
