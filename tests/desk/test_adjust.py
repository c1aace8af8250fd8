"""Settings of a running game are changed: from the next deadline on, unless now."""

from datetime import timedelta
from typing import Any

import pytest

from adjudicator.core.document import decode
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.settings import Settings
from tests.desk.conftest import GAME, Desk
from tests.desk.inviting import DAN, archive_of
from tests.desk.wishing import apply, order

CHANGES: dict[str, tuple[str, Any]] = {
    "pace": ("48h", "48h"),
    "zone": ("Europe/Berlin", "Europe/Berlin"),
    "least": ("12h", "12h"),
    "grace": ("2h", "2h"),
    "settle": ("1h", "1h"),
    "interrupt_pace": ("6h", "6h"),
    "nmr_limit": ("5", 5),
    "nmr": ("bot", "bot"),
    "substitutes": ("zoe@example.org,yan@example.net", ("Zoe", "Yan")),
    "late_visible": ("yes", True),
    "remind": ("12h,1h", ("12h", "1h")),
    "press": ("grey", "grey"),
    "press_messages": ("5", 5),
    "press_kilobytes": ("8", 8),
    "vote_count": ("no", False),
    "away": ("20", 20),
    "outage": ("3h", "3h"),
    "auth_host": ("mx.example.org", "mx.example.org"),
}
"""Every setting that a running game can change, as it is written and as it is read."""
FIXED = {"host", "anonymous", "luck", "smallest", "expires", "invited"}
WITH_ANOTHER = {"auth"}
"""`auth: dkim` needs auth_host, too."""


def _setting(desk: Desk, name: str) -> Any:
    return desk.see(lambda books: getattr(Context(books, desk.library, GAME).settings, name))


def test_every_setting_is_tried_here() -> None:
    assert set(CHANGES) | FIXED | WITH_ANOTHER == set(Settings.__struct_fields__)


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_applies_from_the_next_deadline_on_unless_now(desk: Desk, name: str) -> None:
    said, value = CHANGES[name]
    desk.new(settings={"pace": "72h"})
    was, due = _setting(desk, name), desk.step().deadline
    told = order(desk, f"adjust {name}={said}")
    assert "This applies from the next deadline on; the current one stays as it is." in told.done[0]
    assert (_setting(desk, name), desk.step().deadline) == (was, due)
    desk.close()
    assert _setting(desk, name) == value
    assert "next" not in desk.game().settings
    order(desk, f"adjust {name}=default now")
    assert _setting(desk, name) == getattr(Settings(), name)


def test_the_next_deadline_is_the_first_of_a_new_pace(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    order(desk, "adjust pace=24h")
    desk.close()
    assert desk.step().deadline == desk.at + timedelta(hours=24)
    desk.later(hours=1)
    order(desk, "adjust nmr=bot now")
    assert desk.step().deadline == desk.at + timedelta(hours=23), "nmr moves no deadline"
    order(desk, "adjust pace=48h now")
    assert desk.step().deadline == desk.at + timedelta(hours=48)


def test_players_are_told_what_changes_and_when(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    order(desk, "adjust press=none grace=2h")
    lines = decode(desk.letters("notice", "red")[-1].document)["lines"]
    assert lines == [
        "The GM changed settings of the game:",
        "- press: white -> none",
        "- grace: 30m -> 2h",
        "This applies from the next deadline on; the current one stays as it is.",
        "The deadline is Thu 5 Nov 2026, 20:00 UTC.",
    ]


def test_before_the_start_there_is_nothing_to_wait_for(desk: Desk) -> None:
    desk.new(start=False)
    order(desk, "adjust pace=24h smallest=2")
    assert desk.game().settings == {"pace": "24h", "smallest": 2}


def test_what_waits_can_be_changed_again_applied_now_and_undone(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    order(desk, "adjust remind=6h")
    assert "the settings already have these values" in order(desk, "adjust remind=6h").not_taken[0]
    order(desk, "adjust remind=3h grace=1h")
    assert desk.game().settings["next"] == {"remind": ["3h"], "grace": "1h"}
    assert order(desk, "adjust remind=3h now").not_taken == ()
    assert desk.game().settings == {"pace": "72h", "remind": ["3h"], "next": {"grace": "1h"}}
    assert order(desk, "adjust grace=default").not_taken == ()
    assert desk.game().settings == {"pace": "72h", "remind": ["3h"]}
    assert order(desk, "undo").not_taken == ()
    assert desk.game().settings["next"] == {"grace": "1h"}


def test_who_joins_meanwhile_stays_on_the_waiting_list(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    order(desk, "adjust substitutes=zoe@example.org")
    apply(desk, DAN, confirmed=True, name="Dan")
    assert _setting(desk, "substitutes") == ("Dan",)
    desk.close()
    assert _setting(desk, "substitutes") == ("Zoe", "Dan")


def test_a_public_archive_hides_of_what_waits_what_it_hides_of_what_applies(desk: Desk) -> None:
    desk.new(settings={"pace": "72h", "anonymous": True})
    order(desk, "adjust substitutes=zoe@example.org grace=1h")
    sheet = archive_of(desk, public=True)["game.yaml"].decode()
    assert "Zoe" not in sheet
    assert "grace" in sheet


def test_a_schedule_that_steps_cannot_keep_is_told(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    told = order(desk, {"adjust": {"pace": "daily 20:00", "least": "36h"}})
    assert "`least` is longer than the 1 day between them" in told.done[0]


@pytest.mark.parametrize(
    ("said", "name", "value"),
    [
        ("adjust remind 12h", "remind", ("12h",)),
        ("adjust remind: 48h, 12h", "remind", ("48h", "12h")),
        ("adjust Remind to 12h and 6h", "remind", ("12h", "6h")),
        ("adjust pace to 48h", "pace", "48h"),
        ("adjust nmr-limit 2", "nmr_limit", 2),
        ("adjust pace mon,thu 20:00", "pace", "mon,thu 20:00"),
    ],
)
def test_a_setting_may_be_written_without_its_sign(
    desk: Desk, said: str, name: str, value: Any
) -> None:
    desk.new(settings={"pace": "72h"})
    assert order(desk, said).not_taken == ()
    desk.close()
    assert _setting(desk, name) == value
