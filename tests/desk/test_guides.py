"""The guides are true: every word in them that is to be written is one that is understood."""

from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.text_layout import TEXT_WIDTH
from adjudicator.adapters.yaml.reader import parse_yaml
from adjudicator.cli.app import SECTIONS
from adjudicator.core.forms import order_form
from adjudicator.core.forms.reading import Text
from adjudicator.desk.acts import TABLE as ACTS
from adjudicator.desk.acts import find_act
from adjudicator.desk.acts.by_mail import split_words
from adjudicator.desk.model.context import Context
from adjudicator.desk.questions.answer import answer_gm
from adjudicator.desk.questions.answer_parts import trust_part
from adjudicator.desk.questions.question_words import FREE, QUESTIONS, Question, parse_questions
from adjudicator.desk.requests.envelope import KEYS
from tests.desk.conftest import GAME, Desk
from tests.desk.mailing import Mail, words
from tests.desk.post import Post
from tests.desk.wishing import PRINTER

LIBRARY = FolderLibrary()
GUIDES = ("guide-player", "guide-gm", "guide-trust")
SEATS = ("red", "blue", "green")


def _text(guide: str) -> str:
    return PRINTER.text(f"{guide}.txt", {})


def _blocks(guide: str) -> list[Any]:
    """What is to be written: each line that is indented by four, with the deeper ones of a list.

    Other deeper lines are the guide's words about the line above them.
    """
    groups: list[list[str]] = []
    for line in _text(guide).splitlines():
        said = line.removeprefix("    ")
        if len(said) == len(line) or not said:
            continue
        if said[0].isalpha():
            groups.append([said])
        elif said[0] == "-" or said.startswith(("  text:", "    ")):
            groups[-1].append(said)
    return [parse_yaml("\n".join(group)).value for group in groups]


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_is_as_wide_as_a_mail(guide: str) -> None:
    assert max(map(len, _text(guide).splitlines())) <= TEXT_WIDTH


@pytest.mark.parametrize("guide", GUIDES)
def test_every_line_that_is_to_be_written_is_understood(guide: str) -> None:
    blocks = _blocks(guide)
    assert blocks
    form = LIBRARY.common("envelope")
    names = {"seat": SEATS, "addressee": (*SEATS, "all", "gm")}
    for block in blocks:
        assert set(block) <= set(KEYS)
        plain = {key: value for key, value in block.items() if key != "gm"}
        reading = order_form.read_form(form, Text(value=plain), names)
        assert [finding.message for finding in reading.findings] == []
        assert FREE not in [one.word for one in parse_questions(block.get("ask", "help"))]
        for said in block.get("gm", []):
            word = next(iter(said)) if isinstance(said, dict) else split_words(said)[0]
            assert word in ACTS


def test_the_player_is_told_of_every_wish_and_question() -> None:
    text = _text("guide-player")
    for key in set(KEYS) - {"gm", "game", "step", "key", "after"}:
        assert f"{key}:" in text
    for question, example in QUESTIONS.items():
        assert f"\n  {example} " in text or f"\n  {question} " in text


def test_the_gm_is_told_of_every_act() -> None:
    written = [
        next(iter(said)) if isinstance(said, dict) else split_words(said)[0]
        for block in _blocks("guide-gm")
        for said in block.get("gm", [])
    ]
    assert set(written) == {name for name in ACTS if not find_act(name).exports}


def test_commands_in_the_guides_are_there() -> None:
    commands = {name for part in SECTIONS.values() for name in part}
    for guide in GUIDES:
        for part in _text(guide).split("`adjudicator ")[1:]:
            assert part.split("`")[0].split()[0] in commands


def test_the_guides_lie_where_letters_and_commands_look() -> None:
    for guide in GUIDES:
        assert Path(find_data_folder("templates"), "common", f"{guide}.txt.j2").is_file()


def test_what_must_be_trusted_is_told_to_everybody(desk: Desk) -> None:
    desk.new()
    with desk.store.writing() as books:
        context = Context(books, desk.library, GAME, desk.at)
        seated = trust_part(context, "red", Question("trust"))
        (of_gm,) = answer_gm(context, ["trust"])
    assert seated["guide"] == of_gm["guide"] == "guide-trust"
    text = " ".join(_text("guide-trust").split())
    for told in (
        "can read everything: orders, hands, private messages",
        "can drop or delay letters",
        "No digest covers private messages",
        "can also play a seat, under any name",
        "can send luck words last",
        "the server alone chose the dice",
        "`adjudicator verify FOLDER`",
        "the SHA-256 of the seed with the one in the announcement",
    ):
        assert told in text


@pytest.mark.parametrize("kind", ["jump-gate", "jump-gate-2010", "jump-drive"])
def test_help_shows_no_example_of_another_game(desk: Desk, kind: str) -> None:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind=kind)
    mail = Mail(post)
    mail.write("ada@example.org", "ask: help", mail.last("ada@example.org"))
    text = words(mail.last("ada@example.org"))
    assert "C4" not in text
    assert "JW-" not in text
    assert text.index("`ready: no`") < text.index("QUESTIONS")


def test_help_begins_with_what_is_due_and_leaves_out_what_other_letters_say(desk: Desk) -> None:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind="jump-drive")
    mail = Mail(post)
    mail.write("ada@example.org", "ask: help", mail.last("ada@example.org"))
    text = words(mail.last("ada@example.org"))
    places = [text.index(f"\n{one}\n") for one in ("WHAT YOU CAN ORDER NOW", "A PLAYER'S GUIDE")]
    assert places == sorted(places)
    assert text.index("For example:") < text.index("  discard: ")
    assert "A TURN FROM A REAL GAME" not in text
    assert "JOINING" not in text
    assert "JOINING" in _text("guide-player")


def test_all_rules_begin_with_those_about_the_form_due(desk: Desk) -> None:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind="jump-drive")
    lead, *rules = post.answer(post.write("ask: rules"))["parts"][0]["lines"]
    numbers = [one.partition(":")[0] for one in rules]
    assert lead.startswith("First the rules about your opening orders, then all others.")
    assert numbers[:3] == ["JD-2", "JD-4a", "JD-1"]
    assert sorted(numbers) == sorted(LIBRARY.kind("jump-drive").rulebook)
