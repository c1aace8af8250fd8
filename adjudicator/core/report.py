"""The report document, report/1: what a seat gets after a step, before it has any looks.

orders/common/report.yaml describes every field and is its JSON Schema; orders/<game>/report.yaml
adds the position and the events of a game (core/fields.py joins the two, `adjudicator report
--fields` tells them). A game's `report` gives

turn, headline, over, events, position, sections
due        {what: "jump orders for turn 4"}
orders     {entries: [...]}: what became of the reader's own executed orders
form       {comments: [...], example: {...}}: the block to reply with

and the desk adds everything else around them (desk/report.py). Texts, pages and pictures are
rendered from the document alone.
"""

from typing import Final

VERSION: Final = "report/1"
