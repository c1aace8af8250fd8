"""Every kind of event, in one table; `*` is everybody.

Facts only, no sentences. Seats, planets and NavComp cards by name; resources as cards (`fame!`);
`cards` are NavComp cards that went onto the discard pile for it, in that order.

kind           rule           who may know   data
turn           JG-4           *              seat, turn: whose turn begins, and its number
turn-ended     JGA-4/JGB-4    *              seat, turn, left: actions given up
flew           JG-9           *              seat, origin, to
jumped         JG-9           *              seat, origin (null: the Jump Gate), to, cards,
                                             marker: (2010) whether one went onto the Jump Gate
special        JGA-9          *              seat, special, cards: played; what it did follows
warped         JGA-9          *              seat, origin, to: by wormhole
swapped        JGA-9          *              seat, player, here, there: where each is now
records-lost   JGA-9          *              seat, player, origin (black-hole, jump-gate, a planet)
scanned        JGA-6/9 JGB-5  *              seat, at, cards, turned: the resource, left: face-down
marked         JGB-5          *              seat, at, resource, before (null, or what was marked)
landed         JGA-7/14 JGB-6 *              seat, at, cards
claimed        JGA-7/14 JGB-6 *              seat, at
turned-up      JGA-7          *              at, resources
removed        JGA-7          *              at, number: of "nothing"
collected      how's own      *              seat, at, how (landing, scan, mark, harvest,
                                             backroom-deal), resource, face_down: whether it lay so,
                                             cards (second edition's harvest)
left           how's own      *              seat, at, how: collected nothing; resource: what was
                                             left (a marked one, else null)
black-hole     JG-11          *              seat, markers (its own now), total
researched     JG-8           *              seat, cards
drew           JG-8/JGA-9     *              seat, number
drew-cards     JG-8/JGA-9     the seat       seat, cards: those drawn
deck-replaced  JGA-3/JGB-3    *              number: the size of the new deck, shuffled
returned       JGA-14         *              seat, at: to orbit
asked          JG-15          *              what (mark, collect), seats, at
negated        its own        the writer     seat, order, why, path (core.event)
not-tried      JG-5/JG-15     the writer     seat, order, path, why (stopped, asked, over)
final-turns    JGB-8          *              seats: who has one more turn, in this order
ended          JGA-10/JGB-8   *              why: black-hole, all-claimed, nothing-left, final-turns
lost           JGA-11         *              seat, resources
hidden-lost    JGB-9          *              seat, number
hidden-shown   JGB-9          *              seat, resources
scored         JGA-12/JGB-10  *              seat, parts: points by claims, scans, jump_gate, gem,
                                             energel, fame, water, sand; total
won            JGA-13/JGB-11  *              winners
"""
