"""A letter comes in: whose it is, what it does, and the one answer that it gets."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.core.document import decode
from adjudicator.core.finding import Finding, Grade
from adjudicator.desk.steps.handover import replace_player as give
from tests.desk.conftest import GAME
from tests.desk.post import Post, block, hand, letter


def test_orders_with_a_good_key_go_on_file_and_are_answered_by_a_receipt(post: Post) -> None:
    card = hand(post)[0]
    came = post.write(f"play: {card}")
    assert (came.outcome, came.reason, came.seat) == ("receipt", "taken", "red")
    assert post.on_file() == [{"play": card}]
    assert post.answer(came)["set"]["receipt"] == 1
    (arrival,) = post.arrivals()
    assert (arrival.answer, arrival.number, arrival.game) == (came.answer, 1, GAME)


def test_a_letter_read_again_does_nothing_twice(post: Post) -> None:
    written = letter(post.form(f"play: {hand(post)[0]}"))
    first = post.take(written)
    before = post.outbox()
    again = post.take(written)
    assert (again.outcome, again.answer) == ("repeat", first.answer)
    assert post.outbox() == before
    assert len(post.arrivals()) == 1


def test_the_same_message_id_with_other_content_is_another_letter(post: Post) -> None:
    one, other = hand(post)[:2]
    first = letter(post.form(f"play: {one}"))
    second = replace(letter(post.form(f"play: {other}")), message_id=first.message_id)
    assert [post.take(first).reason, post.take(second).reason] == ["taken", "taken"]
    assert post.on_file() == [{"play": one}, {"play": other}]


def test_the_envelope_alone_gets_a_status_receipt(post: Post) -> None:
    came = post.write()
    assert (came.outcome, came.reason) == ("receipt", "status")
    assert post.on_file() == []


def test_the_first_block_with_a_good_key_counts_and_others_are_reported(post: Post) -> None:
    one, other = hand(post)[:2]
    written = letter(
        f"game: {GAME}\nplay: {other}",
        post.form(f"play: {one}"),
        blocks=[block(post.form(f"play: {other}"), origin="quoted")],
    )
    came = post.take(written)
    assert post.on_file() == [{"play": one}]
    (said,) = post.answer(came)["ignored"]
    assert "other orders" in said


def test_the_same_orders_twice_in_a_letter_are_not_complained_of(post: Post) -> None:
    text = post.form(f"play: {hand(post)[0]}")
    came = post.take(letter(text, blocks=[block(text, origin="quoted")]))
    assert post.answer(came)["ignored"] == []


def test_where_reading_stopped_is_told(post: Post) -> None:
    stopped = "I stopped reading at line 5"
    came = post.take(letter(blocks=[block(post.form(), stopped=stopped)]))
    assert post.answer(came)["ignored"] == [stopped]


def test_broken_yaml_with_a_good_key_is_answered_to_the_seat(post: Post) -> None:
    came = post.write("play: [owl")
    assert (came.outcome, came.reason, came.seat) == ("receipt", "unreadable", "red")
    assert post.answer(came)["faults"]
    assert all(post.key() not in line["text"] for line in post.answer(came)["excerpt"])


# keys


def test_a_key_of_another_seat_writes_for_that_seat(post: Post) -> None:
    card = hand(post, "blue")[0]
    came = post.write(f"play: {card}", seat="blue", sender="ada")
    assert came.seat == "blue"
    assert post.on_file("blue") == [{"play": card}]
    assert post.on_file("red") == []


def test_a_wrong_key_gets_one_line_without_any_key(post: Post) -> None:
    came = post.take(letter(f"game: {GAME}\nkey: 2222-2222\nplay: owl"))
    assert (came.outcome, came.reason) == ("answer", "wrong key")
    answer = post.answering(came)
    assert answer.to == ("ada@example.org",)
    assert post.answer(came)["form"] is None
    assert post.on_file() == []


def test_the_key_of_a_former_seating_is_void(post: Post) -> None:
    text = post.form("play: owl")
    post.desk.act(give, "red", "Dan")
    came = post.take(letter(text))
    assert came.reason == "wrong key"


def test_orders_with_the_key_of_a_step_that_is_over_are_refused_with_what_is_due(
    post: Post,
) -> None:
    old = post.form("play: owl", "vote: draw")
    post.desk.play()
    post.desk.close()
    came = post.take(letter(old))
    answer = post.answer(came)
    assert (came.reason, answer["outcome"]) == ("refused", "refused")
    assert answer["form"]["envelope"]["step"] == post.desk.step().name
    assert post.desk.seating("red").vote == "none"


def test_an_old_key_under_the_new_step_is_refused_too(post: Post) -> None:
    old = post.key()
    post.desk.play()
    post.desk.close()
    step = post.desk.step().name
    came = post.take(letter(f"game: {GAME}\nstep: {step}\nkey: {old}\nvote: draw"))
    assert came.reason == "refused"


def test_press_takes_any_key_of_the_present_seating(post: Post) -> None:
    old = post.form("press: [{to: [blue], text: Hello}]")
    post.desk.play()
    post.desk.close()
    came = post.take(letter(old))
    assert (came.outcome, came.reason) == ("receipt", "status")
    (message,) = post.desk.see(lambda books: books.press(GAME))
    assert (message.seat, message.to, message.text) == ("red", ("blue",), "Hello")


def test_a_preview_puts_nothing_on_file_and_sends_no_press(post: Post) -> None:
    came = post.write(
        f"play: {hand(post)[0]}", "preview: yes", "vote: draw", "press: [{to: all, text: Hi}]"
    )
    assert came.reason == "preview"
    assert post.on_file() == []
    assert post.desk.see(lambda books: books.press(GAME)) == []
    assert post.desk.seating("red").vote == "none"


def test_a_question_alone_is_answered_without_a_receipt(post: Post) -> None:
    came = post.write("ask: [status]")
    assert came.outcome == "answer"
    assert post.answering(came).template == "answer/1"
    assert not post.desk.letters("receipt")


def test_a_question_beside_orders_has_both(post: Post) -> None:
    came = post.write(f"play: {hand(post)[0]}", "ask: [status]")
    assert came.outcome == "receipt"
    assert len(post.desk.letters("answer", "red")) == 1


def test_a_wish_that_is_refused_leaves_the_orders_alone(post: Post) -> None:
    came = post.write(f"play: {hand(post)[0]}", "press: [{to: [red], text: Me}]")
    assert came.reason == "taken"
    assert post.answer(came)["ignored"]


def test_only_the_gm_may_do_what_the_gm_does(post: Post) -> None:
    came = post.write("gm: [pause]")
    assert post.desk.game().status == "running"
    assert "gm" in post.answer(came)["ignored"][0]


def test_a_vote_that_falls_with_orders_is_told(post: Post) -> None:
    came = post.write("pley: owl", "vote: draw")
    assert came.reason in ("refused", "unreadable")
    assert post.desk.seating("red").vote == "none"
    said, asked = post.answer(came)["ignored"]
    assert said.startswith("vote: it was not done")
    assert asked.endswith("Did you mean `play: owl`? Reply *yes*.")


# addresses


def test_a_form_that_comes_back_unchanged_is_no_orders(post: Post) -> None:
    one, other = hand(post)[:2]
    post.write(f"play: {one}", "after: 0")
    post.write(f"play: {other}", "after: 1")
    quoted = post.form(f"play: {one}", "after: 1")
    came = post.take(letter(blocks=[block(quoted, "quoted")]))
    assert came.reason == "status"
    assert post.on_file() == [{"play": one}, {"play": other}]
    assert any("came back unchanged" in said for said in post.answer(came)["wishes"])


def test_earlier_orders_sent_again_are_on_file_again(post: Post) -> None:
    one, other = hand(post)[:2]
    post.write(f"play: {one}", "after: 0")
    post.write(f"play: {other}", "after: 1")
    came = post.write(f"play: {one}", "after: 1")
    receipt = post.answer(came)
    assert (came.reason, receipt["replaces"]) == ("taken", 2)
    assert post.on_file() == [{"play": one}, {"play": other}, {"play": one}]
    assert "Receipt 3 = the orders of receipt 1 again." in receipt["wishes"]


def test_other_orders_under_the_form_of_an_older_receipt_replace(post: Post) -> None:
    one, other, third = hand(post)[:3]
    post.write(f"play: {one}", "after: 0")
    post.write(f"play: {other}", "after: 1")
    came = post.write(f"play: {third}", "after: 1")
    assert (came.reason, post.answer(came)["replaces"]) == ("taken", 2)


def test_going_back_to_an_earlier_choice_is_an_order(post: Post) -> None:
    one, other = hand(post)[:2]
    post.write(f"play: {one}", "after: 0")
    post.write(f"play: {other}", "after: 1")
    assert post.write(f"play: {one}", "after: 2").reason == "taken"


def test_a_letter_that_was_overtaken_is_held_and_asked_about(post: Post) -> None:
    one, other = hand(post)[:2]
    written = post.desk.at
    post.write(f"play: {one}", "after: 0", date=written)
    late = post.write(f"play: {other}", "after: 0", date=written - timedelta(hours=1))
    answer = post.answer(late)
    assert (late.reason, answer["outcome"], answer["set"]["receipt"]) == ("held", "held", 1)
    assert post.on_file() == [{"play": one}]
    assert "after: 1" in answer["wishes"][0]
    said = post.write(f"play: {other}", "after: 1", date=written - timedelta(hours=1))
    assert said.reason == "taken"


@pytest.mark.parametrize(
    ("after", "minutes"), [("after: 0", 5), ("after: 1", -5), ("ready: yes", -5)]
)
def test_a_letter_is_held_only_if_form_and_date_are_older(
    post: Post, after: str, minutes: int
) -> None:
    one, other = hand(post)[:2]
    post.write(f"play: {one}", date=post.desk.at)
    date = post.desk.at + timedelta(minutes=minutes)
    assert post.write(f"play: {other}", after, date=date).reason == "taken"


# silence


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"automatic": "Auto-Submitted: auto-replied"}, "automatic"),
        ({"sender": "games@example.org"}, "this server itself"),
        ({"sender": None}, "no sender"),
        ({"bounced": ("x@example.org",)}, "delivery report"),
        ({"bulk": True}, "list"),
    ],
)
def test_some_letters_get_no_answer_and_the_reason_is_kept(
    post: Post, given: dict[str, Any], reason: str
) -> None:
    came = post.take(letter("play: owl", **given))
    assert came.outcome == "silence"
    (arrival,) = post.arrivals()
    assert reason in arrival.reason
    assert not [one for one in post.outbox("") if one.seat != "gm"]


def test_the_gm_hears_why_a_letter_without_a_sender_could_not_be_read(post: Post) -> None:
    problem = Finding(grade=Grade.UNREADABLE, rule="", message="the letter is larger than 1 MB")
    assert post.take(letter(sender=None, problems=(problem,))).outcome == "silence"
    (notice,) = [one for one in post.outbox("") if one.seat == "gm"]
    assert "could not be read: the letter is larger than 1 MB." in str(decode(notice.document))


def test_an_automatic_letter_with_a_good_key_is_not_executed(post: Post) -> None:
    came = post.write(f"play: {hand(post)[0]}", automatic="out of office")
    assert (came.outcome, post.on_file()) == ("silence", [])


def test_a_list_may_carry_orders_but_not_a_form_that_went_round(post: Post) -> None:
    one, other = hand(post)[:2]
    taken = post.write(f"play: {one}", "after: 0", bulk=True, sender="list@example.com")
    assert taken.reason == "taken"
    assert post.outbox("") == []
    round_ = post.write(f"play: {one}", "after: 1", bulk=True)
    assert (round_.outcome, post.on_file()) == ("silence", [{"play": one}])
    assert post.write(f"play: {other}", "after: 1", bulk=True).reason == "taken"


def test_a_bounce_marks_the_address_and_tells_the_gm_and_the_other_address(post: Post) -> None:
    post.address("Ada", "ada@example.org", "ada@example.net")
    post.come_back("ada@example.org")
    first, second = post.desk.see(lambda books: books.addresses("Ada"))
    assert first.bounced == post.desk.at
    assert second.bounced is None
    letters = {(one.seat, one.to) for one in post.outbox("")}
    assert letters == {("gm", ()), ("nobody", ("ada@example.net",))}
    post.come_back("ada@example.org")
    assert len(post.outbox("")) == 2


# without a good key


def test_a_game_that_is_not_here_is_not_quoted(post: Post) -> None:
    came = post.take(letter("game: embers\nkey: 2222-2222", sender="x@example.com"))
    assert post.answer(came)["lines"][0] == "There is no game of that name here that you can join."


def test_a_letter_without_a_block_is_told_what_to_write(post: Post) -> None:
    came = post.take(letter(sender="x@example.com"))
    assert post.answer(came)["lines"][0] == "No orders and no question were found in your letter."


def test_a_registered_address_that_sends_nothing_gets_its_status_with_the_form(post: Post) -> None:
    receipt = post.answer(post.take(letter(attached=("orders.docx",))))
    assert (receipt["outcome"], receipt["seat"]) == ("status", "red")
    assert receipt["form"]["envelope"]["step"] == "1-pick"
    said = " ".join(receipt["ignored"])
    assert "Your letter is no reply to a letter of this game" in said
    assert "orders.docx" in said
    assert post.on_file() == []


def test_every_letter_in_has_one_answer_or_a_reason(post: Post) -> None:
    post.write(f"play: {hand(post)[0]}")
    post.write("ask: [status, resend]")
    post.take(letter(sender="x@example.com"))
    post.take(letter("join: nowhere", sender="y@example.com"))
    post.take(letter(automatic="loop"))
    names = [one.message_id for game in (GAME, "") for one in post.outbox(game)]
    for arrival in post.arrivals():
        assert names.count(arrival.answer or "") == 1 or (
            arrival.outcome == "silence" and arrival.reason
        )
    assert len(post.arrivals()) == 5


# the GM


def test_the_gm_acts_by_letter_and_is_answered_at_the_gms_address(post: Post) -> None:
    text = post.form("gm: [pause]", seat="gm")
    came = post.take(letter(text, sender="gm@example.org"))
    assert (came.seat, post.desk.game().status) == ("gm", "paused")
    answer = post.answering(came)
    assert (answer.seat, answer.to, answer.template) == ("gm", (), "answer/1")


def test_a_preview_of_the_gms_changes_nothing(post: Post) -> None:
    text = post.form("gm: [pause]", "preview: yes", seat="gm")
    post.take(letter(text, sender="gm@example.org"))
    assert post.desk.game().status == "running"


def test_the_gm_gets_the_key_by_asking_from_the_gms_address(post: Post) -> None:
    came = post.take(letter("ask: [resend]", sender="gm@example.org"))
    answer = post.answering(came)
    assert (answer.seat, answer.to) == ("gm", ())
    assert post.answer(came)["form"]["envelope"]["key"] is None


def test_what_the_gm_cannot_do_like_this_is_told(post: Post) -> None:
    text = post.form("play: owl", "vote: draw", seat="gm")
    came = post.take(letter(text, sender="gm@example.org"))
    parts = {one["title"]: one["lines"] for one in post.answer(came)["parts"]}
    assert "submit" in parts["REJECTED"][0]


# games that do not run


def test_a_game_that_is_over_still_answers_questions_and_delivers_press(post: Post) -> None:
    for seat in ("red", "blue", "green"):
        post.write("vote: draw", seat=seat)
    game = post.desk.game()
    assert game.open_step is None
    last = post.desk.see(lambda books: books.steps(GAME))[0].name
    text = f"game: {GAME}\nkey: {post.key(step=last)}\n"
    came = post.take(letter(text + "play: owl\npress: [{to: [blue], text: Well played}]"))
    answer = post.answer(came)
    assert "over" in answer["not_taken"][-1]
    assert len(post.desk.see(lambda books: books.press(GAME))) == 1
    assert post.take(letter(text + "ask: [players]")).outcome == "answer"
