"""Adjudicate games that are played by written orders.

Two functions are the way in. Everything they return is a value: it never changes, it needs no
home and no database, and the same seed and orders give the same bytes on every machine.

>>> import adjudicator
>>> adjudicator.kinds()
('jump-drive', 'jump-gate', 'jump-gate-2010', 'jump-wars')
>>> kind = adjudicator.load("jump-drive")
>>> game = kind.new(seed=7, seats=3)

Kinds
-----
`load(name)` returns a `GameKind`; an unknown name raises `Refused` with the nearest one.
It has `name`, `title`, `players` (the numbers that can play), `seats` (the default names),
`forms`, `rules` (number to text) and `defaults` (the options of the rules).

>>> kind.title, kind.players, kind.seats
('Jump Drive', range(2, 5), ('red', 'blue', 'green', 'yellow'))
>>> kind.forms
('explore', 'opening', 'place', 'second', 'trim')
>>> kind.defaults
{'first_game': False, 'dealer': None}
>>> kind.rules["JD-1"][:15]
'2 to 4 players.'

`kind.new(seed=…)` sets up a game. `seats` is a number or a list of names, `options` a mapping,
`name` the name that reports show. An `int` seed means what `adjudicator new --seed` means; 32
bytes are a seed as the program draws it.

>>> kind.new(seed=7, seats=["ann", "bob"], options={"first_game": True}, name="duel").seats
('ann', 'bob')

Games
-----
A `GameState` is a game between two steps. `step` is the step that is open, and `due` says which
seats owe orders and on which form.

>>> game.step, list(game.due), game.due["red"].form
('1-opening', ['red', 'blue', 'green'], 'opening')

`view(seat)` is what a seat may know, `view()` what everybody may know, both as plain values.
`document` is the whole position, with everything that is hidden.

>>> game.view("red")["hand"][:2], game.view()["hand"], game.view()["deck_size"]
(['alien-guardians', 'artist-colony'], [], 91)

`bot(seat)` chooses sensible orders from that view, and `bot(seat, "hard")` searches for better
ones; `legal(seat)` chooses random ones that keep the rules, `legal(seat, seed=1)` others.

>>> game.legal("red")
{'discard': ['alien-guardians', 'deserted-alien-world']}
>>> game.legal("red", seed=1)
{'discard': ['smuggling-lair', 'asteroid-belt']}

`imagine(seat, seed=1)` is a random game that this seat cannot tell from the true one, since it is
made from the view: with other hidden cards and other dice, to try orders out on.

>>> imagined = game.imagine("red", seed=1)
>>> imagined.view("red") == game.view("red"), imagined.document == game.document
(True, False)

`check(seat, orders)` returns findings as a receipt shows them. Orders are a mapping, or the
YAML text that a player writes. A finding has `grade` (unreadable, refused, doomed or doubtful),
`rule`, `message`, `path`, `line` and `column`.

>>> game.check("red", game.legal("red"))
()
>>> for finding in game.check("red", "discard: [gem wrld, survey hq]"):
...     print(finding.grade, finding.rule, finding.line, finding.message)
refused JD-4a 1 "gem wrld" is not a card; did you mean "gem-world"?

`close(orders)` adjudicates the step and returns the next game. A seat that is left out sends
nothing. Orders that cannot be read raise `OrdersError`, which has `seat` and `findings`.

>>> later = game.close({seat: game.bot(seat) for seat in game.due})
>>> later.closed, later.step, game.step
('1-opening', '2-place', '1-opening')
>>> game.close({"red": "discard: [gem wrld"})
Traceback (most recent call last):
    ...
adjudicator.library.game.OrdersError: orders of red: line 1...

`over` says whether the game has ended, `winners` who has won, `scores` how the seats stand.

>>> while not later.over:
...     later = later.close({seat: later.bot(seat) for seat in later.due})
>>> later.winners, later.scores
(('red',), {'red': 72, 'blue': 34, 'green': 55})

Reports
-------
`report(seat)` is the report of the last closed step for a seat, `report()` the one for everybody.
A `GameReport` is a document first: `document` and `json()` hold everything in it, and `text()`,
`html()` and `pictures()` (SVG by name) are made from it alone.

>>> report = later.report("red")
>>> report.document["over"]["text"]
'red has won the game with 72 VP.'
>>> print(report.text(width=60).splitlines()[0][:33])
GAME, round 6, place (Jump Drive)
>>> report.html()[:15], list(report.pictures())
('<!doctype html>', ['empires'])

`adjudicator report --fields jump-drive` explains every field of the document.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adjudicator.core.finding import Finding, Grade
    from adjudicator.core.game import Due
    from adjudicator.desk.model.errors import Refused
    from adjudicator.library.game import GameKind, GameReport, GameState, OrdersError

__all__ = [
    "Due",
    "Finding",
    "GameKind",
    "GameReport",
    "GameState",
    "Grade",
    "OrdersError",
    "Refused",
    "kinds",
    "load",
]

_PLACES = {
    "Due": "core.game",
    "Finding": "core.finding",
    "GameKind": "library.game",
    "GameReport": "library.game",
    "GameState": "library.game",
    "Grade": "core.finding",
    "OrdersError": "library.game",
    "Refused": "desk.model.errors",
}
"""Where the names above are defined; each is imported when it is first used."""


def kinds() -> tuple[str, ...]:
    """The names of all kinds of games that are installed."""
    from adjudicator.library.game import open_shared_library

    return tuple(open_shared_library().kinds())


def load(name: str) -> "GameKind":
    """The kind of game of this name."""
    from adjudicator.library.game import load_kind

    return load_kind(name)


def __getattr__(name: str) -> Any:
    """Import a type when it is first used: the package itself stays cheap to import."""
    from importlib import import_module

    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
