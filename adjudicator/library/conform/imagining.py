"""Check imagined positions: no seat can tell them from the true one, and they can be played."""

from collections.abc import Iterator
from typing import Any

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat, decode, encode
from adjudicator.core.game import AnyRules, Over
from adjudicator.library.conform.game_under_test import (
    CUT,
    LEGAL_ROLE,
    NonConformanceError,
    PlayedStep,
    Subject,
    play_on,
)

_SAMPLE = 8
"""Steps of each game for which everybody imagines the position."""


def check_imagined(subject: Subject) -> str:
    """Check what everybody imagines before sampled steps and at the end; some of it is played."""
    count, varied = 0, False
    for step in subject.sample(_SAMPLE):
        for seat in (*step.opened.seats, None):
            for imagined, other in _imagine_twice(subject, step, seat):
                varied = varied or imagined != other
                count += 1
    for game in subject.played:
        middle = game.steps[len(game.steps) // 2].opened
        roles = dict.fromkeys(middle.seats, LEGAL_ROLE)
        imagined = middle.imagine(middle.seats[0])
        for _ in play_on(f"{game.what}, imagined", imagined, roles, middle.number + CUT):
            pass
    if getattr(subject.rules, "secrets", ()) and not varied:
        raise NonConformanceError("imagine always gives the same position, whatever the dice")
    return f"{count} imagined positions; {len(subject.played)} were played on"


def _imagine_twice(
    subject: Subject, step: PlayedStep, seat: Seat | None
) -> Iterator[tuple[Any, Any]]:
    """Imagine the positions before and after a step with two dice; raises NonConformanceError."""
    rules = subject.rules
    for when, state in (("before", step.before), ("after", step.after)):
        view, dice = rules.view(state, seat), step.opened.dice
        imagined = rules.imagine(view, seat, dice)
        fault = _find_fault(rules, state, imagined, seat)
        if encode(rules.dump(rules.imagine(view, seat, dice))) != encode(rules.dump(imagined)):
            fault = "comes out differently with the same dice"
        if fault:
            who = seat or "the public"
            raise NonConformanceError(f"{when} {step.what}: what {who} imagines {fault}")
        yield imagined, rules.imagine(view, seat, Dice(b"conform", f"{step.what} {when}"))


def _find_fault(rules: AnyRules, state: Any, imagined: Any, seat: Seat | None) -> str:
    """Find how a seat could tell an imagined position from the true one, or why it is none."""
    if encode(rules.view(imagined, seat)) != encode(rules.view(state, seat)):
        return "looks different to it"
    if rules.load(decode(encode(rules.dump(imagined)))) != imagined:
        return "is another position when it is loaded"
    due, true_due = rules.due(imagined), rules.due(state)
    if isinstance(due, Over) or isinstance(true_due, Over):
        return "" if due == true_due else "is over, or the true one is"
    own = seat is not None and due.get(seat) != true_due.get(seat)
    return "asks other orders of it" if own else ""
