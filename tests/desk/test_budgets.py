"""Nobody can use the server against others: what strangers, seats and joiners use up in a day."""

from functools import partial

import pytest
from msgspec.structs import replace

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.core.document import decode
from adjudicator.desk.model.people import GM, House
from tests.desk.conftest import GAME, Desk
from tests.desk.inviting import OPEN
from tests.desk.mailing import Mail
from tests.desk.post import HOUSE, Post, letter

SMALL = replace(HOUSE, strangers_domain=3, strangers_all=5, seat_letters=4)


def outcomes(post: Post, senders: list[str], house: House = SMALL, text: str = "") -> list[str]:
    blocks = [text] if text else []
    return [post.take(letter(*blocks, sender=one), house=house).outcome for one in senders]


def headlines(post: Post, seat: str = GM) -> list[str]:
    return [decode(one.document)["headline"] for one in post.outbox("") if one.seat == seat]


def test_strangers_together_are_answered_so_often_a_day(post: Post) -> None:
    forged = [f"x@{number}.example" for number in range(9)]
    assert outcomes(post, forged) == ["answer"] * 5 + ["silence"] * 4
    assert headlines(post) == ["Letters from strangers are no longer answered today"]
    assert outcomes(post, ["ada@example.org"]) == ["receipt"]
    assert post.take(letter(post.form("ask: status")), house=SMALL).outcome == "answer"
    post.desk.later(days=1)
    assert outcomes(post, ["new@example.net"]) == ["answer"]


def test_strangers_of_one_domain_are_answered_so_often_a_day(post: Post) -> None:
    forged = [f"{number}@one.example" for number in range(5)]
    assert outcomes(post, forged) == ["answer"] * 3 + ["silence"] * 2
    assert outcomes(post, ["x@two.example"]) == ["answer"]
    assert headlines(post) == []


def test_joining_counts_until_it_is_confirmed_and_then_for_its_address(desk: Desk) -> None:
    post = Post(desk)
    desk.new(**OPEN)
    forged = [f"x@{number}.example" for number in range(7)]
    text = f"join: {GAME}\nname: Eve"
    assert outcomes(post, forged, text=text) == ["answer"] * 5 + ["silence"] * 2
    asked = next(one for one in post.outbox() if one.to == ("x@0.example",))
    key = post.filled(asked)["form"]["envelope"]["key"]
    own = f"{text}\nkey: {key}"
    assert outcomes(post, ["x@0.example"] * 22, text=own) == ["answer"] * 20 + ["silence"] * 2
    assert outcomes(post, ["else@where.example"], text=own) == ["silence"]


def test_after_many_letters_of_a_seat_orders_count_and_nothing_is_sent(post: Post) -> None:
    cards = list(dict.fromkeys(post.desk.state()["hands"]["red"]))[:2]
    for number in range(8):
        card = cards[number % 2]
        line = f"play: {card}\npress: [{{to: [blue], text: number {number}}}]\nask: report"
        post.take(letter(post.form(line, f"# {number}")), house=SMALL)
    assert [one["play"] for one in post.on_file()] == cards * 4
    assert len(post.desk.letters("press", "blue")) == 4
    sent = [one for one in post.outbox() if one.seat == "red" and one.status == "queued"]
    caused = [one for one in sent if one.kind in ("receipt", "answer")]
    notice = decode(caused[-1].document)
    assert notice["headline"] == "Too many letters today"
    assert "Orders in this letter and in later ones are put on file" in notice["lines"][0]
    assert [one.kind for one in caused].count("receipt") == 4
    assert sum(decode(one.document).get("headline") == notice["headline"] for one in caused) == 1
    blue = post.take(letter(post.form("ask: status", seat="blue"), sender="bo@example.org"))
    assert blue.outcome == "answer"
    post.desk.later(days=1)
    assert post.take(letter(post.form(f"play: {card}")), house=SMALL).outcome == "receipt"


def test_after_many_letters_of_a_seat_messages_in_any_words_go_nowhere_either(post: Post) -> None:
    cards = list(dict.fromkeys(post.desk.state()["hands"]["red"]))[:2]
    for number in range(8):
        card = cards[number % 2]
        own = f"# end of orders\n\nto blue: number {number}\nask: map\n"
        said = f"From: ada@example.org\n\n{post.form(f'play: {card}')}\n{own}"
        post.take(parse_letter(said.encode()), house=SMALL)
    assert len(post.desk.letters("press", "blue")) == 4
    assert len(post.desk.see(lambda books: books.press(GAME))) == 4
    assert [one["play"] for one in post.on_file()] == cards * 4


def test_of_letters_of_nobody_the_gm_is_told_once_a_day(post: Post) -> None:
    for _ in range(3):
        post.take(letter(sender=None, too_big=3_300_000))
        post.take(parse_letter(b"X: %s\n\nhello" % (b"x" * 70_000)))
    assert headlines(post) == ["A letter could not be read"]
    post.desk.later(days=1)
    post.take(letter(sender=None, too_big=3_300_000))
    assert headlines(post) == ["A letter could not be read"] * 2


def test_last_letters_are_sent_again_without_a_key_five_times_a_day(post: Post) -> None:
    """Anybody can write in a player's name, and a report is large."""
    for sender in ("ada@example.org", "gm@example.org"):
        asked = outcomes(post, [sender] * 7, HOUSE, "ask: resend")
        assert asked == ["answer"] * 5 + ["silence"] * 2
    assert len(post.desk.letters("answer", "red")) == 5
    assert post.write("ask: resend").outcome == "answer"


SECRET_GAME = "spark"
ASKING = {
    "a join": "join: {}\nname: Eve\nluck: any",
    "a join with a wrong key": "join: {}\nname: Eve\nkey: 2222-2222",
    "observing": "join: {}\nobserve: yes",
    "leaving": "join: {}\nresign: yes",
    "a join without a name": "join: {}",
    "a wrong key": "game: {}\nkey: 2222-2222\nplay: owl",
    "no key": "game: {}\nplay: owl",
    "a question": "game: {}\nask: status",
    "a lost key": "game: {}\nask: resend",
}


@pytest.mark.parametrize("start", [False, True])
@pytest.mark.parametrize("name", ASKING)
def test_strangers_do_not_learn_of_a_game_for_the_invited(
    desk: Desk, name: str, *, start: bool
) -> None:
    """The answers for such a game and for one that is not there are the same."""
    post = Post(desk)
    seats = {"red": "Ada", "blue": "Bo"} if start else {"red": None, "blue": None}
    settings = {"invited": ["ada@example.org"]}
    desk.new(game=SECRET_GAME, seats=seats, luck={}, start=start, settings=settings)
    answers = []
    for number, game in enumerate((SECRET_GAME, "nothing")):
        sender = f"x@{number}.example"
        received = post.take(letter(ASKING[name].format(game), sender=sender))
        document = post.answer(received)
        answers.append((received.reason, received.game, {**document, "number": 0}))
    assert answers[0] == answers[1]
    assert SECRET_GAME not in str(answers)


def test_the_invited_and_the_players_know_their_game(desk: Desk) -> None:
    post = Post(desk)
    post.new(settings={"invited": ["ada@example.org", "dan@example.net"]})
    for sender in ("dan@example.net", "cleo@example.org"):
        received = post.take(letter(f"game: {GAME}\nkey: 2222-2222", sender=sender))
        assert received.reason == "wrong key"


def test_who_joins_learns_that_a_key_in_the_luck_words_was_blacked_out(post: Post) -> None:
    key = post.key("blue")
    post.desk.new(game="spark", seats={"red": None, "blue": None}, luck={}, start=False)
    text = f"join: spark\nname: Eve\nluck: my key is {key}"
    asked = post.take(letter(text, sender="eve@example.com"))
    (first,) = post.outbox("spark")
    assert "blacked out" not in first.document.decode()  # nobody learns so what is a key
    assert asked.outcome == "answer"
    joining = post.filled(first)["form"]["envelope"]["key"]
    post.take(letter(f"join: spark\nkey: {joining}", sender="eve@example.com"))
    last = [one for one in post.outbox("spark") if one.to == ("eve@example.com",)][-1]
    assert "It was blacked out" in last.document.decode()


def test_letters_out_are_limited_in_an_hour_and_the_others_wait(post: Post) -> None:
    house = replace(HOUSE, hourly_letters=20, strangers_all=99)
    post.take(letter(post.form("ask: status")), house=house)
    outcomes(post, [f"x@{number}.example" for number in range(30)], house)
    send = partial(Mail(post).deliver, house, 100)
    assert [send(urgent=False), send(urgent=False)] == [10, 0]
    assert headlines(post) == ["Many letters go out this hour"]
    assert 3 < send(urgent=True) < 10
    post.desk.later(hours=1)
    assert [send(urgent=False) for _ in range(2)] == [10, 0]
    for number in range(15):
        post.take(letter(post.form("ask: status", f"# {number}")), house=house)
    assert [send(urgent=True) for _ in range(2)] == [10, 0]
    post.desk.later(hours=1)
    assert [send(urgent=True), send(urgent=False), send(urgent=True)] == [5, 10, 0]
    assert headlines(post) == ["Many letters go out this hour"]
    assert not [one for one in post.outbox("") if one.status == "queued"]


def test_a_quota_of_a_day_is_spread_and_receipts_go_first(post: Post) -> None:
    house = replace(HOUSE, daily_letters=48, strangers_all=99)
    hour = post.desk.at.hour
    post.take(letter(post.form("ask: status")), house=house)
    outcomes(post, [f"x@{number}.example" for number in range(60)], house)
    send = partial(Mail(post).deliver, house, 100)
    assert [send(urgent=False), send(urgent=False)] == [hour + 1, 0]
    assert send(urgent=True) > 3
    post.desk.later(hours=1)
    assert [send(urgent=False), send(urgent=False)] == [1, 0]
    for number in range(40):
        post.take(letter(post.form("ask: status", f"# {number}")), house=house)
    assert headlines(post) == []
    assert send(urgent=True) > 10
    assert headlines(post) == ["Many letters go out today"]
    assert [send(urgent=True), send(urgent=False)] == [0, 0]
    post.desk.later(days=1)
    assert send(urgent=True) > 10


def test_of_the_smallest_quota_of_a_day_strangers_get_what_is_left_at_its_end(post: Post) -> None:
    house = replace(HOUSE, daily_letters=1)
    post.desk.later(days=1, hours=23 - post.desk.at.hour)
    outcomes(post, ["x@one.example"], house)
    assert Mail(post).deliver(house, urgent=False) == 1


def test_a_letter_to_two_addresses_counts_twice(post: Post) -> None:
    post.address("Ada", "ada@example.org", "ada@example.net", "ada@example.com")
    mail = Mail(post)
    mail.deliver()
    post.desk.later(days=1)
    house = replace(HOUSE, daily_letters=6)
    for number in range(4):
        post.take(letter(post.form("ask: status", f"# {number}")), house=house)
    assert [mail.deliver(house, limit=1) for _ in range(4)] == [1, 1, 0, 0]


def test_names_of_players_are_not_sent_to_who_has_not_confirmed(desk: Desk) -> None:
    """A player's name is a stranger's words, too: whoever joins chooses one."""
    post = Post(desk)
    bait = "Log in at evil.example"
    desk.new(seats={"red": bait, "blue": None, "green": None}, luck={}, start=False)
    post.take(letter(f"join: {GAME}\nname: Eve", sender="victim@bank.example"))
    (asked,) = [one for one in post.outbox() if one.to == ("victim@bank.example",)]
    assert b"Free: blue, green." in asked.document
    assert b"Taken: red." in asked.document
    assert b"evil" not in asked.document
    key = post.filled(asked)["form"]["envelope"]["key"]
    post.take(letter(f"join: {GAME}\nkey: {key}", sender="victim@bank.example"))
    last = [one for one in post.outbox() if one.to == ("victim@bank.example",)][-1]
    assert bait.encode() in last.document
