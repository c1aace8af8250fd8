"""The GM's key: it goes to wherever the GM of the house reads letters, whoever asked for it."""

from datetime import datetime

from adjudicator.desk.answers import answer, gm_form, part
from adjudicator.desk.case import Case
from adjudicator.desk.gmask import ask_gm
from adjudicator.desk.house import GM
from adjudicator.desk.letters import ANSWER, to_address
from adjudicator.desk.values import Letter


def send_key(case: Case, *, at: datetime) -> Letter:
    """Where the game stands, and the block with which its GM writes."""
    how = (
        "Reply with lines like those below; the block holds the GM's key, so pass it on to nobody. "
        "`ask: help` brings the GM's guide."
    )
    parts = [*ask_gm(case, "status", at), part("WHAT YOU CAN DO", [how])]
    document = answer(case, None, None, "Your key", parts, gm_form(case))
    return to_address(case, (), ANSWER, document, at=at, template="answer/1", reader=GM)
