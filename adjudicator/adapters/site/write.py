"""Writing a site: only what changed, each file whole, what is of no game any more taken away."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from msgspec import structs

from adjudicator.adapters.filing import alone, inside, remove, replace, sweep
from adjudicator.adapters.render import Printer
from adjudicator.adapters.site import press
from adjudicator.adapters.site.build import Built
from adjudicator.adapters.site.catalogue import catalogue, front
from adjudicator.adapters.site.sheet import NAME, VERSION, Sheet
from adjudicator.adapters.site.shots import Kept
from adjudicator.core.canonical import digest, encode
from adjudicator.desk.errors import Refused
from adjudicator.desk.ports import Books
from adjudicator.desk.values import Game, Status

_RULES = "rules.html"
_UNKNOWN = -1
_INDEX = "index.html"
_OURS = b'<meta name="generator" content="adjudicator">'
Build = Callable[[Kept | None], Built]


def write(out: Path, printer: Printer, folder: str, build: Build) -> tuple[str, ...]:
    """Make the site hold this game as it is now; tells which of its files changed.

    What is shown comes before what shows it: pictures, then pages, then the index. Whoever is
    interrupted leaves an old page; writing again mends that. Several write one after the other.
    """
    must_be_fit(out)
    with alone(out):
        kept = _kept(out / folder)
        built = build(kept)
        must_be_fit(out, private=built.sheet.private)
        changed = [f"{folder}/{path}" for path in _game(out / folder, built, kept)]
        return (*changed, *_around(out, printer, folder, built))


def _game(place: Path, built: Built, kept: Kept | None) -> Iterator[str]:
    """Write the folder; what it may hold is listed first, so that nothing is forgotten there."""
    sweep(place, deep=True)
    if not _holds(place / NAME, built.files[NAME]):
        replace(place / NAME, encode(_under_way(built.sheet, kept)))
    for path in sorted(built.files, key=lambda name: (name == _INDEX, name)):
        if path != NAME and replace(place / path, built.files[path]):
            yield path
    for path in sorted(_listed(kept) - {NAME, *built.sheet.files}):
        remove(place, path)
        yield path
    if replace(place / NAME, built.files[NAME]):
        yield NAME


def _under_way(sheet: Sheet, kept: Kept | None) -> Sheet:
    """All that may lie in the folder, were we killed, and for whom; no step is there for sure."""
    before = kept.sheet if kept else None
    return structs.replace(
        sheet,
        shown=tuple(dict.fromkeys((*sheet.shown, *(before.shown if before else ())))),
        late=_UNKNOWN,
        steps=(),
        files={**(before.files if before else {}), **sheet.files},
    )


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


def _around(out: Path, printer: Printer, folder: str, built: Built) -> Iterator[str]:
    """Write the rules of the kind and the first page."""
    beside = f"{Path(folder).parent}/{_RULES}"
    sweep(out)
    sweep((out / beside).parent)
    if replace(out / beside, built.rules):
        yield beside
    top = front(printer, catalogue(_sheets(out)))
    yield from (name for name in sorted(top, reverse=True) if replace(out / name, top[name]))


def must_be_fit(out: Path, *, private: bool = False) -> None:
    """A page that somebody else wrote is not lost to ours; one reader's are not among all's."""
    index = out / _INDEX
    if index.is_file() and _OURS not in index.read_bytes():
        raise Refused(f"{index} is there and is not of such a site; name another folder with --out")
    told = [one.id for one in _sheets(out) if not one.private and one.status != Status.OVER]
    if private and told:
        raise Refused(
            f"{out} holds the pages of {told[0]} that are for everybody; "
            "what one seat alone may know needs another folder: name it with --out"
        )


def set_apart(out: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The games of which the site holds what some seats alone may know, and these seats."""
    return tuple((one.id, one.shown) for one in _sheets(out) if one.private)


def is_behind(out: Path, books: Books, game: Game) -> bool:
    """Whether a site for everybody lacks something that there is, or holds something else."""
    sheet = _sheet(out / game.kind / game.id / NAME)
    if sheet is None or sheet.private:
        return True
    link = books.last_link(game.id)
    late = press.since(books.press(game.id), books.steps(game.id))
    now = (game.status, link.number if link else 0, len(late))
    return (sheet.status, sheet.links, sheet.late) != now


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
    return sheet if mine and sheet.status in list(Status) else None
