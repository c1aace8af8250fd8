"""Every kind of event before the jump step, in one table; `*` is everybody.

Those of the jump and reveal step stand in jump.py, reveal.py, execution.py, fight.py, final.py
and victory.py. Facts only, no sentences; seats and spaces by name, cards as lists of names.

kind          rule     who may know       data
homeworld     JW-4     *                  seat, space, wish (place in its list from 1, or null)
dealt         JW-3     *                  deals: how often the counters were dealt (JW-5)
turn          JW-11    *                  turn: the number of the turn that begins
shuffled      JW-7     *                  cards: the size of the new deck
drew          JW-14/15 *                  seat, cards (number), extra (for the highest research)
drew-cards    JW-14/15 the seat           seat, cards
ruins         JW-15    *                  seat: has discarded the progenitor ruins
brains        JW-15    *                  seat, paid
raised        JW-13/36 *                  seat, tech, level (now), card (null: by leadership)
traded        JW-16    *                  by, to, rt, cards (number), gift; one for each direction
traded-cards  JW-16    both partners      by, to, cards
trade-failed  JW-16    to                 by, to, rt, cards: a gift that its giver could not pay
stolen        JW-17    *                  thief, victim
stolen-card   JW-17    thief and victim   thief, victim, card
allied        JW-18    *                  of (the diplomat), who (the ally)
advanced      JW-19/20 *                  seat, tech, level (now, raises apart), cards (1 or 2)
gained        JW-19    *                  seat, special, cost (levels by technology)
melted        JW-23    *                  seat, cards: discarded to mine more
raided        JW-24    *                  at, seat (its owner), by (the raiders), less
mined         JW-23    *                  seat, sum (by source), times, rt (sum x times)
built         JW-25/26 *                  seat, at, fleets, asked (number or max), price, paid
sabotaged     JW-27    *                  seat, card (discarded), side, at
negated       its own  the writer         seat, order, why, path (core.event)

The sources of `sum`: own-homeworld, enemy-homeworld, star-field, cluster, nebula, cards.
"""
