"""What the pages of a game show: steps with their orders, for everybody and for each seat.

Who is not asked in mid-turn reads of the step before in the next report (desk/steps/publish.py).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from adjudicator.adapters.render import sentences
from adjudicator.adapters.site.exhibit import Exhibit, Scene
from adjudicator.adapters.site.sheet import Stop
from adjudicator.core.document import Document, Seat


def find_orders(scenes: Sequence[Scene], scene: Scene, seat: Seat) -> Document | None:
    """Find the seat's orders in its report of the step: {orders, of}; `of` are other steps."""
    paper = scene.own.get(seat)
    if paper is None or not paper["orders"]:
        return None
    labels = {one.name: one.label for one in scenes}
    since = [one for one in paper.get("since", ()) if one["digest"]]
    before = [labels.get(one["step"]) or sentences.label_step(one) for one in since]
    if seat not in scene.written and not before:
        return None
    own = [scene.label] if before and seat in scene.written else []
    return {"orders": paper["orders"], "of": [*before, *own]}


def find_later_step(scenes: Sequence[Scene], scene: Scene, seat: Seat) -> Document | None:
    """Find the later step whose report covers the seat's orders for this one."""
    if seat not in scene.written or seat in scene.own:
        return None
    for one in scenes:
        if any(entry["step"] == scene.name for entry in one.own.get(seat, {}).get("since", ())):
            return {"name": one.name, "label": one.label, "turn": one.turn}
    return None


def list_orders(game: Exhibit, scene: Scene) -> Iterator[tuple[Seat, Document]]:
    """List what is known of each seat's orders: {orders, of} or {later}."""
    for seat in game.seats:
        here = find_orders(game.scenes, scene, seat)
        later = find_later_step(game.scenes, scene, seat)
        if here:
            yield seat, here
        elif later:
            yield seat, {"orders": None, "of": [], "later": later}


def describe_scene(game: Exhibit, scene: Scene, stop: Stop, places: Collection[str]) -> Document:
    """Describe a step for the page of its turn."""
    public = scene.public
    standings = [one for one in public["sections"] if _is_standing(one, game.seats)]
    return {
        "name": scene.name,
        "label": capitalize(scene.label),
        "headline": public["headline"],
        "closed": scene.closed,
        "struck": scene.struck,
        "ruled": scene.ruled,
        "reason": scene.reason,
        "pictures": stop.pictures,
        "report": stop.report,
        "over": (public["over"] or {}).get("text"),
        "events": _place_events(public["events"], places),
        "orders": list(list_orders(game, scene)),
        "press": [*scene.press, *public["press"]],
        "standings": standings,
        "others": [one for one in public["sections"] if one not in standings],
    }


def _place_events(events: Sequence[Document], places: Collection[str]) -> list[Document]:
    """Add to each event the places of the picture that it is about."""
    return [
        {**event, "at": [one for one in dict.fromkeys(list_leaves(event["data"])) if one in places]}
        for event in events
    ]


def _is_standing(section: Document, seats: Sequence[Seat]) -> bool:
    """Whether the section is a table with a row for each seat."""
    rows = section.get("rows") or ()
    return bool(rows) and all(row[0] in seats for row in rows)


def capitalize(text: str) -> str:
    """Write the first letter large."""
    return text[:1].upper() + text[1:]


def describe_for_seat(
    game: Exhibit, scene: Scene, stop: Stop, seat: Seat, places: Collection[str]
) -> Document | None:
    """Describe a step by the seat's own report, else by what was public about the seat.

    None if nothing is known. Orders of a seat that got its report later are shown here, and their
    outcome in the step whose report has it.
    """
    paper, later = scene.own.get(seat), find_later_step(game.scenes, scene, seat)
    if paper:
        report, events = paper, [event for event in paper["events"] if event["about"] == "you"]
    else:
        report = {**scene.public, "events": [], "press": [], "sections": []}
        public_events = (
            event for event in scene.public["events"] if seat in list_leaves(event["data"])
        )
        events = [] if later else list(public_events)
        if not events and seat not in scene.written:
            return None
    return {
        "name": scene.name,
        "label": capitalize(scene.label),
        "headline": report["headline"],
        "pictures": stop.pictures,
        "orders": find_orders(game.scenes, scene, seat),
        "later": later,
        "written": scene.written.get(seat),
        "events": _place_events(events, places),
        "seen": _place_events([one for one in report["events"] if one["about"] != "you"], places),
        "press": report["press"],
        "sections": report["sections"],
    }


def list_leaves(value: Any) -> Iterator[Any]:
    """List all that an event's data name: keys, and values however deep."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield key
            yield from list_leaves(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from list_leaves(one)
    else:
        yield value
