"""Where a game stands for whoever writes a letter about it: also before its start and its end."""

from adjudicator.desk.case import Case
from adjudicator.desk.values import Step


def stage(case: Case) -> Step:
    """The open step; after the end the last one that counts; before the start what comes first."""
    if case.game.open_step is not None:
        return case.open_step()
    counting = [step for step in case.books.steps(case.game.id) if not step.void]
    if counting:
        return counting[-1]
    return Step(
        game=case.game.id,
        number=case.game.next_number,
        phase="setup",
        predecessor=None,
        dice="",
        opened=case.game.created,
    )
