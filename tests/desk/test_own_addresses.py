"""The server's own addresses: aliases, tags (games+ember@…), and letters that come back to it."""

from email.message import EmailMessage

import pytest
from msgspec.structs import replace

from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.desk.conftest import GAME, Desk
from tests.desk.inviting import OPEN
from tests.desk.mailing import Mail
from tests.desk.post import HOUSE, Post, hand, letter

OWN = replace(HOUSE, aliases=("orders@example.org", "club@contoso.example"))


@pytest.mark.parametrize(
    "sender",
    [
        "games@example.org",
        "games+tiny@example.org",
        "orders@example.org",
        "club+x+y@contoso.example",
    ],
)
def test_a_letter_from_an_own_address_is_never_answered(post: Post, sender: str) -> None:
    came = post.take(letter(post.form("ask: status"), sender=sender), house=OWN)
    assert (came.outcome, came.reason) == ("silence", "it came from this server itself")


def test_an_address_that_only_looks_like_an_own_one_is_somebody_elses(post: Post) -> None:
    for sender in ("games@example.net", "game+s@example.org", "x+games@example.org"):
        assert post.take(letter(sender=sender), house=OWN).outcome == "answer"


def test_a_letter_of_ours_that_is_sent_back_under_another_name_is_not_answered(
    post: Post,
) -> None:
    """A forwarding rule sends it back; the provider gives it another sender and drops marks."""
    mail = Mail(post)
    about = mail.last("ada@example.org")
    for name in ("Auto-Submitted", "X-Auto-Response-Suppress", "From"):
        del about[name]
    about["From"] = "ada@example.org"
    came = mail.give(about.as_bytes())
    assert (came.outcome, came.reason) == ("silence", "it came from this server itself")


def test_nothing_is_sent_to_an_own_address(post: Post) -> None:
    post.address("Ada", "games+ada@example.org", "ada@example.org")
    mail = Mail(post)
    mail.deliver()
    assert "games+ada@example.org" not in mail.inbox
    assert "ada@example.org" in mail.inbox


def test_a_tag_names_the_game_that_a_player_means(post: Post) -> None:
    post.desk.new(game="spark", seats={"red": "Ada", "blue": "Bo"}, luck={})
    for tag, number in (("", 2), (f"+{GAME}", 1), ("+spark", 1), ("+nothing", 2)):
        before = len(post.outbox()) + len(post.outbox("spark"))
        post.take(letter(recipients=(f"games{tag}@example.org",)))
        assert len(post.outbox()) + len(post.outbox("spark")) - before == number, tag


@pytest.mark.parametrize("words", ["join", "Count me in!"])
def test_who_writes_to_the_address_of_a_game_joins_that_game(desk: Desk, words: str) -> None:
    post = Post(desk)
    desk.new(**OPEN)
    mail = Mail(post)
    for address, joins in ((f"games+{GAME}@example.org", True), ("games@example.org", False)):
        message = EmailMessage()
        message["From"], message["To"] = f"eve@{len(address)}.example", address
        message["Subject"], message["Message-ID"] = "Hello", f"<{address}>"
        message.set_content(words)
        post.take(parse_letter(message.as_bytes()))
        mail.deliver()
        answer = mail.last(f"eve@{len(address)}.example")
        assert (f"[{GAME}]" in answer["Subject"]) == joins


def test_a_letter_that_lies_in_two_postboxes_counts_once(post: Post) -> None:
    """Gmail shows one letter under several labels; an alias delivers it twice."""
    mail = Mail(post)
    about = mail.last("ada@example.org")
    text = (
        "From: ada@example.org\r\nTo: games@example.org\r\nMessage-ID: <1@example.net>\r\n"
        f"Subject: Re: {about['Subject']}\r\nIn-Reply-To: {about['Message-ID']}\r\n\r\n"
        f"play: {hand(post)[0]}\r\n"
    )
    first = mail.give(text.encode())
    second = f"Delivered-To: games+{GAME}@example.org\r\nX-Gmail-Labels: Games\r\n{text}"
    assert [first.outcome, mail.give(second.encode()).outcome] == ["receipt", "repeat"]
    assert len(post.on_file()) == 1
