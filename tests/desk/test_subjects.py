"""Subjects say whose turn it is, and letters are true when they are sent."""

import re
from datetime import timedelta
from email.message import EmailMessage

import pytest
from msgspec.structs import replace

from adjudicator.desk.acts.calendar import extend_deadline, pause_game, resume_game
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.values import Status
from adjudicator.desk.outbox.bounces import record_refusal
from adjudicator.desk.steps.finish import finish_game
from tests.desk.conftest import GAME
from tests.desk.mailing import Mail, words
from tests.desk.post import HOUSE, Post, hand

WIDEST = 78
GM_ADDRESS = HOUSE.gm[0]


@pytest.fixture
def mail(post: Post) -> Mail:
    """A game with a deadline; the first reports have arrived."""
    made = Mail(post)
    step = made.desk.step()
    with made.desk.store.writing() as books:
        books.save(replace(step, deadline=step.opened + timedelta(hours=50)))
    made.deliver()
    return made


def subjects(mail: Mail, to: str = "ada@example.org") -> list[str]:
    """The subjects that have come since the last look."""
    before = len(mail.inbox.get(to, ()))
    mail.deliver()
    found = [str(one["Subject"]) for one in mail.inbox[to][before:]]
    assert all(len(one) <= WIDEST for one in found), found
    return found


def play_all(mail: Mail) -> None:
    mail.desk.play()
    mail.deliver()


def form_of(message: EmailMessage) -> str:
    """The step in the block at the end of a letter; empty without one."""
    lines = [line for line in words(message).splitlines() if line.startswith("step: ")]
    return lines[-1].removeprefix("step: ") if lines else ""


def test_a_report_says_first_that_it_is_the_readers_turn_and_until_when(mail: Mail) -> None:
    play_all(mail)
    mail.desk.close()
    (found,) = subjects(mail)
    assert found.startswith("[tiny] YOUR TURN")
    assert ": " in found


def test_a_notice_says_so_too_while_orders_are_missing(mail: Mail) -> None:
    mail.desk.act(extend_deadline, "24h")
    assert subjects(mail) == ["[tiny] YOUR TURN until Thu 5 Nov 22:00: deadline moved"]
    mail.post.write(f"play: {hand(mail.post)[0]}")
    mail.desk.act(extend_deadline, "24h")
    assert subjects(mail) == ["[tiny] Orders received: round 1, pick", "[tiny] Deadline moved"]


def test_a_notice_that_was_overtaken_is_dropped(mail: Mail) -> None:
    """Of two deadlines only the last is true; after the closing neither is."""
    mail.desk.act(extend_deadline, "24h")
    mail.desk.act(extend_deadline, "24h")
    assert subjects(mail) == ["[tiny] YOUR TURN until Fri 6 Nov 22:00: deadline moved"]
    mail.desk.act(extend_deadline, "24h")
    mail.desk.play()
    mail.desk.close()
    assert not any("eadline moved" in one for one in subjects(mail))


def test_a_pause_that_is_over_is_not_announced(mail: Mail) -> None:
    mail.desk.act(pause_game)
    mail.desk.act(resume_game)
    assert [one.partition(": ")[2] for one in subjects(mail)] == ["the game continues"]


def test_a_form_is_that_of_the_step_in_which_the_letter_is_sent(mail: Mail) -> None:
    mail.post.write("press: [{to: red, text: Hi}]", seat="blue")
    mail.desk.play()
    mail.desk.close()
    mail.deliver()
    assert {form_of(one) for one in mail.inbox["ada@example.org"][-3:]} == {mail.desk.step().name}


def test_a_receipt_that_a_rollback_overtook_goes_out_and_says_so(mail: Mail) -> None:
    play_all(mail)
    mail.desk.close()
    mail.deliver()
    first = mail.desk.step().predecessor
    assert first is not None
    name = mail.desk.see(lambda books: books.step("tiny", first)).name
    raced = mail.post.write(f"play: {hand(mail.post)[0]}")
    mail.desk.act(roll_back, name)
    found = subjects(mail)
    assert sum("rolled back" in one.lower() for one in found) == 2
    assert mail.post.answering(raced).status == "sent"
    receipt = next(one for one in mail.inbox["ada@example.org"] if "NOT on file" in one["Subject"])
    told = " ".join(words(receipt).split())
    assert "The GM rolled the game back after your letter was read" in told
    assert "YOU ARE IN" not in told
    assert form_of(receipt) == mail.desk.step().name


def test_the_receipt_of_what_ended_the_game_has_no_form(mail: Mail) -> None:
    for seat in ("red", "blue", "green"):
        mail.post.write("vote: draw", seat=seat)
    mail.deliver()
    to_ada = mail.inbox["cleo@example.org"]
    receipt = next(one for one in to_ada if ".receipt." in one["Message-ID"])
    assert "The game is over." in words(receipt)
    assert "# end of orders" not in words(receipt)
    assert "Deadline" not in words(receipt)
    (report,) = [str(one["Subject"]) for one in to_ada if ".report.2" in one["Message-ID"]]
    assert report == "[tiny] Game over: nobody wins"


def test_who_has_left_the_seat_gets_no_form_any_more(mail: Mail) -> None:
    mail.post.write("resign: yes")
    mail.deliver()
    for one in mail.inbox["ada@example.org"][1:]:
        assert "# end of orders" not in words(one), words(one)
        assert "Deadline" not in words(one)


def test_the_end_is_said_to_each_in_person(mail: Mail) -> None:
    mail.desk.act(finish_game, ["blue"], "enough")
    mail.deliver()
    heard = {to: [str(one["Subject"]) for one in box] for to, box in mail.inbox.items()}
    assert "[tiny] Game over: blue wins" in heard["ada@example.org"]
    assert "[tiny] Game over: you win" in heard["bo@example.org"]


# the GM's letters


def gm_writes(mail: Mail, words_: str) -> EmailMessage:
    """The answer to a letter with the GM's key."""
    lines = [f"game: {GAME}", f"step: {mail.desk.step().name}", f"key: {mail.post.key(GM)}"]
    mail.write(GM_ADDRESS, "\n".join([*lines, words_, "# end of orders"]))
    mail.deliver()
    return mail.inbox[GM_ADDRESS][-1]


def test_the_subject_to_the_gm_says_what_was_done_and_the_letter_how_it_is_undone(
    mail: Mail,
) -> None:
    extended = gm_writes(mail, "gm: [extend 24h]")
    assert extended["Subject"] == "[tiny] Extended to Thu 5 Nov 22:00"
    told = re.search(r"gm: \[undo (\d+)\]", " ".join(words(extended).split()))
    assert told
    undone = gm_writes(mail, f"gm: [undo {told[1]}]")
    assert not undone["Subject"].startswith("[tiny] NOT done")
    assert mail.desk.step().deadline == mail.desk.step().opened + timedelta(hours=50)


def test_the_subject_to_the_gm_says_first_what_was_not_done(mail: Mail) -> None:
    refused = gm_writes(mail, "gm: [remind, extend 0h, frobnicate]")
    assert refused["Subject"].startswith("[tiny] NOT done: extend: ")
    assert len(refused["Subject"]) <= WIDEST
    quoted = words(gm_writes(mail, "gm: [bot Mars, note 'Ask Bo first']"))
    assert 'there is no seat "Mars"' in quoted.partition("REJECTED")[0]
    assert gm_writes(mail, "gm: [pause preview]")["Subject"].startswith("[tiny] Preview: the game")
    assert mail.desk.game().status is Status.RUNNING


def test_the_subject_to_the_gm_begins_as_a_sentence_and_goes_on_as_one(mail: Mail) -> None:
    both = gm_writes(mail, "gm: [note 'Ask Bo', 'end drawn all agreed']")
    assert re.match(r"\[tiny\] [A-Z].*; the game is over: drawn$", both["Subject"]), both["Subject"]


def test_dead_addresses_are_one_notice_a_day_with_both_facts(mail: Mail) -> None:
    """A second address of the day waits for the next day's notice."""

    def refuse(seat: str, to: str) -> None:
        for number in range(3):
            mail.post.write(f"press: [{{to: {seat}, text: Hi {seat} {number}}}]", seat="green")
            sent = [one for one in mail.post.outbox() if one.seat == seat][-1]
            with mail.desk.store.writing() as books:
                record_refusal(books, sent, to, "550 no such user", house=HOUSE, at=mail.desk.at)

    def notices() -> list[EmailMessage]:
        mail.deliver()
        box = mail.inbox.get(GM_ADDRESS, ())
        return [one for one in box if "come back" in str(one["Subject"])]

    refuse("red", "ada@example.org")
    (notice,) = notices()
    told = " ".join(words(notice).split())
    assert "It was for ada@example.org. " in told
    assert "The address belongs to Ada. It is marked" in told
    assert "no player" not in told
    refuse("blue", "bo@example.org")
    refuse("red", "ada@example.org")
    assert len(notices()) == 1
    mail.desk.later(days=1)
    _, other = notices()
    assert "The address belongs to Bo. It is marked" in " ".join(words(other).split())


def test_a_beginning_whose_first_step_is_over_is_told_as_the_beginning(post: Post) -> None:
    mail = Mail(post)
    mail.desk.play()
    mail.desk.close()
    first, *_ = subjects(mail)
    assert first == "[tiny] It begins."
