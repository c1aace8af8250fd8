"""Letters go out: written once, tried until everybody has them, told of when nobody takes them."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.core.document import Document, decode, encode
from adjudicator.desk.acts.end import end_game
from adjudicator.desk.model.mail import Sent
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.keys import make_key
from adjudicator.desk.outbox.send import (
    LIFETIME,
    Dispatch,
    Heading,
    Written,
    claim_letters,
    keep_letters,
    record_delivery,
    write_letter,
)
from adjudicator.desk.steps.handover import replace_player as give
from tests.at_the_desk import write_letters
from tests.desk.conftest import GAME, Desk
from tests.desk.post import HOUSE, SECRET, Post, letter

HELD = timedelta(minutes=5)
AWAY = "212.7.8.9:25: the connection was refused"
FULL = "452 mailbox full"


class Pen:
    """Writes a letter's key and addresses, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.headings: list[Heading] = []

    def write_letter(self, letter: OutgoingLetter, document: Document, heading: Heading) -> bytes:
        self.asked.append(letter.message_id)
        self.headings.append(heading)
        form: Mapping[str, Any] = document.get("form") or {"envelope": {}}
        return f"{','.join(heading.to)} {form['envelope'].get('key')}".encode()


@pytest.fixture
def pen() -> Pen:
    return Pen()


def out(post: Post, pen: Pen, limit: int = 100) -> dict[str, Dispatch]:
    """What is claimed now, by seat; of a seat the last."""
    at = post.desk.at
    with post.desk.store.writing() as books:
        made = write_letters(
            books,
            pen,
            library=post.desk.library,
            until=at + HELD,
            at=at,
            limit=limit,
            secret=SECRET,
            house=HOUSE,
        )
    return {one.letter.seat: one for one in made}


def came(post: Post, dispatch: Dispatch, *results: tuple[Any, ...]) -> OutgoingLetter:
    with post.desk.store.writing() as books:
        said = [Sent(*one) for one in results]
        return record_delivery(books, dispatch.letter, said, at=post.desk.at, house=HOUSE)


def kept(post: Post, letter: OutgoingLetter) -> OutgoingLetter:
    name = letter.message_id
    return next(one for one in post.outbox(letter.game) if one.message_id == name)


def to_gm(post: Post) -> Sequence[OutgoingLetter]:
    return [one for one in post.outbox("") if one.seat == "gm"]


def test_a_letter_goes_to_the_registered_addresses_with_the_key_of_its_seat(
    post: Post, pen: Pen
) -> None:
    red = out(post, pen)["red"]
    assert red.posting.recipients == ("ada@example.org",)
    assert red.posting.sender == HOUSE.address
    wanted = make_key(SECRET, game=GAME, seat="red", seating=1, step=post.desk.step().name, epoch=1)
    assert red.posting.content == f"ada@example.org {wanted}".encode()
    assert wanted.encode() not in kept(post, red.letter).document


def test_what_is_claimed_is_not_claimed_again_until_the_claim_is_over(post: Post, pen: Pen) -> None:
    assert len(out(post, pen)) == 3
    assert out(post, pen) == {}
    post.desk.at += HELD
    assert len(out(post, pen)) == 3


def test_a_letter_is_written_once_and_repeated_byte_by_byte(post: Post, pen: Pen) -> None:
    first = out(post, pen)["red"]
    came(post, first, ("ada@example.org", "later", FULL))
    post.address("Ada", "new@example.org")
    post.desk.later(hours=1)
    again = out(post, pen)["red"]
    assert again.posting == first.posting
    assert again.letter.message_id == first.letter.message_id
    assert len(pen.asked) == len(set(pen.asked))


def test_a_letter_that_was_taken_is_sent_and_never_again(post: Post, pen: Pen) -> None:
    red = out(post, pen)["red"]
    assert came(post, red, ("ada@example.org", "taken", "250 ok")).status == "sent"
    post.desk.later(days=1)
    assert "red" not in out(post, pen)
    assert post.desk.see(lambda books: books.last_sent()) == kept(post, red.letter)


def test_who_has_it_does_not_get_it_again_when_it_is_tried_for_the_others(
    post: Post, pen: Pen
) -> None:
    post.address("Ada", "ada@example.org", "ada@example.net")
    red = out(post, pen)["red"]
    came(post, red, ("ada@example.org", "taken", "250"), ("ada@example.net", "later", FULL))
    post.desk.later(hours=1)
    again = out(post, pen)["red"]
    assert again.posting.recipients == ("ada@example.net",)
    assert again.posting.content == red.posting.content
    assert came(post, again, ("ada@example.net", "taken", "250")).status == "sent"


def test_a_server_that_is_away_costs_no_attempt_and_little_time(post: Post, pen: Pen) -> None:
    red = out(post, pen)["red"]
    moved = came(post, red, ("ada@example.org", "later", AWAY))
    assert (moved.status, moved.attempts) == ("queued", 0)
    post.desk.later(minutes=1)
    assert "red" in out(post, pen)


def test_a_server_that_says_later_is_left_alone_for_longer_and_longer(post: Post, pen: Pen) -> None:
    waits = []
    for _ in range(4):
        red = out(post, pen)["red"]
        moved = came(post, red, ("ada@example.org", "later", FULL))
        assert moved.not_before is not None
        waits.append(moved.not_before - post.desk.at)
        post.desk.at = moved.not_before
    assert waits == sorted(waits)
    assert waits[0] < waits[-1]


def test_after_its_lifetime_a_letter_has_failed_and_the_gm_is_told(post: Post, pen: Pen) -> None:
    red = out(post, pen)["red"]
    assert came(post, red, ("ada@example.org", "later", FULL)).status == "queued"
    post.desk.at += LIFETIME + timedelta(minutes=1)
    moved = came(post, out(post, pen)["red"], ("ada@example.org", "later", FULL))
    assert moved.status == "failed"
    assert len(to_gm(post)) == 1


@pytest.mark.parametrize("said", [(AWAY,), ("454 Daily message quota exceeded", 3600, True)])
def test_while_no_server_takes_any_letter_none_fails(
    post: Post, pen: Pen, said: tuple[Any, ...]
) -> None:
    for _ in range(3):
        moved = came(post, out(post, pen)["red"], ("ada@example.org", "later", *said))
        assert (moved.status, moved.attempts) == ("queued", 0)
        post.desk.at += LIFETIME
    moved = came(post, out(post, pen)["red"], ("ada@example.org", "later", FULL))
    assert moved.status == "queued"
    post.desk.at += LIFETIME
    assert out(post, pen)["red"].letter == kept(post, moved)
    (address,) = post.desk.see(lambda books: books.addresses("Ada"))
    assert address.bounced is None


def test_when_the_server_wants_fewer_letters_all_wait_and_the_gm_is_told_once(
    post: Post, pen: Pen
) -> None:
    limit = ("later", "454 Daily message quota exceeded", 3600, True)
    first = out(post, pen)
    for seat, address in (("red", "ada@example.org"), ("blue", "bo@example.org")):
        came(post, first[seat], (address, *limit))
    post.write(seat="green")
    assert out(post, pen) == {}
    (notice,) = to_gm(post)
    assert "454 Daily message quota exceeded." in notice.document.decode()
    post.desk.later(hours=1)
    # another letter is tried first: perhaps only these were refused
    assert set(out(post, pen)) == {"green", "gm"}
    post.desk.later(minutes=1)
    assert {"red", "blue"} <= set(out(post, pen))


def test_a_letter_waits_as_long_as_the_server_says(post: Post, pen: Pen) -> None:
    red = out(post, pen)["red"]
    moved = came(post, red, ("ada@example.org", "later", "450 4.2.0 Greylisted", 300, False))
    assert moved.not_before == post.desk.at + timedelta(minutes=5)
    assert len(to_gm(post)) == 0
    assert "red" not in out(post, pen)


def test_what_is_never_taken_marks_the_address_and_is_told(post: Post, pen: Pen) -> None:
    post.address("Ada", "ada@example.org", "ada@example.net")
    red = out(post, pen)["red"]
    came(
        post,
        red,
        ("ada@example.org", "never", "550 no such user"),
        ("ada@example.net", "taken", ""),
    )
    assert kept(post, red.letter).status == "sent"
    first, second = post.desk.see(lambda books: books.addresses("Ada"))
    assert (first.reason, second.bounced) == ("550 no such user", None)
    assert len(to_gm(post)) == 1
    (other,) = [one for one in post.outbox("") if one.seat == "nobody"]
    assert other.to == ("ada@example.net",)
    post.write()
    assert out(post, pen)["red"].posting.recipients == ("ada@example.org", "ada@example.net")


def test_a_marked_address_is_left_out_while_there_is_another(post: Post, pen: Pen) -> None:
    post.address("Ada", "ada@example.org", "ada@example.net")
    post.come_back("ada@example.org")
    assert out(post, pen)["red"].posting.recipients == ("ada@example.net",)


def test_the_only_address_is_tried_although_it_is_marked(post: Post, pen: Pen) -> None:
    """A forged delivery report must not cut a player off."""
    post.come_back("ada@example.org")
    assert out(post, pen)["red"].posting.recipients == ("ada@example.org",)


def test_an_unconfirmed_address_gets_nothing(post: Post, pen: Pen) -> None:
    with post.desk.store.writing() as books:
        (address,) = books.addresses("Ada")
        books.save(replace(address, confirmed=False))
    assert "red" not in out(post, pen)


def test_a_letter_for_somebody_without_an_address_waits_for_one(desk: Desk, pen: Pen) -> None:
    post = Post(desk)
    desk.new()
    assert out(post, pen) == {}
    post.address("Ada", "ada@example.org")
    desk.later(hours=1)
    assert "red" in out(post, pen)


def test_a_letter_stays_that_of_the_person_it_was_written_to(post: Post, pen: Pen) -> None:
    """Bo's successor gets neither Bo's letters nor a key of Bo's."""
    post.write(seat="blue")
    with post.desk.store.writing() as books:
        blue = [one for one in books.letters(GAME) if one.seat == "blue"]
    post.desk.act(give, "blue", "Dan")
    post.address("Dan", "dan@example.org")
    claimed: dict[str, tuple[str, ...]] = {}
    at = post.desk.at
    with post.desk.store.writing() as books:
        made = write_letters(
            books,
            pen,
            library=post.desk.library,
            until=at,
            at=at,
            limit=99,
            secret=SECRET,
            house=HOUSE,
        )
        claimed = {one.letter.message_id: tuple(one.posting.recipients) for one in made}
    assert {claimed[one.message_id] for one in blue} == {("bo@example.org",)}
    assert ("dan@example.org",) in claimed.values()


def test_a_withdrawn_letter_is_never_sent(post: Post, pen: Pen) -> None:
    red = next(one for one in post.outbox() if one.seat == "red")
    with post.desk.store.writing() as books:
        books.save(replace(red, status="withdrawn"))
    assert "red" not in out(post, pen)


def written(post: Post, pen: Pen) -> dict[str, Written]:
    """What is claimed now and written outside of the books, by seat."""
    at = post.desk.at
    with post.desk.store.writing() as books:
        claimed = claim_letters(
            books,
            library=post.desk.library,
            owner="test",
            until=at + HELD,
            at=at,
            limit=100,
            secret=SECRET,
            house=HOUSE,
        )
    return {one.letter.seat: write_letter(pen, one) for one in claimed.writings}


def keep(post: Post, one: Written) -> Sequence[Dispatch]:
    with post.desk.store.writing() as books:
        return keep_letters(books, [one], secret=SECRET, house=HOUSE, at=post.desk.at)


def test_a_letter_that_is_withdrawn_while_it_is_written_is_not_sent(post: Post, pen: Pen) -> None:
    red = written(post, pen)["red"]
    with post.desk.store.writing() as books:
        books.save(replace(red.writing.letter, status="withdrawn"))
    assert keep(post, red) == ()
    assert kept(post, red.writing.letter).status == "withdrawn"
    assert "red" not in out(post, pen)


def test_a_letter_that_changes_while_it_is_written_is_written_again(post: Post, pen: Pen) -> None:
    red = written(post, pen)["red"]
    document = {**decode(red.writing.letter.document), "headline": "Something else"}
    changed = replace(red.writing.letter, document=encode(document))
    with post.desk.store.writing() as books:
        books.rewrite_letter(changed)
    assert keep(post, red) == ()
    assert out(post, pen)["red"].letter.document == changed.document


def test_two_senders_of_one_letter_send_the_same_bytes(post: Post, pen: Pen) -> None:
    """One was away for longer than it may hold a letter; the other has written it meanwhile."""
    slow = written(post, pen)["red"]
    post.desk.at += HELD
    first = out(post, pen)["red"]
    assert keep(post, slow) == ()
    assert kept(post, first.letter).content == first.posting.content


def test_letters_to_the_gm_go_to_the_houses_gm(post: Post, pen: Pen) -> None:
    post.come_back("ada@example.org")
    gm = out(post, pen)["gm"]
    assert gm.posting.recipients == ("gm@example.org",)
    came(post, gm, ("gm@example.org", "never", "550"))
    assert len(to_gm(post)) == 1, "nobody is told that the GM cannot be told"


def test_nothing_is_sent_to_the_house_itself_or_to_what_is_no_address(post: Post, pen: Pen) -> None:
    post.address("Ada", "games@example.org", "a@b\r\nBcc: x@example.com", "ada@example.org")
    assert out(post, pen)["red"].posting.recipients == ("ada@example.org",)


def test_an_answer_hangs_below_the_letter_that_it_answers(post: Post, pen: Pen) -> None:
    written = letter(post.form())
    post.take(written)
    out(post, pen)
    heading = pen.headings[-1]
    assert heading.answers == written.message_id
    assert len({one.thread for one in pen.headings if one.to == ("ada@example.org",)}) == 1


def test_a_letter_that_cannot_be_written_does_not_stop_the_others(post: Post, pen: Pen) -> None:
    class Broken(Pen):
        def write_letter(
            self, letter: OutgoingLetter, document: Document, heading: Heading
        ) -> bytes:
            if letter.seat == "red":
                raise ValueError("a template's fault")
            return super().write_letter(letter, document, heading)

    assert set(out(post, Broken())) == {"blue", "green"}
    assert len(to_gm(post)) == 1
    post.desk.later(hours=1)
    assert "red" in out(post, pen)


def test_a_letter_whose_pictures_cannot_be_drawn_goes_out_without_them(post: Post) -> None:
    class Blind(Pen):
        def write_letter(
            self, letter: OutgoingLetter, document: Document, heading: Heading
        ) -> bytes:
            if letter.seat == "red" and heading.pictures:
                raise ValueError("no paint")
            return super().write_letter(letter, document, heading)

    assert set(out(post, Blind())) == {"red", "blue", "green"}
    (told,) = to_gm(post)
    assert b"went out without its pictures" in told.document
    assert b"no paint" in told.document


def test_a_crash_hides_no_letter_once_the_daemon_is_back(post: Post, pen: Pen) -> None:
    assert len(out(post, pen)) == 3
    with post.desk.store.writing() as books:
        books.release_letters("test")
    assert len(out(post, pen)) == 3


def test_the_end_of_a_game_reaches_everybody(post: Post, pen: Pen) -> None:
    out(post, pen)
    post.desk.act(end_game, winners=["red"], reason="all agreed")
    assert {"red", "blue", "green"} <= set(out(post, pen))
