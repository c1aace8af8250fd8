"""Who is read first while letters wait: players by turns, whoever else has written thousands."""

from adjudicator.desk.inbox.reading_order import find_party, order_by_writer
from adjudicator.desk.model.mail import Glance
from adjudicator.desk.outbox.tokens import sign_message_id
from tests.desk.conftest import GAME
from tests.desk.post import HOUSE, SECRET, Post


def party(post: Post, sender: str | None, *references: str, keys: tuple[str, ...] = ()) -> str:
    seen = Glance(sender=sender, references=references, keys=keys)
    return post.desk.see(lambda books: find_party(books, SECRET, HOUSE, seen))


def test_letters_of_players_are_read_by_turns_and_those_of_strangers_last() -> None:
    parties = {"a1": "a", "a2": "a", "a3": "a", "b1": "b", "b2": "b", "c1": "c"}
    waiting = ["x1", "a1", "a2", "x2", "a3", "b1", "b2", "x3", "c1"]
    assert " ".join(order_by_writer(waiting, parties)) == "a1 b1 c1 a2 b2 a3 x1 x2 x3"
    assert order_by_writer([], {}) == []
    assert order_by_writer(waiting, {}) == waiting


def test_a_seat_is_known_by_its_token_or_its_key_whatever_from_says(post: Post) -> None:
    (sent, *_) = (one for one in post.outbox() if one.seat == "blue")
    name = post.desk.see(lambda books: sign_message_id(books, SECRET, sent))
    seat = f"{GAME}/blue"
    assert party(post, "x@example.com", "<other@x>", name) == seat
    assert party(post, None, keys=("2222-2222", post.key("blue"))) == seat
    assert party(post, "ada@example.org", keys=(post.key("blue"),)) == seat


def test_without_them_a_registered_address_is_known_and_others_are_not(post: Post) -> None:
    assert party(post, "ada@example.org", keys=("2222-2222",)) == "ada@example.org"
    assert party(post, "gm@example.org") == "gm@example.org"
    assert party(post, "x@example.com", sign("x"), keys=("2222-2222",)) == ""
    assert party(post, None) == ""


def sign(letter: str) -> str:
    return f"<{GAME}.1-pick.red.report.1.{letter * 24}@example.org>"
