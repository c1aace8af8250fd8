"""Who is invited or only looks on can unsubscribe with one click; players' letters hold no such."""

from email.message import EmailMessage
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from msgspec.structs import replace

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.desk.acts.announce import announce_game, withdraw_game
from adjudicator.desk.model.people import House
from adjudicator.desk.model.values import Arrival
from tests.desk.conftest import GAME, Desk
from tests.desk.inviting import OPEN
from tests.desk.mailing import Mail
from tests.desk.post import HOUSE, Post, letter
from tests.desk.wishing import apply

EVE, DAN = "eve@example.net", "dan@example.net"
URL = "https://games.example.org/unsubscribe?"
CLICKED = replace(HOUSE, unsubscribe_url=URL)


def ways(mail: Mail, address: str) -> list[str]:
    """Where the latest letter that says so says that its reader unsubscribes."""
    mail.deliver()
    told = [one["List-Unsubscribe"] for one in mail.inbox[address]]
    return [one.strip(" <>") for one in str([*filter(None, told)][-1]).split(",")]


def follow(post: Post, way: str, sender: str = EVE, **headers: str) -> Arrival:
    """What a mail program sends when the address is followed, its own marks included."""
    parts = urlsplit(way)
    subject = parse_qs(parts.query)["subject"][0]
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, unquote(parts.path), subject
    message["Message-ID"] = f"<{len(post.arrivals())}@example.net>"
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content("This message was generated automatically.")
    return post.take(parse_letter(message.as_bytes()))


def observe(post: Post, address: str) -> None:
    for confirmed in (False, True):
        apply(post.desk, address, observe=True, name="Eve", confirmed=confirmed)


@pytest.mark.parametrize("marks", [{}, {"Auto_Submitted": "auto-generated"}])
def test_an_observer_leaves_by_the_letter_that_the_mail_program_writes(
    post: Post, marks: dict[str, str]
) -> None:
    mail = Mail(post)
    observe(post, EVE)
    observe(post, DAN)
    (way,) = ways(mail, EVE)
    assert way.startswith("mailto:games@example.org?subject=unsubscribe%20")
    before = len(post.outbox(""))
    came = follow(post, way, **marks)
    assert (came.outcome, came.game) == ("silence", GAME)
    assert came.reason == f"You no longer observe {GAME}."
    assert len(post.outbox("")) == before
    post.desk.close()
    mail.deliver()
    assert [
        len([one for one in mail.inbox[who] if one["List-Unsubscribe"]]) for who in (EVE, DAN)
    ] == [1, 2]
    assert follow(post, way).reason == f"You do not observe {GAME}."


def test_who_unsubscribes_from_an_announcement_gets_no_other(desk: Desk) -> None:
    post = Post(desk)
    desk.new(**OPEN)
    mail = Mail(post)
    desk.act(announce_game, [EVE, DAN])
    mail.deliver()
    (way,) = ways(mail, EVE)
    assert follow(post, way).reason == f"{EVE} gets no more announcements"
    done = desk.act(announce_game, [EVE, DAN])
    assert done.sentence == "The announcement goes to 1 address."
    assert done.details == (f"Not to {EVE}: they have unsubscribed.",)
    mail.deliver()
    desk.act(withdraw_game)
    mail.deliver()
    assert (len(mail.inbox[EVE]), len(mail.inbox[DAN])) == (1, 3)


def test_one_click_needs_an_address_on_the_web(desk: Desk) -> None:
    post = Post(desk)
    desk.new(**OPEN)
    mail = Mail(post)
    desk.act(announce_game, [EVE])
    mail.deliver(CLICKED)
    page, by_mail = ways(mail, EVE)
    assert mail.inbox[EVE][-1]["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert page.startswith(URL)
    assert by_mail.startswith("mailto:")
    # what a form of three lines makes of it
    came = post.take(letter(subject=f"unsubscribe {page.removeprefix(URL)}", sender=None))
    assert came.reason == f"{EVE} gets no more announcements"


@pytest.mark.parametrize("house", [HOUSE, CLICKED])
def test_letters_to_players_and_answers_hold_no_such_address(post: Post, house: House) -> None:
    mail = Mail(post)
    apply(post.desk, EVE, name="Eve")
    post.write("ask: status")
    mail.deliver(house)
    for address in ("ada@example.org", "bo@example.org", EVE):
        for one in mail.inbox[address]:
            assert one["List-Unsubscribe"] is None
            assert one["Feedback-ID"] is None


def test_nobody_else_can_unsubscribe_somebody(post: Post) -> None:
    mail = Mail(post)
    observe(post, EVE)
    (way,) = ways(mail, EVE)
    last = "b" if way[-1] == "a" else "a"
    forged = (
        way[:-1] + last,
        way.replace(".public.", ".nobody."),
        "mailto:x@y?subject=unsubscribe%20me",
    )
    for one in forged:
        assert "observe" not in follow(post, one, sender=DAN).reason
    # a player's own letter is none to unsubscribe from
    name = str(mail.last("ada@example.org")["Message-ID"]).strip("<>")
    assert (
        post.take(letter(subject=f"unsubscribe {name}", sender="fay@x.example")).outcome == "answer"
    )
    with post.desk.store.reading() as books:
        assert [one.until for one in books.observers(GAME)] == [None]
