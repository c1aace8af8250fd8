"""Orders ahead: plans wait for a later step of their seat, and the first that fits is filed."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.yaml.reader import try_parse_yaml
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import decode
from adjudicator.core.forms.reading import Text
from adjudicator.core.game import Over
from adjudicator.desk.acts.rollback import roll_back, undo_rollback
from adjudicator.desk.acts.seats import replace_player, seat_bot
from adjudicator.desk.model.history import list_history_lines
from adjudicator.desk.model.values import Observer
from adjudicator.desk.questions.screens import show_orders
from adjudicator.desk.steps.handover import resign_seat
from adjudicator.desk.steps.record import read_record
from adjudicator.desk.steps.replay import replay_game
from tests.at_the_desk import submit
from tests.desk.conftest import GAME, Desk
from tests.desk.mailing import Mail, quoted, words
from tests.desk.post import Post
from tests.desk.test_tick import ring

SEATS = {"red": "Ada", "blue": "Bo", "green": "Cleo", "yellow": "Dan"}


class Table:
    """A game by letters: what people write, and what they get."""

    def __init__(self, desk: Desk, post: Post) -> None:
        self.desk, self.post, self.mail = desk, post, Mail(post)

    def say(self, seat: str, *lines: str, step: str = "") -> str:
        """A letter of a seat with its key; the text that answers it."""
        step = step or self.desk.step().name
        head = [f"game: {GAME}", f"step: {step}", f"key: {self.post.key(seat, step)}"]
        self.mail.write(address(seat), "\n".join([*head, *lines, "# end of orders"]))
        return self.read(seat)

    def read(self, seat: str) -> str:
        """The last letter to a seat, in one line."""
        return " ".join(words(self.mail.last(address(seat))).split())

    def plans(self, seat: str) -> list[tuple[int, str]]:
        found = self.desk.see(lambda books: books.plans(GAME))
        return [(one.place, one.status) for one in found if one.seat == seat]

    def close(self) -> None:
        """Ten minutes pass, and the clock does all that is due in one round."""
        self.desk.later(minutes=11)
        while (ticked := ring(self.desk)).closing is not None and ticked.closing.goes_on:
            pass


TWO = {"red": "Ada", "blue": "Bo"}


def address(seat: str) -> str:
    return f"{SEATS[seat].lower()}@example.org"


def begin(desk: Desk, kind: str, **changes: Any) -> Table:
    desk.library = FolderLibrary()
    given = {"seats": SEATS, "luck": {}, "settings": {"pace": "72h", "settle": "10m"}}
    desk.new(kind=kind, **{**given, **changes})
    post = Post(desk)
    for seat in desk.game().seats:
        post.address(SEATS[seat], address(seat))
    table = Table(desk, post)
    table.mail.deliver()
    return table


@pytest.fixture
def gate(desk: Desk) -> Table:
    return begin(desk, "jump-gate-2010", options={"start_player": "red"})


@pytest.fixture
def wars(desk: Desk) -> Table:
    return begin(desk, "jump-wars", seats=TWO)


def hand(table: Table, seat: str) -> list[str]:
    found: list[str] = table.desk.state()["hands"][seat]
    return found


def test_four_players_with_plans_for_two_turns_play_eight_in_one_pass(gate: Table) -> None:
    plans = ("ahead:", "- {step: turn, actions: [research, research]}", "- {step: turn, pass: yes}")
    for seat in SEATS:
        told = gate.say(seat, *plans)
        assert "Plan 2 waits for your next step of `turn`: pass: yes." in told
    gate.say("red", "pass: yes")
    before = {seat: len(gate.mail.inbox[address(seat)]) for seat in SEATS}
    gate.close()
    gate.mail.deliver()
    assert (gate.desk.state()["turn"], gate.desk.state()["active"]) == (10, "blue")
    came = {seat: len(gate.mail.inbox[address(seat)]) - before[seat] for seat in SEATS}
    assert came == dict.fromkeys(SEATS, 1)
    assert {status for seat in SEATS for _, status in gate.plans(seat)} == {"used"}
    told = gate.read("blue")
    assert (
        "Plan 1 was used in turn 2, as receipt 2: actions: [{do: research}, {do: research}]."
        in told
    )
    assert "Plan 2 was used in turn 6, as receipt 3: pass: yes." in told
    record = gate.desk.see(lambda books: read_record(books, GAME))
    assert replay_game(record, gate.desk.library.kind("jump-gate-2010")) == ()


def test_the_first_plan_that_fits_is_used_and_those_before_it_are_done_with(gate: Table) -> None:
    lacks = next(f"n{n:02}" for n in range(1, 40) if f"n{n:02}" not in hand(gate, "blue"))
    gate.say(
        "blue",
        "ahead:",
        f"- {{step: turn, if: {{card: {lacks}}}, pass: yes}}",
        f"- {{actions: [{{do: scan, card: {lacks}}}]}}",
        "- {if: {at: jump-gate, alone: no}, actions: [research, research]}",
        "- {step: turn, pass: yes}",
    )
    gate.say("red", "pass: yes")
    gate.close()
    assert gate.plans("blue") == [(1, "failed"), (2, "failed"), (3, "used"), (4, "waiting")]
    told = gate.read("blue")
    assert f"Plan 1 was not used in turn 2: `card: [{lacks}]` does not hold" in told
    assert f"Plan 2 was not used in turn 2: it failed at: scan, discarding {lacks} (JG-6)." in told
    assert "Plan 3 was used in turn 2, as receipt 2: actions: [{do: research}," in told
    assert "ahead: - {step: turn, pass: true} # " in told  # what waits stands in the form


def test_where_no_plan_fits_the_seat_is_asked_and_its_plans_wait(gate: Table) -> None:
    gate.say("blue", "ahead: [{step: turn, if: {turn: 6}, pass: yes}]")
    gate.say("red", "pass: yes")
    gate.close()
    assert gate.desk.state()["active"] == "blue"
    told = gate.read("blue")
    assert "Plan 1 was not used in turn 2: `turn: 6` does not hold" in told
    assert "YOUR TURN" in gate.mail.last(address("blue"))["Subject"]
    for seat in ("blue", "green", "yellow", "red"):
        gate.say(seat, "pass: yes")
        gate.close()
    assert gate.plans("blue") == [(1, "used")]
    assert (gate.desk.state()["turn"], gate.desk.state()["active"]) == (7, "green")


def test_a_new_list_takes_the_place_of_the_old_and_an_empty_one_withdraws(gate: Table) -> None:
    gate.say("blue", "ahead: [{step: turn, pass: yes}, {actions: [research]}]")
    assert "These plans are on file already" in gate.say(
        "blue", "ahead: [{step: turn, pass: yes}, {actions: [research]}]"
    )
    told = gate.say("blue", "ahead: [{actions: [research]}]")
    assert "Your earlier plans (2) no longer wait." in told
    assert gate.plans("blue") == [(1, "superseded"), (2, "superseded"), (1, "waiting")]
    assert "Your plans are withdrawn." in gate.say("blue", "ahead: []")
    assert "no plans that could be withdrawn" in gate.say("blue", "ahead: []")
    gate.say("red", "pass: yes")
    gate.close()
    assert gate.desk.state()["active"] == "blue"


@pytest.mark.parametrize(
    ("plans", "why"),
    [
        ("[{step: tunr, pass: yes}]", 'there is no step "tunr"; did you mean `turn`?'),
        ("[{pass: yes}]", "plan 1: write for which step it is, `step: collect` for instance."),
        ("[{step: turn}]", "plan 1: it contains no orders."),
        ("[{step: turn, actions: []}]", "it contains none of the orders of `turn`"),
        ("[{actions: [research]}, {actions: [{do: dance}]}]", "plan 2: actions[1].do:"),
        ("[{if: {crad: n29}, actions: [research]}]", "plan 1: if.crad:"),
        ("[{if: {card: n99}, actions: [research]}]", "plan 1: if.card[1]:"),
        ("soon", "write a list of plans"),
        ("{plan: {actions: [research]}}", "A plan is written so, with your own orders: `ahead: ["),
    ],
)
def test_what_cannot_be_read_leaves_the_plans_that_wait_alone(
    gate: Table, plans: str, why: str
) -> None:
    gate.say("blue", "ahead: [{step: turn, pass: yes}]")
    assert why in gate.say("blue", f"ahead: {plans}")
    assert gate.plans("blue") == [(1, "waiting")]


@pytest.mark.parametrize("plans", ["{turn: {pass: yes}}", "[{turn: {pass: yes}, if: {turn: 9}}]"])
def test_orders_may_stand_below_the_name_of_their_step(gate: Table, plans: str) -> None:
    assert "Plan 1 waits for your next step of `turn`" in gate.say("blue", f"ahead: {plans}")


def test_a_quoted_form_brings_no_plan_back_that_was_used(gate: Table) -> None:
    gate.say("blue", "ahead: [{actions: [research]}]")
    form = words(gate.mail.last(address("blue")))
    assert "ahead:" in form
    gate.say("red", "pass: yes")
    gate.close()
    assert gate.plans("blue") == [(1, "used")]
    about = gate.mail.last(address("blue"))
    gate.mail.write(address("blue"), f"press: {{red: Hello}}\n\n{quoted(form)}", about)
    assert gate.plans("blue") == [(1, "used")]
    gate.say("blue", "ahead: [{actions: [research]}]")  # written again, it is a new one
    assert gate.plans("blue") == [(1, "used"), (1, "waiting")]


def test_whoever_does_not_owe_anything_may_answer_an_older_letter_with_plans(gate: Table) -> None:
    first = gate.mail.inbox[address("yellow")][-1]
    gate.say("red", "pass: yes")
    gate.close()
    gate.mail.write(address("yellow"), "ahead: [{actions: [research]}]", first)
    gate.say("yellow", "ahead: [{actions: [research]}]", step="1-turn")
    assert gate.plans("yellow") == [(1, "waiting")]


def test_plans_of_undone_steps_wait_again_and_those_of_restored_ones_do_not(gate: Table) -> None:
    gate.say("blue", "ahead: [{step: turn, pass: yes}]")
    gate.say("red", "pass: yes")
    gate.close()
    assert gate.plans("blue") == [(1, "used")]
    gate.desk.act(roll_back, "2-turn")
    assert gate.plans("blue") == [(1, "waiting")]
    assert gate.desk.state()["active"] == "blue"
    gate.desk.act(undo_rollback, "2-turn")
    assert gate.plans("blue") == [(1, "used")]
    assert all(one.told for one in gate.desk.see(lambda books: books.plans(GAME)))


def test_plans_are_their_writer_s_and_not_the_next_player_s(gate: Table) -> None:
    gate.say("blue", "ahead: [{step: turn, pass: yes}]")
    gate.desk.act(replace_player, "blue", "Eve <eve@example.org>")
    gate.say("red", "pass: yes")
    gate.close()
    assert gate.desk.state()["active"] == "blue"
    assert gate.plans("blue") == [(1, "waiting")]


def test_the_gm_sees_plans_only_by_looking_at_secrets(gate: Table) -> None:
    gate.say("blue", "ahead: [{step: turn, pass: yes}]")

    def look(*, reveal: bool) -> Mapping[str, Any]:
        facts = gate.desk.see(
            lambda books: show_orders(books, gate.desk.library, GAME, reveal=reveal)
        )
        return next(one for one in facts["seats"] if one["seat"] == "blue")

    assert "plans" not in look(reveal=False)
    (plan,) = look(reveal=True)["plans"]
    assert (plan["status"], plan["orders"]) == ("waiting", {"step": "turn", "pass": True})


KINDS = ("jump-drive", "jump-gate", "jump-gate-2010", "jump-wars")


@pytest.mark.parametrize("kind", KINDS)
def test_the_guide_s_example_can_be_sent_as_it_stands(desk: Desk, kind: str) -> None:
    table = begin(desk, kind, seats=TWO)
    own = desk.library.kind(kind)
    guide = own.guide["ahead"]
    told = table.say("blue", guide["write"])
    assert "Plan 1 waits for your next step of" in told
    assert len(table.plans("blue")) == guide["write"].count("\n- ")
    words = set(re.findall(r"[a-z_]+", guide["why"].partition("`if` can name")[2]))
    assert words - {"and"} == set(own.form("ahead").root.properties)


def test_a_jump_is_planned_with_the_plan_step(wars: Table) -> None:
    jump = "{jump: [A1-A2 x1], if: {mine: A1}}"  # from red's homeworld
    wars.say("red", "pass: yes", "ahead:", f"- {jump}", "- {step: jump, pass: yes}")
    wars.say("blue", "pass: yes", "ahead: [{step: jump, pass: yes}]")
    wars.close()
    assert wars.desk.step().phase == "plan"
    assert [status for _, status in wars.plans("blue")] == ["used"]
    told = wars.read("red")
    assert "was used in turn 1, jump, as receipt 2:" in told


def test_a_step_waits_for_those_without_plans(wars: Table) -> None:
    wars.say("red", "pass: yes", "ahead: [{step: jump, pass: yes}]")
    wars.say("blue", "pass: yes")
    wars.close()
    assert wars.desk.step().name == "2-jump"
    told = wars.read("red")
    assert "Plan 1 was used in turn 1, jump, as receipt 2: pass: yes." in told
    assert "pass: true" in told.partition("after: 2")[2]
    wars.say("blue", "pass: yes")
    wars.close()
    assert wars.desk.step().phase == "plan"


def test_a_planned_step_without_a_deadline_is_the_gm_s_to_close(desk: Desk) -> None:
    table = begin(desk, "jump-wars", seats=TWO, settings={"pace": "none"})
    for seat in TWO:
        table.say(seat, "pass: yes", "ahead: [{step: jump, pass: yes}]")
    desk.close()
    table.close()
    assert {one.by for one in desk.see(lambda books: books.orders(GAME, 2))} == {"plan"}
    assert desk.step().name == "2-jump"


@pytest.mark.parametrize("kind", KINDS)
def test_every_condition_is_decided_in_every_position(desk: Desk, kind: str) -> None:
    """The examples of the form, in the views of both seats, at the start and in mid-game."""
    begin(desk, kind, seats=TWO)
    own = desk.library.kind(kind)
    given = {
        word: node.schema["examples"][0] for word, node in own.form("ahead").root.properties.items()
    }
    conditions = own.read("ahead", Text(value=given), ("red", "blue"))
    assert conditions.findings == ()
    state = own.rules.load(desk.state())
    for round_ in range(12):
        for seat in ("red", "blue"):
            view = own.rules.view(state, seat)
            for word, value in (conditions.orders or {}).items():
                assert own.rules.holds(view, seat, word, value) in (True, False, None)
        due = own.rules.due(state)
        if isinstance(due, Over):
            break
        dice = Dice(derive_dice_key(seed_from_number(round_)), "1-step")
        orders = {seat: own.rules.bot(own.rules.view(state, seat), seat, dice) for seat in due}
        state, _ = own.rules.resolve(state, orders, dice)


def test_a_condition_is_true_of_what_the_seat_sees(desk: Desk) -> None:
    begin(desk, "jump-wars", seats=TWO)
    rules = desk.library.kind("jump-wars").rules
    document = desk.state()
    document["fleets"] = {"red": {"A1": 3, "B1": 1}, "blue": {"B1": 2, "J1": 3}}
    document["levels"] = {"red": {"jump": 3}}
    document["tokens"] = {"red": 7}
    view = rules.view(rules.load(document), "red")
    for word, true, false in (
        ("turn", 1, 2),
        ("card", view.hand[:1], view.hand[:1] * 4),
        ("tokens", 7, 8),
        ("level", {"tech": "jump", "least": 3}, {"tech": "jump", "least": 4}),
        ("mine", ("A1",), ("A1", "B1")),
        ("empty", ("C1", "D1"), ("C1", "B1")),
        ("fleets", {"at": "A1", "least": 3}, {"at": "A1", "least": 4}),
        ("enemies", {"at": "B1", "most": 2}, {"at": "B1", "most": 1}),
    ):
        assert (rules.holds(view, "red", word, true), rules.holds(view, "red", word, false)) == (
            True,
            False,
        ), word


def test_nobody_else_can_tell_that_orders_were_filed_ahead(tmp_path: Path) -> None:
    """Two worlds: in one blue planned the jump, in the other it comes by letter then."""
    seen = []
    for planned in (True, False):
        with open_store(tmp_path / f"{planned}.sqlite") as store:
            table = begin(Desk(store, FolderLibrary()), "jump-wars", seats=TWO)
            note_observer(table)
            table.say("blue", "pass: yes", "ahead: [{step: jump, pass: yes}]" if planned else "")
            table.say("red", "pass: yes")
            table.close()
            table.mail.deliver()
            if not planned:
                table.say("blue", "pass: yes")
            table.say("red", "pass: yes")
            table.close()
            seen.append(list(see_as_others(table)))
    for one, other in zip(*seen, strict=True):
        assert one == other


def note_observer(table: Table) -> None:
    with table.desk.store.writing() as books:
        books.save(Observer(game=GAME, address="eve@example.org", since=table.desk.at))


def see_as_others(table: Table) -> Iterator[Any]:
    """Everything that red, an observer, the public and the GM get, and the history."""
    for one in table.desk.letters():
        if one.seat != "blue":
            yield one.seat, one.kind, one.number, decode(one.document)
    for paper in table.desk.see(lambda books: books.papers(GAME)):
        if paper.seat != "blue":
            yield paper.seat, decode(paper.document)
    yield from table.desk.see(lambda books: list_history_lines(books, GAME))
    yield table.desk.see(lambda books: show_orders(books, table.desk.library, GAME, step="2-jump"))


@pytest.mark.parametrize(
    ("lines", "plans"),
    [
        ("ahead: [{step: turn, pass: yes}]\nThanks!", 1),
        ("Hi,\nahead:\n- {actions: [research]}\n- step: turn\n  pass: yes\n\nBo", 2),
    ],
)
def test_a_reply_without_a_form_files_plans(gate: Table, lines: str, plans: int) -> None:
    about = gate.mail.inbox[address("blue")][-1]
    gate.mail.write(address("blue"), f"{lines}\n\n{quoted(words(about))}", about)
    assert len(gate.plans("blue")) == plans
    about = gate.mail.last(address("blue"))
    gate.mail.write(address("blue"), f"ahead: []\n\n{quoted(words(about))}", about)
    assert {status for _, status in gate.plans("blue")} == {"withdrawn"}


def test_the_gm_files_plans_for_a_seat_by_hand(gate: Table) -> None:
    with gate.desk.store.writing() as books:
        block = try_parse_yaml("ahead: [{step: turn, pass: yes}]")
        receipt = submit(
            books, gate.desk.library, GAME, "blue", block, by="gm", at=gate.desk.at, source=""
        )
    assert receipt["wishes"] == [
        "Entered by the GM on your behalf.",
        "Plan 1 waits for your next step of `turn`: pass: yes.",
    ]
    assert gate.plans("blue") == [(1, "waiting")]


def test_a_preview_files_no_plan(gate: Table) -> None:
    told = gate.say("blue", "ahead: [{step: turn, pass: yes}]", "preview: yes")
    assert "ahead: it would be done; this was a preview." in told
    assert gate.plans("blue") == []


def test_bots_and_empty_seats_do_not_hold_up_what_is_planned(desk: Desk) -> None:
    table = begin(desk, "jump-wars", seats={"red": "Ada", "blue": "Bo", "green": "Cleo"})
    desk.act(seat_bot, "blue")
    desk.act(resign_seat, "green", by="gm")
    table.say("red", "pass: yes", "ahead: [{step: jump, pass: yes}]")
    table.close()
    assert desk.step().name == "3-plan"
    assert table.plans("red") == [(1, "used")]
