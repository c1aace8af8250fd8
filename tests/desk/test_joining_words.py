"""Whoever answers an announcement in words gets a seat, or is told what to write."""

import pytest

from adjudicator.desk.acts.announce import announce_game
from adjudicator.desk.model.seats import current_seatings
from tests.desk.conftest import GAME, Desk
from tests.desk.mailing import Mail, quoted, words
from tests.desk.post import Post


def test_the_letter_to_confirm_shows_the_name_and_not_the_announcement_again(
    announced: Mail,
) -> None:
    """To whoever answers a letter that went to this address; nobody else's words are sent there."""
    announced.desk.act(announce_game, ["ann@example.com"])
    about = announced.last("ann@example.com")
    assert "HOW LONG IT TAKES" in words(about)
    announced.write("ann@example.com", "Join as Ann\n", about)
    asked = words(announced.last("ann@example.com"))
    assert "You are Ann. To be called something else, reply `join as NAME`." in asked
    assert "HOW LONG IT TAKES" not in asked
    assert "The SHA-256 of the seed is" in asked
    announced.write("ann@example.com", "join as Anna\n", announced.last("ann@example.com"))
    assert announced.desk.seating("red").player == "Anna"


def test_the_letter_to_confirm_repeats_no_words_from_a_letter_that_answers_none(
    announced: Mail,
) -> None:
    announced.write("gus@example.com", f"join: {GAME}\nname: Buy Pills\n")
    asked = words(announced.last("gus@example.com"))
    assert "Pills" not in asked
    assert "You get the name that you wrote" in asked
    assert "HOW LONG IT TAKES" in asked


@pytest.fixture
def announced(desk: Desk) -> Mail:
    post = Post(desk)
    desk.new(seats={"red": None, "blue": "Bo", "green": "Cleo"}, start=False, luck={})
    return Mail(post)


def test_join_and_yes_take_a_seat(announced: Mail) -> None:
    desk, ann = announced.desk, "ann@example.com"
    desk.act(announce_game, [ann])
    for text in ("Join as Ann", "Yes!"):
        about = announced.last(ann)
        announced.write(ann, f"{text}\n\n{quoted(words(about))}\n", about)
    assert desk.seating("red").player == "Ann"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("observe: gladly", "The value of `observe` is neither yes nor no"),
        ("resign: gladly", "The value of `resign` is neither yes nor no"),
        ("preview: yes", "Joining cannot be tried, so nothing was done."),
    ],
)
def test_nobody_gets_a_seat_by_a_letter_that_may_want_none(
    announced: Mail, line: str, told: str
) -> None:
    ann, join = "ann@example.com", f"join: {GAME}\nname: Ann\n"
    announced.write(ann, join)
    asked = announced.post.filled(announced.post.outbox()[-1])
    announced.write(ann, f"{join}key: {asked['form']['envelope']['key']}\n{line}\n")
    assert told in words(announced.last(ann))
    assert "red" not in announced.desk.see(lambda books: current_seatings(books, GAME))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Join as Sue. Sounds fun!", "Sue"),
        ("join as J. R. Hill, please!", "J. R. Hill"),
        ("Hi! I'd love to play. join as Ada", "Ada"),
        ("Hello there!\nI'm Ada Byron. I'd like to join please.", "Ada Byron"),
        ("Sure, count me in!\nCall me Ada.", "Ada"),
        ("Hi there,\nI am Ada and I'd love to play!", "Ada"),
        ("I'd like to join, my name is Ada", "Ada"),
        ("I will join this game as Ada, thanks", "Ada"),
        ("Join: Ada Byron", "Ada Byron"),
    ],
)
def test_the_sentence_that_asks_for_a_seat_is_found(announced: Mail, text: str, name: str) -> None:
    ann = "ann@example.com"
    announced.desk.act(announce_game, [ann])
    for said in (text, "yes"):
        about = announced.last(ann)
        announced.write(ann, f"{said}\n\n{quoted(words(about))}\n", about)
    assert announced.desk.seating("red").player == name


@pytest.mark.parametrize(
    "text", ["Join please!", "Please join me in", "I'd love to join, thanks!", "I'm in!"]
)
def test_polite_words_name_no_game(announced: Mail, text: str) -> None:
    ann = "ann@example.com"
    announced.desk.act(announce_game, [ann])
    announced.write(f"Ann <{ann}>", f"{text}\n", announced.last(ann))
    assert "confirm" in str(announced.last(ann)["Subject"])


@pytest.mark.parametrize(
    "text", ["I don't want to join.", "Why should I join?", "Who else will play?", "I'm in Spain."]
)
def test_who_does_not_ask_for_a_seat_gets_none(announced: Mail, text: str) -> None:
    ann = "ann@example.com"
    announced.desk.act(announce_game, [ann])
    announced.write(ann, f"{text}\n", announced.last(ann))
    assert "confirm" not in str(announced.last(ann)["Subject"])


def test_the_subject_says_why_somebody_has_not_joined(announced: Mail) -> None:
    ann = "ann@example.com"
    announced.desk.act(announce_game, [ann])
    announced.write(ann, "join\n", announced.last(ann))
    subject = str(announced.last(ann)["Subject"])
    assert subject.startswith(f"[{GAME}] You have NOT joined: A name is missing. Reply `join as")


def test_a_forwarded_announcement_is_confirmed_first(announced: Mail) -> None:
    announced.desk.act(announce_game, ["ann@example.com"])
    about = announced.last("ann@example.com")
    announced.write("eve@example.com", f"join {GAME} as Eve\n", about)
    asked = announced.last("eve@example.com")
    announced.write("eve@example.com", "yes\n", about)
    assert "confirm" in str(asked["Subject"])
    announced.write("eve@example.com", "yes\n", asked)
    assert announced.desk.seating("red").player == "Eve"


def test_names_of_games_are_read_in_any_case(announced: Mail) -> None:
    announced.write("gus@example.com", f"Join: {GAME.title()}\nName: Gus\n")
    assert "confirm" in str(announced.last("gus@example.com")["Subject"])
