"""Tell the GM what the clock did or could not do."""

from collections.abc import Sequence
from datetime import datetime

from adjudicator.desk.answers import gm_form
from adjudicator.desk.case import Case
from adjudicator.desk.house import GM
from adjudicator.desk.letters import NOTICE, to_address, told
from adjudicator.desk.values import Letter, Step


def tell_gm(case: Case, step: Step, headline: str, lines: Sequence[str], *, at: datetime) -> Letter:
    """A notice to wherever the GM of the house reads letters."""
    document = {
        "notice": "notice/1",
        "game": case.names,
        "seat": GM,
        "player": None,
        "step": step.name,
        "headline": headline,
        "lines": [told(step, line, case.settings.zone) for line in lines],
        "opened": None,
        "form": gm_form(case),
    }
    return to_address(case, (), NOTICE, document, at=at, reader=GM)
