"""The receipt document, receipt/1: what a seat gets back for every letter.

receipt    "receipt/1"
game       {id, kind, title}
seat       the seat that wrote
player     its player's name, or null
number     counts this seat's receipts over the game
step       the open step, "12-jump"
outcome    taken | preview | cleared | status | refused | unreadable; only taken and cleared change
           what is on file
headline   one line for the subject
arrived    {at (RFC 3339 with the reader's offset), text}
replaces   the number of the receipt whose set this one replaces, or null
set        null, or {receipt, digest (SHA-256 in hex), short ("41d0 77e2")}: what is on file now
standing   {due, in, ready, why}: due says whether the seat owes anything in this step
deadline   null, or {at, zone, text}
entries    [{n, written, words, mark, faults: [{message, rule, place, line, column}]}]
           mark: fine | will fail | may fail | refused; n counts the letter's entries
faults     [{grade, message, rule, place, line, column}]: those of no entry, all of an unreadable
           letter
excerpt    [{line, text, fault}]: the writer's own lines around the faults, when known
wishes     [sentences]: what was done of the other wishes (vote, ready, resign …)
ignored    [sentences]: what was not taken, and what to do instead
missing    [sentences]: what this seat still owes
form       {envelope: {game, step, key (null: the sender fills it in), after}, orders}: what
           stands now, ready to be edited; orders is null when nothing does; `prefill` is true
           when the orders come from a struck step and are not on file
"""
