"""Joining by letter: announced, confirmed, seated or waiting, begun or given up."""

from typing import Any

import pytest

from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import decode, digest
from adjudicator.desk.acts.announce import announce_game
from adjudicator.desk.clock.tick import expire_open_game
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import OutgoingLetter, Status
from adjudicator.desk.outbox.announcement import list_open_games
from adjudicator.desk.steps.start import start_game
from tests.desk.conftest import GAME, Desk
from tests.desk.wishing import apply, text_of, wish

ADA, BO, CLEO = "ada@example.org", "bo@example.net", "cleo@example.com"
SEED = digest(seed_from_number(1))
OPEN: dict[str, Any] = {
    "seats": {"red": None, "blue": None, "green": None},
    "start": False,
    "luck": {},
}


def _open(desk: Desk, **settings: Any) -> None:
    desk.new(**OPEN, settings=settings)


def _answers(desk: Desk, address: str) -> list[OutgoingLetter]:
    return [letter for letter in desk.letters("answer") if letter.to == (address,)]


def _join(desk: Desk, address: str, name: str, **more: Any) -> None:
    apply(desk, address, name=name, **more)
    told = apply(desk, address, confirmed=True, name=name, **more)
    assert told.done, told.not_taken


def test_the_announcement_commits_to_the_seed_and_says_how_to_join(desk: Desk) -> None:
    _open(desk, pace="72h", zone="Europe/Berlin", smallest=2)
    desk.act(announce_game, [ADA, " BO@example.NET "])
    assert [letter.to for letter in desk.letters("answer")] == [(ADA,), (BO,)]
    text = text_of(_answers(desk, BO)[0])
    assert SEED in text
    assert "3 of 3 seats are free" in text
    assert "Each step may take 72h, and closes early once all orders are in." in text
    assert "at least 2 players" in text
    assert "cancelled" in text
    assert "\njoin: tiny\nname: Your Name\nluck: any words you like\n# end of orders" in text


@pytest.mark.parametrize("address", ["ada", "@example.org", "ada@example", "a b@example.org", ""])
def test_an_announcement_needs_addresses(desk: Desk, address: str) -> None:
    _open(desk)
    with pytest.raises(Refused, match=r"not an address|name the addresses"):
        desk.act(announce_game, [address])


def test_who_asks_has_not_joined_yet(desk: Desk) -> None:
    _open(desk)
    told = apply(desk, ADA, name="Ada", luck="owls at noon")
    assert "NOT joined yet" in told.done[0]
    assert desk.see(lambda books: books.seatings(GAME)) == []
    assert desk.see(lambda books: books.player("Ada")) is None
    (letter,) = desk.letters()
    assert letter.to == (ADA,)
    text = text_of(letter)
    assert SEED in text  # before anybody confirms any luck words
    assert "owls" not in text
    assert "Ada" not in text


def test_nobody_can_sign_up_a_stranger(desk: Desk) -> None:
    _open(desk)
    apply(desk, "victim@example.org", name="Victim")
    _join(desk, ADA, "Ada")
    seated = [one.player for one in desk.see(lambda books: books.seatings(GAME))]
    assert seated == ["Ada"]


def test_who_confirms_has_a_seat_and_nobody_else_gets_a_letter(desk: Desk) -> None:
    _open(desk)
    _join(desk, ADA, "Ada", prefer={"zone": "Europe/Berlin", "seats": ["green"]})
    assert (desk.seating("green").player, desk.seating("green").kind) == ("Ada", "player")
    player = desk.see(lambda books: books.player("Ada"))
    assert player is not None
    assert (player.zone, player.addresses) == ("Europe/Berlin", (ADA,))
    text = text_of(_answers(desk, ADA)[-1])
    assert "You have joined tiny and will play green" in text
    assert "2 of 3 seats are free." in " ".join(text.split())
    _join(desk, BO, "Bo", prefer={"seats": ["green", "blue"]})
    assert desk.seating("blue").player == "Bo"
    assert desk.letters("notice") == []  # the first report says who plays


def test_every_letter_has_one_answer(desk: Desk) -> None:
    _open(desk)
    apply(desk, ADA, name="Ada")
    apply(desk, ADA, confirmed=True)
    apply(desk, ADA, confirmed=True)
    apply(desk, ADA)
    apply(desk, ADA, leave=True)
    apply(desk, ADA, leave=True, confirmed=True)
    apply(desk, ADA, leave=True, confirmed=True)
    assert len(_answers(desk, ADA)) == 7


def test_a_full_game_begins_with_the_luck_words_in_seat_order(desk: Desk) -> None:
    _open(desk)
    _join(desk, ADA, "Ada", luck="  owls \n at noon ", prefer={"seats": ["green"]})
    _join(desk, BO, "Bo", luck="game: over", prefer={"seats": ["red"]})
    assert desk.game().status is Status.OPEN
    _join(desk, CLEO, "Cleo")
    game = desk.game()
    assert game.status is Status.RUNNING
    assert game.luck == (("red", "game: over"), ("green", "owls at noon"))
    (answer,) = desk.letters("report", "blue")
    assert "so it begins" in text_of(answer)
    (report,) = desk.letters("report", "blue")
    text = text_of(report)
    assert "the server to all" in text
    assert "  : red: game: over\n  : green: owls at noon\n" in text
    assert SEED in text


def test_wishes_can_be_changed_until_it_begins(desk: Desk) -> None:
    _open(desk)
    _join(desk, ADA, "Ada", luck="one")
    told = apply(desk, ADA, confirmed=True, luck="two", prefer={"zone": "Europe/Paris"})
    assert told.done == ("You have joined tiny and will play red; your preferences are kept.",)
    assert desk.game().luck == (("red", "two"),)
    assert len({one.seat for one in desk.see(lambda books: books.seatings(GAME))}) == 1


def test_the_words_of_an_empty_form_are_nobodys_luck(desk: Desk) -> None:
    _open(desk)
    _join(desk, ADA, "Ada", luck="any words you like")
    assert desk.game().luck == ()
    assert "luck: any words you like" in text_of(_answers(desk, ADA)[-1])


def test_without_the_key_nothing_of_somebody_who_has_joined_is_changed(desk: Desk) -> None:
    _open(desk)
    _join(desk, ADA, "Ada", luck="one")
    told = apply(desk, ADA, name="Eve", luck="two")
    assert told.done == ()
    assert "joined already" in " ".join(told.not_taken) or "You play red" in told.not_taken[0]
    assert desk.game().luck == (("red", "one"),)


def test_one_person_never_holds_two_seats(desk: Desk) -> None:
    _open(desk)
    _join(desk, ADA, "Ada")
    apply(desk, ADA, confirmed=True, name="Eve", prefer={"seats": ["blue"]})
    assert [one.player for one in desk.see(lambda books: books.seatings(GAME))] == ["Ada"]
    told = apply(desk, BO, name="ada")
    assert told.not_taken[0] == "You have NOT joined: the name is taken. Choose another one."


@pytest.mark.parametrize(
    "name", [None, "", "Your Name", "bot", "GM", "<b>Ada</b>", "x" * 41, "a\x00/../b", "-", "Ada:"]
)
def test_a_name_must_be_one(desk: Desk, name: str | None) -> None:
    _open(desk)
    told = apply(desk, ADA, name=name)
    assert told.done == ()
    assert told.not_taken
    assert apply(desk, ADA, name=name, confirmed=True).done == ()
    assert desk.see(lambda books: books.seatings(GAME)) == []


def test_the_same_person_is_known_again_by_the_address(desk: Desk) -> None:
    _open(desk)
    _join(desk, ADA, "Ada")
    apply(desk, ADA, leave=True, confirmed=True)
    _join(desk, ADA, "Another Name")
    assert desk.seating("red").player == "Ada"


def test_only_the_invited_may_join_where_some_were(desk: Desk) -> None:
    _open(desk, invited=["Ada@Example.org"])
    assert "invited" in apply(desk, BO, name="Bo").not_taken[0]
    _join(desk, ADA, "Ada")


def test_later_ones_wait_and_get_the_seat_that_falls_free(desk: Desk) -> None:
    desk.new(settings={"nmr": "substitute", "nmr_limit": 1, "pace": "24h"})
    told = apply(desk, ADA, name="Dan", confirmed=True)
    assert "waiting list" in told.done[0]
    desk.play(seats=("red", "green"))
    desk.later(hours=25)
    desk.close()
    assert desk.seating("blue").player == "Dan"


def test_who_waits_gets_a_seat_that_stands_idle_already(desk: Desk) -> None:
    desk.new(settings={"nmr": "substitute", "nmr_limit": 1, "pace": "24h"})
    desk.play(seats=("red", "green"))
    desk.later(hours=25)
    desk.close()
    assert desk.seating("blue").kind == "idle"
    told = apply(desk, ADA, name="Dan", confirmed=True)
    assert told.done == ("You play blue, which was idle; the next letter has the details.",)
    assert desk.seating("blue").player == "Dan"
    assert desk.letters("notice", "blue")


@pytest.mark.parametrize(
    ("wanted", "aim"),
    [
        ({"name": "Bo"}, "join"),
        ({"leave": True}, "leave"),
        ({"observe": True}, "observe"),
        ({"observe": False}, "stop observing"),
    ],
)
def test_the_letter_that_asks_to_confirm_says_what(
    desk: Desk, wanted: dict[str, Any], aim: str
) -> None:
    """Also to who has joined before."""
    _open(desk)
    _join(desk, ADA, "Ada")
    to = BO if "name" in wanted else ADA
    apply(desk, to, **wanted)
    subject = f"Please confirm that you want to {aim}"
    assert decode(_answers(desk, to)[-1].document)["headline"] == subject


def test_who_leaves_before_the_start_frees_the_seat(desk: Desk) -> None:
    _open(desk)
    _join(desk, ADA, "Ada", luck="owls")
    apply(desk, ADA, leave=True)  # without the key nothing happens
    assert desk.seating("red").player == "Ada"
    assert apply(desk, ADA, leave=True, confirmed=True).done == ("You have left tiny.",)
    assert desk.game().luck == ()
    with pytest.raises(Refused, match="nobody plays red"):
        desk.act(start_game)
    _join(desk, BO, "Bo")
    assert desk.seating("red").player == "Bo"


def test_the_gm_may_start_with_fewer(desk: Desk) -> None:
    _open(desk, smallest=2)
    _join(desk, ADA, "Ada", prefer={"seats": ["green"]})
    with pytest.raises(Refused, match="may begin with 2 players"):
        desk.act(start_game)
    _join(desk, BO, "Bo", prefer={"seats": ["red"]})
    desk.act(start_game)
    assert desk.game().seats == ("red", "green")
    assert desk.game().status is Status.RUNNING


def test_a_game_that_does_not_fill_is_given_up_and_all_are_told(desk: Desk) -> None:
    _open(desk, expires="10d")
    _join(desk, ADA, "Ada")
    desk.later(days=9)
    assert desk.act(expire_open_game) is False
    desk.later(days=1)
    assert desk.act(expire_open_game) is True
    assert desk.game().status is Status.OVER
    assert desk.act(expire_open_game) is False
    assert [letter.seat for letter in desk.letters("notice")] == ["red", "gm"]
    assert "cancelled" in text_of(desk.letters("notice", "red")[0])
    assert "cancelled before it began" in apply(desk, BO, name="Bo").not_taken[0]


def test_open_games_are_listed_for_strangers(desk: Desk) -> None:
    _open(desk)
    _join(desk, ADA, "Ada")
    lines = desk.see(lambda books: list_open_games(books, desk.library, BO))
    assert lines == ("tiny: Toy Duel, 2 of 3 seats free; write `join: tiny`",)


def test_in_an_anonymous_game_nobody_learns_who_joined(desk: Desk) -> None:
    _open(desk, anonymous=True)
    _join(desk, ADA, "Ada")
    _join(desk, BO, "Bob")
    _join(desk, CLEO, "Cleo")
    for seat, others in (("red", ("Bob", "Cleo")), ("blue", ("Ada", "Cleo"))):
        wish(desk, seat, "ask", ["players", "history", "status"])
        sent = [letter.document.decode() for letter in desk.letters(seat=seat)]
        assert sent
        assert not [name for name in others for one in sent if name in one]
    for letter in _answers(desk, BO):
        assert "Ada" not in letter.document.decode()
