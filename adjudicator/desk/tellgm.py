"""Tell the GM what the clock did or could not do."""

from collections.abc import Sequence
from datetime import datetime

from adjudicator.desk.answers import gm_form
from adjudicator.desk.case import Case
from adjudicator.desk.house import GM
from adjudicator.desk.letters import NOTICE, noted, to_address
from adjudicator.desk.values import Letter, Step


def tell_gm(case: Case, step: Step, headline: str, lines: Sequence[str], *, at: datetime) -> Letter:
    """A notice to wherever the GM of the house reads letters."""
    zone = case.settings.zone
    document = noted(case, step, GM, headline, lines, zone=zone, form=gm_form(case))
    return to_address(case, (), NOTICE, document, at=at, reader=GM)
