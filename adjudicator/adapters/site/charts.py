"""The measures of a game step by step, from its reports, and their charts.

`templates/<game>/measures.json.j2` says of a report's document what is measured there:
{charts: [{title, values: {seat: number}}], instead: [names of pictures that the charts stand for]}.
A game without it is measured by the tables of its report (templates/common/).
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.render.svg_helpers import name_sides
from adjudicator.adapters.site.exhibit import Exhibit
from adjudicator.core.document import Document, Seat, decode

_TEMPLATE = "measures.json"
_TICKS = 12


class Measure(Struct, frozen=True, kw_only=True):
    """A number that is counted for every seat."""

    title: str
    values: tuple[Mapping[Seat, float], ...]
    """A mapping for each step; a seat that is not in it has no number there."""

    @property
    def is_worth_it(self) -> bool:
        """Whether there is a line to draw: two points or more, and not all zero."""
        numbers = [number for one in self.values for number in one.values()]
        return sum(map(bool, self.values)) > 1 and any(numbers)


def measure_game(printer: Printer, game: Exhibit) -> tuple[tuple[Measure, ...], frozenset[str]]:
    """Measure a game, in the order in which its template first names each measure.

    Also returns the pictures that charts replace.
    """
    charts: dict[str, list[dict[Seat, float]]] = {}
    instead: set[str] = set()
    for number, scene in enumerate(game.scenes):
        facts = {**scene.public, "seats": game.seats}
        content = decode(printer.text(_TEMPLATE, facts, game.templates))
        for chart in content["charts"]:
            steps = charts.setdefault(chart["title"], [{} for _ in game.scenes])
            numbers = chart["values"]
            steps[number] = {s: numbers[s] for s in game.seats if numbers.get(s) is not None}
        instead |= set(content.get("instead", ()))
    measures = (Measure(title=title, values=tuple(values)) for title, values in charts.items())
    return tuple(chart for chart in measures if chart.is_worth_it), frozenset(instead)


def draw_chart(
    printer: Printer, game: Exhibit, measure: Measure, *, seat: Seat | None = None
) -> str:
    """Draw a measure as SVG for a page; a seat's line is drawn in front of the others."""
    seats = [one for one in game.seats if any(one in values for values in measure.values)]
    turns = [scene.public["turn"] for scene in game.scenes]
    facts = {
        "title": measure.title,
        "names": [scene.label for scene in game.scenes],
        "values": measure.values,
        "seats": [one for one in seats if one != seat] + [one for one in seats if one == seat],
        "order": list(game.seats),
        "letters": name_sides((*game.seats, "empire")),
        "focus": seat,
        "turn_word": _find_turn_word(turns),
        "places": find_places(turns),
        "ticks": find_ticks(turns),
        "lowest": min((n for one in measure.values for n in one.values()), default=0),
        "most": max((n for one in measure.values for n in one.values()), default=0),
    }
    return printer.picture("chart.svg", facts, "site")


def describe_chart(
    printer: Printer, game: Exhibit, measure: Measure, seat: Seat | None = None
) -> Document:
    """Describe a measure for a page: its chart, and a table of its numbers."""
    seats = [seat] if seat else [one for one in game.seats if any(one in v for v in measure.values)]
    return {
        "title": measure.title,
        "svg": draw_chart(printer, game, measure, seat=seat),
        "seats": seats,
        "rows": [
            [scene.label, *(f"{values[one]:g}" if one in values else "" for one in seats)]
            for scene, values in zip(game.scenes, measure.values, strict=True)
        ],
    }


def _find_turn_word(turns: Sequence[str]) -> str:
    """Find the word for turns: `turn` if all are called `turn 3`, else empty."""
    words = {turn.rpartition(" ")[0] for turn in turns if turn.rpartition(" ")[2].isdigit()}
    return words.pop() if len(words) == 1 else ""


def find_places(turns: Sequence[str]) -> list[float]:
    """Find where each step stands along the turns, from 0 to 1; all turns are equally wide."""
    places = []
    for number, (_, steps) in enumerate(groupby(turns)):
        group = list(steps)
        places += [number + at / len(group) for at in range(len(group))]
    return [round(place / (places[-1] or 1), 4) for place in places]


def find_ticks(turns: Sequence[str]) -> list[tuple[int, str]]:
    """Find where turns begin along the steps, with their names, as many as stay readable."""
    firsts = [n for n, turn in enumerate(turns) if n == 0 or turn != turns[n - 1]]
    every = -(-len(firsts) // _TICKS)
    word = _find_turn_word(turns)
    return [(n, turns[n].removeprefix(f"{word} ") if word else turns[n]) for n in firsts[::every]]
