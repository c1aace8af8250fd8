"""Tokens prove who replies to a letter of ours, and which letter came back."""

import re
from datetime import timedelta
from email.message import EmailMessage

import pytest
from msgspec.structs import replace

from adjudicator.core.document import decode
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.values import Arrival
from adjudicator.desk.outbox.tokens import find_letters, make_token
from adjudicator.desk.steps.handover import replace_player
from tests.desk.conftest import GAME
from tests.desk.mailing import Mail, words
from tests.desk.post import SECRET, Post, block, hand, letter

ADA, BO, GM_AT = "ada@example.org", "bo@example.org", "gm@example.org"
SIGNED = re.compile(r"<.+\.[a-z2-7]{24}@.+>")


@pytest.fixture
def mail(post: Post) -> Mail:
    return Mail(post)


def name_of(message: EmailMessage) -> str:
    return str(message["Message-ID"]).strip()


def reply(
    post: Post, about: EmailMessage | str, *texts: str, sender: str = ADA, origin: str = "text"
) -> Arrival:
    """A letter that names the one which it answers, with blocks as they stand in it."""
    name = about if isinstance(about, str) else name_of(about)
    found = [block(text, origin) for text in texts]
    return post.take(letter(sender=sender, blocks=found, references=(name,)))


def test_a_reply_from_an_own_address_needs_no_key(post: Post, mail: Mail) -> None:
    card = hand(post)[0]
    came = reply(post, mail.last(ADA), f"play: {card}")
    assert (came.reason, came.seat, post.on_file()) == ("taken", "red", [{"play": card}])
    asked = reply(post, mail.last(ADA), "ask: status")
    assert (asked.outcome, asked.seat) == ("answer", "red")


def test_a_reply_to_a_letter_that_its_provider_renamed_needs_no_key(post: Post, mail: Mail) -> None:
    card, about = hand(post)[0], mail.last(ADA)
    # what every mail program does (RFC 5322, 3.6.4)
    chain = (*str(about["References"]).split(), "<0102-000000@email.amazonses.com>")
    forged = post.take(letter(f"play: {card}", sender=BO, references=chain))
    assert (forged.seat, post.on_file()) == (None, [])
    came = post.take(letter(f"play: {card}", sender=ADA, references=chain))
    assert (came.reason, came.seat, post.on_file()) == ("taken", "red", [{"play": card}])


def test_a_letter_that_is_named_twice_takes_one_place_among_those_looked_up(
    post: Post, mail: Mail
) -> None:
    about = mail.last(ADA)
    chain = [*str(about["References"]).split(), name_of(about)]
    others = [f"<{GAME}.1-pick.red.report.{n}.{'a' * 24}@x>" for n in range(9)]
    with post.desk.store.reading() as books:
        (found,) = find_letters(books, SECRET, [*chain, *others, *others])
    assert found.seat == "red"


def test_a_reply_from_elsewhere_needs_the_key(post: Post, mail: Mail) -> None:
    card = hand(post)[0]
    for sender in ("eve@example.com", BO, GM_AT):
        came = reply(post, mail.last(ADA), f"game: {GAME}\nplay: {card}", sender=sender)
        assert (came.seat, post.on_file("red"), post.on_file("blue")) == (None, [], [])
    assert reply(post, mail.last(ADA), post.form(f"play: {card}"), sender=BO).reason == "taken"


def test_an_unconfirmed_address_is_none_of_the_seats(post: Post, mail: Mail) -> None:
    about = mail.last(ADA)
    with post.desk.store.writing() as books:
        (own,) = books.addresses("Ada")
        books.save(replace(own, confirmed=False))
    assert reply(post, about, f"play: {hand(post)[0]}").seat is None
    assert post.on_file() == []


def test_nobody_can_name_a_letter_that_they_have_not_had(post: Post, mail: Mail) -> None:
    real = name_of(mail.last(ADA))
    kept = [one.message_id for one in post.outbox()]
    assert real not in kept
    last = "b" if real.partition("@")[0][-1] == "a" else "a"
    changed = re.sub(r".@", f"{last}@", real)
    others = [re.sub(r"\.(\d+)\.([a-z2-7]{24})@", rf".{n}.\2@", real) for n in (2, 3)]
    blue = real.replace(".red.", ".blue.")
    for forged in (*kept, changed, *others, blue, real.upper(), "<>", "<a@b>"):
        came = reply(post, forged, f"play: {hand(post)[0]}")
        assert (came.seat, post.on_file()) == (None, []), forged
    assert reply(post, real, f"play: {hand(post)[0]}").seat == "red"


def test_only_the_latest_of_many_references_are_looked_up(post: Post, mail: Mail) -> None:
    real = name_of(mail.last(ADA))
    padding = [f"<{GAME}.1-pick.red.report.{n}.{'a' * 24}@x>" for n in range(50)]
    with post.desk.store.reading() as books:
        assert find_letters(books, SECRET, [real, *padding]) == ()
        (found,) = find_letters(books, SECRET, [*padding, real, "<nothing@x>"])
    assert found.seat == "red"


def test_a_token_ends_with_the_seating(post: Post, mail: Mail) -> None:
    about = mail.last(ADA)
    post.desk.act(replace_player, "red", "Dan <dan@example.org>")
    for sender in (ADA, "dan@example.org"):
        came = reply(post, about, "press: [{to: blue, text: Hi}]", sender=sender)
        assert came.seat is None
    mail.deliver()
    own = next(one for one in mail.inbox["dan@example.org"] if ".red." in name_of(one))
    assert reply(post, own, "ask: status", sender="dan@example.org").seat == "red"


def test_a_token_of_another_epoch_is_none(post: Post, mail: Mail) -> None:
    mail.deliver()
    (own,) = post.desk.letters("report", "red")
    assert make_token(SECRET, 1, own) != make_token(SECRET, 2, own)
    about = mail.last(ADA)
    with post.desk.store.writing() as books:
        books.save(replace(books.game(GAME), epoch=2))
    assert reply(post, about, "ask: status").seat is None


def test_what_is_only_quoted_is_no_request(post: Post, mail: Mail) -> None:
    """Others may have written it: press is printed in letters."""
    card = hand(post)[0]
    came = reply(
        post, mail.last(ADA), f"play: {card}", f"game: {GAME}\nvote: draw", origin="quoted"
    )
    assert (came.seat, post.on_file()) == ("red", [])
    assert post.desk.seating("red").vote == "none"


@pytest.mark.parametrize(
    "text", [f"game: {GAME}\nkey: 2222-2222\nplay: {{card}}", "game: other\nplay: {card}"]
)
def test_a_wrong_key_or_another_game_is_not_mended(post: Post, mail: Mail, text: str) -> None:
    assert reply(post, mail.last(ADA), text.format(card=hand(post)[0])).seat is None
    assert post.on_file() == []


def test_the_key_wins_where_both_are_there(post: Post, mail: Mail) -> None:
    own = post.form(f"play: {hand(post, 'blue')[0]}", seat="blue")
    assert reply(post, mail.last(ADA), own).seat == "blue"
    assert (len(post.on_file("blue")), post.on_file("red")) == (1, [])


def test_a_reply_counts_for_the_step_of_the_letter(post: Post, mail: Mail) -> None:
    about = mail.last(ADA)
    post.desk.play()
    post.desk.close()
    late = reply(post, about, f"play: {hand(post)[0]}", "press: [{to: blue, text: Hi}]")
    assert (late.reason, post.on_file()) == ("refused", [])
    assert reply(post, about, "press: [{to: blue, text: Hi}]").outcome == "receipt"
    assert len(post.desk.letters("press", "blue")) == 1
    assert reply(post, mail.last(ADA), f"play: {hand(post)[0]}").reason == "taken"


def test_a_reply_without_anything_gets_the_status_and_the_form(post: Post, mail: Mail) -> None:
    came = reply(post, mail.last(ADA))
    receipt = post.answer(came)
    assert (came.seat, receipt["outcome"]) == ("red", "status")
    assert "Your letter contained nothing to do" in str(receipt)
    assert receipt["form"] is not None


def test_mailing_lists_and_programs_have_no_tokens(post: Post, mail: Mail) -> None:
    name = name_of(mail.last(ADA))
    for given in ({"bulk": True}, {"automatic": "it is marked Auto-Submitted"}):
        came = post.take(letter(f"play: {hand(post)[0]}", references=(name,), **given))
        assert (came.outcome, post.on_file()) == ("silence", [])


def test_the_gm_needs_no_key_in_a_reply(post: Post, mail: Mail) -> None:
    post.take(letter("ask: resend", sender=GM_AT))
    about = mail.last(GM_AT)
    for sender in ("eve@example.com", ADA):
        assert reply(post, about, "gm: pause", sender=sender).seat is None
    assert reply(post, mail.last(ADA), "gm: pause", sender=GM_AT).seat is None
    assert post.desk.game().status == "running"
    assert reply(post, about, "gm: pause", sender=GM_AT).seat == GM
    assert post.desk.game().status == "paused"


def test_every_letter_that_goes_out_has_a_token(post: Post, mail: Mail) -> None:
    post.take(letter("ask: resend", sender=GM_AT))
    post.take(letter("hello", sender="x@example.com"))
    post.write("press: [{to: all, text: Hi}]")
    post.desk.close()
    mail.deliver()
    names = [name_of(one) for letters in mail.inbox.values() for one in letters]
    assert len(names) > 6
    assert all(SIGNED.fullmatch(name) for name in names)
    tokens = {name.partition("@")[0].rpartition(".")[2] for name in names}
    assert len(tokens) == len(set(names))


# delivery reports


def came_back(post: Post, about: EmailMessage | str, address: str = ADA) -> Arrival:
    name = about if isinstance(about, str) else name_of(about)
    report = letter(sender="mailer-daemon@example.org", bounced=(address,), returned=(name,))
    return post.take(report)


def mails(post: Post, mail: Mail, number: int, to: str = ADA) -> list[EmailMessage]:
    """So many letters to a player."""
    before = len(post.desk.see(lambda books: books.press(GAME)))
    for said in range(before, before + number):
        post.write(f"press: [{{to: all, text: Hi {said}}}]", seat="green")
    mail.deliver()
    return mail.inbox[to][-number:]


def is_marked(post: Post, player: str = "Ada") -> bool:
    (own,) = post.desk.see(lambda books: books.addresses(player))
    return own.is_marked(post.desk.at)


def to_gm(post: Post) -> list[str]:
    return [decode(one.document)["headline"] for one in post.outbox("") if one.seat == GM]


def test_three_different_letters_that_came_back_mark_an_address(post: Post, mail: Mail) -> None:
    one, two, three, four = mails(post, mail, 4)
    for about in (one, one, one, two, two):
        came_back(post, about)
        assert not is_marked(post)
    assert to_gm(post) == []
    assert "marked: ada@example.org" in came_back(post, three).reason
    assert is_marked(post)
    came_back(post, four)
    assert to_gm(post) == ["Letters to ada@example.org come back"]


def test_a_report_without_a_token_changes_nothing(post: Post, mail: Mail) -> None:
    """The GM hears of it once a day."""
    real = [name_of(one) for one in mails(post, mail, 3)]
    for forged in (*[one.message_id for one in post.outbox()], "<a@b>", real[0].upper()):
        came_back(post, forged)
    assert not is_marked(post)
    assert post.desk.see(lambda books: books.returned(ADA)) == []
    assert to_gm(post) == ["A delivery report without proof"]
    post.desk.later(days=1)
    came_back(post, "<a@b>")
    assert len(to_gm(post)) == 2


def test_a_report_counts_for_the_recipients_of_its_letter_only(post: Post, mail: Mail) -> None:
    """Bo has tokens of letters that went to Bo, and no others."""
    for about in mails(post, mail, 4, to=BO):
        came_back(post, about, ADA)
    assert not is_marked(post)
    for about in mails(post, mail, 3, to=BO):
        came_back(post, about, BO.upper())
    assert (is_marked(post), is_marked(post, "Bo")) == (False, True)


def test_a_marked_address_is_tried_again_after_a_week(post: Post, mail: Mail) -> None:
    post.address("Ada", ADA, "ada@example.net")
    for about in mails(post, mail, 3):
        came_back(post, about)
    before = len(mail.inbox[ADA])
    mails(post, mail, 2)
    assert len(mail.inbox[ADA]) == before
    post.desk.at += timedelta(days=7)
    (again,) = mails(post, mail, 1)
    assert len(mail.inbox[ADA]) == before + 1
    came_back(post, again)
    mails(post, mail, 1)
    assert len(mail.inbox[ADA]) == before + 1


def test_a_marked_address_is_used_again_when_its_owner_writes(post: Post, mail: Mail) -> None:
    for about in mails(post, mail, 3):
        came_back(post, about)
    post.write()
    assert not is_marked(post)
    assert post.desk.see(lambda books: books.returned(ADA)) == []
    came_back(post, mails(post, mail, 1)[0])
    assert not is_marked(post)


def test_observers_are_dropped_by_three_letters_that_came_back_and_no_sooner(
    post: Post, mail: Mail
) -> None:
    eve = "eve@example.com"
    post.take(letter(f"join: {GAME}\nobserve: yes", sender=eve))
    asked = mail.last(eve)
    post.take(letter(words(asked).partition("join:")[1] + _block(words(asked)), sender=eve))
    for _ in range(5):
        came_back(post, f"<{GAME}.1-pick.public.press.1@example.org>", eve)
    one, two, three = mails(post, mail, 3, to=eve)
    for about in (one, one, one, two):
        came_back(post, about, eve)
    (observer,) = post.desk.see(lambda books: books.observers(GAME))
    assert observer.until is None
    came_back(post, three, eve)
    (observer,) = post.desk.see(lambda books: books.observers(GAME))
    assert observer.until == post.desk.at


def _block(text: str) -> str:
    return text.rpartition("join:")[2].partition("# end of orders")[0]
