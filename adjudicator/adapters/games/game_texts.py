"""The texts of one kind of game: what lies in its folders of seeds, orders and tests."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from adjudicator.adapters.games.data_folders import find_in_roots
from adjudicator.adapters.games.rulebook import parse_rulebook
from adjudicator.adapters.yaml.reader import Unreadable, load_yaml
from adjudicator.core.document import Document
from adjudicator.desk.model.errors import Refused, Unknown

NOT_FORMS = ("options", "standing", "report", "guide", "ahead", "scenario")
"""What lies beside a game's forms and is none."""


class GameTexts:
    """The texts of one kind: what lies in its game's folders, the kind's own before the game's."""

    def __init__(self, roots: Sequence[Path], game: str, kind: str) -> None:
        self.game, self._kind = game, kind
        self.folder = kind.replace("-", "_")
        self._roots = tuple(roots)
        places = (Path(game, self.folder), Path(game))
        self._orders = [root / "orders" / place for place in places for root in roots]

    def seed(self, name: str) -> Path | None:
        """Find a file of seeds/<game>/."""
        return find_in_roots(self._roots, "seeds", self.game, name)

    @property
    def rules_text(self) -> str:
        """The whole rulebook as written, in Markdown."""
        path = self.seed("rulebook.md")
        if path is None:
            raise Unknown(f"seeds/{self.game}/rulebook.md is not there")
        return path.read_text(encoding="utf-8")

    @cached_property
    def rulebook(self) -> Mapping[str, str]:
        """The text of each rule by its number, in the order of the rulebook."""
        return parse_rulebook(self.rules_text, self._kind)

    def order(self, name: str) -> Path | None:
        """Find a schema of orders/<game>/, or the one common to all games."""
        common = ("orders", "common", f"{name}.yaml")
        return self.own_order(name) or find_in_roots(self._roots, *common)

    def own_order(self, name: str) -> Path | None:
        """Find a schema of orders/<game>/."""
        return find_in_roots(self._orders, f"{name}.yaml")

    def own_text(self, name: str) -> Document:
        """Read a schema or text of orders/<game>/; empty if the game has none."""
        path = self.own_order(name)
        return read_yaml_file(path) if path is not None else {}

    def examples(self) -> tuple[Path, ...]:
        """Find the examples beside the order forms: the game's, and those of the kind alone."""
        folders = (folder / "examples" for folder in reversed(self._orders))
        return tuple(path for folder in folders for path in sorted(folder.glob("*.yaml")))

    def forms(self) -> tuple[str, ...]:
        """List the names of the order forms."""
        names = {path.stem for folder in self._orders for path in folder.glob("*.yaml")}
        return tuple(sorted(names - set(NOT_FORMS)))

    def scenario(self) -> Path | None:
        """Find the scenario that explains what one of this game looks like."""
        return self.own_order("scenario")

    def scenarios(self) -> Path | None:
        """Find the folder of the game's scenarios, if its tests are available."""
        own, bare = Path("tests", "games", self.game), Path("tests", self.game)
        return find_in_roots(
            [root / one for one in (own, bare) for root in self._roots], "scenarios"
        )

    def templates(self) -> list[Path]:
        """List the folders that may hold its templates."""
        return [root / "templates" for root in self._roots]

    def components(self) -> Document:
        """Read the components as shipped, of this kind where the game has several."""
        path = self.seed(f"{self.folder}.yaml") or self.seed("components.yaml")
        if path is None:
            raise Unknown(f"seeds/{self.game}/components.yaml is not there; every game needs it")
        return read_yaml_file(path)


def read_yaml_file(path: Path) -> Document:
    """Read a YAML file of our own that holds a mapping; errors name their place in it."""
    try:
        document = load_yaml(path.read_text(encoding="utf-8"))
    except Unreadable as fault:
        raise Refused(f"{path}: {fault}") from fault
    if not isinstance(document, dict):
        raise Refused(f"{path}: a mapping was expected")
    return document
