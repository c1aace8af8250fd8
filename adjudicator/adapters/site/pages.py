"""The pages of a game: its own, with every step and its orders, and one for each seat.

Who is not asked in mid-turn reads of the step before in the next report (desk/steps/publish.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.adapters.render import sentences
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.site.charts import Measure, draw_chart
from adjudicator.adapters.site.exhibit import Exhibit, Scene
from adjudicator.adapters.site.sheet import Stop
from adjudicator.core.document import Document, Seat


def find_orders(scene: Scene, seat: Seat) -> Document | None:
    """Find the seat's orders in its report of the step: {orders, of}; `of` are other steps."""
    paper = scene.own.get(seat)
    if paper is None or not paper["orders"]:
        return None
    before = [sentences.label_step(one) for one in paper.get("since", ()) if one["digest"]]
    if seat not in scene.written and not before:
        return None
    own = [scene.label] if before and seat in scene.written else []
    return {"orders": paper["orders"], "of": [*before, *own]}


def find_later_step(scenes: Sequence[Scene], scene: Scene, seat: Seat) -> Scene | None:
    """Find the later step whose report covers the seat's orders for this one."""
    if seat not in scene.written or seat in scene.own:
        return None
    for one in scenes:
        if any(told["step"] == scene.name for told in one.own.get(seat, {}).get("since", ())):
            return one
    return None


def list_orders(game: Exhibit, scene: Scene) -> Iterator[tuple[Seat, Document]]:
    """List what is known of each seat's orders: {orders, of} or {later}."""
    for seat in game.seats:
        here, later = find_orders(scene, seat), find_later_step(game.scenes, scene, seat)
        if here:
            yield seat, here
        elif later:
            yield seat, {"orders": None, "of": [], "later": later}


_SITE = "site"


def render_game_page(
    printer: Printer,
    game: Exhibit,
    stops: Sequence[Stop],
    charts: Sequence[Measure],
    rules: Mapping[str, str],
) -> str:
    """Render the game, step by step."""
    facts = {
        "game": game,
        "span": _describe_span(game),
        "winners": game.winners or (),
        "scenes": [
            _describe_scene(game, scene, stop)
            for scene, stop in zip(game.scenes, stops, strict=True)
        ],
        "charts": [_describe_chart(printer, game, one) for one in charts],
        "rules": rules,
    }
    return printer.page("game.html", facts, _SITE)


def _describe_span(game: Exhibit) -> str:
    if not game.scenes:
        return ""
    first, last = game.scenes[0].closed, game.scenes[-1].closed
    days = [when.partition(",")[0] for when in (first, last)]
    return days[0] if days[0] == days[1] else f"{days[0]} to {days[1]}"


def _describe_scene(game: Exhibit, scene: Scene, stop: Stop) -> Document:
    """Describe a step for its page."""
    public = scene.public
    standings = [one for one in public["sections"] if _is_standing(one, game.seats)]
    return {
        "name": scene.name,
        "label": _capitalize(scene.label),
        "turn": _capitalize(public["turn"]),
        "headline": public["headline"],
        "closed": scene.closed,
        "struck": scene.struck,
        "ruled": scene.ruled,
        "reason": scene.reason,
        "pictures": stop.pictures,
        "report": stop.report,
        "over": (public["over"] or {}).get("text"),
        "events": public["events"],
        "orders": list(list_orders(game, scene)),
        "press": [*scene.press, *public["press"]],
        "standings": standings,
        "others": [one for one in public["sections"] if one not in standings],
    }


def _is_standing(section: Document, seats: Sequence[Seat]) -> bool:
    """Whether the section is a table with a row for each seat."""
    rows = section.get("rows") or ()
    return bool(rows) and all(row[0] in seats for row in rows)


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _describe_chart(
    printer: Printer, game: Exhibit, measure: Measure, seat: Seat | None = None
) -> Document:
    shown = [seat] if seat else [one for one in game.seats if any(one in v for v in measure.values)]
    return {
        "title": measure.title,
        "svg": draw_chart(printer, game, measure, seat=seat),
        "seats": shown,
        "rows": [
            [scene.label, *(f"{values[one]:g}" if one in values else "" for one in shown)]
            for scene, values in zip(game.scenes, measure.values, strict=True)
        ],
    }


def render_seat_page(
    printer: Printer,
    game: Exhibit,
    seat: Seat,
    charts: Sequence[Measure],
    rules: Mapping[str, str],
) -> str:
    """Render the game as seen by one seat."""
    made = (_describe_for_seat(game, scene, seat) for scene in game.scenes)
    facts = {
        "game": game,
        "seat": seat,
        "whole": seat in game.shown,
        "winners": game.winners or (),
        "scenes": [one for one in made if one is not None],
        "charts": [_describe_chart(printer, game, one, seat) for one in charts],
        "rules": rules,
    }
    return printer.page("seat.html", facts, _SITE)


def _describe_for_seat(game: Exhibit, scene: Scene, seat: Seat) -> Document | None:
    """Describe a step by the seat's own report, else by what was public about the seat.

    None if nothing is known. Orders of a seat that got its report later are shown here, and their
    outcome in the step whose report has it.
    """
    paper, later = scene.own.get(seat), find_later_step(game.scenes, scene, seat)
    if paper:
        told, events = paper, [event for event in paper["events"] if event["about"] == "you"]
    else:
        told = {**scene.public, "events": [], "press": [], "sections": []}
        seen = (event for event in scene.public["events"] if seat in _list_leaves(event["data"]))
        events = [] if later else list(seen)
        if not events and seat not in scene.written:
            return None
    return {
        "name": scene.name,
        "label": _capitalize(scene.label),
        "headline": told["headline"],
        "told": find_orders(scene, seat),
        "later": later,
        "written": scene.written.get(seat),
        "events": events,
        "seen": [event for event in told["events"] if event["about"] != "you"],
        "press": told["press"],
        "sections": told["sections"],
    }


def _list_leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield key
            yield from _list_leaves(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _list_leaves(one)
    else:
        yield value
