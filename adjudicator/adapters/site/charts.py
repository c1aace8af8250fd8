"""What counts in a game, step by step, and its charts: out of the papers of the steps.

`templates/<game>/measures.json.j2` says of a report's document what is measured there:
{charts: [{title, values: {seat: number}}], instead: [names of pictures that the charts stand for]}.
A game without it is measured by the tables of its report (templates/common/).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.render.svg_helpers import letters
from adjudicator.adapters.site.exhibit import Exhibit
from adjudicator.core.document import Seat, decode

_TEMPLATE = "measures.json"
_TICKS = 12


class Measure(Struct, frozen=True, kw_only=True):
    """Something that is counted for every seat."""

    title: str
    values: tuple[Mapping[Seat, float], ...]
    """A mapping for each step; a seat that is not in it has no number there."""


def measure_game(printer: Printer, game: Exhibit) -> tuple[tuple[Measure, ...], frozenset[str]]:
    """What is measured of a game, in the order in which its template first names it.

    And the pictures that need not be shown beside the charts.
    """
    told = [_read_measures(printer, scene.public, game) for scene in game.scenes]
    titles = dict.fromkeys(chart["title"] for one in told for chart in one["charts"])
    charts = (
        Measure(title=title, values=tuple(_read_values(one, title, game.seats) for one in told))
        for title in titles
    )
    instead = frozenset(name for one in told for name in one.get("instead", ()))
    return tuple(chart for chart in charts if _is_worth_it(chart)), instead


def _read_measures(printer: Printer, document: Mapping[str, Any], game: Exhibit) -> dict[str, Any]:
    known = {**document, "seats": game.seats}
    made: dict[str, Any] = decode(printer.text(_TEMPLATE, known, game.templates))
    return made


def _read_values(told: Mapping[str, Any], title: str, seats: Sequence[Seat]) -> dict[Seat, float]:
    chart = next((one for one in told["charts"] if one["title"] == title), None)
    values = chart["values"] if chart else {}
    return {seat: values[seat] for seat in seats if values.get(seat) is not None}


def _is_worth_it(measure: Measure) -> bool:
    """A line needs two points, and something that is not always nothing."""
    return sum(1 for one in measure.values if one) > 1 and any(
        number for one in measure.values for number in one.values()
    )


def draw_chart(
    printer: Printer, game: Exhibit, measure: Measure, *, seat: Seat | None = None
) -> str:
    """The chart of a measure as SVG that stands in a page; with a seat, its line before all."""
    seats = [one for one in game.seats if any(one in values for values in measure.values)]
    turns = [scene.public["turn"] for scene in game.scenes]
    facts = {
        "title": measure.title,
        "names": [scene.label for scene in game.scenes],
        "values": measure.values,
        "seats": [one for one in seats if one != seat] + [one for one in seats if one == seat],
        "order": list(game.seats),
        "letters": letters((*game.seats, "empire")),
        "focus": seat,
        "turn_word": _find_turn_word(turns),
        "ticks": find_ticks(turns),
        "lowest": min((n for one in measure.values for n in one.values()), default=0),
        "most": max((n for one in measure.values for n in one.values()), default=0),
    }
    return printer.picture("chart.svg", facts, "site")


def _find_turn_word(turns: Sequence[str]) -> str:
    """`turn`, where all are called `turn 3`; else nothing."""
    words = {turn.rpartition(" ")[0] for turn in turns if turn.rpartition(" ")[2].isdigit()}
    return words.pop() if len(words) == 1 else ""


def find_ticks(turns: Sequence[str]) -> list[tuple[int, str]]:
    """Where along the steps a turn begins, and its name, as many as can be read."""
    firsts = [n for n, turn in enumerate(turns) if n == 0 or turn != turns[n - 1]]
    every = -(-len(firsts) // _TICKS)
    word = _find_turn_word(turns)
    return [(n, _shorten_turn(turns[n], word)) for n in firsts[::every]]


def _shorten_turn(turn: str, word: str) -> str:
    return turn.rpartition(" ")[2] if word and turn.startswith(f"{word} ") else turn
