"""The pictures of the steps: drawn for new steps, left where they stand for the others."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from adjudicator.adapters.render.pictures import draw_pictures
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.site.exhibit import Exhibit, Scene
from adjudicator.adapters.site.sheet import GameSheet, Shot, Stop
from adjudicator.core.document import digest

_HEIGHT = re.compile(rb'<svg [^>]*?height="(\d+)"')


class KeptSite(Struct, frozen=True):
    """What an earlier writing left in the game's folder."""

    sheet: GameSheet
    stands: Callable[[str, str], bool]
    """Whether the file of this name still has this digest."""


class DrawnStep(Struct, frozen=True, kw_only=True):
    """The pictures of a step."""

    stop: Stop
    files: Mapping[str, bytes]
    """Those that were drawn now."""
    kept: Mapping[str, str] = {}
    """Those that stand, with their digests."""


def draw_steps(
    printer: Printer, game: Exhibit, version: str, without: Sequence[str], kept: KeptSite | None
) -> Iterator[DrawnStep]:
    """The pictures of every step, in order."""
    known = {}
    if kept is not None and kept.sheet.version == version:
        known = {stop.step: stop for stop in kept.sheet.steps}
    for scene in game.scenes:
        before = known.get(scene.name)
        digests = kept.sheet.files if kept else {}
        if (
            kept
            and before
            and before.digest == digest(scene.paper)
            and all(kept.stands(one.file, digests.get(one.file, "")) for one in before.pictures)
        ):
            files = {one.file: digests[one.file] for one in before.pictures}
            yield DrawnStep(stop=before, files={}, kept=files)
        else:
            yield _draw_step(printer, game, scene, without)


def _draw_step(printer: Printer, game: Exhibit, scene: Scene, without: Sequence[str]) -> DrawnStep:
    made: list[Shot] = []
    files: dict[str, bytes] = {}
    for one in draw_pictures(printer, scene.public, game.templates):
        if one.name in without:
            continue
        file = f"{scene.folder}/{one.name}.svg"
        tall = _HEIGHT.search(one.content)
        height = int(tall[1]) if tall else one.width
        made.append(Shot(name=one.name, file=file, alt=one.alt, width=one.width, height=height))
        files[file] = one.content
    stop = Stop(
        step=scene.name,
        turn=scene.public["turn"],
        headline=scene.public["headline"],
        report=f"{scene.folder}/report.json",
        digest=digest(scene.paper),
        pictures=tuple(made),
    )
    return DrawnStep(stop=stop, files=files)
