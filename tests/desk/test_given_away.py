"""Keys and tokens that people write for others to read are blacked out, and they are warned."""

import pytest
from msgspec.structs import replace

from adjudicator.adapters.render.html_helpers import make_reply_link
from adjudicator.adapters.render.order_page import link_order_page
from adjudicator.desk.outbox.tokens import make_return_path, sign_message_id
from tests.desk.conftest import GAME
from tests.desk.post import HOUSE, SECRET, Post, letter

BLACK = "\u2588" * 9


def press(post: Post, text: str, seat: str = "red") -> tuple[str, str]:
    """The message as it was kept, and what its writer was answered."""
    received = post.write(f"press: [{{to: all, text: '{text}'}}]", seat=seat)
    kept = post.desk.see(lambda books: books.press(GAME))[-1].text
    return kept, str(post.answer(received))


@pytest.mark.parametrize("whose", ["red", "blue", "gm"])
def test_a_key_in_press_is_blacked_out_whosever_it_is(post: Post, whose: str) -> None:
    key = post.key(whose)
    kept, answer = press(post, f"Write with key {key.upper()} or {key.replace('-', chr(0x2013))}.")
    assert kept == f"Write with key {BLACK} or {BLACK}."
    assert "It was blacked out" in answer
    everything = b"".join(one.document for one in post.outbox())
    assert key.encode() not in everything


def test_the_key_of_a_former_step_is_one_too(post: Post) -> None:
    key = post.key()
    post.desk.play()
    post.desk.close()
    assert press(post, f"Mine was {key}")[0] == f"Mine was {BLACK}"


def test_a_token_in_press_is_blacked_out(post: Post) -> None:
    (sent, *_) = (one for one in post.outbox() if one.seat == "blue")
    named = post.desk.see(lambda books: sign_message_id(books, SECRET, sent))
    kept, answer = press(post, f"Reply to {named} and be blue")
    assert kept == f"Reply to <{BLACK}> and be blue"
    assert "It was blacked out" in answer


def test_a_token_without_its_host_and_in_a_return_path_is_one_too(post: Post) -> None:
    (sent, *_) = (one for one in post.outbox() if one.seat == "blue")
    named = post.desk.see(lambda books: sign_message_id(books, SECRET, sent))
    for pattern in ("games+{token}@example.org", "back-{token}@example.org"):
        path = make_return_path(replace(HOUSE, bounces=pattern), named)
        assert press(post, f"It is {path} I think")[0] == f"It is {BLACK} I think"
    bare = named[1:].partition("@")[0]
    assert press(post, f"It is {bare}.")[0] == f"It is {BLACK}."
    assert press(post, f"({bare})")[0] == f"{BLACK})"
    assert press(post, "a.b.c.abcdefghijklmnopqrstuvwx")[0] == "a.b.c.abcdefghijklmnopqrstuvwx"


def test_a_link_that_holds_the_form_is_one_too(post: Post) -> None:
    form = {
        "envelope": {"game": GAME, "key": post.key(), "after": 0},
        "comments": [],
        "example": {},
    }
    link = make_reply_link({**form, "standing": {}}, "judge@example.org", "Turn 1")
    kept, answer = press(post, f"Try {link} or 100%25 of https://example.org/a%20b")
    assert kept == f"Try {BLACK} or 100%25 of https://example.org/a%20b"
    assert "It was blacked out" in answer


@pytest.mark.parametrize("gap", ["", "\n", "\n  "])
def test_what_follows_the_address_of_an_order_page_is_one_too(post: Post, gap: str) -> None:
    due = {"what": "orders", "deadline": None, "zone": "UTC", "form": "plan"}
    choices = {"a": [f"choice {number} of many" for number in range(20)]}
    form = {
        "envelope": {"game": GAME, "step": "1-plan", "key": post.key(), "after": 0},
        "orders": {},
        "choices": choices,
    }
    told = {"game": {"id": GAME, "kind": "jump-wars"}, "seat": "red", "due": due, "form": form}
    page = link_order_page(
        {**told, "position": {}}, "https://example.org", "judge@example.org", "x"
    )
    address, _, fragment = page.partition("#")
    halves = fragment[:80], fragment[80:]
    written = f"Look, {address}#{gap.join(halves)} is how I choose, see {address}#top"
    kept, answer = press(post, written)
    assert all(half not in kept for half in halves)
    assert kept.startswith(f"Look, {address}#{BLACK} is how I choose, see {address}#top")
    assert "It was blacked out" in answer


def test_other_words_stay_as_they_are(post: Post) -> None:
    text = "The moon-base and the 2222-3333, t-abcd-efgh, a.b@example.org"
    kept, answer = press(post, text)
    assert kept == text
    assert "blacked out" not in answer


def test_a_key_is_in_no_name_and_no_luck_word(post: Post) -> None:
    key = post.key("blue")
    post.desk.new(game="spark", seats={"red": None, "blue": None}, luck={}, start=False)
    block = f"join: spark\nname: {key}\nluck: my key is {key}"
    post.take(letter(block, sender="eve@example.com"))
    signups = post.desk.see(lambda books: books.signups("spark"))
    letters = b"".join(one.document for one in (*post.outbox("spark"), *post.outbox("")))
    assert key not in str(signups)
    assert key.encode() not in letters


def test_a_key_that_the_gm_passes_on_is_blacked_out(post: Post) -> None:
    key = post.key("blue")
    said = f"gm: [{{submit: {{red: {{press: [{{to: all, text: 'It is {key}'}}]}}}}}}]"
    received = post.write(said, seat="gm")
    assert post.desk.see(lambda books: books.press(GAME))[-1].text == f"It is {BLACK}"
    assert "It was blacked out" in str(post.answer(received))
