"""The GM's key: how the GM gets it, and that nobody else does."""

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.desk.acts.announce import announce_game
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.values import Arrival, OutgoingLetter
from tests.desk.conftest import GAME, Desk
from tests.desk.post import HOUSE, Post, letter
from tests.desk.wishing import text_of, wish


@pytest.fixture
def post(desk: Desk) -> Post:
    made = Post(desk)
    made.new(settings={"pace": "72h"})
    return made


@pytest.mark.parametrize("text", ["ask: resend", "gm: [pause]", f"game: {GAME}\ngm: pause"])
def test_the_gm_gets_the_key_by_asking_from_the_own_address(post: Post, text: str) -> None:
    post.take(letter(text, sender="gm@example.org"))
    (answer,) = [one for one in post.outbox() if one.seat == GM]
    assert answer.to == ()  # wherever the house says that the GM reads letters
    text = text_of(answer)
    assert "Open now: round 1, pick." in text
    assert "# gm: [extend 24h preview]" in text
    document = post.filled(answer)
    proof = document["form"]["envelope"]["key"]
    assert proof == post.key(GM)
    assert post.desk.game().status == "running"
    post.take(letter(f"game: {GAME}\nkey: {proof}\ngm: pause", sender="elsewhere@example.net"))
    assert post.desk.game().status == "paused"


def test_an_old_key_of_the_gm_asks_from_anywhere_and_acts_from_the_gms_address_only(
    post: Post,
) -> None:
    old = f"game: {GAME}\nkey: {post.key(GM)}\n"
    post.desk.play()
    post.desk.close()
    for words, is_complete in (("ask: status", True), ("ask: status\ngm: pause", False)):
        answer = post.answering(post.take(letter(old + words, sender="elsewhere@example.net")))
        assert ("only its questions were answered" in " ".join(text_of(answer).split())) is not (
            is_complete
        )
        assert post.desk.game().status == "running"
    post.take(letter(f"{old}gm: pause", sender="gm@example.org"))
    assert post.desk.game().status == "paused"


def test_the_gm_who_asks_something_else_is_not_sent_the_key(post: Post) -> None:
    came = post.take(letter("ask: help", sender="gm@example.org"))
    assert came.reason == "a stranger's question"
    assert [one for one in post.outbox() if one.seat == GM] == []


@pytest.mark.parametrize("text", ["ask: status", "who is missing?"])
def test_the_gm_who_writes_without_the_key_hears_how_to_get_it(post: Post, text: str) -> None:
    answer = post.answering(_take(post, text))
    assert "ask: resend" in text_of(answer)


def test_nobody_else_is_sent_it(post: Post) -> None:
    for sender in ("ada@example.org", "eve@example.org"):
        post.take(letter("gm: [pause]", sender=sender))
        post.take(letter("ask: resend", sender=sender))
    assert [one for one in post.outbox() if one.seat == GM] == []


def test_every_letter_to_the_gm_brings_the_form(post: Post) -> None:
    wish(post.desk, "red", "press", {"to": "gm", "text": "Is this right?"})
    (told,) = [one for one in post.outbox() if one.seat == GM]
    document = post.filled(told)
    assert document["form"]["envelope"]["key"] == post.key(GM)


def test_an_announcement_that_is_passed_on_gives_no_key_away(desk: Desk) -> None:
    post = Post(desk)
    desk.new(seats={"red": None, "blue": "Bo"}, start=False, luck={})
    desk.act(announce_game, ["ada@example.org"])
    (told,) = post.outbox()
    document = post.filled(told)
    assert document["form"]["envelope"] == {"join": GAME}
    assert HOUSE.gm == ("gm@example.org",)


def test_every_letter_to_a_seat_ends_with_a_block_whose_key_is_good(post: Post) -> None:
    """Also before the start and after the end, so that press and questions always work."""
    wish(post.desk, "blue", "press", {"to": "all", "text": "Hello"})
    wish(post.desk, "red", "ask", ["status", "report"])
    post.take(letter(f"game: {GAME}\nkey: {post.key(GM)}\ngm: [extend 24h, remind]"))
    post.desk.close()
    post.take(letter(f"game: {GAME}\nkey: {post.key(GM)}\ngm: [end drawn all agreed]"))
    wish(post.desk, "red", "ask", "status")
    wish(post.desk, "blue", "press", {"to": "red", "text": "Goodbye"})
    seen = set()
    for one in post.outbox():
        if one.seat not in ("red", "blue", "green"):
            continue
        document = post.filled(one)
        if document.get("over"):
            continue  # the report of the end; the notice beside it has the block
        seen.add(one.kind)
        proof = document["form"]["envelope"]["key"]
        received = post.take(letter(f"game: {GAME}\nkey: {proof}\nask: status"))
        assert (received.outcome, received.seat) == ("answer", one.seat)
        assert text_of(one).rstrip().endswith("# end of orders")
    assert seen == {"report", "press", "notice", "answer", "reminder"}


def _write(post: Post, text: str) -> OutgoingLetter:
    """The answer to a letter of the GM as it travels."""
    return post.answering(_take(post, text))


def _take(post: Post, text: str) -> Arrival:
    head = "From: gm@example.org\nContent-Type: text/plain; charset=utf-8\n"
    return post.take(parse_letter(f"{head}\n{text}\n".encode()))


@pytest.mark.parametrize(
    ("own", "done"),
    [
        ("gm: [pause]", True),
        ("gm: pause", True),
        ("pause", True),
        ("Hi,\n\nplease pause\n\nThanks", True),
        ("Could you pause the game?", False),
        ("Pause the game for a while", False),
    ],
)
def test_a_request_above_the_quoted_form_counts(post: Post, own: str, done: bool) -> None:
    form = f"game: {GAME}\nstep: 1-pick\nkey: {post.key(GM)}\n# gm: [extend 24h preview]\n"
    quoted = "".join(f"> {line}\n" for line in (form + "# end of orders").split("\n"))
    answer = _write(post, f"{own}\n\nOn Thu, Nov 5, 2026 Game Server wrote:\n{quoted}")
    assert (post.desk.game().status == "paused") is done
    said = " ".join(text_of(answer).split())
    assert ("Did you mean `gm: [pause]`?" in said) is not done


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("Please extend the deadline by one day", "`gm: [extend 24h]`"),
        ("Can you remind everybody?", "`gm: [remind]`"),
        ("we need a longer deadline", "`gm: [extend 24h]`"),
        ("end of the game?", '`gm: [end red "the others conceded"]`'),
        ("what shall I do with this", "Write requests like `gm: [extend 24h]`"),
        ("Status please", "Open now: round 1, pick."),
    ],
)
def test_what_is_no_request_says_how_it_is_written(post: Post, own: str, said: str) -> None:
    answer = _write(post, f"{own}\n\ngame: {GAME}\nkey: {post.key(GM)}\n")
    assert said in " ".join(text_of(answer).split())
    assert "requested nothing" not in text_of(answer)


def test_the_gms_requests_are_not_done_where_it_is_unclear_whether_they_are_a_preview(
    post: Post,
) -> None:
    answer = post.answering(post.write("gm: pause", "preview: please", seat=GM, sender="gm"))
    assert 'line 5, preview: write true or false, not "please"' in text_of(answer)
    assert post.desk.game().status == "running"


@pytest.mark.parametrize(("own", "closed"), [("Close now, thanks", True), ("please close", False)])
def test_close_now_waits_for_nobody(post: Post, own: str, closed: bool) -> None:
    _write(post, f"{own}\n\ngame: {GAME}\nkey: {post.key(GM)}\n")
    assert (post.desk.game().open_step == 2) is closed


@pytest.mark.parametrize(("asked", "paused"), [("ask: status", True), ("gm: [remind]", False)])
def test_an_act_in_a_line_of_its_own_counts_beside_other_requests(
    post: Post, asked: str, paused: bool
) -> None:
    _write(post, f"pause\n\ngame: {GAME}\nkey: {post.key(GM)}\n{asked}\n")
    assert (post.desk.game().status == "paused") is paused
