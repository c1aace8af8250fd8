"""Who wrote a letter, and how often: From is no proof, and nobody is answered for ever."""

from typing import Any

import pytest

from adjudicator.core.document import decode
from adjudicator.desk.model.people import GM
from adjudicator.desk.outbox import keys
from tests.desk.conftest import GAME, Desk
from tests.desk.post import Post, hand, letter


def test_from_does_not_matter_but_the_receipt_goes_to_the_registered_addresses(
    post: Post,
) -> None:
    came = post.write(f"play: {hand(post)[0]}", sender="work@example.com")
    assert post.on_file()
    receipt = post.answering(came)
    assert (receipt.to, receipt.seating) == (None, 1)
    assert "work@example.com" in post.answer(came)["wishes"][0]
    (line,) = post.outbox("")
    assert line.to == ("work@example.com",)
    assert post.key().encode() not in line.document
    assert decode(line.document)["form"] is None


def test_a_letter_from_an_own_address_says_nothing_of_it(post: Post) -> None:
    came = post.write(f"play: {hand(post)[0]}")
    assert post.answer(came)["wishes"] == []
    assert post.outbox("") == []


def test_an_address_that_bounced_is_used_again_when_its_owner_writes_from_it(post: Post) -> None:
    post.come_back("ada@example.org")
    post.write()
    (address,) = post.desk.see(lambda books: books.addresses("Ada"))
    assert address.bounced is None


PASS = "mx.example.org; dkim=pass (good) header.d=example.org header.s=a"


@pytest.mark.parametrize(
    ("results", "sender", "taken"),
    [
        ((PASS,), "ada@example.org", True),
        ((PASS.replace("header.d=", "header.i=@"),), "ada@example.org", True),
        ((), "ada@example.org", False),
        ((PASS.replace("pass", "fail"),), "ada@example.org", False),
        ((PASS.replace("mx.", "evil."),), "ada@example.org", False),
        (("evil.example.com; dkim=none", PASS), "ada@example.org", False),
        ((PASS.replace("d=example.org", "d=example.com"),), "ada@example.org", False),
        (("mx.example.org; spf=pass (dkim=pass header.d=example.org)",), "ada@example.org", False),
        ((PASS,), "work@example.org", False),
    ],
)
def test_with_dkim_a_registered_address_must_have_signed(
    desk: Desk, results: tuple[str, ...], sender: str, *, taken: bool
) -> None:
    post = Post(desk)
    post.new(settings={"auth": "dkim", "auth_host": "mx.example.org"})
    came = post.write(f"play: {hand(post)[0]}", sender=sender, authentication=results)
    assert bool(post.on_file()) is taken
    assert post.answering(came).to is None


# forms that come back, and letters that overtake each other


def test_a_stranger_is_answered_three_times_a_day(post: Post) -> None:
    outcomes = [post.take(letter(sender="x@example.com")).outcome for _ in range(5)]
    assert outcomes == ["answer"] * 3 + ["silence"] * 2
    post.desk.later(days=1)
    assert post.take(letter(sender="x@example.com")).outcome == "answer"


def test_wrong_keys_slow_the_sender_down_and_never_the_seat(post: Post) -> None:
    wrong = f"game: {GAME}\nkey: 2222-2222\nplay: owl"
    for _ in range(7):
        post.take(letter(wrong, sender="x@example.com"))
    card = hand(post)[0]
    slow = post.write(f"play: {card}", sender="x@example.com")
    assert (slow.outcome, post.on_file()) == ("silence", [])
    assert post.write(f"play: {card}").reason == "taken"
    post.desk.later(days=2)
    assert post.write(sender="x@example.com").outcome == "receipt"


def test_somebody_else_with_wrong_keys_does_not_keep_a_player_from_writing(post: Post) -> None:
    wrong = f"game: {GAME}\nkey: 2222-2222\nplay: owl"
    for _ in range(30):
        post.take(letter(wrong, sender="ada@example.org"))  # anybody can write this From
    assert post.write(f"play: {hand(post)[0]}").reason == "taken"


def test_who_sends_many_letters_that_change_nothing_is_told_once_that_no_answer_follows(
    post: Post,
) -> None:
    assert {post.write().outcome for _ in range(30)} == {"receipt"}
    told = post.write()
    assert "others like them get no answer until 00:00 UTC" in post.answer(told)["lines"][0]
    assert (told.outcome, post.write().outcome) == ("answer", "silence")
    assert post.write("ask: status").outcome != "silence"
    assert post.write(f"play: {hand(post)[0]}").reason == "taken"
    post.desk.later(days=1)
    assert post.write().outcome == "receipt"


WRONG = f"game: {GAME}\nkey: 2222-2222"


@pytest.mark.parametrize("sender", ["x@example.com", "ada@example.org", None])
def test_every_wrong_key_counts_twenty_in_a_letter_too(post: Post, sender: str | None) -> None:
    """Also of a letter that names no game, of one without From, and of joins."""
    bare = "key: 2222-2222\nask: status"
    texts = [WRONG, bare, f"join: {GAME}\nkey: 3333-3333\nname: Eve"] * 7
    post.take(letter(*texts[:20], sender=sender))
    counted = post.desk.see(lambda books: books.caller(sender or ""))
    assert counted is not None
    assert counted.wrong == 20


def test_while_somebody_guesses_a_key_counts_from_registered_addresses_only(post: Post) -> None:
    for number in range(4):
        post.take(letter(*[WRONG] * 20, sender=f"x@{number}.example"))
    card = hand(post)[0]
    other = post.write(f"play: {card}", sender="work@example.net")
    assert (other.reason, post.on_file()) == ("keys are slowed", [])
    assert "registered address" in post.answer(other)["lines"][0]
    assert post.write(f"play: {card}", sender=None).outcome == "silence"
    assert post.write(f"play: {card}").reason == "taken"
    assert post.take(letter("hello", sender="new@example.com")).outcome == "answer"
    post.desk.later(hours=1)
    assert post.write(sender="work@example.net").outcome == "receipt"


def test_the_gm_hears_of_guesses_once_a_day(post: Post) -> None:
    for number in range(30):
        post.take(letter(*[WRONG] * 20, sender=f"x@{number}.example"))
    heard = [decode(one.document)["headline"] for one in post.outbox("") if one.seat == GM]
    assert heard == ["Somebody is guessing keys"]


def test_a_domain_is_slowed_when_its_addresses_guess(post: Post) -> None:
    for number in range(6):
        post.take(letter(*[WRONG] * 4, sender=f"x{number}@example.com"))
    assert post.write(sender="new@example.com").reason == "keys are slowed"
    assert post.write(sender="new@example.net").outcome == "receipt"


# keys of older steps


def later_step(post: Post) -> str:
    """A key that is no longer of the open step."""
    old = post.key("red")
    post.desk.play()
    post.desk.close()
    return f"game: {GAME}\nkey: {old}\n"


def test_an_old_key_from_anywhere_may_ask_and_nothing_else(post: Post) -> None:
    old, before = later_step(post), post.desk.see(lambda books: books.player("Ada"))
    for line in (
        "press: [{to: [blue], text: Hi}]",
        "prefer: {zone: Europe/Berlin}",
        "absent: {from: 2027-01-01, until: 2027-01-05}",
        f"play: {hand(post)[0]}",
        "vote: draw",
        "ready: yes",
        "resign: yes",
        "ahead: [{pass: yes}]",
        "forecast: {}",
    ):
        came = post.take(letter(f"{old}{line}\nask: status", sender="eve@example.com"))
        assert "only its questions" in str(post.answer(came)), line
        assert post.answering(came).to is None
    assert post.on_file() == []
    assert post.desk.letters("press") == []
    assert post.desk.see(lambda books: books.plans(GAME)) == []
    assert post.desk.see(lambda books: (books.player("Ada"), books.absences(GAME))) == (before, [])
    assert (post.desk.seating("red").vote, post.desk.seating("red").player) == ("none", "Ada")
    asked = post.take(letter(f"{old}ask: status", sender="eve@example.com"))
    assert (asked.seat, post.answering(asked).to) == ("red", None)


def test_an_old_key_from_an_own_address_also_writes_press_and_is_absent(post: Post) -> None:
    old = later_step(post)
    post.take(letter(f"{old}press: [{{to: [blue], text: Hi}}]"))
    post.take(letter(f"{old}absent: {{from: 2027-01-01, until: 2027-01-05}}"))
    assert len(post.desk.letters("press", "blue")) == 1
    assert len(post.desk.see(lambda books: books.absences(GAME))) == 1
    late = post.take(letter(f"{old}prefer: {{zone: Europe/Berlin}}"))
    assert "needs the key of the current step" in str(post.answer(late))
    assert post.take(letter(f"{old}vote: draw")).reason == "refused"


def test_an_old_key_of_the_gm_from_anywhere_may_ask_and_nothing_else(post: Post) -> None:
    old = f"game: {GAME}\nkey: {post.key(GM)}\n"
    post.desk.play()
    post.desk.close()
    for line in ("gm: [pause]", "press: [{to: all, text: Hi}]"):
        post.take(letter(old + line, sender="eve@example.com"))
    assert (post.desk.game().status, post.desk.letters("press")) == ("running", [])
    assert post.take(letter(old + "gm: [pause]", sender="gm@example.org")).seat == GM
    assert post.desk.game().status == "paused"


def test_a_key_is_found_by_one_look_whatever_the_letter_leaves_out(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same HMACs for one game and one step as for many."""
    made: list[object] = []
    real = keys.hmac.digest

    def count(*given: Any) -> bytes:
        made.append(given)
        return real(*given)

    post.key()
    monkeypatch.setattr(keys.hmac, "digest", count)
    post.take(letter("key: 2222-2222\nask: status", sender="x@example.com"))
    few = len(made)
    monkeypatch.undo()
    for number in range(5):
        post.desk.new(game=f"game-{number}")
    for _ in range(3):
        post.desk.play()
        post.desk.close()
    monkeypatch.setattr(keys.hmac, "digest", count)
    made.clear()
    post.take(letter("key: 2222-2222\nask: status", sender="y@example.com"))
    assert len(made) == few <= 2


def test_a_program_that_sends_forms_back_is_not_answered_for_ever(post: Post) -> None:
    outcomes = [post.write().outcome for _ in range(40)]
    assert outcomes == ["receipt"] * 30 + ["answer"] + ["silence"] * 9
    assert post.write(f"play: {hand(post)[0]}").reason == "taken"
    assert post.write("press: [{to: [blue], text: Hi}]").outcome == "receipt"
    post.desk.later(days=1)
    assert post.write().outcome == "receipt"


def test_resend_without_a_key_answers_registered_addresses_only(post: Post) -> None:
    came = post.take(letter("ask: [resend]"))
    assert came.reason == "resend"
    assert all(one.to is None for one in post.desk.letters("answer", "red"))
    assert post.desk.letters("answer", "red")
    stranger = post.take(letter("ask: [resend]", sender="x@example.com"))
    assert stranger.reason == "nothing to send again"
    assert post.answering(stranger).to == ("x@example.com",)


# letters that are too big to be read

BIG = 3_300_000


def test_the_writer_of_a_letter_that_is_too_big_is_told_how_big(post: Post) -> None:
    came = post.take(letter(sender="x@example.com", too_big=BIG))
    document = post.answer(came)
    assert (came.outcome, post.answering(came).to) == ("answer", ("x@example.com",))
    (line,) = document["lines"]
    assert "Your letter of 3.2 MB was not read" in line
    assert "at most 1 MB is read" in line
    assert not [one for one in post.outbox("") if one.seat == GM]


def test_a_player_is_told_at_the_seats_addresses_with_the_form(post: Post) -> None:
    came = post.take(letter(sender="ada@example.org", too_big=BIG))
    told = post.answering(came)
    assert (came.game, came.seat, told.game, told.to) == (GAME, "red", GAME, None)
    assert post.answer(came)["form"] is not None


def test_who_plays_twice_is_told_in_the_game_that_the_letter_replies_to(post: Post) -> None:
    post.desk.new(game="other", seats={"red": "Bo", "blue": "Ada", "green": "Cleo"})
    unclear = post.take(letter(sender="ada@example.org", too_big=BIG))
    assert (unclear.game, post.answering(unclear).to) == (None, ("ada@example.org",))
    about = ("<tiny.1-pick.red.report.1@localhost>", "<other.1-pick.blue.report.1@localhost>")
    came = post.take(letter(sender="ada@example.org", too_big=BIG, references=about))
    assert (came.game, came.seat) == ("other", "blue")


def test_programs_and_strangers_who_had_enough_get_no_word_of_it(post: Post) -> None:
    robot = {"automatic": "it is marked X-Autoreply", "too_big": BIG}
    assert post.take(letter(sender="x@example.com", **robot)).outcome == "silence"
    listed = {"automatic": "it is marked Precedence: list", "bulk": True, "too_big": BIG}
    assert post.take(letter(sender="x@example.com", **listed)).outcome == "silence"
    outcomes = [post.take(letter(sender="x@example.com", too_big=BIG)).outcome for _ in range(4)]
    assert outcomes == ["answer"] * 3 + ["silence"]


@pytest.mark.parametrize(
    ("sender", "is_ignored"), [("x@example.com", True), ("ada@example.org", False)]
)
def test_who_guesses_keys_gets_no_word_of_a_big_letter_unless_registered(
    post: Post, sender: str, *, is_ignored: bool
) -> None:
    for number in range(30):
        post.take(letter(f"game: tiny\nkey: 2222-{number:04}\nplay: owl", sender=sender))
    came = post.take(letter(sender=sender, too_big=BIG))
    assert ("too many wrong keys" in came.reason) is is_ignored


def test_a_stranger_is_told_of_the_first_three_lines_that_cannot_be_read(post: Post) -> None:
    lines = "".join(f"key{number}: &x y\n" for number in range(5))
    came = post.take(letter(f"game: tiny\n{lines}", sender="x@example.com"))
    told = " ".join(post.answer(came)["lines"])
    assert told.count("line ") == 3, told


def test_of_a_big_letter_of_nobody_the_gm_is_told(post: Post) -> None:
    assert post.take(letter(sender=None, too_big=BIG)).outcome == "silence"
    (told,) = post.outbox("")
    assert told.seat == GM
    assert "A letter of 3.2 MB arrived" in told.document.decode()
