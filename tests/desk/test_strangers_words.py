"""Whatever a stranger writes, none of it is sent to an address that has not confirmed."""

from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import SMTP

import pytest

from tests.desk.conftest import Desk
from tests.desk.mailing import Mail, quoted, words
from tests.desk.post import HOUSE, Post, letter

VICTIM = "victim@bank.example"
BAIT = "evil-bait"
URL = f"https://{BAIT}.example/login"
JOIN = "join: spark\n"
TRIES = {
    "a name": f"{JOIN}name: {BAIT}",
    "a name that cannot be": f"{JOIN}name: <{URL}>",
    "a long name": f"{JOIN}name: {BAIT * 9}",
    "a reserved name": f"{JOIN}name: Your {BAIT} Name!",
    "luck": f'{JOIN}name: Eve\nluck: "Log in at {URL} now."',
    "a zone": f"{JOIN}name: Eve\nprefer: {{zone: {BAIT}/{BAIT}}}",
    "seats": f"{JOIN}name: Eve\nprefer: {{seats: [{BAIT}]}}",
    "a preference": f"{JOIN}name: Eve\nprefer: {{{BAIT}: {BAIT}}}",
    "no mapping of preferences": f"{JOIN}name: Eve\nprefer: {BAIT}",
    "an unknown line of a join": f"{JOIN}name: Eve\n{BAIT}: {BAIT}",
    "observing": f"{JOIN}name: {BAIT}\nobserve: {BAIT}",
    "observing under a name": f"{JOIN}name: {BAIT}\nobserve: yes",
    "leaving": f"{JOIN}name: {BAIT}\nresign: yes",
    "a wrong key of a join": f"{JOIN}name: {BAIT}\nkey: {BAIT}",
    "an unknown game of a join": f"join: {BAIT}\nname: {BAIT}",
    "an unknown game": f"game: {BAIT}\nkey: 2222-2222\nplay: owl",
    "a wrong key": f"game: tiny\nkey: {BAIT}\nplay: {BAIT}",
    "a step": f"game: tiny\nstep: {BAIT}\nkey: 2222-2222",
    "no key": f"game: tiny\nplay: {BAIT}",
    "a question": f"ask: [{BAIT}, rules {BAIT}, help]",
    "no yaml": f"game: tiny\nplay: [{BAIT}\n{BAIT}: {{",
    "a tag": f"game: tiny\nplay: !{BAIT} {BAIT}",
    "a key twice": f"game: tiny\n{BAIT}: 1\n{BAIT}: 2",
    "an anchor": f"game: tiny\nplay: &{BAIT} x",
    "a join that is no yaml": f"{JOIN}name: [{BAIT}\nluck: {{",
    "words": f"Hello {BAIT}, look at {URL}",
    "a request of the GM": f"game: tiny\ngm: [note {BAIT}]",
    "press": f"game: tiny\npress: [{{to: all, text: {BAIT}}}]",
    "signs that act": f"game: {BAIT}\x1b[31m\u202e\nkey: 2222-2222",
}


def letters_to_victim(mail: Mail) -> Sequence[str]:
    mail.deliver()
    return [one.as_string().lower().replace("=\n", "") for one in mail.inbox.get(VICTIM, [])]


@pytest.mark.parametrize("name", TRIES)
def test_no_word_of_a_stranger_is_sent_to_an_address_that_has_not_confirmed(
    desk: Desk, name: str
) -> None:
    post = Post(desk)
    post.new()
    mail = Mail(post)
    seats = {"red": None, "blue": None, "green": None}
    desk.new(game="spark", seats=seats, luck={}, start=False)
    for number, text in enumerate((TRIES[name], f"{TRIES[name]}\n{BAIT}: again")):
        written = EmailMessage(policy=SMTP)
        written["From"], written["To"] = f'"{BAIT}" <{VICTIM}>', HOUSE.address
        written["Subject"], written["Message-ID"] = f"{BAIT} {URL}", f"<{number}@bank.example>"
        written.set_content(text, cte="quoted-printable", charset="utf-8")
        mail.give(written.as_bytes())
    sent = letters_to_victim(mail)
    assert sent
    assert not [one for one in sent if BAIT in one]


def test_three_lines_of_a_strangers_letter_are_named_and_no_word_of_them(post: Post) -> None:
    came = post.take(letter(f"{JOIN}a: *b\nc: *d\ne: *f\ng: *h", sender=VICTIM))
    told = [line for line in post.answer(came)["lines"] if line.startswith("line ")]
    assert [line.split(":")[0] for line in told] == ["line 2", "line 3", "line 4"]


def test_who_confirms_has_joined_with_what_was_written(desk: Desk) -> None:
    """The letter that asks does not show it, and its form as it is takes it."""
    post = Post(desk)
    post.new()
    mail = Mail(post)
    desk.new(game="spark", seats={"red": None, "blue": None}, luck={}, start=False)
    choices = "name: Eve\nluck: owls at noon\nprefer: {seats: [blue]}"
    mail.write("eve@example.com", JOIN + choices)
    asked = mail.last("eve@example.com")
    assert "owls" not in words(asked)
    mail.write("eve@example.com", quoted(words(asked)), asked)
    game = desk.see(lambda books: books.game("spark"))
    assert game.luck == (("blue", "owls at noon"),)
