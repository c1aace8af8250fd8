"""The pages of turns: everybody's, each seat's, and the whole game on one page.

A page is made again when anything on it changed; the others stay where they are.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

from msgspec import Struct

from adjudicator.adapters.render.printer import Printer, draw_over
from adjudicator.adapters.site.exhibit import Exhibit, Scene
from adjudicator.adapters.site.pages import capitalize, describe_for_seat, describe_scene
from adjudicator.adapters.site.sheet import Shot, Stop
from adjudicator.adapters.site.story import Places
from adjudicator.core.document import Document, Seat, digest, encode

_SITE = "site"
_WHOLE = "all.html"
_ID = re.compile(r'(\bid="|href="#)')
ReadFile = Callable[[str], bytes]
Describe = Callable[[], list[Document]]


class Turn(Struct, frozen=True, kw_only=True):
    """The steps of a game that one page shows."""

    slug: str
    """17"""
    name: str
    """Turn 17"""
    steps: tuple[tuple[Scene, Stop], ...]


def list_turns(game: Exhibit, stops: Sequence[Stop]) -> list[Turn]:
    """List the turns of a game with their steps."""
    steps_by_slug: dict[str, list[tuple[Scene, Stop]]] = {}
    for scene, stop in zip(game.scenes, stops, strict=True):
        steps_by_slug.setdefault(scene.turn, []).append((scene, stop))
    return [
        Turn(slug=slug, name=capitalize(steps[0][0].public["turn"]), steps=tuple(steps))
        for slug, steps in steps_by_slug.items()
    ]


class Page(Struct, frozen=True, kw_only=True):
    """A file that may be made: what it shows, and how."""

    file: str
    mark: str
    """Of all that is on it, so that one that stands need not be made again."""
    make: Callable[[], bytes]


class TurnPages:
    """Makes the pages of a game's turns."""

    def __init__(
        self,
        printer: Printer,
        game: Exhibit,
        turns: Sequence[Turn],
        places: Places,
        rules: Mapping[str, str],
        read: ReadFile,
        url: str,
    ) -> None:
        self._printer, self._game, self._turns = printer, game, turns
        self._places, self._rules, self._read, self._url = places, rules, read, url
        self._places_mark = digest(encode(sorted(places.names)))
        stops = [stop for turn in turns for _, stop in turn.steps]
        self._before = {here.step: there for there, here in pairwise(stops)}
        self._scenes = {scene.name: scene for turn in turns for scene, _ in turn.steps}

    def list_pages(self) -> Iterator[Page]:
        """List the pages of all turns, and once the game is over the one of the whole game."""
        for turn in self._turns:
            yield self._plan(f"turn/{turn.slug}.html", turn, partial(self._describe, turn))
            yield self._plan_pictures(turn)
            for seat in self._game.seats:
                describe = partial(self._describe_own, turn, seat)
                yield self._plan(f"seats/{seat}/{turn.slug}.html", turn, describe, seat)
        if self._game.over and self._turns:
            yield self._plan(_WHOLE, None, self._describe_all)

    def show_last(self, seat: Seat | None = None) -> list[Document]:
        """Show the steps of the last turn, for the game's own page or a seat's."""
        if not self._turns:
            return []
        turn = self._turns[-1]
        scenes = self._describe_own(turn, seat) if seat else self._describe(turn)
        return self._with_pictures(scenes, "../" if seat else "", seat)

    def _describe_all(self) -> list[Document]:
        return [scene for turn in self._turns for scene in self._describe(turn)]

    def _describe(self, turn: Turn) -> list[Document]:
        return [describe_scene(self._game, *step, self._places.names) for step in turn.steps]

    def _describe_own(self, turn: Turn, seat: Seat) -> list[Document]:
        names = self._places.names
        descriptions = (describe_for_seat(self._game, *step, seat, names) for step in turn.steps)
        return [one for one in descriptions if one is not None]

    def _plan_pictures(self, turn: Turn) -> Page:
        """Plan the script with a turn's pictures, which the pages of all seats draw from."""
        stops = [stop for _, stop in turn.steps]
        shots = [(stop.step, shot) for stop in stops for shot in stop.pictures]

        def make() -> bytes:
            pictures = {shot.file: self._embed(shot, step) for step, shot in shots}
            return b'"use strict";\nconst PICTURES = ' + encode(pictures) + b";\n"

        facts = [(stop.digest, stop.pictures) for stop in stops]
        return Page(file=f"turn/{turn.slug}.js", mark=digest(encode(facts)), make=make)

    def _plan(
        self, file: str, turn: Turn | None, describe: Describe, seat: Seat | None = None
    ) -> Page:
        game, up = self._game, "../" * file.count("/")
        at = self._turns.index(turn) if turn else 0
        slugs = [one.slug for one in self._turns] if turn else []
        facts: Document = {
            "game": {"id": game.id, "title": game.title, "state": game.state, "seats": game.seats},
            "over": bool(game.over),
            "outcome": game.outcome if turn is None else "",
            "turn": turn.name if turn else "",
            "slug": turn.slug if turn else "",
            "seat": seat,
            "shown": game.shown,
            "before": slugs[at - 1] if at else None,
            "after": slugs[at + 1] if at + 1 < len(slugs) else None,
            "up": up,
            "share": self._share(turn) if turn and seat is None else None,
        }

        scenes = describe() if game.shown or turn is None else []

        def make() -> bytes:
            full_scenes = self._with_pictures(scenes or describe(), up, seat)
            page_facts = {**facts, "scenes": full_scenes, "rules": self._rules}
            return self._printer.page("turn.html", page_facts, _SITE).encode()

        sources = scenes if game.shown or turn is None else self._list_sources(turn)
        return Page(file=file, mark=digest(encode([facts, sources])), make=make)

    def _list_sources(self, turn: Turn) -> list[object]:
        """List what a turn's pages show where no seat's reports are, without describing it."""
        sources = [
            (stop.digest, stop.pictures, one.closed, one.struck, one.press, one.ruled, one.reason)
            for one, stop in turn.steps
        ]
        return [*sources, self._places_mark]

    def _share(self, turn: Turn) -> Document | None:
        """Say where on the web the page and its picture are."""
        alt = next((shot.alt for shot in turn.steps[-1][1].pictures), "")
        place = f"{self._url}/{self._game.kind}/{self._game.id}/turn/{turn.slug}"
        links = {"page": f"{place}.html", "picture": f"{place}.png" if alt else "", "alt": alt}
        return links if self._url else None

    def _with_pictures(
        self, scenes: list[Document], up: str, seat: Seat | None = None
    ) -> list[Document]:
        """Add each step's pictures, on everybody's pages as SVG, and the file of the one before.

        Seats' pages have theirs from the script of the turn, since each would have them once more,
        and what lies over them for their reader alone.
        """
        return [
            {
                **scene,
                "pictures": [
                    (shot, f"{up}{shot.file}", *self._draw_for(seat, shot, scene["name"]))
                    for shot in scene["pictures"]
                ],
                "before": [f"{up}{shot.file}" for shot in self._list_before(scene["name"])],
            }
            for scene in scenes
        ]

    def _list_before(self, step: str) -> tuple[Shot, ...]:
        return self._before[step].pictures if step in self._before else ()

    def _draw_for(self, seat: Seat | None, shot: Shot, step: str) -> tuple[str, str]:
        """Draw a picture as it stands in the page itself, and what lies over it there."""
        if seat is None:
            return self._embed(shot, step), ""
        paper = self._scenes[step].own.get(seat)
        if paper is None:
            return "", ""
        over = draw_over(self._printer, paper, self._game.templates, shot.name, shot.height)
        return "", _name_apart(over, step)

    def _embed(self, shot: Shot, step: str) -> str:
        return _name_apart(self._read(shot.file), step)


def _name_apart(svg: bytes, step: str) -> str:
    """Give the names in a picture a prefix, so that several can stand in one page."""
    return _ID.sub(rf"\g<1>{step}-", svg.decode())
