"""Replies in one's own words: slips that are asked about, questions, late answers."""

import re
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from tests.desk.conftest import Desk
from tests.desk.mailing import Mail, form, ordering, quoted, words
from tests.desk.post import Post
from tests.desk.test_just_reply import ADA, BO, on_file, send
from tests.desk.test_tick import go, ring


def played(desk: Desk, kind: str, **options: Any) -> Mail:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind=kind, options=options)
    return Mail(post)


@pytest.fixture
def wars(desk: Desk) -> Mail:
    return played(desk, "jump-wars")


@pytest.fixture
def gate(desk: Desk) -> Mail:
    return played(desk, "jump-gate", start_player="red")


# slips


def test_a_slip_keeps_what_was_right_and_the_order_of_the_lines(gate: Mail) -> None:
    report = " ".join(words(gate.last(ADA)).split())
    offered = re.search(r"jump to ([a-z-]+)[^;]*? with (n\d\d)", report)
    assert offered is not None
    planet, card = offered.groups()
    receipt = send(gate, f"jump to {planet[:2]}{planet[3:]} with {card}\nresearch")
    assert on_file(gate) is None  # first things first
    (asked,) = receipt["ignored"]
    meant = f"jump to {planet}, discarding {card}; research"
    assert f"Did you mean `actions: {meant}`? Reply *yes*." in asked
    send(gate, "yes")
    jump = {"do": "jump", "to": planet, "card": card}
    assert on_file(gate)["actions"] == [jump, {"do": "research"}]


def test_a_corrected_action_alone_is_asked_to_follow_those_on_file(gate: Mail) -> None:
    report = " ".join(words(gate.last(ADA)).split())
    offered = re.search(r"jump to ([a-z-]+)[^;]*? with (n\d\d)", report)
    assert offered is not None
    jump = {"do": "jump", "to": offered[1], "card": offered[2]}
    refused = send(
        gate, f"jump to {offered[1]} with {offered[2]}\nresearch discarding {offered[2]}"
    )
    assert "is incomplete: order 2 was refused" in refused["standing"]["why"]
    asked = send(gate, "research")["asked"]["question"]
    assert f"`actions: jump to {offered[1]}, discarding {offered[2]}; research`?" in asked
    assert send(gate, "yes")["standing"]["ready"] is True
    assert on_file(gate)["actions"] == [jump, {"do": "research"}]


def test_a_slip_behind_good_orders_of_a_list_is_asked_about_with_them(wars: Mail) -> None:
    send(wars, "pass")
    wars.desk.close()
    receipt = send(wars, "A1-A2 x1\nJmp: A1-B1 x2")
    assert "Did you mean `jump: [A1-A2 x1, A1-B1 x2]`?" in receipt["ignored"][0]


def test_a_sentence_that_may_be_an_action_leaves_a_list_below_it_on_file(gate: Mail) -> None:
    (said,) = send(gate, "I will explore next time.\n\nactions: [research]")["ignored"]
    assert on_file(gate) == {"actions": [{"do": "research"}]}
    assert said == (
        'Not taken: "I will explore next time.": your letter lists its `actions` elsewhere.'
    )


def test_a_slip_that_contradicts_an_order_is_named(wars: Mail) -> None:
    (said,) = send(wars, "build: 2\nbild: 3")["ignored"]
    assert on_file(wars) == {"build": 2}
    assert said == 'Not taken: "bild: 3": `build` is given otherwise in your letter.'


@pytest.mark.parametrize(
    "text",
    [
        "advance jump & advance trade",
        "advance jump, advance trade",
        "tech: advance jump, advance trade",
        "advance jump and trade",
        "advance jump\nadvance trade",
        "tech: {advance: jump}\nadvance: trade",
    ],
)
def test_no_advance_of_two_is_lost(wars: Mail, text: str) -> None:
    receipt = send(wars, text)
    assert on_file(wars) == {"tech": {"advance": ["jump", "trade"]}}
    assert receipt["ignored"] == []


def test_a_slip_inside_the_form_is_asked_back(wars: Mail) -> None:
    block = ordering(
        form(words(wars.last(ADA))), "buld: max", "tech: {advnce: jump}", "steal: bleu"
    )
    receipt = send(wars, block, quote=False)
    assert receipt["outcome"] == "refused"
    assert receipt["headline"].startswith("NOT RECEIVED: did you mean ")
    (asked,) = receipt["ignored"]
    assert asked.endswith(
        "Did you mean `steal: blue; tech: advance jump; build: max`? Reply *yes*."
    )
    send(wars, "yes")
    assert on_file(wars) == {"steal": "blue", "tech": {"advance": ["jump"]}, "build": "max"}


def test_what_a_form_gives_rightly_stays_and_yes_adds_what_was_meant(wars: Mail) -> None:
    block = ordering(form(words(wars.last(ADA))), "build: 2", "tehc: {advance: jump}", "rady: no")
    receipt = send(wars, block, quote=False)
    assert on_file(wars) == {"build": 2}
    assert "Did you mean `tech: advance jump; ready: no`?" in receipt["ignored"][0]
    assert send(wars, "yes")["standing"]["ready"] is False
    assert on_file(wars) == {"build": 2, "tech": {"advance": ["jump"]}}


def test_a_yes_with_more_adds_to_what_was_meant(gate: Mail) -> None:
    report = " ".join(words(gate.last(ADA)).split())
    offered = re.search(r"jump to ([a-z-]+)[^;]*? with (n\d\d)", report)
    assert offered is not None
    planet, card = offered.groups()
    send(gate, f"jump to {planet[:2]}{planet[3:]} with {card}")
    assert on_file(gate) is None
    send(gate, "yes, and research")
    jump = {"do": "jump", "to": planet, "card": card}
    assert on_file(gate) == {"actions": [jump, {"do": "research"}]}


def test_what_can_mean_several_things_or_none_is_not_asked_back(wars: Mail) -> None:
    block = ordering(form(words(wars.last(ADA))), "build: lots", "frobnicate: 3")
    receipt = send(wars, block, quote=False)
    assert receipt["asked"] is None
    assert receipt["headline"] == "NOT RECEIVED: line 5 is refused: build: lots"


# a step waits for an answer


@pytest.fixture
def hurried(desk: Desk) -> Mail:
    """A game that closes as soon as all orders are in."""
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind="jump-wars", settings={"pace": "72h", "settle": "10m"})
    mail = Mail(post)
    for name in (BO, "cleo@example.org"):
        mail.write(name, "pass\n", mail.last(name))
    return mail


def closes(mail: Mail) -> bool:
    """Whether the step closes once the orders have settled."""
    before = mail.desk.step().number
    mail.desk.later(minutes=11)
    ring(mail.desk, read=mail.desk.at)
    return mail.desk.step().number != before


def test_an_open_question_keeps_the_step_open_until_it_is_answered(hurried: Mail) -> None:
    receipt = send(hurried, "tech: advance jump\nbild: 3")
    assert (receipt["standing"]["in"], receipt["standing"]["ready"]) == (True, False)
    assert "waits for your answer to the question" in receipt["standing"]["why"]
    assert "reply *yes*" in receipt["standing"]["then"]
    assert not closes(hurried)
    assert send(hurried, "yes")["standing"]["ready"] is True
    assert closes(hurried)


@pytest.mark.parametrize("answer", ["ready: yes", "build: 1"])
def test_ready_or_new_orders_end_the_waiting_too(hurried: Mail, answer: str) -> None:
    send(hurried, "tech: advance jump\nbild: 3")
    assert send(hurried, answer)["standing"]["ready"] is True
    assert closes(hurried)


@pytest.mark.parametrize("inside", [False, True])
def test_a_question_about_new_orders_holds_those_on_file_too(
    hurried: Mail, *, inside: bool
) -> None:
    send(hurried, "build: 1")
    wrong = ordering(form(words(hurried.last(ADA))), "bild: 3") if inside else "bild: 3"
    receipt = send(hurried, wrong, quote=False)
    assert receipt["standing"]["ready"] is False
    assert on_file(hurried) == {"build": 1}
    assert not closes(hurried)
    send(hurried, "yes")
    assert on_file(hurried) == {"build": 3}


def test_a_question_does_not_outlast_the_deadline(hurried: Mail) -> None:
    send(hurried, "tech: advance jump\nbild: 3")
    before = hurried.desk.step().number
    go(hurried.desk, hours=73)
    assert hurried.desk.step().number > before


# a step waits for what was not taken


REFUSED = "steal: the-queen-of-hearts"
UNTAKEN = "build the biggest fleet that ever was"


def fill_in(mail: Mail, *lines: str) -> Any:
    """Send the form of the last letter with these orders."""
    return send(mail, ordering(form(words(mail.last(ADA))), *lines), quote=False)


def test_a_refused_order_in_a_form_keeps_the_step_open_until_it_is_corrected(
    hurried: Mail,
) -> None:
    receipt = fill_in(hurried, "build: 1", REFUSED)
    assert (receipt["standing"]["in"], receipt["standing"]["ready"]) == (True, False)
    assert "is incomplete: order 2 was refused" in receipt["standing"]["why"]
    assert receipt["headline"].startswith("Orders on file, but the step waits for you")
    assert on_file(hurried) == {"build": 1}
    assert not closes(hurried)
    assert fill_in(hurried, "build: 1", "steal: blue")["standing"]["ready"] is True
    assert closes(hurried)


def test_a_line_that_was_not_taken_keeps_the_step_open(hurried: Mail) -> None:
    receipt = send(hurried, f"tech: advance jump\n{UNTAKEN}")
    assert receipt["standing"]["ready"] is False
    assert "a line that looked like an order was not taken" in receipt["standing"]["why"]
    assert not closes(hurried)
    assert send(hurried, "ready: yes")["standing"]["ready"] is True
    assert on_file(hurried) == {"tech": {"advance": ["jump"]}}
    assert closes(hurried)


@pytest.mark.parametrize("inside", [False, True])
def test_orders_on_file_wait_when_new_ones_are_all_refused(hurried: Mail, *, inside: bool) -> None:
    send(hurried, "build: 1")
    receipt = fill_in(hurried, REFUSED) if inside else send(hurried, UNTAKEN)
    assert "keeps the orders on file" in receipt["standing"]["why"]
    assert "reply `ready: yes`" in receipt["standing"]["then"]
    assert on_file(hurried) == {"build": 1}
    assert not closes(hurried)
    send(hurried, "build: 2")
    assert closes(hurried)


def test_a_step_waits_for_no_correction_longer_than_its_deadline(hurried: Mail) -> None:
    fill_in(hurried, "build: 1", REFUSED)
    before = hurried.desk.step().number
    go(hurried.desk, hours=73)
    assert hurried.desk.step().number > before


@pytest.mark.parametrize("text", ["vote: perhaps\nbuild: 1", "absent: next week\nbuild: 1"])
def test_a_request_beside_orders_that_cannot_be_read_holds_nothing_up(
    hurried: Mail, text: str
) -> None:
    receipt = send(hurried, text)
    assert receipt["ignored"]
    assert receipt["standing"]["ready"] is True
    assert closes(hurried)


def test_a_preview_of_refused_orders_changes_nothing(hurried: Mail) -> None:
    send(hurried, "build: 1")
    receipt = fill_in(hurried, "build: 2", REFUSED, "preview: true")
    assert receipt["outcome"] == "preview"
    assert closes(hurried)


# questions in words


@pytest.mark.parametrize(
    ("question", "ask"),
    [
        ("What does JW-25 mean?", "rules JW-25"),
        ("How many cards do I draw?", "rules"),
        ("Hi, can I build in two places?", "rules"),
        ("And when is the deadline?", "rules"),
        ("Why did my fleets not\nmove last turn?", "rules"),
    ],
)
def test_a_question_beside_orders_hears_where_to_ask(wars: Mail, question: str, ask: str) -> None:
    receipt = send(wars, f"build: 2\n\n{question}\n\nThanks, Ada")
    assert on_file(wars) == {"build": 2}
    (said,) = receipt["ignored"]
    assert said.startswith("Nobody reads questions in a letter: ")
    assert (
        f"write `ask: {ask}` or `ask: help`. To ask the GM, write `to gm: your question`." in said
    )


@pytest.mark.parametrize(
    "text",
    [
        "How are you?",
        "Hi all, how is everybody?",
        "What do you think?",
        "What a turn, isn't it?",
        "Did you like my last turn?",
        "Shall we fight blue together, or what?",
        "How about that?",
        "to blue: Can I have your cards?",
    ],
)
def test_small_talk_and_messages_are_no_questions_to_the_server(wars: Mail, text: str) -> None:
    receipt = send(wars, f"build: 2\n\n{text}\n")
    assert receipt["ignored"] == []


# letters about a step that is over


def test_a_yes_to_a_closed_step_hears_when_it_closed_and_what_is_due(wars: Mail) -> None:
    send(wars, "tech: advance jump\nbild: 3")
    question = wars.last(ADA)
    wars.desk.close()
    receipt = send(wars, "yes", question)
    assert receipt["outcome"] == "status"
    (said,) = receipt["ignored"]
    assert "turn 1, plan (step 1-plan), which closed on Mon 2 Nov 2026, 20:00:00" in said
    assert said.endswith("Orders for turn 1, jump are due from you now.")


@pytest.mark.parametrize("text", ["ok", "Okay!", "Thanks", "thank you!", "Ok, thanks"])
@pytest.mark.parametrize("closed", [False, True])
def test_polite_words_alone_get_the_status(wars: Mail, text: str, *, closed: bool) -> None:
    send(wars, "build: 2")
    about = wars.last(ADA)
    if closed:
        wars.desk.close()
    receipt = send(wars, text, about)
    assert (receipt["outcome"], receipt["ignored"]) == ("status", [])
    assert receipt["form"]


@pytest.mark.parametrize("quote", [False, True])
def test_orders_for_a_closed_step_are_refused_in_plain_words(wars: Mail, *, quote: bool) -> None:
    about = wars.last(ADA)
    wars.desk.close()
    receipt = send(wars, "build: 3", about, quote=quote)
    assert receipt["outcome"] == "refused"
    assert "turn 1, plan (step 1-plan), which closed on" in receipt["headline"]


def test_orders_that_answer_an_older_letter_are_asked_for_the_step_that_is_open(
    wars: Mail,
) -> None:
    about = wars.last(ADA)
    for _ in range(2):
        wars.desk.close()
    receipt = send(wars, "build: 3", about)
    assert receipt["outcome"] == "refused"
    assert receipt["headline"] == "NOT RECEIVED: did you mean build: 3? turn 2, plan"
    (asked,) = receipt["ignored"]
    assert "Did you mean them for turn 2, plan: `build: 3`? Reply *yes*." in asked
    assert send(wars, "yes")["standing"]["ready"] is True
    assert on_file(wars) == {"build": 3}
    assert send(wars, "build: 2", about)["asked"] is None  # late, since others are on file
    assert on_file(wars) == {"build": 3}


# what a subject says of orders that were not received


def test_the_subject_names_what_cannot_be_read(wars: Mail) -> None:
    block = ordering(form(words(wars.last(ADA))), "build: [2", "steal: blue")
    receipt = send(wars, block, quote=False)
    assert receipt["outcome"] == "unreadable"
    assert receipt["headline"].startswith("NOT RECEIVED: line ")
    assert "cannot be read: " in receipt["headline"]


@pytest.mark.parametrize("text", ["build: lots", "Hi,\n\nBuild: lots of them\n\nThanks, Ada"])
def test_a_letter_of_lines_that_cannot_be_read_is_not_received(wars: Mail, text: str) -> None:
    receipt = send(wars, text)
    assert receipt["outcome"] == "status"
    assert receipt["headline"].lower().startswith('not received: "build: lots')
    letter = wars.last(ADA)
    assert "NOT RECEIVED" in str(letter["Subject"])
    said = " ".join(words(letter).split())
    assert "NOTHING WAS PUT ON FILE: no line of your letter could be read as an order." in said
    assert "is not a whole number" in said


@pytest.mark.parametrize("text", ["gem-world", "Gem World"])
def test_a_card_alone_is_understood_and_not_asked_about_where_it_would_be_refused(
    desk: Desk, text: str
) -> None:
    mail = played(desk, "jump-drive")
    send(mail, "pass")
    for name in (BO, "cleo@example.org"):
        mail.write(name, "pass\n", mail.last(name))
    mail.desk.close()
    receipt = send(mail, text)
    assert receipt["ignored"] == [
        "Not taken: `world: gem-world` would be refused: Gem World is not in your hand."
    ]
    assert receipt["asked"] is None
    assert receipt["headline"].startswith("NOT RECEIVED: `world: gem-world` would be refused")


@pytest.mark.parametrize("line", ["advance jump with my jump card", "please advance jump for good"])
def test_a_line_that_begins_as_an_order_is_asked_about(wars: Mail, line: str) -> None:
    send(wars, f"build max\n{line}")
    assert on_file(wars) == {"build": "max"}
    send(wars, "yes")
    assert on_file(wars) == {"build": "max", "tech": {"advance": ["jump"]}}


def test_orders_that_are_one_wait_together_for_the_answer(desk: Desk) -> None:
    drive = played(desk, "jump-drive")
    for name in (ADA, BO, "cleo@example.org"):
        drive.write(name, "pass\n", drive.last(name))
    drive.post.desk.close()
    hand = words(drive.last(ADA)).partition("YOUR HAND\n")[2].split("\n")[1:]
    card = next(line.split()[0] for line in hand if line.startswith("  ") and line[2] != " ")
    receipt = send(drive, f"The survey team it is, please.\ntrim: {card}")
    assert f"Did you mean `development: survey-team; trim: [{card}]`?" in receipt["ignored"][0]
    assert receipt["outcome"] not in ("taken", "refused")
    send(drive, "yes")
    assert on_file(drive) == {"development": "survey-team", "trim": [card]}


def test_a_yes_loses_no_orders_on_file(wars: Mail) -> None:
    send(wars, "advance jump\nsteal blue")
    asked = " ".join(send(wars, "max fleets would be nice to have, build max")["ignored"])
    assert "Did you mean `build: max`" in asked
    (said,) = send(wars, "yes")["wishes"]
    assert "They are added to receipt 2: `steal` and `tech` stay." in said
    assert on_file(wars) == {"tech": {"advance": ["jump"]}, "steal": "blue", "build": "max"}


def test_words_above_a_form_without_examples_are_named(wars: Mail) -> None:
    about = wars.last(ADA)
    bare = "\n".join(line for line in words(about).split("\n") if not line.startswith("# "))
    said = "Cancel number two and do something else instead."
    receipt = wars.post.answer(wars.write(ADA, f"{said}\n\n{quoted(bare)}\n", about))
    assert f'"{said[:30]}' in receipt["ignored"][0]
