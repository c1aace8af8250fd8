"""Writing a site: only what changed, each file whole, what is of no game any more taken away."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from adjudicator.adapters.filing import inside, remove, replace
from adjudicator.adapters.render import Printer
from adjudicator.adapters.site.build import Built
from adjudicator.adapters.site.catalogue import catalogue, front
from adjudicator.adapters.site.sheet import NAME, VERSION, Sheet
from adjudicator.adapters.site.shots import Kept
from adjudicator.core.canonical import digest
from adjudicator.desk.errors import Refused
from adjudicator.desk.values import Game, Step

_RULES = "rules.html"
_INDEX = "index.html"
_OURS = b'<meta name="generator" content="adjudicator">'
Build = Callable[[Kept | None], Built]


def write(out: Path, printer: Printer, folder: str, build: Build) -> tuple[str, ...]:
    """Make the site hold this game as it is now; tells which of its files changed.

    What is shown comes before what shows it: pictures, then pages, then the index. Whoever is
    interrupted leaves an old page; writing again mends that.
    """
    _must_be_ours(out)
    place = out / folder
    kept = _kept(place)
    built = build(kept)
    changed = [
        f"{folder}/{path}"
        for path in sorted(built.files, key=lambda name: (name == NAME, name == _INDEX, name))
        if replace(place / path, built.files[path])
    ]
    for path in sorted(_listed(kept) - set(built.sheet.files)):
        remove(place, path)
        changed.append(f"{folder}/{path}")
    beside = f"{Path(folder).parent}/{_RULES}"
    changed += [beside] if replace(out / beside, built.rules) else []
    top = front(printer, catalogue(_sheets(out)))
    changed += [name for name in sorted(top, reverse=True) if replace(out / name, top[name])]
    return tuple(changed)


def is_behind(out: Path, game: Game, steps: Sequence[Step]) -> bool:
    """Whether the site lacks this game's last step, or what became of the game."""
    sheet = _sheet(out / game.kind / game.id / NAME)
    if sheet is None:
        return True
    counting = [step for step in steps if step.closed is not None and not step.void]
    last = max(counting, key=lambda step: step.number, default=None)
    shown = sheet.steps[-1].step if sheet.steps else None
    return (sheet.status, shown) != (game.status, last.name if last else None)


def _must_be_ours(out: Path) -> None:
    """A page that somebody else wrote is not lost to ours."""
    index = out / _INDEX
    if index.is_file() and _OURS not in index.read_bytes():
        raise Refused(f"{index} is there and is not of such a site; name another folder with --out")


def _kept(place: Path) -> Kept | None:
    sheet = _sheet(place / NAME)
    if sheet is None:
        return None

    def stands(path: str, wanted: str) -> bool:
        try:
            return inside(path) and digest((place / path).read_bytes()) == wanted
        except OSError:
            return False

    return Kept(sheet, stands)


def _listed(kept: Kept | None) -> set[str]:
    return {path for path in kept.sheet.files if inside(path)} if kept else set()


def _sheets(out: Path) -> Iterator[Sheet]:
    for path in sorted(out.glob(f"*/*/{NAME}")):
        sheet = _sheet(path)
        if sheet is not None:
            yield sheet


def _sheet(path: Path) -> Sheet | None:
    """What stands in a game.json of ours; None where there is none that can be read."""
    try:
        sheet = msgspec.json.decode(path.read_bytes(), type=Sheet)
    except (OSError, msgspec.DecodeError):
        return None
    mine = sheet.site == VERSION and path.parent.parts[-2:] == (sheet.kind, sheet.id)
    return sheet if mine else None
