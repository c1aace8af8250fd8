"""Anonymous games: until the end no letter tells anybody who plays another seat."""

from collections.abc import Callable

import pytest
from msgspec import structs

from adjudicator.desk.acts.edit import edit_position, open_position
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Observer, Player, Status
from adjudicator.desk.steps.handover import replace_player, resign_seat
from tests.desk.conftest import GAME, Desk
from tests.desk.wishing import order, wish

NAMES = {"red": "Adalbert", "blue": "Bohumila", "green": "Cleopatra"}
OTHERS = ("Dagobert", "Ekaterina")


def _leaks(desk: Desk) -> list[tuple[str, str, str]]:
    """(reader, letter, name) for each name in a letter to somebody else."""

    def read(books: Books) -> list[tuple[str, str, str]]:
        players = {(s.seat, s.number): s.player for s in books.seatings(GAME)}
        found = []
        for letter in books.letters(GAME):
            if letter.seat == "gm":
                continue
            reader = players.get((letter.seat, letter.seating))
            text = letter.document.decode()
            found += [
                (str(reader or letter.seat), f"{letter.kind} {letter.number}", name)
                for name in (*NAMES.values(), *OTHERS)
                if name in text and name != reader
            ]
        return found

    return desk.see(read)


def _asked(desk: Desk) -> None:
    for seat in ("red", "blue", "green"):
        wish(desk, seat, "ask", ["status", "players", "history", "orders", "resend", "report 1"])


def _missed(desk: Desk) -> None:
    desk.play(seats=("red", "green"))
    desk.later(hours=25)
    desk.close()


def _ruled(desk: Desk) -> None:
    given = desk.see(lambda books: open_position(Context(books, desk.library, GAME)))
    desk.act(edit_position, {**given, "round": 2}, reason="a slip")


ACTS: dict[str, Callable[[Desk], object]] = {
    "replaced": lambda desk: desk.act(replace_player, "blue", "Dagobert"),
    "twice": lambda desk: (
        desk.act(replace_player, "blue", "Dagobert"),
        desk.act(replace_player, "blue", "Ekaterina"),
    ),
    "resigned": lambda desk: desk.act(resign_seat, "blue", by="player"),
    "bot": lambda desk: desk.act(seat_bot, "blue"),
    "missed": _missed,
    "ruled": _ruled,
    "closed and struck": lambda desk: (
        desk.close(),
        desk.act(roll_back, "1-pick", same_dice=False),
    ),
    "press": lambda desk: wish(
        desk, "blue", "press", [{"to": "all", "text": "x", "as": "anonymous"}]
    ),
    "absent": lambda desk: wish(
        desk, "blue", "absent", {"from": "2026-12-01", "until": "2026-12-03"}
    ),
    "voted": lambda desk: desk.send("blue", "vote: draw"),
    "by letter": lambda desk: order(desk, "extend 24h", "pause", "resume", "remind"),
}


@pytest.fixture
def masked(desk: Desk) -> Desk:
    """A running anonymous game with somebody who looks on."""
    with desk.store.writing() as books:
        for name in (*NAMES.values(), *OTHERS):
            books.save(Player(name=name, addresses=(f"{name[0].lower()}@example.org",)))
    settings = {
        "anonymous": True,
        "press": "grey",
        "pace": "24h",
        "nmr": "substitute",
        "nmr_limit": 1,
        "substitutes": list(OTHERS),
    }
    desk.new(seats=NAMES, settings=settings)
    with desk.store.writing() as books:
        books.save(Observer(game=GAME, address="eve@example.org", since=desk.at))
    return desk


@pytest.mark.parametrize("act", ACTS)
def test_no_letter_tells_who_plays_another_seat(masked: Desk, act: str) -> None:
    ACTS[act](masked)
    _asked(masked)
    masked.close()
    _asked(masked)
    assert masked.game().status is not Status.OVER
    assert _leaks(masked) == []


def test_in_other_games_names_are_told(masked: Desk) -> None:
    with masked.store.writing() as books:
        game = books.game(GAME)
        settings = {**game.settings, "anonymous": False}
        books.save(structs.replace(game, settings=settings))
    _asked(masked)
    assert _leaks(masked)  # so the test above would see them


def test_at_the_end_everybody_learns_who_played_what(masked: Desk) -> None:
    masked.act(replace_player, "blue", "Dagobert")
    order(masked, "end drawn all agreed")
    text = str([one["lines"] for one in masked.told("red")])
    for seat, name in (*NAMES.items(), ("blue", "Dagobert")):
        assert f"{seat} was played by {name}." in text
