"""Absences: announced ahead, seen by all, within a budget; the running deadline never moves."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.desk.model.absences import find_deadline_beyond_absences
from adjudicator.desk.model.values import Observer, Player
from adjudicator.desk.steps.handover import replace_player
from tests.desk.conftest import GAME, Desk
from tests.desk.mailing import Mail, quoted, words
from tests.desk.post import Post
from tests.desk.wishing import case_of, text_of, wish

# the desk's day is Mon 2 Nov 2026, 20:00 UTC
DAYS = {"from": "2026-11-05", "until": "2026-11-07"}


def _deadline(desk: Desk) -> datetime:
    deadline = desk.step().deadline
    assert deadline is not None
    return deadline


def test_an_absence_is_seen_by_all(desk: Desk) -> None:
    desk.new(settings={"pace": "24h"})
    with desk.store.writing() as books:
        books.save(Observer(game=GAME, address="eve@example.org", since=desk.at))
    told = wish(desk, "red", "absent", DAYS)
    done = (
        "You are away from 2026-11-05 until 2026-11-07 (3 days, UTC); all players get a notice. "
        "You "
        "have 11 days of absence left in this game."
    )
    assert told.done == (done,)
    letters = desk.letters("notice")
    assert [letter.seat for letter in letters] == ["blue", "green", "public"]
    assert "red is away from 2026-11-05 until 2026-11-07" in text_of(letters[0])


def test_the_deadline_that_runs_stays_and_a_later_one_is_set_after_it(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    assert _deadline(desk) == datetime(2026, 11, 5, 20, tzinfo=UTC)
    told = wish(desk, "red", "absent", {"from": "2026-11-05", "until": "2026-11-08"})
    assert "The current deadline stays: Thu 5 Nov 2026, 20:00 UTC" in told.done[1]
    assert _deadline(desk) == datetime(2026, 11, 5, 20, tzinfo=UTC)
    desk.later(hours=72)
    desk.close()
    # three days from Thursday would be Sunday, when red is still away: a day after the return
    assert _deadline(desk) == datetime(2026, 11, 10, 0, tzinfo=UTC)
    desk.later(hours=120)
    desk.close()
    assert _deadline(desk) == desk.at + timedelta(hours=24)  # of a question in mid-turn


def test_with_a_schedule_the_next_time_of_it_counts(desk: Desk) -> None:
    desk.new(settings={"pace": "mon,thu 20:00", "zone": "Europe/Berlin"})
    wish(desk, "red", "absent", DAYS)
    desk.close()
    assert _deadline(desk) == datetime(2026, 11, 9, 19, tzinfo=UTC)


def test_absences_of_several_do_not_lie_in_each_others_way(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    wish(desk, "red", "absent", DAYS)
    wish(desk, "blue", "absent", {"from": "2026-11-08", "until": "2026-11-09"})
    desk.close()
    assert _deadline(desk) == datetime(2026, 11, 11, 0, tzinfo=UTC)


def test_only_who_owes_orders_is_waited_for(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    wish(desk, "red", "absent", DAYS)
    wanted = datetime(2026, 11, 6, tzinfo=UTC)
    with desk.store.reading() as books:
        case = case_of(desk, books)
        assert find_deadline_beyond_absences(case, ("blue", "green"), wanted) == wanted
        assert find_deadline_beyond_absences(case, ("red", "green"), wanted) == datetime(
            2026, 11, 9, tzinfo=UTC
        )
        assert find_deadline_beyond_absences(case, ("red",), None) is None


def test_days_are_those_of_the_players_own_zone(desk: Desk) -> None:
    with desk.store.writing() as books:
        books.save(Player(name="Ada", zone="Pacific/Auckland"))
    desk.new(settings={"pace": "24h"})
    wish(desk, "red", "absent", DAYS)
    (absence,) = desk.see(lambda books: books.absences(GAME))
    assert absence.start == datetime(2026, 11, 4, 11, tzinfo=UTC)
    assert absence.end == datetime(2026, 11, 7, 11, tzinfo=UTC)


def test_the_budget_is_fourteen_days_a_game(desk: Desk) -> None:
    desk.new()
    assert wish(desk, "red", "absent", {"from": "2026-12-01", "until": "2026-12-10"}).done
    told = wish(desk, "red", "absent", {"from": "2026-12-20", "until": "2026-12-24"})
    assert told.done == ()
    assert "you have 4 of them left" in told.not_taken[0]
    assert wish(desk, "red", "absent", {"from": "2026-12-20", "until": "2026-12-23"}).done
    assert wish(desk, "blue", "absent", {"from": "2026-12-01", "until": "2026-12-14"}).done


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (
            {"from": "2026-11-03", "until": "2026-11-04"},
            "first day that you can name is 2026-11-04",
        ),
        ({"from": "2026-11-09", "until": "2026-11-07"}, "before it begins"),
        ({"from": "2026-02-30", "until": "2026-11-07"}, "no such day"),
        ({"from": "9999-12-30", "until": "9999-12-31"}, "too far away"),
        ({"from": "tomorrow", "until": "2026-11-07"}, '"tomorrow" is not a day'),
        ({"from": "2026-11-07"}, "until"),
        ("2026-11-07", "it is written"),
        (None, "absent"),
    ],
)
def test_what_cannot_be_is_told(desk: Desk, value: Any, why: str) -> None:
    desk.new()
    told = wish(desk, "red", "absent", value)
    assert told.done == ()
    assert why in " ".join(told.not_taken)
    assert desk.see(lambda books: books.absences(GAME)) == []
    assert desk.letters("notice") == []


def test_the_same_days_are_spent_once(desk: Desk) -> None:
    desk.new()
    wish(desk, "red", "absent", DAYS)
    told = wish(desk, "red", "absent", DAYS)
    assert "announced already" in told.not_taken[0]
    assert len(desk.see(lambda books: books.absences(GAME))) == 1


def test_a_substitute_has_days_of_its_own(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    wish(desk, "red", "absent", DAYS)
    desk.act(replace_player, "red", "Dan")
    desk.close()
    assert _deadline(desk) == datetime(2026, 11, 5, 20, tzinfo=UTC)
    assert wish(desk, "red", "absent", {"from": "2026-12-01", "until": "2026-12-14"}).done


def test_new_keys_do_not_bring_new_days(desk: Desk) -> None:
    desk.new()
    wish(desk, "red", "absent", {"from": "2026-12-01", "until": "2026-12-14"})
    wish(desk, "red", "ask", ["new-key"])
    told = wish(desk, "red", "absent", {"from": "2026-12-20", "until": "2026-12-20"})
    assert "you have 0 of them left" in told.not_taken[0]


ADA = "ada@example.org"
AWAY = "I am away from 27 to 29 November."
OFFICE = "I am away from 27 to 29 November. In urgent cases write to my colleague Bo."


@pytest.mark.parametrize(
    ("text", "more", "is_answered"),
    [
        (AWAY, "", False),
        (f"Hello,\n{AWAY}\nBest, Ada", "", False),
        (f"{AWAY}\nbuild 2", "", True),
        (f"{AWAY}\nbiuld 2", "", True),
        ("I am out of the office until Monday, so\nbuild: 2", "", True),
        (OFFICE, "", False),
        ("Hello,\nI am out of the office until Monday.", "", False),
        ("I am away until 29 November and read your letter then.", "", False),
        (f"This is an automatic reply.\n{AWAY}", "", False),
        (f"{AWAY}\nbuild 2", "Auto-Submitted: auto-replied", False),
        (f"{AWAY}\nbuild 2", "Precedence: bulk", False),
        (f"{AWAY}\nbuild 2", "X-Autoreply: yes", False),
    ],
)
def test_a_player_who_is_away_and_orders_is_answered_and_a_program_is_not(
    desk: Desk, text: str, more: str, *, is_answered: bool
) -> None:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind="jump-wars")
    mail = Mail(post)
    about = mail.last(ADA)
    name, _, value = more.partition(": ")
    body = f"{text}\n\n{quoted(words(about))}\n"
    arrival = mail.write(ADA, body, about, {name: value} if name else {})
    assert (arrival.outcome != "silence") is is_answered
