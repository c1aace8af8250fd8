"""One letter to each reader for each event, counted as they arrive."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.document import decode
from adjudicator.desk.acts.rollback import roll_back, undo_rollback
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.start import start_game
from tests.desk.conftest import Desk
from tests.desk.mailing import Mail, form, words
from tests.desk.post import Post
from tests.desk.twins import World, address
from tests.desk.wishing import wish

ADA, BO, CLEO = "ada@example.org", "bo@example.org", "cleo@example.org"
JOINERS = {ADA: "Ada", BO: "Bo", CLEO: "Cleo"}


@pytest.fixture
def mail(post: Post) -> Mail:
    made = Mail(post)
    made.deliver()
    return made


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with ExitStack() as ends:
        yield World(tmp_path / "adjudicator.db", FolderLibrary(), ends)


def kinds(mail: Mail) -> dict[str, list[str]]:
    """The kinds of letters that came to everybody since the last look."""
    before = {to: len(box) for to, box in mail.inbox.items()}
    mail.deliver()
    return {
        to: [kind_of(one) for one in box[before.get(to, 0) :]]
        for to, box in mail.inbox.items()
        if len(box) > before.get(to, 0)
    }


def kind_of(message: EmailMessage) -> str:
    return str(message["Message-ID"]).partition("@")[0].split(".")[-3]


def plain(message: EmailMessage) -> str:
    return " ".join(words(message).split())


# joining and the start


def test_joining_is_the_answer_the_confirmation_and_the_start(desk: Desk) -> None:
    """Whoever takes the last seat is confirmed by the first report."""
    desk.new(seats=dict.fromkeys(("red", "blue", "green")), start=False, luck={})
    mail = Mail(Post(desk))
    for sender, name in JOINERS.items():
        mail.write(sender, f"join: tiny\nname: {name}\n# end of orders")
        answer = mail.last(sender)
        assert "NOT joined yet" in words(answer)
        mail.write(sender, "\n".join(join_form(words(answer))), answer)
        mail.deliver()
    assert desk.game().status is Status.RUNNING
    got = {to: [kind_of(one) for one in mail.inbox[to]] for to in JOINERS}
    assert got == {
        ADA: ["answer", "answer", "report"],
        BO: ["answer", "answer", "report"],
        CLEO: ["answer", "report"],
    }
    last = mail.inbox[CLEO][-1]
    assert "You have joined tiny and play green" in plain(last)
    assert str(last["In-Reply-To"]) == f"<2.{CLEO}>"
    for to in JOINERS:
        assert "Who plays red: Ada blue: Bo green: Cleo" in plain(mail.inbox[to][-1])


def join_form(text: str) -> list[str]:
    lines = text.splitlines()
    begin = max(n for n, line in enumerate(lines) if line.startswith("join:"))
    return lines[begin : lines.index("# end of orders", begin) + 1]


VARIANTS = {"orbital_burn": True, "explorers_club": True, "interrupts": "ask"}
PLAYED_WITH = (
    "In this game: first player dealt at random, you are asked when a choice falls to you in the "
    "turn of another, 8 planets, Explorers' Club: claims score 5, scan markers 2, "
    "Orbital Burn: ships are in orbit or landed."
)


@pytest.mark.parametrize("anonymous", [False, True])
def test_options_are_told_in_the_first_report_and_by_asking(desk: Desk, anonymous: bool) -> None:
    """Players whom the GM seats get no announcement."""
    settings = {"anonymous": anonymous}
    desk.new(kind="jump-gate-2010", options=VARIANTS, settings=settings, start=False)
    mail = Mail(Post(desk))
    for to, name in JOINERS.items():
        mail.post.address(name, to)
    desk.act(start_game)
    mail.deliver()
    for to in JOINERS:
        assert PLAYED_WITH in plain(mail.inbox[to][-1])
        assert ("green: Cleo" in plain(mail.inbox[to][-1])) is not anonymous
    wish(desk, "red", "ask", "status")
    mail.deliver()
    assert PLAYED_WITH in plain(mail.inbox[ADA][-1])


def test_a_start_by_the_gm_is_one_letter_too(desk: Desk) -> None:
    desk.new(start=False)
    mail = Mail(Post(desk))
    for to, name in JOINERS.items():
        mail.post.address(name, to)
    desk.act(start_game)
    got = kinds(mail)
    assert [got[to] for to in JOINERS] == [["report"]] * 3


# closings


def test_a_missed_step_is_counted_in_the_report(mail: Mail) -> None:
    mail.desk.play(seats=("blue", "green"))
    mail.desk.close()
    assert kinds(mail)[ADA] == ["report"]
    told = plain(mail.inbox[ADA][-1])
    assert "You have missed 1 step. After 3 in a row you lose the seat" in told
    assert "missed" not in plain(mail.inbox[BO][-1])


def test_who_leaves_and_all_others_get_one_letter_of_a_closing(desk: Desk) -> None:
    post = Post(desk)
    post.new(settings={"nmr_limit": 1})
    mail = Mail(post)
    mail.deliver()
    desk.play(seats=("blue",))
    desk.close()
    assert kinds(mail)[BO] == ["receipt", "report"]
    report = plain(mail.inbox[BO][-1])
    for seat in ("red", "green"):
        assert f"The player of {seat} has left" in report
    for gone in (ADA, CLEO):
        assert [kind_of(one) for one in mail.inbox[gone][1:]] == ["notice"]
        assert "# end of orders" not in words(mail.inbox[gone][-1])
        assert "You no longer play" in plain(mail.inbox[gone][-1])


def test_a_substitute_reads_who_plays_now_in_the_report(desk: Desk) -> None:
    post = Post(desk)
    post.new(
        settings={"nmr_limit": 1, "nmr": "substitute", "substitutes": ["Dan <dan@example.org>"]}
    )
    mail = Mail(post)
    mail.deliver()
    desk.play(seats=("blue", "green"))
    desk.close()
    assert kinds(mail)["dan@example.org"] == ["report"]
    (report,) = mail.inbox["dan@example.org"]
    assert "You play red in tiny now" in plain(report)
    assert str(report["Subject"]).endswith("you play red in tiny now")


def test_the_end_is_one_letter_with_seed_and_luck_words(mail: Mail) -> None:
    """The voter has the receipt, too."""
    for seat in ("red", "blue"):
        mail.post.write("vote: draw", seat=seat)
    kinds(mail)
    mail.post.write("vote: draw", seat="green")
    got = kinds(mail)
    assert got[ADA] == got[BO] == ["report"]
    assert got[CLEO] == ["receipt", "report"]
    for to in JOINERS:
        last = " ".join(plain(mail.inbox[to][-1]).split())
        assert last.index("THE GAME IS OVER") < last.index("ended early") < last.index(": seed ")
        assert ": seed " in last[-300:]


# rollbacks


def test_a_rollback_shows_position_and_form_in_one_letter(mail: Mail) -> None:
    name = mail.desk.step().name
    mail.desk.play()
    mail.desk.close()
    kinds(mail)
    mail.desk.act(roll_back, name)
    assert all(len(got) == 1 for to, got in kinds(mail).items() if to in JOINERS)
    told = mail.inbox[ADA][-1]
    assert "rolled back to before round 1, pick" in told["Subject"]
    assert "Rolled back to before" in words(told)
    assert form(words(told))[1] == f"step: {mail.desk.step().name}"
    own = decode(mail.desk.letters("answer", "red")[-1].document)
    assert own["position"]
    mail.desk.act(undo_rollback, name)
    assert all(len(got) == 1 for to, got in kinds(mail).items() if to in JOINERS)
    assert "counts again" in words(mail.inbox[ADA][-1])


# whole turns


def play_turn(world: World, *, until: Any) -> Mapping[str, Counter[str]]:
    """Everybody orders what is due until something is true; what came to each, by kind."""
    before = {to: len(box) for to, box in world.mail.inbox.items()}
    while not until():
        for seat, orders in world.choices("bot", 1).items():
            world.order(seat, orders)
        world.desk.later(minutes=1)
        world.desk.close(now=False)
        world.mail.deliver()
    return {
        to: Counter(kind_of(one) for one in box[before.get(to, 0) :])
        for to, box in world.mail.inbox.items()
    }


def test_a_turn_of_jump_wars_is_at_most_four_letters_to_a_player(world: World) -> None:
    world.new("jump-wars", 3, ["red", "blue", "green"])
    world.mail.deliver()
    for turn in (1, 2, 3):
        got = play_turn(world, until=lambda last=turn: world.position().table.turn > last)
        for to, counted in got.items():
            assert sum(counted.values()) <= 4, (turn, to, counted)
            assert counted["notice"] == 0


@pytest.mark.parametrize("kind", ["jump-gate", "jump-gate-2010"])
def test_with_mails_due_one_report_comes_for_each_own_turn(world: World, kind: str) -> None:
    world.new(kind, 3, ["red", "blue", "green"])
    for seat in world.people():
        world.say(seat, "prefer: {mails: due}")
    world.mail.deliver()
    asked, reports = Counter[str](), Counter[str]()
    for _ in range(9):
        counted = play_turn(world, until=closed_once())
        with world.context() as context:
            asked.update(address(world.person(seat)) for seat in context.due)
        for to, got in counted.items():
            assert got["notice"] == 0
            reports[to] += got["report"]
    assert reports == asked


def closed_once() -> Any:
    """False, and then true."""
    return iter([False, True]).__next__


def test_of_two_reports_that_wait_for_one_reader_only_the_later_calls_for_orders(
    desk: Desk,
) -> None:
    """Bots play several steps at once, and the reports of all of them go out together."""
    post = Post(desk)
    desk.library = FolderLibrary()
    seats = {"red": "Ada", "blue": "bot"}
    desk.new(
        kind="jump-gate", seats=seats, options={"start_player": "red"}, settings={"pace": "72h"}
    )
    post.address("Ada", ADA)
    mail = Mail(post)
    mail.deliver()
    desk.send("red", "actions: [{do: research, discard: []}]\nend: yes")
    desk.close(now=False)
    for _ in range(2):
        desk.send("blue", "actions: [{do: research, discard: []}]")
        desk.close(now=False)
    assert [desk.state()["active"], desk.state()["turn"]] == ["red", 3]
    before = len(mail.inbox[ADA])
    mail.deliver()
    got = mail.inbox[ADA][before:]
    reports = [one for one in got if kind_of(one) == "report"]
    assert len(reports) == 3
    yours = [one for one in reports if "YOUR TURN" in str(one["Subject"])]
    assert yours == reports[-1:]
    for one in reports[:-1]:
        assert "READ ON: the next report is on its way" in plain(one)
        assert "actions" not in words(one).rpartition("\ngame: tiny")[2]
        assert words(one).endswith("# end of orders\n")
    assert "DUE FROM YOU: turn 3, 2 actions" in plain(reports[-1])
