"""A player replies to a letter and writes only orders: what counts, what is asked, what is not."""

from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.core.document import decode
from adjudicator.core.forms.reading import WrittenLine
from adjudicator.core.forms.sentences import split_sentences
from tests.desk.conftest import GAME, Desk
from tests.desk.mailing import Mail, form, ordering, quoted, words
from tests.desk.post import Post
from tests.desk.twins import World, address

ADA, BO = "ada@example.org", "bo@example.org"


@pytest.fixture
def mail(desk: Desk) -> Mail:
    """A game of Jump Wars in its first step."""
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind="jump-wars")
    return Mail(post)


def send(mail: Mail, text: str, about: EmailMessage | None = None, *, quote: bool = True) -> Any:
    """Reply to the last letter, above its quotation; returns the receipt."""
    about = about or mail.last(ADA)
    below = f"\n\n{quoted(words(about))}" if quote else ""
    return mail.post.answer(mail.write(ADA, f"{text}{below}\n", about))


def on_file(mail: Mail) -> Any:
    found = mail.post.on_file()
    return found[-1] if found else None


ORDERS = {
    "build: max": {"build": "max"},
    "Build: Max": {"build": "max"},
    "build :max": {"build": "max"},
    "build 3": {"build": 3},
    "Hi,\n\n* build: max\n* tech: advance jump\n\nThanks, Ada": {
        "build": "max",
        "tech": {"advance": ["jump"]},
    },
    "1. Build: 2\n2. Tech: {advance: jump}": {"build": 2, "tech": {"advance": ["jump"]}},
    '{"build": 3, "tech": {"advance": "jump"}}': {"build": 3, "tech": {"advance": ["jump"]}},
    "My ally is green.\nbuild max, then I am ready": {"ally": "green", "build": "max"},
    "build max instead of 2": {"build": "max"},
    "Raise jump with the pair": {"tech": {"pair": "jump"}},
    "Discard jump for 2 more tokens and build 2 fleets": {
        "mine": {"discard": ["jump"]},
        "build": 2,
    },
    "build max and use jump": {"build": "max", "tech": {"advance": ["jump"]}},
    "build: max, tech: advance jump": {"build": "max", "tech": {"advance": ["jump"]}},
    "build: max and tech: advance jump": {"build": "max", "tech": {"advance": ["jump"]}},
    "My orders for this turn: build max, advance jump": {
        "build": "max",
        "tech": {"advance": ["jump"]},
    },
    "Let's build max this turn.": {"build": "max"},
    '"build max"': {"build": "max"},
    "build max; steal blue": {"build": "max", "steal": "blue"},
    "please build: 3, thanks": {"build": 3},
    "Build: three": {"build": 3},
    "tech:\n  advance: jump\n  pair: attack": {"tech": {"advance": ["jump"], "pair": "attack"}},
    "tech:\nadvance: jump": {"tech": {"advance": ["jump"]}},
    "build: max\ntech: {advance: jump}\nThanks, see you next turn!": {
        "build": "max",
        "tech": {"advance": ["jump"]},
    },
}


@pytest.mark.parametrize("text", ["pass", "Pass.", "Hi,\n\npass\n\nAda", "pass: yes", "Pass: Yes"])
def test_the_one_word_pass_orders_nothing_on_purpose(mail: Mail, text: str) -> None:
    receipt = send(mail, text)
    assert (receipt["outcome"], on_file(mail)) == ("taken", {"pass": True})
    assert receipt["standing"]["ready"] is True
    assert receipt["ignored"] == []


@pytest.mark.parametrize("quote", [True, False])
@pytest.mark.parametrize("text", ORDERS)
def test_a_reply_with_nothing_but_order_lines_files_orders(
    mail: Mail, text: str, *, quote: bool
) -> None:
    receipt = send(mail, text, quote=quote)
    assert (receipt["outcome"], on_file(mail)) == ("taken", ORDERS[text])
    (said, *_) = receipt["wishes"]
    assert said.startswith("Read as orders: `")
    assert receipt["ignored"] == []


def test_lines_below_and_inside_the_quotation_count(mail: Mail) -> None:
    about = mail.last(ADA)
    mail.write(ADA, f"{quoted(words(about))}\n\nbuild: 2\n", about)
    assert on_file(mail) == {"build": 2}
    first, _, rest = quoted(words(about)).partition("\n> DUE")
    mail.write(ADA, f"{first}\n\nbuild: 1\n\n> DUE{rest}\n", about)
    assert on_file(mail) == {"build": 1}


@pytest.mark.parametrize(
    "text", ["biuld: 3", "Build 3 fleats", "buld 3", "please biuld: 3, thanks"]
)
def test_a_slip_is_asked_back_and_yes_files_it(mail: Mail, text: str) -> None:
    receipt = send(mail, f"Hi,\n\n{text}\n\nAda")
    assert (receipt["outcome"], on_file(mail)) == ("status", None)
    (asked,) = receipt["ignored"]
    assert asked.endswith("Did you mean `build: 3`? Reply *yes*.")
    taken = send(mail, "Yes, please!\n\nAda")
    assert (taken["outcome"], on_file(mail)) == ("taken", {"build": 3})


@pytest.mark.parametrize(
    "text", ["Yes do that", "Yep, that's right.", "Exactly!", "that's right, yes"]
)
def test_a_question_is_answered_with_yes_as_people_say_it(mail: Mail, text: str) -> None:
    send(mail, "biuld: 3")
    send(mail, f"{text}\n\nAda")
    assert on_file(mail) == {"build": 3}


def test_yes_files_a_letter_whole_and_not_over_later_orders(mail: Mail) -> None:
    asked = send(mail, "tech: advance jump\nbild: 3")
    assert on_file(mail) == {"tech": {"advance": ["jump"]}}
    assert asked["ignored"] == ['"bild: 3" was not taken. Did you mean `build: 3`? Reply *yes*.']
    question = mail.last(ADA)
    send(mail, "yes")
    assert on_file(mail) == {"tech": {"advance": ["jump"]}, "build": 3}
    send(mail, "build: 1")
    late = send(mail, "yes", question)
    assert on_file(mail) == {"build": 1}
    assert "Receipt 3 came after the question" in late["ignored"][0]


def test_a_yes_that_answers_nothing_is_told(mail: Mail) -> None:
    receipt = send(mail, "yes")
    assert receipt["outcome"] == "status"
    assert receipt["ignored"] == [
        "Your *yes* answers no question of this step, so it changed nothing."
    ]


def test_what_looks_like_an_order_and_is_none_is_told_in_one_line(mail: Mail) -> None:
    receipt = send(mail, "build: lots\nbuild: 2\nsteal: nobody at all")
    (odd,) = receipt["ignored"]
    assert on_file(mail) == {"build": 2}
    assert odd.startswith('Not taken: "build: lots": "lots" is not a whole number')
    assert '"steal: nobody at all"' in odd


def test_two_orders_that_differ_are_both_left_out(mail: Mail) -> None:
    receipt = send(mail, "build: 3\nbuild: 5")
    assert on_file(mail) is None
    assert receipt["ignored"] == [
        'Not taken: "build" is given twice, differently, so neither was taken.'
    ]


def test_single_words_answer_a_letter(mail: Mail) -> None:
    assert send(mail, "Pass.\n\nThanks!")["standing"]["in"]
    assert on_file(mail) == {"pass": True}
    send(mail, "build: 2")
    assert send(mail, "wait")["standing"]["ready"] is False
    assert send(mail, "Ready!")["standing"]["ready"] is True
    assert on_file(mail) == {"build": 2}


@pytest.mark.parametrize(
    "text", ["Wait\nwhat happened to my fleet?", "I pass on that.", "Ready or not, here I come"]
)
def test_words_in_prose_are_no_answers(mail: Mail, text: str) -> None:
    send(mail, "build: 2")
    receipt = send(mail, text)
    assert (receipt["outcome"], receipt["ignored"]) == ("status", [])


def test_the_form_wins_where_both_differ_and_the_receipt_says_so(mail: Mail) -> None:
    about = mail.last(ADA)
    block = ordering(form(words(about)), "build: 2")
    receipt = send(mail, f"build: 3\n\n{block}", about)
    assert on_file(mail) == {"build": 2}
    (said,) = receipt["ignored"]
    assert said.startswith("The form in your letter counts, as it differs from the lines outside")
    assert said.endswith("Not taken: `build: 3`.")
    same = send(mail, f"build: 1\n\n{ordering(form(words(about)), 'build: 1')}", about)
    assert (on_file(mail), same["ignored"]) == ({"build": 1}, [])


def test_an_unchanged_form_does_not_hide_a_changed_one_below_it(mail: Mail) -> None:
    about = mail.last(ADA)
    block = form(words(about))
    text = "\n".join([*block, "", ordering(block, "build: 2")])
    assert send(mail, text, about)["outcome"] == "taken"
    assert on_file(mail) == {"build": 2}


def test_orders_of_an_earlier_receipt_are_on_file_again(mail: Mail) -> None:
    send(mail, "build: 2")
    first = mail.last(ADA)
    send(mail, "build: 3")
    second = mail.last(ADA)
    again = send(mail, "build: 2", first)
    assert (on_file(mail), again["replaces"]) == ({"build": 2}, 2)
    assert "Receipt 3 = the orders of receipt 1 again." in again["wishes"]
    back = send(mail, "\n".join(form(words(second))), second, quote=False)
    assert "Receipt 4 = the orders of receipt 2 again." in back["wishes"]
    assert on_file(mail) == {"build": 3}


def test_what_a_set_leaves_out_is_told(mail: Mail) -> None:
    send(mail, "build: 2\ntech: advance jump")
    receipt = send(mail, "build: 3")
    assert receipt["wishes"] == [
        "Read as orders: `build: 3`. They replace receipt 1 as a whole: `tech` no longer counts."
    ]


def test_a_line_that_still_begins_with_its_sign_is_explained(mail: Mail) -> None:
    about = mail.last(ADA)
    assert any(line.startswith("# ") and ":" in line for line in form(words(about)))
    receipt = send(mail, "Here are my orders.", about)
    (said,) = receipt["ignored"]
    assert "remove the # to use a line" in said


def test_polite_words_signatures_and_quotations_are_never_mentioned(mail: Mail) -> None:
    polite = (
        "Hello everybody,\n\nwhat a lovely turn: I never saw that coming. We should build on it, "
        "and jump to conclusions later. Trade winds are blowing, attack is the best defense.\n\n"
        "build: 2\n\nSee you: soon!\n\nBest regards,\nAda Lovelace\nPhone: 030 123456\n"
        "Sent from my iPhone"
    )
    receipt = send(mail, polite)
    assert on_file(mail) == {"build": 2}
    assert receipt["ignored"] == []
    assert receipt["wishes"] == ["Read as orders: `build: 2`."]


def test_an_attached_document_is_no_order_and_told(mail: Mail) -> None:
    about = mail.last(ADA)
    message = EmailMessage()
    message["From"], message["To"] = ADA, "games@example.org"
    message["Message-ID"], message["In-Reply-To"] = "<docx@x>", str(about["Message-ID"])
    message.set_content("My orders are attached.\n")
    message.add_attachment(b"build: 3", "application", "msword", filename="orders.docx")
    receipt = mail.post.answer(mail.give(message.as_bytes()))
    assert (receipt["outcome"], on_file(mail)) == ("status", None)
    assert "Nothing is read from attachments such as orders.docx" in receipt["ignored"][0]


def test_a_reply_from_elsewhere_and_a_letter_that_is_no_reply_file_nothing(mail: Mail) -> None:
    about = mail.last(ADA)
    assert mail.write(BO, "build: 3\n", about).seat is None
    assert mail.write("eve@example.com", "build: 3\n", about).seat is None
    receipt = mail.post.answer(mail.write(ADA, "build: 3\n"))
    assert (receipt["outcome"], on_file(mail)) == ("status", None)
    assert "no reply to a letter of this game" in receipt["ignored"][0]


def test_other_keys_of_a_form_can_stand_in_lines(mail: Mail) -> None:
    receipt = send(mail, "vote: draw\nready: no\nbuild: 2")
    assert receipt["standing"]["ready"] is False
    assert mail.post.desk.seating("red").vote == "draw"


def test_a_card_may_be_named_without_its_nought(desk: Desk) -> None:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind="jump-gate", options={"start_player": "red"})
    (entry,) = send(Mail(post), "Scan with N6")["entries"]
    assert entry["words"] == "scan, discarding n06"


@pytest.mark.parametrize("between", [", then ", ", and then ", "; Then ", ", "])
def test_then_stands_between_orders_of_one_line(desk: Desk, between: str) -> None:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind="jump-gate", options={"start_player": "red"})
    receipt = send(Mail(post), f"scan with n35{between}fly to chandleria")
    words = [one["words"] for one in receipt["entries"]]
    assert words == ["scan, discarding n35", "fly to chandleria"]


def test_a_harvest_and_research_may_stand_in_one_line(desk: Desk) -> None:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind="jump-gate", options={"start_player": "red"})
    receipt = send(Mail(post), "harvest fame with n06, then do research")
    words = [one["words"] for one in receipt["entries"]]
    assert words == ["harvest fame, discarding n06", "research"]


def test_a_reason_that_asks_ends_with_one_sign(desk: Desk) -> None:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind="jump-gate", options={"start_player": "red"})
    said = send(Mail(post), "Jump to Higgenston with n99")["ignored"][0]
    assert said.endswith('did you mean "higginston"?')


@pytest.mark.parametrize(
    "text", ["Is it my turn?", "ask how do I get more?", "Hello!\n\nWhat is this?\nSue"]
)
def test_words_that_are_no_order_are_named_with_what_to_write(mail: Mail, text: str) -> None:
    (said,) = send(mail, text)["ignored"]
    asked = next(line for line in text.splitlines() if line.endswith("?"))
    assert said.startswith(f'"{asked}" was not understood as an order.')
    assert "remove the # to use a line" in said
    assert "`to blue: your words` writes to blue. `ask: help` gets the guide." in said


def test_an_order_line_without_colon_that_cannot_be_read_is_named(mail: Mail) -> None:
    receipt = send(mail, "build 2\ntech something else")
    assert on_file(mail) == {"build": 2}
    (said,) = receipt["ignored"]
    assert '"tech something else"' in said


@pytest.mark.parametrize("opens", ["to blue:", "To Blue:", "Message to blue:", "\u2022 to blue:"])
def test_a_message_may_stand_behind_its_reader(mail: Mail, opens: str) -> None:
    receipt = send(mail, f"{opens} Peace? I would like it.\nbiuld 2\nbuild: 3")
    (message,) = receipt["messages"]
    assert message == {"to": "blue", "text": "Peace? I would like it."}
    assert on_file(mail) == {"build": 3}


def test_a_wrapped_message_goes_on_and_an_order_ends_it(mail: Mail) -> None:
    long = "to blue: Hello neighbour, I have thought about your offer of the last turn"
    receipt = send(mail, f"{long}\nand I would like to take it.\nbuild: 3")
    (message,) = receipt["messages"]
    assert message["text"].endswith("of the last turn\nand I would like to take it.")
    assert on_file(mail) == {"build": 3}


def test_a_receipt_repeats_no_key_and_keeps_the_order_of_the_letter(mail: Mail) -> None:
    receipt = send(mail, "tech advance jump & attack\nbuild: 2")
    (first, _) = receipt["entries"]
    assert (first["key"], first["written"]) == ("tech advance", "jump & attack")


@pytest.mark.parametrize(
    ("body", "actions"),
    [
        ("{do: research}", [{"do": "research"}]),
        ("- {do: research}\n- {do: research}", [{"do": "research"}, {"do": "research"}]),
        ("1. {do: research, discard: []}", [{"do": "research", "discard": []}]),
        ("{color: red}", None),
    ],
)
def test_an_entry_in_braces_is_an_order_of_its_own(tmp_path: Path, body: str, actions: Any) -> None:
    """The guide and the form show actions so."""
    with ExitStack() as ends:
        world = World(tmp_path / "a.db", FolderLibrary(), ends)
        options = {"start_player": "red"}
        world.new("jump-gate", 3, ["red", "blue"], settings={"pace": "72h"}, options=options)
        ada = address("Ada")
        world.mail.write(ada, f"{body}\n\nThanks", world.mail.last(ada))
        sets = world.desk.see(lambda books: books.orders(GAME, 1))
    filed = [decode(one.orders) for one in sets if one.seat == "red"]
    assert filed == ([] if actions is None else [{"actions": actions}])


@pytest.mark.parametrize(
    "body",
    [
        "A1 to B2 with 2 fleets, A1-C3 x1",
        "move 2 fleets from A1 to B2, 1 fleet from A1 to C3",
        "send 2 from A1 to B2\nA1-C3 x1",
    ],
)
def test_jumps_in_words_are_read(body: str) -> None:
    written = parse_letter(f"Content-Type: text/plain\n\n{body}\n".encode()).lines
    kind = FolderLibrary().kind("jump-wars")
    found = kind.free_lines("jump", written, ("red", "blue"), ()).text
    assert kind.read("jump", found, ("red", "blue")).orders == {
        "jump": [
            {"from": "A1", "to": "B2", "fleets": 2},
            {"from": "A1", "to": "C3", "fleets": 1},
        ]
    }


def test_a_sabotage_in_the_words_of_its_report_is_read() -> None:
    body = "sabotage with trade: 1 fleet of blue at C4"
    written = parse_letter(f"Content-Type: text/plain\n\n{body}\n".encode()).lines
    kind = FolderLibrary().kind("jump-wars")
    found = kind.free_lines("plan", written, ("red", "blue"), ()).text
    assert kind.read("plan", found, ("red", "blue")).orders == {
        "sabotage": [{"discard": "trade", "player": "blue", "at": "C4"}]
    }


@pytest.mark.parametrize("jumps", ["home-B9 x1", "[home-B9 x1]", "\n- home-B9 x1"])
def test_home_is_a_space_in_jumps_and_a_word_in_messages(mail: Mail, jumps: str) -> None:
    mail.desk.close()
    receipt = send(mail, f"press: {{to: blue, text: from home to B9}}\n\njump: {jumps}")
    assert [one["text"] for one in receipt["messages"]] == ["from home to B9"]
    (entry,) = receipt["entries"]
    assert (entry["words"], entry["mark"]) == ("1 fleet from A10 to B9", "fine")


@pytest.mark.parametrize(
    "text", ["Make jump better. All is so far away.", "Is it far? Make jump better then."]
)
def test_a_sentence_that_is_guessed_stands_apart_from_others(mail: Mail, text: str) -> None:
    assert "Did you mean `tech: advance jump`? Reply *yes*." in send(mail, text)["ignored"][0]


def test_the_sign_of_a_name_ends_no_sentence() -> None:
    for said in ("then harvest gem-white! with n35.", "harvest fame! here and then research."):
        lines = [WrittenLine(text=f"fly to anno, {said} Thanks", number=1)]
        split = [one.text for one in split_sentences(lines, lambda line: "fly" in line.text)]
        assert split == [f"fly to anno, {said}", "Thanks"]


@pytest.mark.parametrize("no", ["No, sorry: {}", "No, {}", "Sorry, a correction: {}", "no - {}"])
def test_a_no_with_other_orders_answers_a_question(mail: Mail, no: str) -> None:
    send(mail, "biuld 2")
    receipt = send(mail, no.format("build 3"))
    assert (on_file(mail), receipt["ignored"]) == ({"build": 3}, [])
    assert receipt["standing"]["ready"] is True


@pytest.mark.parametrize("more", [". All other cards pay for it.", ", paying with all the rest."])
def test_all_other_cards_may_pay(desk: Desk, more: str) -> None:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind="jump-drive")
    drive = Mail(post)
    for name in (ADA, BO, "cleo@example.org"):
        drive.write(name, "pass\n", drive.last(name))
    drive.desk.close()
    (asked,) = send(drive, f"I place the survey team{more}")["ignored"]
    assert "pay: [" in asked


def test_an_answer_in_other_words_keeps_what_the_letter_before_it_gave(mail: Mail) -> None:
    send(mail, "advance jump\nbuild max\nstael blue")
    assert on_file(mail) == {"tech": {"advance": ["jump"]}, "build": "max"}
    send(mail, "steal blue")
    assert on_file(mail) == {"steal": "blue", "tech": {"advance": ["jump"]}, "build": "max"}
    send(mail, "build 1")
    assert on_file(mail) == {"build": 1}
