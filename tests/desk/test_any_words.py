"""Press in any words: whatever signs a message holds, its readers get it as it was written."""

from typing import Any

import pytest

from tests.desk.mailing import Mail, quoted, words
from tests.desk.post import Post

ADA = "ada@example.org"


@pytest.fixture
def mail(post: Post) -> Mail:
    return Mail(post)


def send(mail: Mail, text: str) -> Any:
    about = mail.last(ADA)
    return mail.post.answer(mail.write(ADA, f"{text}\n\n{quoted(words(about))}\n", about))


def block(mail: Mail, *lines: str) -> str:
    return "\n".join([mail.post.form(*lines), "# end of orders"])


def sent(receipt: Any) -> list[tuple[str, str]]:
    return [(one["to"], one["text"]) for one in receipt["messages"]]


TEXTS = (
    "Hi Bo, my offer: you get J6 & I'm #1!",
    'she said: "no", {really}; [sic] - ok?',
    "a, b: c # d",
    "50 % off: 'tis true, 5 o'clock",
    "\u201ccurly\u201d words, it\u2019s fine: yes",
    "smile :-) and :-} bye",
    "key: value, to the moon: yes",
    "peace\u2014or war\u2009? 1914\u20131918, A1\u2013B2 \u2212 yes \u2014 \u201cno\u201d",
    "\uff21 to \uff3a, \u00absic\u00bb, 5\u2032 and 6\u2033 \u2192 \U0001f91d\U0001f3fd",
    "newer than Python: \U0001faea",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "form",
    [
        "press: [{{to: blue, text: {}}}]",
        "press: {{blue: {}}}",
        "press:\n- to: blue\n  text: {}",
        "press:\n  blue: {}",
        "to blue:\n{}\nend press",
    ],
)
def test_a_message_is_delivered_as_it_was_written(mail: Mail, form: str, text: str) -> None:
    receipt = send(mail, block(mail, form.format(text)))
    assert sent(receipt) == [("blue", text)]
    (letter,) = mail.post.desk.letters("press", "blue")
    assert text in str(letter.document.decode()).replace('\\"', '"')


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("form", ["to blue: {}", "to blue:\n{}", "press: {{blue: {}}}"])
def test_a_message_without_a_form_is_delivered_as_it_was_written(
    mail: Mail, form: str, text: str
) -> None:
    assert sent(send(mail, form.format(text))) == [("blue", text)]


def test_what_acts_or_hides_is_taken_out_of_a_message(mail: Mail) -> None:
    text = "a\u202eb\u200bc\u2066d\x07e\ufdd0f \u2014 g"
    assert sent(send(mail, f"to blue: {text}")) == [("blue", "abcdef \u2014 g")]


def test_orders_beside_a_message_are_mended_all_the_same(mail: Mail) -> None:
    hand = mail.post.desk.state()["hands"]["red"][0]
    receipt = send(mail, f"play\uff1a\u00a0{hand}\nto blue: yes\u2014no")
    assert mail.post.on_file() == [{"play": hand}]
    assert sent(receipt) == [("blue", "yes\u2014no")]


def test_sections_after_the_orders_go_to_whom_they_name(mail: Mail) -> None:
    text = (
        "press: {blue: one, green: two}\n\nto all:\nHello\n\nall: of you\nto blue and green:\n"
        "Only you two.\nend press\nThanks!\n-- \nAda"
    )
    receipt = send(mail, text)
    assert sorted(sent(receipt)) == [
        ("all", "Hello\n\nall: of you"),
        ("blue", "one"),
        ("blue, green", "Only you two."),
        ("green", "two"),
    ]


def test_a_section_ends_at_the_signature_and_the_quotation(mail: Mail) -> None:
    receipt = send(mail, "To Blue:\nShall we?\n\n-- \nAda Lovelace\nplay: fox")
    assert sent(receipt) == [("blue", "Shall we?")]
    assert mail.post.on_file() == []


def test_a_line_that_only_looks_like_a_section_is_prose(mail: Mail) -> None:
    receipt = send(mail, "To summarize:\nI like it.")
    assert receipt["messages"] == []
    assert "summarize" not in str(receipt["ignored"])


def test_press_goes_out_although_the_orders_are_refused_or_unreadable(mail: Mail) -> None:
    said = "Your messages went out, although your orders were not put on file."
    refused = send(mail, block(mail, "play: nonsense", "press: {blue: Hi, still: here}"))
    assert (refused["outcome"], sent(refused)) == ("refused", [("blue", "Hi, still: here")])
    assert said in refused["wishes"]
    broken = send(mail, block(mail, "play: [fox", "press: [{to: blue, text: Hi again: you}]"))
    assert (broken["outcome"], sent(broken)) == ("unreadable", [("blue", "Hi again: you")])
    assert said in broken["wishes"]


def test_the_same_words_go_out_once_in_a_step(mail: Mail) -> None:
    for form in ("press: {blue: Hi}", "to blue:\nHi"):
        send(mail, form)
    assert len(mail.post.desk.letters("press", "blue")) == 1


def test_the_receipt_prints_messages_so_that_they_are_no_orders(mail: Mail) -> None:
    send(mail, "to blue:\ngame on\nplay: fox")
    text = words(mail.last(ADA))
    assert "YOUR MESSAGE\n  red to blue\n  : game on\n  : play: fox\n" in text
    assert mail.post.on_file() == []
