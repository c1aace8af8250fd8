"""A player that looks two actions ahead, by what its seat sees, and takes what brings most.

It is meant as a sparring partner and as a substitute for a missing player, not as a master. Where
it is asked what to mark or collect, it leaves the choice to the program, which takes what raises
its score most (JG-6).
"""

from typing import Any, Final

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate import sight as seen
from adjudicator.rules.jump_gate.appraisal import Appraisal, Option
from adjudicator.rules.jump_gate.components import Components
from adjudicator.rules.jump_gate.legal import legal
from adjudicator.rules.jump_gate.sight import Action, Sight
from adjudicator.rules.jump_gate.state import View

Form = dict[str, Any]

_SOON: Final = 0.9
"""What an action of the same turn is worth beside the one before it."""
_LATER: Final = 0.5
"""The same of an action of the next turn: others act before it."""


_IDLE: Final = 0.3
"""Where nothing brings more, it wanders: so that no game stands still."""


def bot(view: View, seat: Seat, dice: Dice, components: Components) -> Form:
    """Orders for the form that is due."""
    if view.table.step != "turn":
        return {}
    eyes = Appraisal(view, seat, components)
    here = seen.sight(view, seat, components)
    worth, action = _best(eyes, here)
    if worth < _IDLE:
        return dict(legal(view, seat, dice, components))
    moved = _moved(here, action)
    if moved is None or moved.left < 1:
        return {"actions": [action]}
    return {"actions": [action, _best(eyes, moved)[1]]}


def _best(eyes: Appraisal, here: Sight) -> Option:
    """The action that brings most, together with the best that can follow it."""
    options = list(eyes.deeds(here))
    options += [(worth + _there(eyes, here, action), action) for worth, action in eyes.moves(here)]
    return max(options, key=lambda option: option[0])


def _there(eyes: Appraisal, here: Sight, action: Action) -> float:
    """What can be done where the ship arrives."""
    there = seen.after(here, action)
    if there is None:
        return 0
    share = _SOON if there.left > 0 else _LATER
    return share * max(worth for worth, _ in eyes.deeds(there))


def _moved(here: Sight, action: Action) -> Sight | None:
    """What is seen after a move, which reveals nothing; None after everything else."""
    then = seen.after(here, action)
    if then is None or (then.at, then.landed) == (here.at, here.landed):
        return None
    return then
