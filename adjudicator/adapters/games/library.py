"""Every installed game: rules code, rulebook, components and order forms, joined by name.

The only module that reaches a game. A game is found by its folder in adjudicator/rules, or by an
entry point in the group `adjudicator.rules` that is named like its kind and names a package which
exposes GAMES; such a package brings its texts in a folder `_data` of its own.
"""

import importlib
import pkgutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from msgspec import ValidationError
from msgspec.structs import replace

import adjudicator.core
import adjudicator.rules
from adjudicator.adapters.games.data_folders import find_data_home, find_in_roots
from adjudicator.adapters.games.game_texts import GameTexts, read_yaml_file
from adjudicator.adapters.games.rules_digest import digest_reporting, digest_rules, read_source
from adjudicator.core.document import Document, Impossible, Seat, decode, encode
from adjudicator.core.finding import format_path
from adjudicator.core.forms.line_reader import FreeForms
from adjudicator.core.forms.order_form import (
    Form,
    KnownNames,
    add_standing,
    compile_form,
    fill_defaults,
    read_form,
)
from adjudicator.core.forms.reading import FreeReading, Reading, Text, WrittenLine
from adjudicator.core.game import AnyRules
from adjudicator.core.names import fold, suggest
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.ports import Kind, Library

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "adjudicator.rules"
BESIDE = ("options", "settings", "envelope", "ahead")
"""The GM's choices for a game, the envelope of orders, and what orders ahead depend on."""
_OTHERS = ("all", "gm")
"""Whom one may write to beside the seats."""
_CACHE_SIZE = 64
"""Kinds that are remembered, with their compiled forms; games may have components of their own."""

_CORE = Path(next(iter(adjudicator.core.__path__)))

MakeRules = Callable[[Document], AnyRules]


class FolderKind(Kind):
    """One kind of game; everything is read when it is first asked for."""

    def __init__(
        self,
        kind: str,
        make: MakeRules,
        package: Path,
        texts: GameTexts,
        components: Document | None,
    ):
        self.kind = kind
        self._package = package
        self._texts = texts
        self.examples = texts.examples
        self.scenarios, self.scenario = texts.scenarios, texts.scenario
        self.game = texts.game
        """The folder of its texts in seeds, orders and templates."""
        self._forms: dict[str, Form] = {}
        self._schemas: dict[str, Document] = {}
        self._components = texts.components() if components is None else components
        if components is not None:  # the shipped ones are validated by the tests
            _validate(kind, components, texts)
        try:
            self.rules = make(self._components)
        except (Impossible, ValidationError) as wrong:
            raise Refused(f"components of {kind}: {wrong}") from wrong
        self._read_source = lru_cache(maxsize=None)(read_source)
        # all letters of a step start from one state
        self._load = lru_cache(maxsize=16)(lambda content: self.rules.load(decode(content)))
        self.title = self.rules.title
        if missing := {"players", "seats"} - self._components.keys():
            raise Refused(f'components of {kind}: "{min(missing)}" is missing')
        players = self._components["players"]
        self.smallest: int = players["smallest"]
        self.largest: int = players["largest"]
        self.book: tuple[int, int] = (players["book"][0], players["book"][1])
        self.seats: tuple[Seat, ...] = tuple(self._components["seats"])
        self.replayed: dict[tuple[str, str, str], Any] = {}

    @cached_property
    def digest(self) -> str:
        return digest_rules(self._package, _CORE, self._components, self._read_source)

    @cached_property
    def reporting(self) -> str:
        folders = self._texts.templates()
        return digest_reporting(
            self._package, _CORE, self._components, folders, self.game, self._read_source
        )

    @property
    def rules_text(self) -> str:
        return self._texts.rules_text

    @property
    def rulebook(self) -> Mapping[str, str]:
        return self._texts.rulebook

    def state(self, content: bytes) -> Any:
        return self._load(content)

    def forms(self) -> Sequence[str]:
        """List the names of the order forms."""
        return self._form_names

    @cached_property
    def _form_names(self) -> tuple[str, ...]:
        return self._texts.forms()

    def form(self, name: str) -> Form:
        if name not in self._forms:
            schema = self._schema(name)
            elsewhere: dict[str, str] = {}
            for other in self.forms() if name not in BESIDE else ():
                there = self._schema(other) if other != name else {}
                for key in map(fold, there.get("properties", ())):
                    more = f"{elsewhere[key]} and " if key in elsewhere else ""
                    elsewhere[key] = f"{more}{there['title']}"
            self._forms[name] = compile_form(name, schema, elsewhere)
        return self._forms[name]

    def read(self, form: str, text: Text, seats: Sequence[Seat]) -> Reading:
        return read_form(self.form(form), text, self._names(seats))

    def free_lines(
        self,
        form: str | None,
        lines: Sequence[WrittenLine],
        seats: Sequence[Seat],
        keys: Collection[str],
        guess: Callable[[str], Document | None] = lambda _: None,
    ) -> FreeReading:
        from adjudicator.core.forms.free_lines import read_free_lines

        return read_free_lines(replace(self._readable(form, seats, keys), guess=guess), lines)

    def mend(
        self, form: str, document: Document, seats: Sequence[Seat], keys: Collection[str]
    ) -> Document:
        from adjudicator.core.forms.free_lines import mend_form

        return mend_form(self._readable(form, seats, keys), document)

    def _readable(
        self, form: str | None, seats: Sequence[Seat], keys: Collection[str]
    ) -> FreeForms:
        return FreeForms(
            form=self.form(form) if form is not None else None,
            envelope=self.form("envelope"),
            keys=frozenset(keys),
            names=self._names(seats),
        )

    def find_forms(self, keys: Collection[str]) -> Sequence[str]:
        folded_keys = {fold(key) for key in keys}
        fields = {name: set(map(fold, self.form(name).root.properties)) for name in self.forms()}
        return [name for name, own in fields.items() if folded_keys <= own]

    def options(self, options: Document, seats: Sequence[Seat]) -> Document:
        form, reading = self.form("options"), self.read("options", Text(value=options), seats)
        for finding in reading.findings:
            raise Impossible(format_path(finding.path), finding.message)
        return fill_defaults(form, reading.orders or {})

    def reported(self) -> Document:
        """Return the fields that only its reports have (core/report.py); empty without any."""
        return self._texts.own_text("report")

    @cached_property
    def guide(self) -> Document:
        return self._texts.own_text("guide")

    def components(self) -> Document:
        """Return the contents of the box."""
        return self._components

    def _schema(self, name: str) -> Document:
        """Return a form's schema, with the standing orders that any form may contain."""
        if name not in self._schemas:
            path = self._texts.order(name) if name in (*self.forms(), *BESIDE) else None
            if path is None:
                names = ", ".join(self.forms())
                raise Unknown(f'{self.title} has no form "{name}"; its forms are {names}')
            schema = read_yaml_file(path)
            self._schemas[name] = schema if name in BESIDE else add_standing(schema, self._standing)
        return self._schemas[name]

    @cached_property
    def _standing(self) -> Document | None:
        path = self._texts.order("standing")
        schema = read_yaml_file(path) if path is not None else {}
        return schema if schema.get("properties") else None

    def _names(self, seats: Sequence[Seat]) -> KnownNames:
        """Return the names of the game; its sides are the seats and all other powers."""
        others = (name for name in self.rules.names.get("side", ()) if name not in seats)
        people = {"seat": tuple(seats), "addressee": (*seats, *_OTHERS)}
        return {**self.rules.names, **people, "side": (*seats, *others)}


class FolderLibrary(Library):
    """The games of this installation; extra roots hold seeds and orders of more games.

    Extra packages are games that are not installed; their texts lie inside them.
    """

    def __init__(self, roots: Sequence[Path] = (), packages: Sequence[ModuleType] = ()) -> None:
        self.roots: tuple[Path, ...] = (*(Path(root) for root in roots), find_data_home())
        self._extra = tuple(packages)
        self._kind_of_content = lru_cache(maxsize=_CACHE_SIZE)(self._make)

    def kinds(self) -> Sequence[str]:
        """List all kinds, sorted."""
        names = {kind for package in self._packages() for kind in _list_games(package)}
        names |= {kind for package in self._extra for kind in _list_games(package)}
        return tuple(sorted(names | {point.name for point in _entry_points()}))

    def kind(self, kind: str, components: Document | None = None) -> FolderKind:
        return self._kind_of_content(kind, None if components is None else encode(components))

    def common(self, name: str) -> Form:
        """Return a form of orders/common."""
        path = find_in_roots(self.roots, "orders", "common", f"{name}.yaml")
        if path is None:
            raise Unknown(f"orders/common/{name}.yaml is not there")
        return compile_form(name, read_yaml_file(path))

    def templates(self) -> Sequence[Path]:
        """List the folders of templates, the server's own before those of added games."""
        extra = (_folder(package) / "_data" for package in self._extra)
        return tuple(root / "templates" for root in (*self.roots, *extra, *_find_outside()))

    def rulebook(self, kind: str) -> Mapping[str, str]:
        """Return the text of each rule by its number, without loading the game's code."""
        return self._find_texts(kind, self._package(kind)).rulebook

    def _make(self, kind: str, content: bytes | None) -> FolderKind:
        package = self._package(kind)
        components = None if content is None else decode(content)
        texts = self._find_texts(kind, package)
        return FolderKind(kind, _list_games(package)[kind], _folder(package), texts, components)

    def _find_texts(self, kind: str, package: ModuleType) -> GameTexts:
        game = package.__name__.rpartition(".")[2]
        return GameTexts([*self.roots, _folder(package) / "_data"], game, kind)

    def _package(self, kind: str) -> ModuleType:
        """Import the package that plays the kind; packages of other names are not imported."""
        name = kind.replace("-", "_")
        for package in (*self._extra, *self._packages(name.startswith)):
            if kind in _list_games(package):
                return package
        for point in _entry_points():
            if point.name == kind:
                module = point.load()
                if isinstance(module, ModuleType) and kind in _list_games(module):
                    return module
                raise Unknown(f'entry point "{kind}" ({point.value}) names no package with GAMES')
        for package in self._packages():
            if kind in _list_games(package):
                return package
        kinds = self.kinds()
        suggestion = suggest(kind, kinds)
        hint = (
            f'did you mean "{suggestion}"?' if suggestion else f"the kinds are {', '.join(kinds)}"
        )
        raise Unknown(f'there is no kind of game "{kind}"; {hint}')

    def _packages(self, accept: Callable[[str], bool] = lambda _: True) -> Iterator[ModuleType]:
        """Find the packages of games with these names, the longest and most likely first."""
        names = sorted(info.name for info in pkgutil.iter_modules(adjudicator.rules.__path__))
        for name in sorted(names, key=lambda name: (-len(name), name)):
            if accept(name):
                yield importlib.import_module(f"{adjudicator.rules.__name__}.{name}")


def _folder(package: ModuleType) -> Path:
    return Path(next(iter(package.__path__)))


def _list_games(package: ModuleType) -> Mapping[str, MakeRules]:
    games: Mapping[str, MakeRules] = getattr(package, "GAMES", {})
    return games


@cache
def _entry_points() -> "Sequence[EntryPoint]":
    """Find the installed entry points once, since reading all installed packages is slow."""
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda point: point.name)


def _find_outside() -> Iterator[Path]:
    """Find the data of other distributions' packages, without importing the packages."""
    for point in _entry_points():
        try:
            spec = find_spec(point.module)
        except ModuleNotFoundError:
            continue  # opening the game explains the fault
        for place in (spec and spec.submodule_search_locations) or ():
            yield Path(place) / "_data"


def _validate(kind: str, components: Document, texts: GameTexts) -> None:
    """Refuse components with faults, and those of another kind, which may share the schema."""
    own_kind = components.get("kind", kind)
    if own_kind != kind:
        raise Refused(
            f"components of {kind}: these are of {own_kind}; make the game with that kind"
        )
    path = texts.seed("components.schema.yaml")
    if path is None:
        return
    from jsonschema import Draft202012Validator

    faults = sorted(
        Draft202012Validator(read_yaml_file(path)).iter_errors(components),
        key=lambda e: e.json_path,
    )
    if faults:
        places = (format_path(tuple(error.absolute_path)) for error in faults)
        messages = [
            f"{at}: {e.message}" if at else e.message for at, e in zip(places, faults, strict=True)
        ]
        raise Refused(f"components of {kind}: {'; '.join(messages[:5])}")
