"""The report document, report/1: what a seat gets after a step, before it has any looks.

A game's `report` gives the parts marked *game*; the desk adds the others. Texts, pages and
pictures are rendered from the document alone;
orders/common/report.yaml is its JSON Schema.

report     "report/1"
game       {id, kind, title}
seat       the reader's seat; null for the public
player     the reader's name, or null
number     counts this reader's reports, so that a gap is visible
step       the step that was adjudicated, "12-jump"; "0-setup" in the first report
turn       *game* the turn in words, "turn 4"
headline   *game* the most important thing for this reader, one line
due        null, or {step, form, what (*game*: "jump orders for turn 4"), deadline (RFC 3339 with
           the reader's offset, or null), zone, waiting}; waiting is false when the reader owes
           nothing and others do
over       null, or *game* {winners, text}
orders     *game* entries [{n, text, outcome: done | part | negated | struck, rule, why}] of the
           reader's own executed orders; desk: {receipt, digest, entries}
events     *game* [{n, kind, rule, about: you | others, text, details: [...], data}]
position   *game* whatever pictures need: maps, tableaus; documented in the game's report module
sections   *game* [{title, lines: [...]} or {title, columns, rows, words: [...]}]: the position as
           text; words say the same for a screen reader
form       *game* {comments: [...], example: {...}}: the block to reply with; desk adds the envelope
press      [{from, to, text}]
"""

from typing import Final

VERSION: Final = "report/1"
