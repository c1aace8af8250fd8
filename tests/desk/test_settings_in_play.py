"""Each setting in a whole short game by letters: nothing fails, and what it promises is seen.

The game itself is tests/desk/whole_game.py; it fails where a step does, where a letter cannot be
written or waits for ever, and where somebody who owes orders was not asked for them.
"""

import random
import re
from collections import ChainMap
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.desk.model.people import House
from adjudicator.desk.model.settings import Settings
from tests.desk.conftest import GAME
from tests.desk.post import HOUSE
from tests.desk.twins import NAMES, OBSERVER, address
from tests.desk.whole_game import LONG, SEATS, STRANGER, Rules, WholeGame

DAN = "Dan <dan@example.org>"
SITE = "https://games.example.org/played"


class Case(Struct, frozen=True, kw_only=True):
    """Settings that are switched on together, and how that is seen."""

    rules: Rules
    promise: Callable[[WholeGame], object]


def of_game(promise: Callable[[WholeGame], object], **settings: Any) -> Case:
    return Case(rules=Rules(settings=settings), promise=promise)


def of_house(promise: Callable[[WholeGame], object], **house: Any) -> Case:
    return Case(rules=Rules(house=house), promise=promise)


def steps(game: WholeGame) -> list[tuple[str, timedelta, timedelta]]:
    """Each closed step that had a deadline: its phase, how long it could take, and took."""
    found = game.desk.see(lambda books: books.steps(GAME))
    return [
        (one.phase, one.deadline - one.opened, one.closed - one.opened)
        for one in found
        if one.deadline and one.closed
    ]


def messages(game: WholeGame) -> str:
    """What blue got of red's messages as they were sent."""
    return "".join(
        part.get_content()
        for one in game.letters("blue")
        if "ress from red" in str(one["Subject"])
        for part in one.walk()
        if part.get_content_type() == "text/plain"
    )


def names(game: WholeGame) -> list[str]:
    """The names that red read while the game went on; Ada is red, and stands in examples."""
    return [
        name
        for one in game.letters("red")
        if not re.search("Game over|Who played", str(one["Subject"]))
        for name in re.findall(r"\b(?:Bo|Cleo)\b", one.as_string())
    ]


def headers(game: WholeGame, name: str, who: str = "red") -> set[str]:
    return {str(one[name]) for one in game.letters(who)}


def buttons(game: WholeGame) -> bool:
    """Whether each report that asks for orders has a page on which they are chosen."""
    pages = [
        (body.get_content(), str(one["Subject"]))
        for one in game.letters("red")
        if ".report." in str(one["Message-ID"]) and (body := one.get_body(("html",)))
    ]
    return all(
        f"{SITE}/orders/jump-drive.html#" in page for page, subject in pages if "YOUR" in subject
    )


CASES = {
    "a day and a zone": of_game(
        lambda game: "Thu 5 Nov 2026, 20:00 (Asia/Kathmandu, UTC+5:45)" in game.texts("red"),
        pace="thu 20:00",
        zone="Asia/Kathmandu",
    ),
    "no pace": of_game(
        lambda game: not steps(game) and "YOUR TURN until" not in game.texts("red"), pace="none"
    ),
    "least": of_game(
        lambda game: (
            min(may for phase, may, _ in steps(game) if phase == "pick") >= timedelta(hours=60)
        ),
        pace="daily 20:00",
        least="60h",
    ),
    "no grace": of_game(
        lambda game: steps(game)[0][1] == steps(game)[0][2] and "late" not in game.texts("green"),
        grace="0m",
    ),
    "settle": of_game(
        lambda game: all(took >= timedelta(hours=5) for _, _, took in steps(game)), settle="5h"
    ),
    "interrupts": of_game(
        lambda game: all(
            may >= timedelta(hours=50) for phase, may, _ in steps(game) if phase == "prize"
        ),
        interrupt_pace="50h",
    ),
    "a bot for the silent": of_game(
        lambda game: "a bot plays the seat" in game.texts("red"), nmr_limit=1, nmr="bot"
    ),
    "a substitute for the silent": of_game(
        lambda game: "You play green in tiny now" in game.texts("dan@example.org"),
        nmr_limit=1,
        nmr="substitute",
        substitutes=[DAN],
    ),
    "the late are named": of_game(
        lambda game: "Orders are late" in game.texts("red"), late_visible=True
    ),
    "no reminder": of_game(
        lambda game: "waiting for your orders" not in game.texts("green"), remind=[]
    ),
    "no press": of_game(lambda game: "ress from" not in game.texts("blue"), press="none"),
    "press without a name": of_game(
        lambda game: "ress from anonymous" in game.texts("blue"), press="grey"
    ),
    "few messages": of_game(
        lambda game: messages(game) and LONG[:40] not in messages(game), press_messages=1
    ),
    "short messages": of_game(
        lambda game: messages(game) and LONG[:40] not in messages(game), press_kilobytes=1
    ),
    "luck in each turn": of_game(
        lambda game: game.texts("red").count("\nluck:") > 2, luck="each-turn"
    ),
    "votes are not counted": of_game(
        lambda game: (
            "Your vote is now: draw." in game.texts("blue")
            and "voted for it" not in game.texts("blue")
        ),
        vote_count=False,
    ),
    "anonymous": of_game(lambda game: not names(game), anonymous=True),
    "few players": of_game(lambda game: game.desk.game().seats == SEATS[:2], smallest=2),
    "given up": of_game(
        lambda game: "The game is cancelled" in game.texts("red"), smallest=3, expires="20h"
    ),
    "the invited": of_game(
        lambda game: "Toy Duel" not in game.texts(OBSERVER) + game.texts(STRANGER),
        invited=[address(NAMES[seat]) for seat in SEATS],
    ),
    "nobody is away": of_game(
        lambda game: "green is away" not in game.texts("red"), away=0, outage="0m"
    ),
    "signed letters": of_game(
        lambda game: (
            {one.message_id.partition("@")[2] for one in game.mail.post.outbox()}
            == {"other.example>"}
        ),
        auth="dkim",
        auth_host="mx.example.org",
        host="other.example",
    ),
    "a title and tags": of_house(
        lambda game: (
            headers(game, "From") == {'"Jörgs Spiele, neu" <games@example.org>'}
            and headers(game, "Reply-To") == {"games+tiny@example.org"}
            and not game.letters(STRANGER)
        ),
        title="Jörgs Spiele, neu",
        tagged=True,
        aliases=(STRANGER,),
    ),
    "no gm": of_house(lambda game: not game.letters(HOUSE.gm[0]), gm=()),
    "ways back": of_house(
        lambda game: (
            all("games+" in path for path in game.mail.paths)
            and "https://out.example/x?" in "".join(headers(game, "List-Unsubscribe", OBSERVER))
        ),
        bounces="games+{token}@example.org",
        unsubscribe_url="https://out.example/x?",
    ),
    "one answer to a stranger": of_house(
        lambda game: len(game.letters(STRANGER)) == 1, strangers=1
    ),
    "strangers of a domain": of_house(
        lambda game: len(game.letters(STRANGER)) == 2, strangers_domain=3
    ),
    "all strangers": of_house(
        lambda game: "no longer answered today" in game.texts(HOUSE.gm[0]), strangers_all=5
    ),
    "letters of a seat": of_house(
        lambda game: "Too many letters today" in game.texts("red"), seat_letters=2
    ),
    "letters of an hour and a day": Case(
        rules=Rules(settings={"pace": "none"}, house={"hourly_letters": 10, "daily_letters": 20}),
        promise=lambda game: "Many letters go out today" in game.texts(HOUSE.gm[0]),
    ),
    "pages": Case(rules=Rules(site=SITE, kind="jump-drive"), promise=buttons),
}


@pytest.mark.parametrize("name", CASES)
def test_a_setting_is_kept_in_a_whole_game(
    tmp_path: Path, toy_library: FolderLibrary, name: str
) -> None:
    with ExitStack() as ends:
        game = WholeGame(tmp_path / "game.db", toy_library, ends, CASES[name].rules)
        game.play()
        assert CASES[name].promise(game)


def test_each_setting_has_its_game() -> None:
    played = {name for case in CASES.values() for name in (*case.rules.settings, *case.rules.house)}
    assert played == {*Settings.__struct_fields__, *House.__struct_fields__} - {"address"}


def join_rules(cases: Sequence[Rules], chance: random.Random) -> Iterator[Rules]:
    """Join settings at random, so that each two which can apply together once do."""
    wanted = {(a, b) for b in range(len(cases)) for a in range(b) if can_join(cases[a], cases[b])}
    while wanted:
        chosen = list(chance.choice(sorted(wanted)))
        for one in chance.sample(range(len(cases)), len(cases)):
            if all(can_join(cases[one], cases[other]) for other in chosen if other != one):
                chosen.append(one)
        wanted -= {(a, b) for a in chosen for b in chosen}
        yield Rules(
            settings=dict(ChainMap(*(dict(cases[one].settings) for one in chosen))),
            house=dict(ChainMap(*(dict(cases[one].house) for one in chosen))),
            site=SITE,
        )


def can_join(one: Rules, other: Rules) -> bool:
    """Whether no setting stands in both, and the game of both is played at all."""
    names = [*one.settings, *one.house, *other.settings, *other.house]
    return len(names) == len(set(names)) and "expires" not in names


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["toy-duel", "jump-drive", "jump-gate-2010", "jump-wars"])
def test_each_two_settings_go_together_in_a_whole_game(
    tmp_path: Path, toy_library: FolderLibrary, kind: str
) -> None:
    cases = [case.rules for case in CASES.values()]
    for number, rules in enumerate(join_rules(cases, random.Random(kind))):
        with ExitStack() as ends:
            own = replace(rules, kind=kind)
            WholeGame(tmp_path / f"{number}.db", toy_library, ends, own).play()
