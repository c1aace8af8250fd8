"""What was ordered, as the reports of the seats told of it.

Who is not asked in mid-turn is told of the step before with the next report (desk/heldback.py).
"""

from collections.abc import Iterator, Sequence

from adjudicator.adapters.site.exhibit import Exhibit, Scene
from adjudicator.core.document import Document, Seat


def told(scene: Scene, seat: Seat) -> Document | None:
    """{orders, of} where the seat's report of the step tells of orders; `of` are other steps."""
    paper = scene.own.get(seat)
    if paper is None or not paper["orders"]:
        return None
    before = [one["step"] for one in paper.get("since", ()) if one["digest"]]
    if seat not in scene.written and not before:
        return None
    own = [scene.name] if before and seat in scene.written else []
    return {"orders": paper["orders"], "of": [*before, *own]}


def told_later(scenes: Sequence[Scene], scene: Scene, seat: Seat) -> str | None:
    """The later step whose report tells of what the seat ordered in this one."""
    if seat not in scene.written or seat in scene.own:
        return None
    return next((one.name for one in scenes if scene.name in _also(one, seat)), None)


def of_step(game: Exhibit, scene: Scene) -> Iterator[tuple[Seat, Document]]:
    """Every seat of whose orders something can be said: {orders, of} or {later}."""
    for seat in game.seats:
        here, later = told(scene, seat), told_later(game.scenes, scene, seat)
        if here:
            yield seat, here
        elif later:
            yield seat, {"orders": None, "of": [], "later": later}


def _also(scene: Scene, seat: Seat) -> list[str]:
    return [one["step"] for one in scene.own.get(seat, {}).get("since", ())]
