"""People who write for the first time, make the mistakes of beginners, and are told what to do."""

import pytest

from adjudicator.desk.acts.end import end_game
from adjudicator.desk.model.people import GM
from adjudicator.desk.steps.handover import replace_player as give
from tests.desk.conftest import GAME, Desk
from tests.desk.post import Post, block, hand, letter
from tests.desk.wishing import PRINTER, apply, text_of, wish

GUS = "gus@example.org"


@pytest.fixture
def post(desk: Desk) -> Post:
    made = Post(desk)
    made.new()
    return made


def _open(desk: Desk) -> Post:
    made = Post(desk)
    desk.new(seats={"red": None, "blue": None, "green": None}, start=False, luck={})
    return made


def test_luck_words_with_a_colon_are_told_by_their_line(desk: Desk) -> None:
    post = _open(desk)
    text = f"join: {GAME}\nname: Gus\nluck: dancing, see: at noon"
    came = post.take(letter(text, sender=GUS))
    said = text_of(post.answering(came))
    assert came.reason == "unreadable"
    assert "line 3" in said
    assert "put text with a colon in quotation marks" in " ".join(said.split())
    assert "The key is missing" not in said


def test_a_broken_confirmation_is_told_as_such_and_its_wrong_key_counts(desk: Desk) -> None:
    post = _open(desk)
    text = f"join: {GAME}\nkey: f5sr-hyun\nname: Gus\nluck: [dancing"
    came = [post.take(letter(text, sender=GUS)) for _ in range(3)]
    assert {one.reason for one in came} == {"unreadable"}
    caller = desk.see(lambda books: books.caller(GUS))
    assert caller is not None
    assert caller.wrong == 3


def test_a_wrong_name_of_a_game_is_answered_in_words_of_letters(desk: Desk) -> None:
    post = _open(desk)
    came = post.take(letter("join: tynie\nname: Gus", sender=GUS))
    said = text_of(post.answering(came))
    assert "There is no game of that name here that you can join." in said
    assert "tynie" not in said  # a stranger's words go to nobody
    assert f"join: {GAME}" in said
    assert "`adjudicator" not in said


def test_the_guide_is_sent_to_whoever_asks_for_help(post: Post) -> None:
    for sender, why in ((GUS, "a stranger's question"), ("ada@example.org", "questions")):
        came = post.take(letter("ask: [help]", sender=sender))
        assert came.reason == why
        assert "A PLAYER'S GUIDE" in text_of(post.answering(came))


def test_a_player_gets_public_texts_without_a_key_at_the_own_address(post: Post) -> None:
    rules = post.take(letter("ask: rules", sender="ada@example.org"))
    assert (rules.reason, rules.seat) == ("questions", "red")
    status = post.take(letter("ask: status", sender="ada@example.org"))
    assert status.reason == "no key"
    assert post.take(letter("ask: rules", sender=GUS)).seat is None


def test_seats_that_the_game_has_not_are_told(desk: Desk) -> None:
    _open(desk)
    told = apply(desk, GUS, name="Gus", prefer={"seats": ["purple", "green"]})
    (wrong,) = told.not_taken
    assert wrong.startswith("Some of your preferences cannot be read")
    assert "purple" not in wrong


def test_a_signature_below_a_question_does_not_bring_a_second_letter(post: Post) -> None:
    asked = block(post.form("ask: [status]"), stopped='reading stopped before "Ada"')
    came = post.take(letter(blocks=[asked]))
    assert came.reason == "questions"
    assert [one.kind for one in post.outbox() if one.seat == "red"][-1:] == ["answer"]
    assert not [one for one in post.outbox() if one.kind == "receipt" and one.seat == "red"]


def test_an_observer_who_cannot_be_reached_gets_nothing_more(post: Post) -> None:
    desk = post.desk
    apply(desk, GUS, observe=True)
    apply(desk, GUS, observe=True, confirmed=True)
    post.come_back(GUS)
    assert desk.see(lambda books: [one for one in books.observers(GAME) if not one.until]) == []
    (told,) = [one for one in post.outbox("") if one.seat == "gm"]
    assert f"observed {GAME}" in " ".join(text_of(told).split())


def test_a_wish_is_named_once_in_what_is_wrong_with_it(post: Post) -> None:
    said = text_of(post.answering(post.write("vote: concde")))
    assert 'vote: write draw, concede or none, not "concde"' in " ".join(said.split())
    assert "vote: vote" not in said


def test_the_gm_hears_of_a_player_who_leaves_by_letter(post: Post) -> None:
    post.write("resign: yes", seat="blue")
    (told,) = [one for one in post.outbox() if one.seat == "gm"]
    said = " ".join(text_of(told).split())
    assert "blue: the player resigned; the seat stays idle." in said
    assert "`gm: [replace blue ADDRESS]`" in said


def test_a_confirmation_without_its_lines_is_told_what_is_missing(desk: Desk) -> None:
    post = _open(desk)
    post.take(letter(f"join: {GAME}\nname: Gus", sender=GUS))
    said = text_of(post.answering(post.take(letter(sender=GUS))))
    assert f"You asked to join {GAME} and have NOT joined yet" in " ".join(said.split())
    other = text_of(post.answering(post.take(letter(sender="x@example.com"))))
    assert "You asked to join" not in other


def test_a_substitute_finds_what_stands_in_the_form_of_the_report_too(post: Post) -> None:
    card = hand(post)[0]
    post.write(f"play: {card}")
    post.desk.act(give, "red", "Dora")
    (report,) = [one for one in post.outbox() if one.template == "report/1" and one.seating == 2]
    said = text_of(report)
    assert f"after: 1\nplay: {card}" in said


def test_the_age_of_a_form_is_nothing_to_say_of_a_letter_without_orders(post: Post) -> None:
    post.write(f"play: {hand(post)[0]}")
    came = post.write("after: 0", "press: [{to: [blue], text: Hi}]")
    assert post.answer(came)["wishes"] == ["Your message went to blue."]


def test_a_player_reads_whose_hand_put_orders_on_file(post: Post) -> None:
    card = hand(post)[0]
    assert post.desk.send("red", f"play: {card}", by="gm")["wishes"] == [
        "Entered by the GM on your behalf."
    ]
    assert post.desk.send("red", f"play: {card}\nready: no")["wishes"] == [
        "ready: false is noted; your orders count at the deadline, not before."
    ]


def test_the_gm_is_told_the_line_that_cannot_be_read(post: Post) -> None:
    text = f'game: {GAME}\nkey: {post.key(GM)}\ngm: [close, "note'
    came = post.take(letter(text, sender="gm@example.org"))
    said = " ".join(text_of(post.answering(came)).split())
    assert "Your block could not be read, so nothing was done." in said
    assert "line 3, column 13: " in said


def test_a_block_before_the_game_that_cannot_be_read_is_told_by_its_line(desk: Desk) -> None:
    post = _open(desk)
    apply(desk, GUS, name="Gus")
    apply(desk, GUS, name="Gus", confirmed=True)
    came = post.take(letter(post.form("press: [hi", step="0-setup"), sender=GUS))
    said = " ".join(text_of(post.answering(came)).split())
    assert "line 4, column 8: " in said


def test_the_gm_hears_that_a_game_has_begun_and_that_it_is_over(desk: Desk) -> None:
    _open(desk)
    for name in ("Ann", "Ben", "Cyd"):
        for confirmed in (False, True):
            apply(desk, f"{name.lower()}@example.org", name=name, confirmed=confirmed)
    (begun,) = [text_of(one) for one in desk.letters() if one.seat == "gm"]
    assert "The game has begun" in begun  # its name stands in the subject already
    assert "with no fixed deadline; you close it by hand" in " ".join(begun.split())
    desk.act(end_game, winners=(), reason="all agreed")
    over = [text_of(one) for one in desk.letters() if one.seat == "gm"][-1]
    assert "The game is over" in over
    assert "all agreed" in over


def test_an_observer_can_leave_a_game_that_is_over(post: Post) -> None:
    desk = post.desk
    apply(desk, GUS, observe=True, confirmed=True)
    desk.act(end_game, winners=(), reason="all agreed")
    apply(desk, GUS, observe=False)
    said = text_of([one for one in desk.letters("answer") if one.to == (GUS,)][-1])
    assert f"and you no longer observe {GAME}" in " ".join(said.split())
    assert f"join: {GAME}\nobserve: false" in said


def test_a_game_that_is_over_speaks_of_no_votes_and_no_absences(post: Post) -> None:
    post.write("absent: {from: 2026-11-20, until: 2026-11-22}", "vote: draw")
    post.desk.act(end_game, winners=(), reason="all agreed")
    wish(post.desk, "red", "ask", "status")
    said = text_of(post.desk.letters("answer", "red")[-1])
    assert "The game is over." in said
    assert "absence" not in said
    assert "vote" not in said


def test_what_the_gm_asks_twice_is_told_once(post: Post) -> None:
    gm = f"game: {GAME}\nkey: {post.key(GM)}\nask: [status, players]"
    said = text_of(post.answering(post.take(letter(gm, sender="gm@example.org"))))
    assert said.count("STATUS") == 1


def test_who_owes_nothing_is_not_asked_to_fill_in_a_form(post: Post) -> None:
    receipt = dict(post.desk.send("red", "{}"))
    receipt["standing"] = {"due": False, "in": True, "ready": True, "why": "nothing is due"}
    said = " ".join(PRINTER.text("receipt.txt", receipt, "toy_duel").split())
    assert "NOTHING IS DUE FROM YOU" in said
    assert "to be filled in" not in said


def test_help_explains_the_orders_that_are_due(post: Post) -> None:
    wish(post.desk, "red", "ask", "help")
    said = text_of(post.desk.letters("answer", "red")[-1])
    assert "A PLAYER'S GUIDE" in said
    assert "\n\nWHAT YOU CAN ORDER NOW\n" in said
    assert "  play: " in said.partition("WHAT YOU CAN ORDER NOW")[2]


def test_all_rules_come_in_one_letter(post: Post) -> None:
    wish(post.desk, "red", "ask", "rules all")
    said = text_of(post.desk.letters("answer", "red")[-1])
    book = post.desk.library.kind("toy-duel").rulebook
    assert all(f"{number}: " in said for number in book)
