"""Questions: each answer is a letter made of what the asking seat may know."""

from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.document import decode
from adjudicator.desk.acts.calendar import extend_deadline
from adjudicator.desk.acts.notes import add_note
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.outbox.keys import key_matches
from adjudicator.desk.outbox.keys import make_key as key_of
from adjudicator.desk.questions.answer import answer_gm, resend_last_report
from adjudicator.desk.questions.answer_parts import _find_outcome
from adjudicator.desk.steps.handover import replace_player
from tests.desk.conftest import GAME, Desk
from tests.desk.mailing import Mail
from tests.desk.post import Post
from tests.desk.wishing import case_of, text_of, wish


def _answer(desk: Desk, seat: str, *questions: Any) -> str:
    """The letter that answers, on one line."""
    before = len(desk.letters("answer", seat))
    told = wish(desk, seat, "ask", list(questions))
    assert told.letter
    assert told.not_taken == ()
    (letter,) = desk.letters("answer", seat)[before:]
    return " ".join(text_of(letter).split())


def test_questions_that_come_to_the_same_are_answered_once(desk: Desk) -> None:
    desk.new()
    assert _answer(desk, "red", "rules", "rules all", "rules all please").count("TD-3:") == 1


def test_several_questions_have_one_answer_that_ends_with_the_block(desk: Desk) -> None:
    desk.new()
    wish(desk, "red", "ask", ["status", "players", "rules TD-3"])
    (letter,) = desk.letters("answer")
    text = text_of(letter)
    assert [title for title in ("STATUS", "PLAYERS", "RULES") if f"\n{title}\n" in text] == [
        "STATUS",
        "PLAYERS",
        "RULES",
    ]
    assert "\ngame: tiny\nstep: 1-pick\n" in text
    assert text.endswith("# end of orders\n")


def test_status_says_what_is_due_and_how_one_stands(desk: Desk) -> None:
    desk.new(settings={"pace": "72h", "zone": "Europe/Berlin"})
    text = _answer(desk, "red", "status")
    status = "Open now: round 1, pick. Deadline: Thu 5 Nov 2026, 21:00 (Europe/Berlin, UTC+1)."
    assert status in text
    assert "You are NOT in: no orders are on file for this step." in text
    assert "You have 14 days of absence left" in text
    card = desk.state()["hands"]["red"][0]
    desk.send("red", f"play: {card}\nvote: draw")
    text = _answer(desk, "red", "status")
    assert "You are in: receipt 1 is on file." in text
    assert "Your vote stands: draw." in text


def test_nothing_tells_who_else_is_in(desk: Desk) -> None:
    desk.new()
    questions = ["status", "orders", "history", "players"]
    wish(desk, "red", "ask", questions)
    card = desk.state()["hands"]["blue"][0]
    desk.send("blue", f"play: {card}\nvote: draw")
    wish(desk, "red", "ask", questions)
    first, second = (decode(letter.document) for letter in desk.letters("answer", "red"))
    assert {**first, "number": 0} == {**second, "number": 0}


def test_reports_come_again_by_their_number(desk: Desk) -> None:
    desk.new()
    desk.close()
    first, last = desk.letters("report", "red")
    wish(desk, "red", "ask", ["report 1", "report"])
    again = desk.letters("answer", "red")
    assert [decode(one.document)["step"] for one in again] == ["0-setup", "1-pick"]
    assert decode(again[0].document)["events"] == decode(first.document)["events"]
    assert decode(again[1].document)["sections"] == decode(last.document)["sections"]
    assert [decode(one.document)["number"] for one in again] == [1, 2], "they keep their numbers"
    assert len({one.message_id for one in again}) == 2
    told = wish(desk, "red", "ask", "report 9")
    assert told.not_taken == ("ask: red has no report 9; they are numbered 1 to 2",)


def test_an_old_report_says_what_is_due_now(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.close()
    desk.act(extend_deadline, "24h")
    desk.send("red", "vote: draw")
    wish(desk, "red", "ask", "report 1")
    document = decode(desk.letters("answer", "red")[0].document)
    step = desk.step()
    assert step.deadline is not None
    assert document["due"]["step"] == step.name
    assert document["due"]["deadline"] == step.deadline.isoformat(timespec="seconds")
    assert document["form"]["envelope"]["step"] == step.name
    assert document["step"] == "0-setup"


def test_a_report_of_another_seat_cannot_be_asked_for(desk: Desk) -> None:
    desk.new()
    wish(desk, "red", "ask", "report 1 blue")
    (again,) = desk.letters("answer")
    assert decode(again.document)["seat"] == "red"


def test_a_struck_report_is_not_the_last_one(desk: Desk) -> None:
    desk.new()
    desk.close()
    desk.act(roll_back, "1-pick", same_dice=False)
    wish(desk, "red", "ask", "report")
    assert decode(desk.letters("answer", "red")[-1].document)["step"] == "0-setup"


def test_orders_are_listed_with_what_became_of_them(desk: Desk) -> None:
    desk.new()
    assert "You have no orders on file for round 1, pick." in _answer(desk, "red", "orders")
    for card in sorted(set(desk.state()["hands"]["red"]))[:2]:
        desk.send("red", f"play: {card}")
    text = _answer(desk, "red", "orders")
    assert text.index("replaced") < text.index("counts Questions?")
    desk.send("red", "clear: yes")
    assert "withdrawn" in _answer(desk, "red", "orders")


def test_history_is_what_everybody_may_know(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.act(add_note, ["Blue cheats, I think"])
    desk.send("blue", "vote: draw")
    desk.act(extend_deadline, "24h")
    desk.play(seats=("red", "green"))
    desk.close()
    text = _answer(desk, "red", "history")
    assert "the game was created" in text
    assert "round 1, pick: due" in text
    assert "round 1, pick: closed" in text
    for secret in ("cheats", "receipt", "without orders", "vote", "blue"):
        assert secret not in text


def test_rules_are_quoted_and_a_wrong_number_is_told(desk: Desk) -> None:
    desk.new()
    book = desk.library.kind("toy-duel").rulebook
    number = next(iter(book))
    text = _answer(desk, "red", f"rules {number.lower()}")
    assert f"{number}: " in text
    assert " ".join(book[number].replace("**", "").split()) in text
    assert number in _answer(desk, "red", "rules")
    told = wish(desk, "red", "ask", "rules XY-99")
    assert 'there is no rule "XY-99"' in told.not_taken[0]


def test_why_gives_the_rule_and_the_facts_of_an_event(desk: Desk) -> None:
    desk.new()
    desk.play()
    desk.close()
    report = decode(desk.letters("report", "red")[-1].document)
    event = report["events"][0]
    text = _answer(desk, "red", f"why {event['n']}")
    rule = desk.library.kind("toy-duel").rulebook[event["rule"]]
    assert event["text"] in text
    assert f"{event['rule']}: " in text
    assert " ".join(rule.replace("**", "").split())[:60] in text
    told = wish(desk, "red", "ask", "why 99")
    assert "has no event 99" in told.not_taken[0]
    assert "write the number" in wish(desk, "red", "ask", "why").not_taken[0]


def test_why_may_name_an_older_report(desk: Desk) -> None:
    desk.new()
    desk.play()
    desk.close()
    report = decode(desk.letters("report", "red")[-1].document)
    desk.close()
    first = report["events"][0]
    asked = f"why {first['n']} report {report['number']}"
    assert first["text"] in _answer(desk, "red", asked)
    assert "report 1 has no event" in wish(desk, "red", "ask", "why 7 of report 1").not_taken[0]


def test_players_are_named_with_who_is_away(desk: Desk) -> None:
    desk.new()
    desk.act(seat_bot, "green")
    wish(desk, "blue", "absent", {"from": "2026-12-01", "until": "2026-12-02"})
    text = _answer(desk, "red", "players")
    assert "red Ada (you)" in text
    assert "blue Bo from Tue 1 Dec 2026, 00:00 UTC until Wed 2 Dec 2026, 23:59 UTC" in text
    assert "green a bot" in text
    assert "@" not in text


def test_help_is_the_players_guide(desk: Desk) -> None:
    desk.new()
    assert "A PLAYER'S GUIDE" in _answer(desk, "red", "help")


def test_resend_brings_the_last_report_and_receipt(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl")
    with desk.store.writing() as books:
        assert resend_last_report(case_of(desk, books), "red").letter
    templates = [letter.template for letter in desk.letters("answer", "red")]
    assert templates == ["report/1", "receipt/1"]


def test_a_successor_does_not_get_the_receipts_of_a_predecessor(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl")
    desk.later(hours=1)
    desk.act(replace_player, "red", "Dan")
    before = len(desk.letters("answer", "red"))
    wish(desk, "red", "ask", "resend")
    (again,) = desk.letters("answer", "red")[before:]
    assert again.template == "report/1"
    assert decode(again.document)["player"] == "Dan"


def test_a_receipt_of_the_instant_in_which_a_seat_changed_hands_stays_with_its_reader(
    desk: Desk,
) -> None:
    desk.new()
    desk.send("red", "play: owl")
    desk.act(replace_player, "red", "Dan")
    before = len(desk.letters("answer", "red"))
    wish(desk, "red", "ask", "resend")
    assert [one.template for one in desk.letters("answer", "red")[before:]] == ["report/1"]


def test_whoever_asked_for_a_new_key_gets_the_earlier_receipt_again(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl")
    desk.later(hours=1)
    wish(desk, "red", "ask", "new-key")
    wish(desk, "red", "ask", "resend")
    assert desk.letters("answer", "red")[-1].template == "receipt/1"


def test_a_new_key_makes_the_old_ones_void_and_changes_nothing_else(desk: Desk) -> None:
    desk.new()
    desk.send("red", "vote: draw")
    before = desk.seating("red")
    facts = {"game": GAME, "seat": "red", "step": "1-pick", "epoch": 1}
    old = key_of(b"secret", seating=before.number, **facts)
    told = wish(desk, "red", "ask", "new key")
    assert "Your old keys are void" in told.done[0]
    after = desk.seating("red")
    assert (after.player, after.kind, after.vote) == ("Ada", "player", "draw")
    assert not key_matches(old, b"secret", seating=after.number, **facts)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("statsu", 'did you mean "status"?'),
        (["weather"], '"weather" is not a question'),
        (["can I discard a card for more?"], "`ask: rules` sends the rules"),
        (None, "is not a question"),
        ([[["deep"]]], "is not a question"),
    ],
)
def test_what_is_no_question_is_told_with_those_there_are(desk: Desk, value: Any, why: str) -> None:
    desk.new()
    told = wish(desk, "red", "ask", value)
    assert why in told.not_taken[0]
    assert "You can ask status, report, orders" in told.not_taken[0]
    assert told.letter is None


def test_the_subject_names_what_is_answered_and_nothing_else(desk: Desk) -> None:
    desk.new()
    wish(desk, "red", "ask", ["status", "why 99", "rules TD-1"])
    assert decode(desk.letters("answer", "red")[-1].document)["headline"] == (
        "Your answer: status, rules"
    )


def test_an_order_done_in_part_is_told_so_with_one_full_stop() -> None:
    entry = {"n": 4, "text": "build", "outcome": "part", "why": "It costs 5 RT.", "rule": "JW-25"}
    event = _find_outcome(entry)
    assert event["text"] == "Build. This was done in part."
    assert event["details"] == ["It costs 5 RT."]


def test_what_cannot_be_answered_stands_in_the_letter_that_answers_the_rest(desk: Desk) -> None:
    """One letter, not two: no receipt or word about the letter beside it."""
    desk.new()
    told = wish(desk, "red", "ask", ["status", "why 99", "weather"])
    assert told.letter is not None
    assert told.not_taken == ()
    (sent,) = desk.letters("answer", "red")
    last = decode(sent.document)["parts"][-1]
    assert last["title"] == "NOT ANSWERED"
    assert [one[:19] for one in last["lines"]] == ["report 1 has no eve", '"weather" is not a ']


def test_a_letter_holds_so_many_questions_and_no_more(desk: Desk) -> None:
    desk.new()
    told = wish(desk, "red", "ask", [f"report {number}" for number in range(1, 500)])
    assert len(told.not_taken) < 30
    assert len(desk.letters("answer")) == 1


def test_people_write_questions_in_their_own_way(desk: Desk) -> None:
    desk.new()
    for said in ("Status", "STATUS, please", {"rules": "TD-1"}, "new_key"):
        assert wish(desk, "red", "ask", said).not_taken == ()


def test_the_game_need_not_have_begun_nor_go_on(desk: Desk) -> None:
    desk.new(start=False)
    assert "has not begun" in _answer(desk, "red", "status", "players")
    assert "has not begun" in wish(desk, "red", "ask", "report").not_taken[0]
    assert wish(desk, "red", "ask", "resend").not_taken


def test_jump_wars_answers_too(desk: Desk) -> None:
    desk.library = FolderLibrary()
    desk.new(
        kind="jump-wars",
        seats={"red": "Ada", "blue": "bot", "green": "bot"},
        settings={"nmr_limit": 9},
    )
    for _ in range(4):
        desk.close()
    reports = [decode(one.document) for one in desk.letters("report", "red")]
    questions = ["rules JW-30", "rules 1", "status", "history", "orders", "players"]
    assert "JW-30: " in _answer(desk, "red", *questions)
    for report in reports:
        for event in report["events"]:
            text = _answer(desk, "red", f"why {event['n']} report {report['number']}")
            assert f"{event['rule']}: " in text
    assert any(report["events"] for report in reports)


@pytest.mark.parametrize(
    ("question", "explained"),
    [
        (
            "ask: is sabotage allowed in the same turn I gain it?",
            ["sabotage = ", "JW-27: `sabotage` (ab"],
        ),
        ("ask: advance", ["advance = one card a turn", "JW-19: First, each player may"]),
        ("ask: command", ["command = you have 1 jump order more", "JW-29: At most 1 + comm"]),
        ("ask: words nebulas", ["nebula = who occupied it has +1", "JW-51: A side's initia"]),
        ("ask: when can I use the star docks", ["star-docks = build on star fields", "JW-26"]),
        ("What does RT mean?\nThanks, Ada", ["RT = resource tokens", "JW-23: Sum: 1 per star"]),
        ("what is JW-30?", ["JW-30: A jump is at most"]),
        ("ask: JW-30", ["JW-30: A jump is at most"]),
        ("ask: genesis", ["genesis = each star field you occupy counts 2 [JW-24]", "JW-24"]),
    ],
)
def test_a_question_in_own_words_is_answered_with_what_is_known_of_them(
    desk: Desk, question: str, explained: list[str]
) -> None:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind="jump-wars")
    mail = Mail(post)
    answer = post.answer(mail.write("ada@example.org", question, mail.last("ada@example.org")))
    (part,) = answer["parts"]
    is_a_word = question in (
        "ask: advance",
        "ask: command",
        "ask: words nebulas",
        "ask: JW-30",
        "ask: genesis",
    )
    lines = part["lines"][0 if is_a_word else 1 :]
    assert [line[: len(one)] for line, one in zip(lines, explained, strict=True)] == explained


def test_beside_orders_such_a_question_is_named_with_the_line_that_asks_it(desk: Desk) -> None:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind="jump-wars")
    mail = Mail(post)
    text = "build: max\nWhat does command do?"
    receipt = post.answer(mail.write("ada@example.org", text, mail.last("ada@example.org")))
    assert receipt["outcome"] == "taken"
    assert "write `ask: command` or `ask: help`" in receipt["ignored"][0]


def test_a_rule_is_found_by_its_number_in_free_words(desk: Desk) -> None:
    desk.new()
    wish(desk, "red", "ask", "What does td-3 say?")
    (part,) = decode(desk.letters("answer", "red")[-1].document)["parts"]
    assert part["lines"][-1].startswith("TD-3: No orders: the weakest card is played.")


def test_the_gm_is_not_sent_to_the_gm(desk: Desk) -> None:
    desk.new()
    for words in ("How does the prize work in this game?", "Will it rain in the evening?"):
        parts = desk.see(lambda books, asked=words: answer_gm(case_of(desk, books), [asked]))
        assert "to gm" not in str(parts)
