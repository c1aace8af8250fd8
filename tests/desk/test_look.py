"""What the GM sees: facts without secrets, unless they are asked for."""

import pytest
from sqlalchemy import text

from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import digest
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.questions import overview, screens
from tests.desk.conftest import GAME, Desk


def test_games_stand_in_a_line_each(desk: Desk) -> None:
    desk.new(game="zebra", start=False, seats={"red": "Ada", "blue": None})
    desk.new(settings={"pace": "72h", "zone": "Europe/Berlin"})
    desk.send("blue", "play: owl")
    tiny, zebra = desk.see(lambda books: overview.list_games(books, desk.library))
    assert tiny == {
        "id": "tiny",
        "kind": "toy-duel",
        "title": "Toy Duel",
        "status": "running",
        "step": "1-pick",
        "deadline": {
            "at": "2026-11-05T21:00:00+01:00",
            "zone": "Europe/Berlin",
            "text": "Thu 5 Nov 2026, 21:00 (Europe/Berlin, UTC+1)",
        },
        "seats": ["red", "blue", "green"],
        "free": [],
        "missing": ["red", "green"],
        "trouble": None,
        "turn": "round 1",
        "due": 3,
        "received": 1,
        "waits": dict.fromkeys(("red", "green"), "no orders are on file for this step"),
        "for_gm": False,
        "rules_changed": False,
        "archived": False,
    }
    assert (zebra["status"], zebra["step"], zebra["missing"]) == ("open", None, [])
    assert zebra["free"] == ["blue"]


@pytest.mark.parametrize("state", [b"[{", b"\xff"])
def test_a_damaged_state_is_told_with_its_game_and_step(desk: Desk, state: bytes) -> None:
    desk.new()
    with desk.store.engine.begin() as connection:
        connection.execute(text("UPDATE steps SET state = :state"), {"state": state})
    with pytest.raises(Refused, match=r"tiny: the stored state of 0-setup is damaged"):
        desk.see(lambda books: screens.show_game(books, desk.library, GAME))
    (tiny,) = desk.see(lambda books: overview.list_games(books, desk.library))
    assert tiny["status"] == "damaged"
    assert tiny["trouble"]["message"].startswith("the stored state of 0-setup is damaged; put back")
    assert tiny["trouble"]["command"] == ["verify", GAME]


def test_show_tells_no_secret_unless_asked(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: drake\nvote: draw")
    facts = desk.see(lambda books: screens.show_game(books, desk.library, GAME))
    assert [(s["seat"], s["player"], s["in"]) for s in facts["seats"]] == [
        ("red", "Ada", True),
        ("blue", "Bo", False),
        ("green", "Cleo", False),
    ]
    assert facts["seed_digest"] == digest(seed_from_number(1))
    assert facts["score"] == {"red": 0, "blue": 0, "green": 0}
    for secret in (seed_from_number(1).hex(), "owls", "drake", "hands", "draw"):
        assert secret not in str(facts)
    secrets = desk.see(lambda books: screens.show_game(books, desk.library, GAME, reveal=True))
    assert secrets["seed"] == seed_from_number(1).hex()
    assert secrets["luck"] == {"red": "owls at noon"}
    assert secrets["state"] == desk.state()
    assert secrets["votes"] == {"red": "draw", "blue": "none", "green": "none"}


def test_orders_are_counted_and_shown_only_when_asked(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: drake")
    desk.send("red", "play: owl")
    facts = desk.see(lambda books: screens.show_orders(books, desk.library, GAME))
    red = facts["seats"][0]
    assert (red["seat"], red["due"], red["in"], red["receipt"], red["sets"]) == (
        "red",
        "pick",
        True,
        2,
        2,
    )
    assert "drake" not in str(facts)
    facts = desk.see(lambda books: screens.show_orders(books, desk.library, GAME, reveal=True))
    sets = facts["seats"][0]["sets"]
    assert [(s["number"], s["orders"], s["by"]) for s in sets] == [
        (1, {"play": "drake"}, "player"),
        (2, {"play": "owl"}, "player"),
    ]


@pytest.mark.parametrize("step", ["1-pick", "1", "0-setup"])
def test_orders_of_a_step_that_is_over(desk: Desk, step: str) -> None:
    desk.new()
    desk.send("red", "play: owl")
    desk.close()
    facts = desk.see(
        lambda books: screens.show_orders(books, desk.library, GAME, step=step, reveal=True)
    )
    executed = [one["executed"] for s in facts["seats"] for one in s["sets"]]
    assert executed == ([] if step == "0-setup" else [True, True, True])
    receipts = [s["receipt"] for s in facts["seats"]]  # the default set has none
    assert receipts == ([None] * 3 if step == "0-setup" else [1, None, None])


def test_the_latest_report_that_counts(desk: Desk) -> None:
    desk.new()
    desk.close()

    def report(seat: str | None = None, step: str | None = None) -> str:
        found = desk.see(lambda books: screens.find_report(books, GAME, seat=seat, step=step))
        return f"{found['step']} {found['seat']} {found['number']}"

    assert report() == "1-pick None 1"
    assert report("red") == "1-pick red 2"
    assert report("red", "0-setup") == "0-setup red 1"
    desk.act(roll_back, "1-pick", same_dice=False)
    assert report("red") == "0-setup red 1"
    assert report("red", "1-pick") == "1-pick red 2"
    with pytest.raises(Unknown, match="pink"):
        report("pink")
    with pytest.raises(Refused, match="no report of"):
        report("red", desk.step().name)


def test_a_look_at_secrets_is_recorded(desk: Desk) -> None:
    desk.new()
    with desk.store.writing() as books:
        screens.record_look(books, GAME, "orders of 1-pick", at=desk.at)
    last = desk.see(lambda books: books.notes(GAME))[-1]
    assert (last.act, last.text) == ("reveal", "the GM looked at orders of 1-pick")
