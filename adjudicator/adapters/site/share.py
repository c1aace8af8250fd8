"""The picture that stands for a turn where its page is shared, as PNG."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from adjudicator.adapters.render.board import measure_text
from adjudicator.adapters.render.png import render_png
from adjudicator.adapters.render.printer import READER_MARK, Printer, draw_thumb
from adjudicator.adapters.site.exhibit import Exhibit, Scene
from adjudicator.adapters.site.sheet import Shot
from adjudicator.adapters.site.turns import Page, ReadFile, Turn
from adjudicator.core.document import digest, encode

_INSIDE = re.compile(r"<svg[^>]*>\s*<title>.*?</title>(.*)</svg>", re.DOTALL)
_SIZE = 36
_LINES = 7
_WIDE, _TALL = 640, 560


def list_shared(
    printer: Printer, game: Exhibit, turns: Sequence[Turn], read: ReadFile
) -> Iterator[Page]:
    """List the pictures of turns."""
    for turn in turns:
        scene, stop = turn.steps[-1]
        if stop.pictures:
            make = partial(_draw, printer, game, scene, stop.pictures[0], read)
            mark = digest(encode([game.id, scene.label, scene.public["headline"], stop.digest]))
            yield Page(file=f"turn/{turn.slug}.png", mark=mark, make=make)


def _draw(printer: Printer, game: Exhibit, scene: Scene, shot: Shot, read: ReadFile) -> bytes:
    """Draw the picture of a turn's last step, or what is shown of it in lists, and its headline."""
    thumb = draw_thumb(printer, scene.public, game.templates)
    svg = thumb.content if thumb else read(shot.file)
    wide, high = (thumb.width, thumb.height) if thumb else (shot.width, shot.height)
    inside = _INSIDE.search(svg.decode())
    assert inside is not None, f"{shot.file} is no picture of ours"
    zoom = min(_TALL / high, _WIDE / wide)
    facts = {
        "game": game.id,
        "turn": scene.label,
        "headline": scene.public["headline"],
        "lines": _wrap(scene.public["headline"], 1200 - 116 - wide * zoom),
        "picture": inside[1].replace(READER_MARK.decode(), ""),
        "wide": wide,
        "high": high,
    }
    return render_png(printer.picture("share.svg", facts, "site"), 2 / 3)


def _wrap(words: str, room: float) -> list[str]:
    """Break a sentence into lines of this width, as many as there is room for."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if measure_text(longer, _SIZE) * 0.92 <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines if len(lines) <= _LINES else [*lines[: _LINES - 1], f"{lines[_LINES - 1]} …"]
