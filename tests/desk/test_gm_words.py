"""The GM's words in a letter: the act of the same name, alone, tried or done."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.cli.app import SECTIONS
from adjudicator.desk.acts import TABLE as ACTS
from adjudicator.desk.acts import find_act
from adjudicator.desk.acts.by_mail import guess_act
from adjudicator.desk.acts.edit import open_position
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.values import Player, Status
from adjudicator.desk.questions.answer import answer_gm
from tests.desk.conftest import GAME, Desk
from tests.desk.wishing import case_of, order, wish

NOT_ACTS = {
    # what only looks, or works on files and machines
    *SECTIONS["See it work"],
    *SECTIONS["Run it by mail"],
    *SECTIONS["Prove it and keep it"],
    *("games", "show", "orders", "letters", "report", "history", "inspect", "receive"),
    *("forecast", "try", "ratings"),
    "new",  # there is no game yet whose GM could write
}


def _books(desk: Desk) -> tuple[Any, ...]:
    """Everything that is in the books of the game."""

    def read(books: Any) -> tuple[Any, ...]:
        return (
            books.game(GAME),
            books.seatings(GAME),
            books.steps(GAME),
            books.orders(GAME),
            books.letters(GAME),
            books.notes(GAME),
            books.links(GAME),
            books.players(),
        )

    return desk.see(read)


def test_every_act_has_one_name_at_the_desk_on_the_command_line_and_in_letters() -> None:
    commands = {name for part in SECTIONS.values() for name in part}
    assert set(ACTS) == commands - NOT_ACTS
    for name in ACTS:
        act = find_act(name)
        assert act.name == name
        assert act.undo or act.lasting


@pytest.mark.parametrize("name", sorted(ACTS))
def test_every_argument_of_an_act_is_explained(name: str) -> None:
    act = find_act(name)
    for argument in act.arguments:
        assert argument.help.endswith(".")
    for example in act.examples:
        assert f"{name} ember" in example
    assert all(name in example for example in act.letter_examples())


def test_a_word_is_the_act_of_its_name(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    before = desk.step().deadline
    told = order(desk, "extend 24h")
    letters = ", ".join(f"notice 1 to {seat}" for seat in ("red", "blue", "green"))
    said = (
        f"extend: Deadline moved: round 1, pick, due Fri 6 Nov 2026, 20:00 UTC. Letters: {letters}."
        " To undo it, write `gm: [undo 3]`."
    )
    assert told.done == (said,)
    after = desk.step().deadline
    assert before is not None
    assert after is not None
    assert (after - before).total_seconds() == 24 * 3600
    notes = desk.see(lambda books: books.notes(GAME))
    assert [(note.act, note.by) for note in notes[-2:]] == [("extend", "gm"), ("gm", "gm")]


def test_each_wish_stands_by_itself(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    told = order(desk, "extend yesterday", "pause", "resume now", "note fine")
    assert [sentence.partition(":")[0] for sentence in told.done] == ["pause", "note"]
    assert [sentence.partition(":")[0] for sentence in told.not_taken] == ["extend", "resume"]
    assert desk.game().status is Status.PAUSED


PREPARED: dict[str, tuple[Any, Callable[[Desk], object]]] = {
    "start": ("start", lambda desk: None),
    "announce": ("announce ada@example.org", lambda desk: None),
    "address": ("address blue bob@example.org bob@example.net", lambda desk: None),
    "replace": ("replace blue bob@example.org", lambda desk: None),
    "bot": ("bot blue", lambda desk: None),
    "resign": ("resign blue", lambda desk: None),
    "submit": ({"submit": {"blue": {"standing": {"prize": "pass"}}}}, lambda desk: None),
    "close": ("close now", lambda desk: None),
    "remind": ("remind", lambda desk: None),
    "extend": ("extend 24h", lambda desk: None),
    "pause": ("pause", lambda desk: None),
    "resume": ("resume", lambda desk: order(desk, "pause")),
    "edit": (
        {"edit": {"reason": "a slip", "change": {"round": "2"}}},
        lambda desk: None,
    ),
    "rollback": ("rollback 1-pick", lambda desk: order(desk, "close now")),
    "end": ('end red,blue "they agreed"', lambda desk: None),
    "note": ('note "Bo is away until Friday"', lambda desk: None),
    "message": ('message red blue "The server was away"', lambda desk: None),
    "undo": ("undo", lambda desk: order(desk, "extend 24h")),
    "adjust": ("adjust pace=48h", lambda desk: None),
    "archive": ("archive", lambda desk: order(desk, "end drawn enough")),
}


@pytest.mark.parametrize("name", sorted(PREPARED))
def test_a_preview_tells_the_same_and_changes_nothing(desk: Desk, name: str) -> None:
    said, prepare = PREPARED[name]
    if name in ("start", "announce"):
        desk.new(start=False, settings={"pace": "72h"})
    else:
        desk.new(settings={"pace": "72h"})
    prepare(desk)
    before = _books(desk)
    tried = order(desk, said, preview=True)
    assert tried.not_taken == ()
    assert _books(desk) == before
    done = order(desk, said)
    assert done.not_taken == ()
    assert _books(desk) != before
    assert tried.done[0].startswith(f"{name}, a preview; nothing was changed: ")
    assert "ould " in tried.done[0]
    letters = re.split(r" To undo it| It cannot be", done.done[0].partition("Letters: ")[2])[0]
    assert tried.done[0].endswith(letters)
    if name not in ("note", "message", "remind", "announce", "edit", "archive"):
        assert "What would change: " in tried.done[0]


def test_preview_may_stand_behind_the_word(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    before = _books(desk)
    assert "nothing was changed" in order(desk, "extend 24h preview").done[0]
    assert "nothing was changed" in order(desk, "preview pause").done[0]
    assert _books(desk) == before


def test_what_would_change_is_said_as_people_write_settings(desk: Desk) -> None:
    desk.new(settings={"pace": "72h", "nmr_limit": 2})
    (told,) = order(desk, "adjust nmr_limit=1 late_visible=yes now preview").done
    assert "nmr_limit: 2 -> 1; late_visible: none -> yes." in told


def test_only_an_act_with_an_entry_of_its_own_says_how_to_undo_it(desk: Desk) -> None:
    desk.new()
    desk.play()
    desk.close()
    assert "To undo it" in order(desk, "rollback 1-pick").done[0]
    assert "To undo it" not in order(desk, "rollback 1-pick keep_orders").done[0]


@pytest.mark.parametrize(
    "said",
    [
        'rollback 1-pick same-dice yes reason="a slip"',
        'rollback 1-pick reason="a slip" same-dice yes',
        {"rollback": 'reason="a slip" 1-pick same-dice yes'},
    ],
)
def test_options_may_stand_anywhere_behind_an_act(desk: Desk, said: Any) -> None:
    desk.new()
    order(desk, "close now")
    dice = desk.see(lambda books: books.step(GAME, 1)).dice
    assert order(desk, said).not_taken == ()
    assert desk.step().dice == dice


def test_every_act_is_tried_here() -> None:
    assert set(PREPARED) == set(ACTS) - {"accept", "delete"}  # needs changed rules; not by letter


def test_a_substitute_is_named_by_address_and_known_again(desk: Desk) -> None:
    desk.new()
    assert (
        order(desk, "replace blue Bob@Example.org")
        .done[0]
        .startswith("replace: Bob plays blue now.")
    )
    player = desk.see(lambda books: books.player("Bob"))
    assert player is not None
    assert player.addresses == ("bob@example.org",)
    order(desk, "bot blue")
    order(desk, "replace green bob@example.org Somebody Else")
    assert desk.seating("green").player == "Bob"


def test_a_name_that_somebody_else_has_is_not_taken_over(desk: Desk) -> None:
    with desk.store.writing() as books:
        books.save(Player(name="Bob", addresses=("bob@example.net",)))
    desk.new()
    told = order(desk, "replace blue bob@example.org")
    assert "already has another address" in told.not_taken[0]
    assert desk.seating("blue").player == "Bo"
    order(desk, "replace blue bob@example.org Robert")
    assert desk.seating("blue").player == "Robert"


def test_people_are_named_by_name_by_address_or_by_both(desk: Desk) -> None:
    seats = {"red": "Ada Lovelace <ADA@example.org>", "blue": "bo@example.net", "green": "Cleo"}
    desk.new(seats=seats)
    found = {
        seat: desk.see(lambda books, name=name: books.player(name))
        for seat, name in (("red", "Ada Lovelace"), ("blue", "Bo"), ("green", "Cleo"))
    }
    assert [player.addresses for player in found.values() if player] == [
        ("ada@example.org",),
        ("bo@example.net",),
        (),
    ]
    order(desk, "bot red", "replace green ada@example.org")
    assert desk.seating("green").player == "Ada Lovelace"


def test_an_address_is_changed_and_the_player_told(desk: Desk) -> None:
    desk.new(seats={"red": "ada@example.org", "blue": "bo@example.net", "green": "Cleo"})
    told = order(desk, "address red ada@example.com ADA@example.info")
    assert "go to ada@example.com, ada@example.info now" in told.done[0]
    assert [letter.seat for letter in desk.letters("notice")] == ["red"]
    told = order(desk, "address red ada@example.org")
    assert "Until now they went to ada@example.com, ada@example.info." in told.done[0]
    told = order(desk, "address red bo@example.net", "address red", "address red nonsense")
    assert [sentence.partition(":")[0] for sentence in told.not_taken] == ["address"] * 3
    assert "is the address of Bo" in told.not_taken[0]
    notes = desk.see(lambda books: books.notes(GAME))
    assert not [note for note in notes if "@" in note.text]


def test_a_ruling_by_letter_changes_only_what_it_names(desk: Desk) -> None:
    desk.new()
    before = desk.see(lambda books: open_position(Context(books, desk.library, GAME)))
    scores = {"edit": {"reason": "a slip", "change": {"round": "2"}}}
    assert order(desk, scores).not_taken == ()
    after = desk.see(lambda books: open_position(Context(books, desk.library, GAME)))
    assert after == {**before, "round": 2}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("extnd 24h", 'did you mean "extend"?'),
        ("", "is not an act"),
        (None, "is not an act"),
        ("extend", "how long is missing"),
        ("extend 24h please", '"please" was not expected here'),
        ("close soon", "write `close` or `close now`"),
        ("close", "write `close now`"),
        ("bot mars", 'there is no seat "mars"; the seats are red, blue, green'),
        ("bot b", 'there is no seat "b"; did you mean "blue"?'),
        ("replace blu bob@example.org", 'did you mean "blue"?'),
        ("resign gre", 'did you mean "green"?'),
        ("address blu bob@example.org", 'did you mean "blue"?'),
        ('end re "they conceded"', 'did you mean "red"?'),
        ({"submit": {"blu": {"play": "owl"}}}, 'did you mean "blue"?'),
        ("bot", "the seat is missing"),
        ("rollback 99-pick", 'has no step "99-pick"'),
        ("rollback 1-pick fast", "same-dice"),
        ("end red", "needs its reason"),
        ("end mars because", 'there is no seat "mars"'),
        ("note", "the text is missing"),
        ("announce ada@example.org back", "name the addresses to invite, or only `back`"),
        ("undo 99", "the history has no entry 99"),
        ("adjust nmr_limit=\u00b2", "nmr_limit: write a number"),
        ("extend 99999w 99999w", "write `extend 99999w`"),
        ("extend 99999w99999w back", "expected at most 365000d"),
        ("extend until 9999-12-31 23:59", "there is no day 9999-12-31"),
        ({"message": {"to": None, "text": None}}, "the message is missing"),
        ("message blu hello", 'did you mean "blue"?'),
        ({"submit": {"blue": {"pley": "owl"}}}, "pley"),
        ({"submit": "blue"}, "name one seat"),
        ({"edit": {"change": {"round": "2"}}}, "write `{edit:"),
        ({"edit": {"reason": "x", "change": {}}}, "name the parts"),
        ({"edit": {"reason": "x", "change": {"hands": {"red": "nonsense"}}}}, "cannot be"),
        ({"extend": "24h", "pause": ""}, "a line of its own"),
        ('note "unclosed', None),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    desk: Desk, said: Any, why: str | None
) -> None:
    desk.new(settings={"pace": "72h", "zone": "America/New_York"})
    before = _books(desk)
    told = order(desk, said)
    if why is None:
        assert told.not_taken == ()
        return
    assert told.done == ()
    assert why in told.not_taken[0]
    assert _books(desk) == before


def test_nothing_that_the_gm_is_told_is_secret(desk: Desk) -> None:
    desk.new()
    state = desk.state()
    cards = sorted({card for hand in state["hands"].values() for card in hand})
    desk.play()
    told = [*order(desk, "close now preview", "remind", "close").done]
    with desk.store.reading() as books:
        parts = answer_gm(case_of(desk, books), ["status", "players", "history", "orders"])
    text = " ".join([*told, str(parts)])
    assert "close" in text
    words = {word.strip(".,:'()[]") for word in text.split()}
    assert not words & set(cards)


def test_the_gm_is_told_who_is_in(desk: Desk) -> None:
    desk.new()
    desk.play(seats=("red",))
    with desk.store.reading() as books:
        (status, wrong) = answer_gm(case_of(desk, books), ["status", "why 7"])
    assert [tuple(row) for row in status["rows"]] == [
        ("red", "Ada", "in"),
        ("blue", "Bo", "NOT in"),
        ("green", "Cleo", "NOT in"),
    ]
    assert "a player's question" in wrong["lines"][0]


def test_jump_wars_can_be_led_by_letters(desk: Desk) -> None:
    desk.library = FolderLibrary()
    desk.new(
        kind="jump-wars",
        seats={"red": "Ada", "blue": "Bo", "green": "bot"},
        settings={"pace": "72h", "nmr_limit": 9},
    )
    told = order(desk, "remind", "close now", "close now preview", "bot blue", "close now")
    assert told.not_taken == ()
    step = desk.see(lambda books: books.steps(GAME))[1].name
    change = {"edit": {"reason": "owed", "change": {"tokens": {"red": "50"}}}}
    assert order(desk, change, f"rollback {step}").not_taken == ()
    wish(desk, "red", "press", {"to": "gm", "text": "Thank you"})
    assert order(desk, "end drawn all agreed").not_taken == ()
    assert desk.game().status is Status.OVER


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Please remind them all", "remind"),
        ("Could the clock send reminders 6h before each deadline?", "adjust remind=12h"),
        ("No reminders please", "adjust remind=none"),
        ("Stop reminding them, and turn off the reminders", "adjust remind=none"),
        ("There are no orders from red yet, please remind him", "remind"),
        ("Remind red before the deadline in 2 days", "remind"),
    ],
)
def test_reminders_of_the_clock_are_a_setting_and_not_one_that_is_sent_now(
    text: str, meant: str
) -> None:
    assert guess_act(text) == meant
