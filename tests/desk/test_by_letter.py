"""A game by real letters: what goes out as bytes comes back as replies, read by the reader."""

import re

import msgspec
import pytest

from adjudicator.core.document import encode
from adjudicator.desk.acts.rollback import roll_back
from tests.desk.conftest import GAME
from tests.desk.mailing import Mail, form, ordering, quoted, words
from tests.desk.post import Post

_KEY = re.compile(r"\b[2-9a-hjkmnp-z]{4}-[2-9a-hjkmnp-z]{4}\b")


@pytest.fixture
def mail(post: Post) -> Mail:
    return Mail(post)


def test_a_report_is_replied_to_with_orders_above_the_quotation(mail: Mail) -> None:
    report = mail.last("ada@example.org")
    text = words(report)
    came = mail.write(
        "ada@example.org",
        "Here they are.\n\n" + ordering(form(text), "play: owl") + "\n\nAda\n\n" + quoted(text),
        report,
    )
    assert (came.reason, came.seat) == ("taken", "red")
    receipt = mail.last("ada@example.org")
    assert receipt["In-Reply-To"] == "<1.ada@example.org>"
    assert "YOU ARE IN" in words(receipt)
    assert "IGNORED" not in words(receipt), "the quoted form is no other set of orders"
    assert "play: owl" in form(words(receipt))


def test_orders_written_into_the_quoted_form_count(mail: Mail) -> None:
    report = mail.last("ada@example.org")
    text = words(report).replace("# end of orders", "play: owl\n# end of orders")
    assert mail.write("ada@example.org", quoted(text), report).reason == "taken"


def test_a_reply_that_says_only_thanks_changes_nothing(mail: Mail) -> None:
    report = mail.last("ada@example.org")
    mail.write("ada@example.org", ordering(form(words(report)), "play: owl"), report)
    first = mail.last("ada@example.org")
    mail.write("ada@example.org", ordering(form(words(first)), "play: fox"), first)
    came = mail.write("ada@example.org", "Thanks!\n\n" + quoted(words(first)), first)
    assert came.reason == "status"
    assert mail.post.on_file()[-1] == {"play": "fox"}


def test_of_two_replies_to_one_report_the_later_counts(mail: Mail) -> None:
    report = mail.last("ada@example.org")
    for card in ("owl", "fox"):
        mail.write("ada@example.org", ordering(form(words(report)), f"play: {card}"), report)
    assert mail.post.on_file()[-1] == {"play": "fox"}


def test_every_letter_of_a_game_hangs_in_one_thread_a_player(mail: Mail) -> None:
    for player in ("ada", "bo"):
        report = mail.last(f"{player}@example.org")
        mail.write(f"{player}@example.org", ordering(form(words(report)), "ask: [status]"), report)
    mail.desk.later(hours=1)
    mail.desk.close()
    mail.deliver()
    threads = {}
    for player in ("ada@example.org", "bo@example.org"):
        roots = {str(one["References"]).split()[0] for one in mail.inbox[player]}
        assert len(roots) == 1
        threads[player] = roots
    assert threads["ada@example.org"] != threads["bo@example.org"]


def test_no_letter_says_a_key_of_another_seat_and_none_stands_in_the_books(mail: Mail) -> None:
    for player in ("ada", "bo", "cleo"):
        report = mail.last(f"{player}@example.org")
        mail.write(f"{player}@example.org", ordering(form(words(report)), "play: owl"), report)
    mail.write("bo@example.org", "ask: [resend]")
    mail.desk.close()
    mail.deliver()
    steps = [one.name for one in mail.desk.see(lambda books: books.steps(GAME))]
    keys = {
        player: {mail.post.key(seat, step) for step in steps}
        for player, seat in (("ada", "red"), ("bo", "blue"), ("cleo", "green"))
    }
    for player, own in keys.items():
        for one in mail.inbox[f"{player}@example.org"]:
            told = set(_KEY.findall(words(one)))
            assert not told & set().union(*(k for p, k in keys.items() if p != player))
            assert told <= own
    whole = b"".join(encode(msgspec.to_builtins(one)) for one in mail.post.outbox())
    documents = b"".join(one.document for one in mail.post.outbox())
    assert whole
    assert not any(key.encode() in documents for own in keys.values() for key in own)


def test_a_report_as_data_holds_no_key(mail: Mail) -> None:
    with mail.desk.store.writing() as books:
        ada = books.player("Ada")
        assert ada is not None
        books.save(msgspec.structs.replace(ada, preferences={"json": True}))
    report = mail.last("ada@example.org")
    (part,) = report.iter_attachments()
    assert part.get_filename() == "report-1.json"
    document = msgspec.json.decode(part.get_content())
    assert document["report"] == "report/1"
    assert document["form"]["envelope"]["key"] is None
    assert not list(mail.last("bo@example.org").iter_attachments())


def test_somebody_joins_by_letter_and_plays(mail: Mail) -> None:
    desk = mail.desk
    open_game = {
        "game": "spark",
        "seats": {"red": None, "blue": None},
        "luck": {},
        "start": False,
    }
    desk.new(**open_game)
    for person in ("dan", "eve"):
        address = f"{person}@example.com"
        mail.write(address, f"join: spark\nname: {person.title()}\nluck: high five")
        asked = mail.last(address)
        assert len(_KEY.findall(words(asked))) == 1
        mail.write(address, quoted(words(asked)), asked)
    assert desk.see(lambda books: books.game("spark")).status == "running"
    report = mail.last("dan@example.com")
    came = mail.write("dan@example.com", ordering(form(words(report)), "play: owl"), report)
    assert (came.game, came.reason) == ("spark", "taken")


def test_orders_offered_after_a_rollback_count_once_their_writer_says_so(mail: Mail) -> None:
    report = mail.last("ada@example.org")
    mail.write("ada@example.org", ordering(form(words(report)), "play: owl"), report)
    mail.desk.close()
    mail.desk.act(roll_back, "1-pick", same_dice=False)
    notice = mail.last("ada@example.org")
    block = form(words(notice))
    assert "play: owl" in block
    came = mail.write("ada@example.org", "\n".join(block), notice)
    assert (came.reason, mail.post.on_file()) == ("status", [])
    assert "ready: yes" in words(mail.last("ada@example.org"))
    whole = [block[0], "ready: yes", *block[1:]]
    assert mail.write("ada@example.org", "\n".join(whole), notice).reason == "taken"
    assert mail.post.on_file() == [{"play": "owl"}]
