"""A player that looks at every choice and takes the one that promises most points.

It sees what its seat sees. What it pays with and discards it leaves to the program, whose choice
goes by the same valuation (JD-31).
"""

from collections.abc import Iterable
from typing import Any

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive import check
from adjudicator.rules.jump_drive.case import Case, bill, case_of
from adjudicator.rules.jump_drive.choices import choices, empire_after, seconds
from adjudicator.rules.jump_drive.components import Components
from adjudicator.rules.jump_drive.outlook import Outlook
from adjudicator.rules.jump_drive.paying import without
from adjudicator.rules.jump_drive.seconds import with_first
from adjudicator.rules.jump_drive.state import View
from adjudicator.rules.jump_drive.written import AUTO, Placing, Second

Form = dict[str, Any]


def bot(view: View, seat: Seat, _: Dice, components: Components) -> Form:
    """Orders for the form that is due."""
    step = view.table.step
    if step == "place":
        return _place(view, seat, components)
    if step == "second":
        return _second(view, seat, components)
    return {}


def _place(view: View, seat: Seat, components: Components) -> Form:
    outlook, own = Outlook(view.table, seat, components), check.own_of(view)
    exploring = outlook.exploring(components.named(own.empire), own.hand)
    best = _best(outlook, choices(own, components), exploring)
    if best is None:
        return {"explore": True, "discard": AUTO}
    form: Form = {}
    if best.form.development is not None:
        form["development"] = best.form.development
    if best.form.world is not None:
        form["world"] = best.form.world
    if best.form.contact_specialist:
        form["contact_specialist"] = True
    if best.form.second is not None:
        form["second"] = _written(best.form.second)
    return form


def _second(view: View, seat: Seat, components: Components) -> Form:
    outlook = Outlook(view.table, seat, components)
    own = with_first(check.own_of(view), view.table.placed[seat])
    nothing = case_of(own, Placing(), components)
    best = _best(outlook, seconds(nothing), _value(outlook, nothing))
    if best is None or best.form.second is None:
        return {"pass": True}
    return _written(best.form.second)


def _best(outlook: Outlook, cases: Iterable[Case], least: float) -> Case | None:
    """The one worth most, of equals the first; nothing where all are worth less."""
    best = None
    for case in cases:
        value = _value(outlook, case)
        if value > least:
            best, least = case, value
    return best


def _value(outlook: Outlook, case: Case) -> float:
    """What is left once the choice has been carried out."""
    costs = bill(case)
    alone = case.world is not None and case.new and case.development is None
    kept = outlook.kept(
        without(case.own.hand, case.placed), costs.development + costs.world + costs.second
    )
    return outlook.worth(empire_after(case), kept, drawn=int(alone))


def _written(second: Second) -> Form:
    form: Form = {"world": second.world, "by": second.by}
    if second.contact_specialist:
        form["contact_specialist"] = True
    return form
