"""Forecasts: what orders would bring, on positions that the seat imagines."""

import re
from typing import Any

import pytest

from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import encode
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.mail import Caller
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Step
from adjudicator.desk.questions.forecast import forecast_document
from adjudicator.desk.questions.imagined import WORLDS
from tests.desk.conftest import GAME, Desk
from tests.desk.mailing import quoted, words
from tests.desk.test_ahead import KINDS, TWO, Table, address, begin


@pytest.fixture
def wars(desk: Desk) -> Table:
    return begin(desk, "jump-wars", seats=TWO)


class Elsewhere(Context):
    """A game of which everything that the seat cannot see is otherwise."""

    def __init__(self, books: Books, desk: Desk, seat: str) -> None:
        super().__init__(books, desk.library, GAME, desk.at)
        here = Context(books, desk.library, GAME)
        dice = Dice(derive_dice_key(seed_from_number(9)), "elsewhere")
        self.other = self.kind.rules.imagine(here.view(seat), seat, dice)

    def before(self, step: Step) -> Any:
        return self.other


def forecast(context: Context, seat: str) -> bytes:
    """The report of what a bot's orders would bring."""
    dice = Dice(derive_dice_key(seed_from_number(5)), "bot")
    orders = context.kind.rules.bot(context.view(seat), seat, dice)
    return encode(forecast_document(context, seat, orders, {}))


def test_a_letter_gets_a_report_of_what_its_orders_would_bring(wars: Table) -> None:
    told = wars.say("red", "build: max", "forecast: {}")
    assert "FORECAST for red" in told
    assert "NOTHING WAS PUT ON FILE. This is what would happen if nobody else did anything." in told
    assert f"played in {WORLDS} imagined worlds" in told
    assert "build at A1: 1 fleet for 5 RT done" in told
    assert "DUE FROM YOU: turn 1, plan" in told
    assert "Forecast for turn 1, plan" in wars.mail.last(address("red"))["Subject"]
    assert wars.desk.see(lambda books: books.orders(GAME)) == []
    assert wars.desk.step().phase == "plan"


def test_orders_on_file_are_forecast_where_the_letter_has_none(wars: Table) -> None:
    wars.say("red", "build: max")
    assert "build at A1: 1 fleet for 5 RT done" in wars.say("red", "forecast: {}")


def test_what_others_are_guessed_to_do_counts(wars: Table) -> None:
    assert "blue built" not in wars.say("red", "build: max", "forecast: {}")
    told = wars.say("red", "build: max", "forecast: {blue: {build: max}}")
    assert "if blue ordered what you wrote, and nobody else did anything" in told
    assert "blue built 1 fleet" in told


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("forecast: {blue: {buidl: max}}", "forecast: blue: buidl:"),
        ("forecast: {violet: {build: max}}", '"violet" is no other seat of this game'),
        ("forecast: [1]", "forecast: write `forecast: {}`"),
        ("forecast: {}\npress: {blue: Hello}", "send press in another letter"),
        ("jump: [A1-B1 x1]\nforecast: {}", 'forecast: "jump" belongs to'),
    ],
)
def test_what_cannot_be_forecast_is_said(wars: Table, line: str, why: str) -> None:
    told = wars.say("red", line)
    assert why in told
    assert "FORECAST for" not in told
    assert "# build: max # end of orders" in told  # the form, to be mended and sent


def test_a_seat_gets_thirty_forecasts_a_day(wars: Table) -> None:
    with wars.desk.store.writing() as books:
        day = f"{wars.desk.at:%Y-%m-%d}"
        books.save(Caller(address=f"forecast {GAME} red", day=day, answers=29))
    assert "FORECAST for red" in wars.say("red", "forecast: {}")
    assert "30 a day is the limit" in wars.say("red", "forecast: {}")
    wars.desk.later(hours=24)
    assert "FORECAST for red" in wars.say("red", "forecast: {}")


@pytest.mark.parametrize("kind", KINDS)
def test_everything_hidden_changed_gives_the_same_forecast(desk: Desk, kind: str) -> None:
    """Another deck, other hands: the position is one that the seat imagines."""
    begin(desk, kind, seats=TWO)
    for _ in range(4):
        desk.close()
    with desk.store.reading() as books:
        here = Context(books, desk.library, GAME, desk.at)
        seat = next(iter(here.due))
        there = Elsewhere(books, desk, seat)
        dump = here.kind.rules.dump
        assert encode(dump(there.state)) != encode(dump(here.state))
        assert forecast(there, seat) == forecast(here, seat)


def test_shares_tell_how_often_chance_brings_it(desk: Desk) -> None:
    """Jump Gate: who researches draws what cannot be known."""
    table = begin(desk, "jump-gate", seats=TWO, options={"start_player": "red"})
    card = desk.state()["hands"]["red"][0]
    told = table.say("red", f"actions: [{{do: research, discard: [{card}]}}]", "forecast: {}")
    found = re.search(r"You drew 1 card: (n\d\d), in (\d+) of 200 imagined worlds", told)
    assert found is not None
    drawn, times = found.groups()
    assert drawn not in (card, *desk.state()["hands"]["red"])
    assert 1 <= int(times) < 60


def test_a_reply_without_a_form_gets_a_forecast_and_hears_what_was_not_taken(wars: Table) -> None:
    about = wars.mail.inbox[address("red")][-1]
    lines = "build: max\nforecast: {}\nbuidl: 3\n"
    wars.mail.write(address("red"), f"{lines}\n{quoted(words(about))}", about)
    told = wars.read("red")
    assert "FORECAST for red" in told
    assert "build at A1: 1 fleet for 5 RT done" in told
    assert '"buidl: 3"' in told
