"""What a person prefers is kept for all games, and each wrong wish is told."""

from typing import Any

import pytest

from adjudicator.core.document import Document
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.send import Heading
from tests.desk.conftest import Desk
from tests.desk.mailing import Mail, quoted, words
from tests.desk.post import Post
from tests.desk.wishing import text_of, wish


def test_what_is_preferred_is_kept_and_what_was_said_before_stays(desk: Desk) -> None:
    desk.new()
    assert wish(desk, "red", "prefer", {"mails": "final"}).not_taken == ()
    told = wish(desk, "red", "prefer", {"zone": "Europe/Berlin", "json": "yes"})
    assert told.done == (
        (
            "Your preferences are kept: deadlines in the zone Europe/Berlin; "
            "reports also as JSON. Unchanged: messages of others with the next report, "
            "reports once a turn."
        ),
    )
    player = desk.see(lambda books: books.player("Ada"))
    assert player is not None
    assert player.zone == "Europe/Berlin"
    assert player.preferences == {"mails": "final", "json": True}


def test_deadlines_are_told_by_the_preferred_clock_from_then_on(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    wish(desk, "red", "prefer", {"zone": "Asia/Kolkata"})
    wish(desk, "red", "ask", "status")
    (answer,) = desk.letters("answer")
    assert "Fri 6 Nov 2026, 01:30 (Asia/Kolkata, UTC+5:30)" in " ".join(text_of(answer).split())


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"zone": "Middle/Earth"}, 'no time zone is called "Middle/Earth"'),
        ({"mails": "never"}, '"never" is not "each", "final" or "due"'),
        ({"json": "perhaps"}, "not yes or no"),
        ({"format": "pdf"}, '"pdf" is not "html" or "text"'),
        ({"width": "60"}, "60 is not 40 or 78"),
        ({"width": "narrow"}, "not a whole number"),
        ({"widht": "40"}, 'did you mean "width"'),
        ({"colour": "red"}, 'unknown key "colour"'),
        ({"seats": ["blue"]}, "you already have a seat"),
        ("please", "it is written"),
    ],
)
def test_what_cannot_be_kept_is_told(desk: Desk, value: Any, why: str) -> None:
    desk.new()
    before = desk.see(lambda books: books.player("Ada"))
    told = wish(desk, "red", "prefer", value)
    assert told.done == ()
    assert why in " ".join(told.not_taken)
    assert desk.see(lambda books: books.player("Ada")) == before


@pytest.mark.parametrize("said", ["europe/berlin", "EUROPE/BERLIN", " Europe/Berlin"])
def test_a_zone_is_found_however_it_is_written(desk: Desk, said: str) -> None:
    desk.new()
    told = wish(desk, "red", "prefer", {"zone": said})
    assert told.done == ("Your preferences are kept: deadlines in the zone Europe/Berlin.",)
    player = desk.see(lambda books: books.player("Ada"))
    assert player.zone == "Europe/Berlin"


def test_one_wrong_wish_does_not_stop_the_others(desk: Desk) -> None:
    desk.new()
    told = wish(desk, "red", "prefer", {"zone": "Middle/Earth", "json": "yes"})
    assert told.done == ("Your preferences are kept: reports also as JSON.",)
    assert len(told.not_taken) == 1


def test_who_wants_text_gets_nothing_else_until_the_word_is_taken_back(post: Post) -> None:
    mail = Mail(post)
    both = ["text/plain", "text/html"]
    for wanted, said, kinds in (
        ("text", "letters as plain text only", ["text/plain"]),
        ("html", "letters as text and HTML", both),
    ):
        told = wish(post.desk, "red", "prefer", {"format": wanted})
        assert told.done == (f"Your preferences are kept: {said}.",)
        for seat in ("red", "blue"):
            post.write("ask: status", seat=seat)
        for address, expected in (("ada@example.org", kinds), ("bo@example.org", both)):
            letter = mail.last(address)
            leaves = [part for part in letter.walk() if not part.is_multipart()]
            assert [part.get_content_type() for part in leaves] == expected


def test_who_wants_no_pictures_gets_none_until_the_word_is_taken_back(post: Post) -> None:
    mail = Mail(post)
    inner, drawn = mail._writer, {}

    class Noting:
        def write_letter(
            self, letter: OutgoingLetter, document: Document, heading: Heading
        ) -> bytes:
            drawn[heading.to] = heading.pictures
            return inner.write_letter(letter, document, heading)

    mail._writer = Noting()  # type: ignore[assignment]  # what is drawn is all that is asked here
    for wanted, said in (("no", "letters without pictures"), ("yes", "letters with pictures")):
        told = wish(post.desk, "red", "prefer", {"pictures": wanted})
        assert told.done == (f"Your preferences are kept: {said}.",)
        for seat in ("red", "blue"):
            post.write("ask: status", seat=seat)
        mail.deliver()
        assert drawn.pop(("ada@example.org",)) == (wanted == "yes")
        assert drawn[("bo@example.org",)]


def test_who_wants_narrow_letters_gets_them_until_the_word_is_taken_back(post: Post) -> None:
    mail = Mail(post)
    for wanted, most in (("40", 40), ("78", 78)):
        told = wish(post.desk, "red", "prefer", {"width": wanted})
        said = f"letters whose text is at most {wanted} columns wide"
        assert told.done == (f"Your preferences are kept: {said}.",)
        for seat in ("red", "blue"):
            post.write("ask: [help, status]", seat=seat)
        widest = {
            to: max(map(len, words(mail.last(f"{to}@example.org")).splitlines()))
            for to in ("ada", "bo")
        }
        assert most - 4 <= widest["ada"] <= most
        assert 74 <= widest["bo"] <= 78


def test_a_reply_to_a_narrow_letter_is_read_as_any_other(post: Post) -> None:
    mail = Mail(post)
    wish(post.desk, "red", "prefer", {"width": "40"})
    post.write("ask: [orders, help]", seat="red")
    asked = mail.last("ada@example.org")
    mended = words(asked).replace("# play:", "play:")
    mail.write("ada@example.org", quoted(mended), asked)
    receipt = words(mail.last("ada@example.org"))
    assert receipt.startswith("RECEIPT 1 to red")
    assert "YOU ARE IN" in receipt
