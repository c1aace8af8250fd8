"""All files of a game's folder, the rules of its kind and the first page of a site.

Pure: the same game, the same bytes. Pictures are drawn for new steps, and left where they stand
for the others.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.games.library import FolderKind
from adjudicator.adapters.render.printer import Picture, Printer, draw_pictures, draw_thumb
from adjudicator.adapters.site.charts import Measure, describe_chart, measure_game
from adjudicator.adapters.site.exhibit import Exhibit, Scene
from adjudicator.adapters.site.feeds import FEED_FILE, render_game_feed
from adjudicator.adapters.site.rules_page import make_rules_page
from adjudicator.adapters.site.share import list_shared
from adjudicator.adapters.site.sheet import SHEET_FILE, GameSheet, Shot, Stop
from adjudicator.adapters.site.story import STORY_FILE, find_places_of_game, render_story
from adjudicator.adapters.site.turns import Page, Turn, TurnPages, list_turns
from adjudicator.core.document import digest, encode

_SITE = "site"
_CODE = Path(__file__).parent


class KeptSite(Struct, frozen=True):
    """What an earlier writing left in the game's folder."""

    sheet: GameSheet
    read: Callable[[str], bytes | None]
    """The content of a file; None if it is not there."""

    def stands(self, file: str) -> bool:
        """Whether the file is as it was written."""
        content = self.read(file)
        return content is not None and digest(content) == self.sheet.files.get(file)


class BuiltGame(Struct, frozen=True, kw_only=True):
    """A game's folder as it is to be."""

    folder: str
    """jump-wars/ember"""
    sheet: GameSheet
    files: Mapping[str, bytes]
    """By path below the folder; those that stand there already are not among them."""
    rules: bytes
    """rules.html, beside the folder."""


def build_game(
    printer: Printer,
    folders: tuple[Path, ...],
    kind: FolderKind,
    game: Exhibit,
    old_site: KeptSite | None,
    url: str = "",
    facts: str = "",
) -> BuiltGame:
    """Build the game's pages, pictures and documents; only those that changed are made anew.

    `url` is where the site is on the web, if that is known, and `facts` the digest of what the
    pages hang on.
    """
    charts, instead = measure_game(printer, game)
    version = digest_version(folders, kind, url)
    old_site = old_site if old_site and old_site.sheet.version == version else None
    files, stops = _draw_steps(printer, game, instead, old_site)
    thumb = _draw_thumb(printer, game)
    files |= {shot.file: content for shot, content in thumb.items()}
    places = find_places_of_game(printer, game)
    turns = list_turns(game, stops)
    read = partial(_read_file, files, old_site)
    pages = TurnPages(printer, game, turns, places, kind.rulebook, read, url)
    plan = [*pages.list_pages(), *(list_shared(printer, game, turns, read) if url else ())]
    marks = {page.file: page.mark for page in plan}
    files |= {page.file: page.make() for page in plan if not _is_standing(page, old_site)}
    files |= _render_heads(printer, game, charts, pages, turns, kind.rulebook)
    files[STORY_FILE] = render_story(game, places)
    old_files = old_site.sheet.files if old_site else {}
    shots = (shot.file for stop in stops for shot in stop.pictures)
    stand = {file: old_files[file] for file in (*shots, *marks) if file not in files}
    sheet = GameSheet(
        id=game.id,
        kind=game.kind,
        title=game.title,
        status=game.status,
        created=game.created,
        seats=game.seats,
        players={seat: tuple(one.name for one in own) for seat, own in game.holders.items()},
        shown=game.shown,
        winners=game.winners,
        said=game.outcome,
        ended=game.ended,
        links=game.links,
        version=version,
        steps=tuple(stops),
        thumb=next(iter(thumb), None),
        score=(charts[0].title, charts[0].values[-1]) if charts else None,
        made=marks,
        facts=facts,
        files={},
    )
    files[FEED_FILE] = render_game_feed(printer, sheet, url)
    digests = {file: digest(content) for file, content in files.items()}
    sheet = replace(sheet, files=digests | stand)
    return BuiltGame(
        folder=f"{game.kind}/{game.id}",
        sheet=sheet,
        files={**files, SHEET_FILE: encode(sheet)},
        rules=_render_rules(printer, kind),
    )


def _draw_steps(
    printer: Printer, game: Exhibit, without: Collection[str], old_site: KeptSite | None
) -> tuple[dict[str, bytes], list[Stop]]:
    """Draw the pictures of the steps, except those that stand; also returns the reports."""
    standing = dict(_find_standing(game, old_site))
    files: dict[str, bytes] = {}
    stops: list[Stop] = []
    for scene in game.scenes:
        pictures = {} if scene.name in standing else _draw(printer, game, scene, without)
        files |= {shot.file: content for shot, content in pictures.items()}
        stops.append(standing.get(scene.name) or _make_stop(scene, tuple(pictures)))
        files[stops[-1].report] = scene.paper
    return files, stops


def _is_standing(page: Page, old_site: KeptSite | None) -> bool:
    """Whether the page is there and all that is on it is as it was."""
    return (
        old_site is not None
        and old_site.sheet.made.get(page.file) == page.mark
        and old_site.stands(page.file)
    )


def _read_file(files: Mapping[str, bytes], old_site: KeptSite | None, file: str) -> bytes:
    """Read a file that was made just now, or stands."""
    content = files.get(file) or (old_site.read(file) if old_site else None)
    assert content is not None, f"{file} was neither drawn nor kept"
    return content


def _render_heads(
    printer: Printer,
    game: Exhibit,
    charts: Sequence[Measure],
    pages: TurnPages,
    turns: Sequence[Turn],
    rules: Mapping[str, str],
) -> dict[str, bytes]:
    """Render the page of the game and those of its seats, each with the last turn."""
    facts = {
        "game": game,
        "winners": game.winners or (),
        "before": turns[-2].slug if len(turns) > 1 else None,
        "turns": [(turn.slug, turn.name) for turn in turns],
        "rules": rules,
        "span": _describe_span(game),
    }
    chart_facts = [describe_chart(printer, game, one) for one in charts]
    own = {**facts, "scenes": pages.show_last(), "charts": chart_facts}
    files = {"index.html": printer.page("game.html", own, _SITE).encode()}
    for seat in game.seats:
        chart_facts = [describe_chart(printer, game, one, seat) for one in charts]
        own = {**facts, "scenes": pages.show_last(seat), "charts": chart_facts}
        own |= {"seat": seat, "whole": seat in game.shown}
        files[f"seats/{seat}.html"] = printer.page("seat.html", own, _SITE).encode()
    return files


def _describe_span(game: Exhibit) -> str:
    if not game.scenes:
        return ""
    first, last = game.scenes[0].closed, game.scenes[-1].closed
    days = [when.partition(",")[0] for when in (first, last)]
    return days[0] if days[0] == days[1] else f"{days[0]} to {days[1]}"


@cache
def digest_version(folders: tuple[Path, ...], kind: FolderKind, url: str) -> str:
    """Digest what pages are made with: templates, code, rules, and where they are on the web."""
    sources = [*_CODE.glob("*.py"), *(path for one in folders for path in one.glob("site/*.j2"))]
    made_by = sorted((path.name, digest(path.read_bytes())) for path in sources)
    return digest(encode([kind.reporting, made_by, kind.title, kind.rules_text, url]))[:16]


def _find_standing(game: Exhibit, old_site: KeptSite | None) -> Iterator[tuple[str, Stop]]:
    """Find the steps whose pictures are all up to date."""
    if old_site is None:
        return
    papers = {scene.name: digest(scene.paper) for scene in game.scenes}
    for stop in old_site.sheet.steps:
        files = [one.file for one in stop.pictures]
        if papers.get(stop.step) == stop.digest and all(old_site.stands(file) for file in files):
            yield stop.step, stop


def _draw(
    printer: Printer, game: Exhibit, scene: Scene, without: Collection[str]
) -> dict[Shot, bytes]:
    """Draw the pictures of a step, except those that charts replace."""
    pictures = draw_pictures(printer, scene.public, game.templates, without)
    return {_make_shot(one, scene): one.content for one in pictures}


def _draw_thumb(printer: Printer, game: Exhibit) -> dict[Shot, bytes]:
    """Draw what stands for the game in the index, if it is another picture than on its page."""
    scene = game.scenes[-1] if game.scenes else None
    thumb = draw_thumb(printer, scene.public, game.templates) if scene else None
    return {_make_shot(thumb, scene): thumb.content} if scene and thumb else {}


def _make_shot(one: Picture, scene: Scene) -> Shot:
    file = f"{scene.folder}/{one.name}.svg"
    return Shot(name=one.name, file=file, alt=one.alt, width=one.width, height=one.height)


def _make_stop(scene: Scene, shots: tuple[Shot, ...]) -> Stop:
    return Stop(
        step=scene.name,
        turn=scene.public["turn"],
        headline=scene.public["headline"],
        closed=scene.at,
        page=f"turn/{scene.turn}.html",
        report=f"{scene.folder}/report.json",
        digest=digest(scene.paper),
        pictures=shots,
    )


def _render_rules(printer: Printer, kind: FolderKind) -> bytes:
    html, chapters = make_rules_page(kind.rules_text, kind.kind)
    facts = {"title": kind.title, "book": html, "chapters": chapters}
    return printer.page("rules.html", facts, "site").encode()
