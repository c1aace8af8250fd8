"""Every question and every word of the GM's once there and back: bytes in, bytes out, read.

What comes back is read as its reader reads it: whole sentences, no rests of programming, no line
too wide, and a block at the end that can be replied with.
"""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from copy import copy
from pathlib import Path

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.desk.acts import TABLE as ACTS
from adjudicator.desk.questions.question_words import QUESTIONS
from tests.adapters.pages.reading import faults, same_facts
from tests.desk.mailing import form, words
from tests.desk.post import HOUSE
from tests.desk.twins import World, copy_of

ADA, BO = "ada@example.org", "bo@example.org"
REST = re.compile(
    r"\bNone\b(?! were)|\bTrue\b|\bFalse\b|datetime|Traceback|Undefined|Struct|<\w+ object|"
    r"\b1 (days|steps|reports|cards)\b|\.\.(?!\.)|,\.|\(\)"
)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Jump Wars in its second step, so that there is something to ask about."""
    with ExitStack() as ends:
        path = tmp_path_factory.mktemp("begun") / "adjudicator.db"
        made = World(path, FolderLibrary(), ends)
        settings = {"pace": "72h", "zone": "Europe/Berlin", "press": "grey"}
        made.new("jump-wars", 3, ["red", "blue", "green"], settings=settings)
        for seat, orders in made.choices("bot", 1).items():
            made.order(seat, orders)
        made.desk.later(hours=1)
        made.desk.close()
        made.order("red", made.choices("bot", 1)["red"])
        made.mail.deliver()
        yield made


@pytest.fixture
def world(begun: World, tmp_path: Path) -> Iterator[World]:
    """That game in books of one's own, and everybody's letters."""
    with ExitStack() as ends:
        made = copy_of(begun, tmp_path / "adjudicator.db", ends)
        made.mail.inbox = {who: copy(letters) for who, letters in begun.mail.inbox.items()}
        yield made


STEP_NAME = re.compile(r"(?<!step: )(?<!rollback )\b\d+-(?:setup|plan|jump|reveal)\b")
"""A step's name, which people read as turn and phase; forms and the GM's acts take it."""


def came(world: World, reader: str, before: int) -> str:
    """The letters that came since; each of them must read well."""
    world.mail.deliver()
    texts = []
    for letter in world.mail.inbox[reader][before:]:
        text = words(letter)
        assert max(map(len, text.splitlines())) <= 78
        plain = "\n".join(line for line in text.splitlines() if "`" not in line)
        assert not (found := REST.search(plain)), f"{found}: {text}"
        assert "\n\n\n" not in text
        assert STEP_NAME.search(text) is None
        assert str(letter["Subject"]).startswith("[tiny] ")
        page = letter.get_body(("html",))
        assert page is not None
        assert faults(page.get_content()) == []
        assert same_facts(text, page.get_content(), str(letter["Subject"])) == []
        gone = "You no longer play" in text or "game is over" in text.lower()
        assert text.endswith("# end of orders\n") or gone
        texts.append(text)
    assert texts, "nothing came back"
    return "\n".join(texts)


ASKED = {
    "status": (
        "status",
        ["The game is running.", "Open now: turn 1, jump.", ("You are in: receipt 2 is")],
    ),
    "report": ("report 2", ["Report 2 to red", "(receipt 1, digest ", "WHAT HAPPENED TO YOU"]),
    "orders": ("orders", ["You have sent these orders for turn 1, jump.", "counts"]),
    "history": ("history", ["the game was created", "turn 1, plan: closed"]),
    "rules": ("rules JW-30", ["JW-30: A jump is at most 1 + jump level spaces long."]),
    "why": ("why 1", ["WHY 1, report 2", "JW-"]),
    "players": ("players", ["Ada (you)", "Bo", "Cleo"]),
    "press": ("press", ["blue to all : Good luck!", ": Good luck!"]),
    "words": ("words", ["WORDS OF JUMP WARS", "cluster = mines 2 RT", "[JW-23]"]),
    "trust": ("trust", ["WHAT YOU MUST TRUST"]),
    "help": ("help", ["A PLAYER'S GUIDE", "YOUR TURN"]),
    "map": ("map", ["Position for red", "MAP", "YOUR HAND"]),
    "example": ("example", ["A TURN FROM A REAL GAME", "build: max"]),
    "resend": ("resend", ["Report 2 to red", "RECEIPT 2 to red"]),
    "new-key": ("new-key", ["Your old keys are void."]),
}


@pytest.mark.parametrize("word", QUESTIONS)
def test_every_question_is_answered_in_words(world: World, word: str) -> None:
    said, wanted = ASKED[word]
    world.say("blue", "press: {to: all, text: Good luck!}")
    world.mail.deliver()
    before = len(world.mail.inbox[ADA])
    world.say("red", f"ask: [{said}]")
    told = came(world, ADA, before)
    for one in wanted:
        assert one in " ".join(told.split()) or one in told
    key = next(line for line in form(told) if line.startswith("key: ")).removeprefix("key: ")
    assert key == world.post.key("red", seating=world.desk.seating("red").number)


def test_every_number_that_a_report_prints_can_be_asked_about(world: World) -> None:
    """Own orders, too, which stand apart from what happened."""
    report = next(words(one) for one in world.mail.inbox[ADA] if "Report 2" in words(one))
    numbers = [
        int(n) for n in re.findall(r"^ {1,2}(\d+)  \S", report.partition("\nMAP")[0], re.MULTILINE)
    ]
    assert len(numbers) == len(set(numbers)) > 5
    world.say("red", f"ask: [{', '.join(f'why {n}' for n in numbers)}]")
    told = words(world.mail.last(ADA))
    assert [int(n) for n in re.findall(r"^WHY (\d+), report 2$", told, re.MULTILINE)] == numbers
    assert re.search(r"Build at \w+: .*This was done\.", told)


def test_what_cannot_be_answered_is_said_in_words(world: World) -> None:
    before = len(world.mail.inbox[ADA])
    world.say("red", "ask: [report 9, why 99, why, rules XX-1, nonsense, statsu, '']")
    told = " ".join(came(world, ADA, before).split())
    for one in (
        "red has no report 9; they are numbered 1 to 2",
        "report 2 has no event 99; its events are 1 to",
        "write the number of the event that you mean, as in `why 7`",
        'there is no rule "XX-1"',
        '"nonsense" is not a question. You can ask status,',
        'did you mean "status"?',
    ):
        assert one in told


SAID = {
    "start": ("start", "start: tiny: it is running already"),
    "announce": ("announce zoe@example.com", "announce: tiny: it is running already"),
    "address": ("address blue bob@example.net", "Letters for blue go to bob@example.net now."),
    "replace": ("replace blue bob@example.org", "replace: Bob plays blue now."),
    "bot": ("bot blue", "bot: A bot plays blue now."),
    "resign": ("resign blue", "resign: Nobody plays blue now."),
    "submit": ("{submit: {blue: {jump: []}}}", "submit: blue: receipt 2, taken."),
    "close": ("close now", "close: Step closed: turn 1, jump."),
    "remind": ("remind", "remind: Reminded: blue, green."),
    "extend": ("extend 24h", "extend: Deadline moved: turn 1, jump, due"),
    "pause": ("pause", "pause: The game is paused: no deadline is running."),
    "resume": ("resume", "resume: tiny: it is running already"),
    "edit": (
        "{edit: {reason: a slip, change: {tokens: {red: 50}}}}",
        "edit: The position is changed (ruling 3-ruling). Public changes:",
    ),
    "rollback": (
        "rollback 1-plan",
        "rollback: Undone: turn 1, plan, and everything after it. Orders off file:",
    ),
    "end": ("end drawn all agreed", "end: The game is over: drawn."),
    "message": ('message "All is well"', "message: Your message went to everybody."),
    "adjust": ("adjust pace=48h", "adjust: Changed: pace: 72h -> 48h."),
    "archive": ("archive", "only a game that is over is archived"),
    "delete": ("delete", "this is done at the command line"),
    "undo": ("undo", "cannot be undone, since entry 7 (submit:"),
    "note": ('note "Bo is away"', "is in the history."),
    "accept": ("accept", "there is nothing to accept"),
}


@pytest.mark.parametrize("word", ACTS)
def test_every_word_of_the_gm_is_answered_and_whom_it_concerns_is_told(
    world: World, word: str
) -> None:
    said, wanted = SAID[word]
    gm, seen = HOUSE.gm[0], {who: len(world.mail.inbox[who]) for who in (ADA, BO)}
    quoted = said if said.startswith("{") else f"'{said}'"
    world.say("gm", f"gm: [{quoted}]", "preview: yes")
    tried = " ".join(came(world, gm, 0).split())
    assert ("nothing was changed" in tried) is ("REJECTED" not in tried)
    assert {who: len(world.mail.inbox[who]) for who in (ADA, BO)} == seen
    before = len(world.mail.inbox[gm])
    world.say("gm", f"gm: [{quoted}]")
    told = came(world, gm, before)
    assert wanted in " ".join(told.split())
    for who, number in seen.items():
        if len(world.mail.inbox[who]) > number:
            came(world, who, number)


def test_the_gm_asks_and_is_told_who_is_in_and_nobody_s_orders(world: World) -> None:
    world.say("gm", f"ask: [{', '.join(said for said, _ in ASKED.values())}]")
    told = " ".join(came(world, HOUSE.gm[0], 0).split())
    for one in (
        "red Ada in",
        "blue Bo NOT in",
        "turn 1, plan: closed",
        "A GM'S GUIDE",
        "JW-30: A jump",
    ):
        assert one in told
    assert "This letter contains your key" in told


def test_orders_of_which_nothing_is_left_are_not_on_file(world: World) -> None:
    """A block whose every entry was refused must not count as an empty set."""
    before = len(world.mail.inbox[BO])
    world.say("blue", "standing: {revael: pass}")
    world.say("blue", "jump: [from here to there]")
    told = came(world, BO, before)
    assert told.count("NONE OF YOUR ORDERS WERE PUT ON FILE") == 2
    assert told.count("YOU ARE NOT IN") == 2
    assert world.post.on_file("blue") == []
