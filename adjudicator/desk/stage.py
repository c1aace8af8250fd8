"""Where a game stands for whoever writes a letter about it: also before its start and its end."""

from adjudicator.desk.case import Case
from adjudicator.desk.line import line
from adjudicator.desk.values import Step


def stage(case: Case) -> Step:
    """The open step; after the end the last one that counts; before the start what comes first."""
    if case.game.open_step is not None:
        return case.open_step()
    counting = line(case.books.steps(case.game.id))
    if counting:
        return counting[0]
    return Step(
        game=case.game.id,
        number=case.game.next_number,
        phase="setup",
        predecessor=None,
        dice="",
        opened=case.game.created,
    )
