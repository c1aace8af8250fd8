"""The desk with Jump Wars: a game with everything in it, and every document as its schema says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.document import decode
from adjudicator.desk.acts.edit import edit_position, open_position
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.desk.conftest import GAME, Desk
from tests.desk.post import Post, letter

ORDERS = Path(__file__).parents[2] / "orders"


@pytest.fixture
def wars(desk: Desk) -> Desk:
    desk.library = FolderLibrary()
    desk.new(
        kind="jump-wars",
        seats={"red": "Ada", "blue": "bot", "green": "bot"},
        settings={"pace": "mon,thu 20:00", "zone": "Europe/Berlin", "nmr": "bot"},
    )
    return desk


def _held(desk: Desk) -> None:
    record = desk.see(lambda books: read_record(books, GAME))
    assert check_chain(record) == ()
    assert replay_game(record, desk.library.kind("jump-wars")) == ()


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, str):
        yield value


def test_a_whole_game_with_rulings_and_rollbacks_replays(wars: Desk) -> None:
    for number in range(8):
        wars.later(hours=80)
        wars.close()
        if number == 2:
            given = wars.see(lambda books: open_position(Context(books, wars.library, GAME)))
            given["tokens"] = {**given.get("tokens", {}), "red": 50}
            wars.act(edit_position, given, reason="red was owed some tokens")
        if number == 5:
            wars.act(roll_back, wars.see(lambda b: b.steps(GAME))[3].name, same_dice=True)
    assert wars.game().status is Status.RUNNING
    _held(wars)


def test_the_gm_rules_by_letter_in_the_names_of_the_position(wars: Desk) -> None:
    """Spaces have capital letters, and keys of a letter's block come without them."""
    home = next(iter(wars.state()["fleets"]["red"]))
    post = Post(wars)
    change = f"{{fleets: {{red: {{{home}: 7, E5: 2}}}}}}"
    written = post.form("gm:", f"- edit: {{reason: a lost fleet, change: {change}}}", seat=GM)
    answer = post.answer(post.take(letter(written, sender="gm@example.org")))
    assert "REJECTED" not in str(answer)
    assert wars.state()["fleets"]["red"] == {home: 7, "E5": 2}
    told = decode(wars.letters("notice", "red")[-1].document)["lines"]
    assert f"- fleets red {home}: 7 (before: 5)" in told
    assert "- fleets red E5: 2 (before: none)" in told


def test_bots_play_to_the_end_and_all_of_it_holds(desk: Desk) -> None:
    desk.library = FolderLibrary()
    desk.new(
        kind="jump-wars",
        seats={"red": "bot", "blue": "bot"},
        options={"turn_limit": 4, "old_empire": True, "grid": "hex"},
    )
    while desk.game().open_step is not None:
        desk.close(now=False)
    assert desk.game().status is Status.OVER
    _held(desk)


def test_every_report_is_what_its_schema_says(wars: Desk) -> None:
    schema = yaml.safe_load((ORDERS / "common" / "report.yaml").read_text(encoding="utf-8"))
    check = Draft202012Validator(schema)
    for _ in range(4):
        wars.close()
    papers = wars.see(lambda books: books.papers(GAME))
    assert len(papers) == 5 * 4
    for paper in papers:
        assert list(check.iter_errors(decode(paper.document))) == []


def test_the_receipt_judges_by_what_the_seat_can_see(wars: Desk) -> None:
    home = next(space for space, what in wars.state()["map"].items() if what == {"home": "red"})
    receipt = wars.send("red", "build: 1\nally: blue\ntrade: {with: red}\n")
    assert [entry["mark"] for entry in receipt["entries"]].count("will fail") >= 1
    wars.close()
    receipt = wars.send(
        "red", f"standing: {{reveal: pass}}\njump:\n- {home} {home} x1\n- {home}-Z99 x1\n- huh\n"
    )
    marks = {entry["mark"] for entry in receipt["entries"]}
    assert {"will fail", "refused", "fine"} <= marks
    assert receipt["form"]["orders"]["standing"] == {"reveal": "pass"}
    assert f"{home}-Z99 x1" in receipt["form"]["orders"]["jump"]
    report_rules = wars.library.kind("jump-wars").rulebook
    for entry in receipt["entries"]:
        assert all(fault["rule"] in report_rules for fault in entry["faults"])


def test_a_receipt_says_nothing_of_others_hands(wars: Desk) -> None:
    """Two games that differ only in hands red cannot see give red the same receipts."""
    told = []
    for swap in (False, True):
        given = wars.see(lambda books: open_position(Context(books, wars.library, GAME)))
        if swap:
            hands = given["hands"]
            hands["blue"], hands["green"] = hands["green"], hands["blue"]
            wars.act(edit_position, given, reason="hands were dealt wrongly")
        receipt = dict(wars.send("red", "preview: yes\nbuild: max\ntech: {pair: attack}"))
        for changing in ("number", "arrived"):
            del receipt[changing]
        told.append(sorted(_strings(receipt)))
    assert told[0] == told[1]
