"""What people read first: the announcement, the opening of their first report, and an example."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.text_layout import TEXT_WIDTH, wrap
from adjudicator.adapters.yaml.reader import parse_yaml
from adjudicator.core.document import decode
from adjudicator.core.forms.reading import Text, WrittenLine
from adjudicator.desk.acts.announce import announce_game
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.introduction import count_weekly_steps
from adjudicator.desk.steps.handover import replace_player as give
from tests.desk.conftest import GAME, Desk
from tests.desk.mailing import Mail
from tests.desk.mailing import words as words_of
from tests.desk.post import Post
from tests.desk.wishing import PRINTER, apply, wish
from tests.played import ROOT, list_records, play_again

LIBRARY = FolderLibrary()
KINDS = LIBRARY.kinds()
ALL_KINDS = (*KINDS, "toy-duel")
SEATS = ("red", "blue", "green")
PAGES = 150
"""Lines of three pages."""
ASKED = ("ask: help", "ask: words", "ask: example", "ask: map", "ask: rules")


def text_of(letter: OutgoingLetter, kind: str) -> str:
    """A letter as its reader gets it."""
    folder = LIBRARY.kind(kind).game if kind in KINDS else "toy_duel"
    name = letter.template.partition("/")[0]
    text = PRINTER.text(f"{name}.txt", decode(letter.document), folder)
    assert max(map(len, text.splitlines())) <= TEXT_WIDTH
    return text


def page_of(letter: OutgoingLetter, kind: str) -> str:
    """The words of its page."""
    folder = LIBRARY.kind(kind).game if kind in KINDS else "toy_duel"
    name = letter.template.partition("/")[0]
    page = PRINTER.mail_page(f"{name}.html", decode(letter.document), folder)
    return " ".join(re.sub(r"<[^>]+>", "", page).split())


def flat(text: str) -> str:
    return " ".join(text.split())


# ---- the announcement


def _announced(desk: Desk, kind: str, **new: Any) -> OutgoingLetter:
    desk.new(kind=kind, seats=dict.fromkeys(SEATS), start=False, luck={}, **new)
    desk.act(announce_game, ["ada@example.org"])
    return desk.letters("answer")[-1]


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_the_announcement_says_what_to_expect(desk: Desk, kind: str) -> None:
    letter = _announced(desk, kind, settings={"pace": "72h"})
    guide = desk.library.kind(kind).guide
    fewest, most = guide["length"]["turns"]
    for said in (flat(text_of(letter, kind)), page_of(letter, kind)):
        assert " ".join(guide["about"]) in said
        assert guide["turn"] in said
        assert re.search(rf"about {fewest} to {most} (turn|round)s, with \d sets? of orders", said)
        assert re.search(r"that is \d+( to \d+)? (day|week)s?;", said)
        assert "about 2 reports a week, and a receipt" in said
        assert "It is a game for 3 players. 3 of 3 seats are free." in said
        assert "ANSWER" not in said
    assert "reply with the one word `join`" in flat(text_of(letter, kind))


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_game_says_what_it_is_in_two_sentences(desk: Desk, kind: str) -> None:
    about = desk.library.kind(kind).guide["about"]
    assert len(about) == 2
    assert [len(re.findall(r"[.!?](?= |$)", one)) for one in about] == [1, 1]


@pytest.mark.parametrize(
    ("kind", "options", "said"),
    [
        ("jump-wars", {}, "square map with diagonals, homeworlds as far apart as possible"),
        (
            "jump-wars",
            {"homeworlds": "choose", "grid": "hex"},
            "hexagonal map, players choose homeworlds at least 3 apart, start player dealt",
        ),
        ("jump-gate-2010", {"sun_dial": True}, "Sun Dial: all 12 planets"),
        ("jump-drive", {"dealer": "blue"}, "blue deals first"),
        ("toy-duel", {"rounds": 2}, "In this game: 2 rounds."),
    ],
)
def test_options_are_told_in_words(
    desk: Desk, kind: str, options: Mapping[str, Any], said: str
) -> None:
    letter = _announced(desk, kind, options=desk.library.kind(kind).options(options, SEATS))
    text = flat(text_of(letter, kind))
    assert said in text
    for jargon in ("grid:", "spacing:", "interrupts", "none", "start player: "):
        assert jargon not in text.partition("FAIR DICE")[0]


@pytest.mark.parametrize("kind", KINDS)
def test_every_option_has_words_for_every_value(kind: str) -> None:
    form = LIBRARY.kind(kind).form("options")
    for key, node in form.root.properties.items():
        words, schema = node.schema["x-words"], node.schema
        values = schema.get("enum") or (["yes", "no"] if schema["type"] == "boolean" else ["other"])
        assert set(values) <= words.keys() or "other" in words, key


@pytest.mark.parametrize(
    ("pace", "weekly"),
    [("none", None), ("72h", 7 / 3), ("1w", 1), ("mon,thu 20:00", 2), ("daily 20:00", 7)],
)
def test_a_pace_is_so_many_steps_a_week(pace: str, weekly: float | None) -> None:
    assert count_weekly_steps(pace) == weekly


@pytest.mark.parametrize("folder", list_records(), ids=lambda one: one.name)
def test_games_as_played_were_as_long_as_is_said(folder: Any) -> None:
    record = play_again(folder).record
    length = LIBRARY.kind(record.game.kind).guide["length"]
    state = decode(next(step.state for step in reversed(record.steps) if step.state))
    turns = state.get("turn") or state["round"]
    each = turns / len(record.game.seats) if length.get("alone") else turns
    assert length["turns"][0] <= each <= length["turns"][1]


def test_the_commitment_stands_in_small_print_and_can_be_broken(desk: Desk) -> None:
    letter = _announced(desk, "jump-wars")
    page = PRINTER.mail_page("answer.html", decode(letter.document), "jump_wars")
    (small,) = re.findall(r"<p ([^>]*)>((?:[0-9a-f]{8}(?:<wbr>)?){8})</p>", page)
    assert "font-size:14px" in small[0]
    assert small[1].count("<wbr>") == 7
    assert small[1].replace("<wbr>", "") in text_of(letter, "jump-wars")


# ---- the first report


def _opening(text: str) -> list[str]:
    """The lines of the opening, without its heading."""
    lines = text.splitlines()
    at = next((n for n, line in enumerate(lines) if line.startswith("YOUR FIRST GAME OF")), None)
    if at is None:
        return []
    return lines[at + 1 : lines.index("", at)]


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_the_first_report_opens_with_ten_lines_on_this_turn(desk: Desk, kind: str) -> None:
    desk.new(kind=kind, settings={"pace": "72h"})
    own = desk.library.kind(kind)
    for seat in SEATS:
        (letter,) = desk.letters("report", seat)
        text = text_of(letter, kind)
        opening = _opening(text)
        assert 6 <= len(opening) <= 10
        assert text.index(opening[0]) < text.index("\n\n", 100)
        said = flat("\n".join(opening))
        form = decode(letter.document)["due"]["form"]
        assert own.guide["start"][form] in said
        assert [one for one in ASKED if f"`{one}`" not in said] == []
        waits = decode(letter.document)["due"]["waiting"]
        assert ("It is not your turn yet." in said) is not waits
        assert ("remove the # to use the line" in said) is waits
        page = page_of(letter, kind)
        assert f"Your first game of {own.title}" in page
        assert [one for one in ASKED if one not in page] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_opening_has_ten_lines_at_most(desk: Desk, kind: str) -> None:
    guide = desk.library.kind(kind).guide
    for form in guide["start"]:
        own = [" ".join(guide["about"]), guide["start"][form]]
        assert len("\n".join(wrap(one, "  ") for one in own).splitlines()) <= 6, form


def test_a_second_game_of_the_kind_opens_as_usual(desk: Desk) -> None:
    desk.new(game="older")
    desk.new(seats={"red": "Ada", "blue": "Dan", "green": "Eve"})
    opened = {
        seat: bool(_opening(text_of(desk.letters("report", seat)[0], "toy-duel"))) for seat in SEATS
    }
    assert opened == {"red": False, "blue": True, "green": True}
    desk.play()
    desk.close()
    assert not any(_opening(text_of(one, "toy-duel")) for one in desk.letters("report", "blue")[1:])


def test_a_game_of_another_kind_is_a_first_one(desk: Desk) -> None:
    desk.new(game="older", kind="jump-drive")
    desk.new()
    assert _opening(text_of(desk.letters("report", "red")[0], "toy-duel"))


def test_an_open_game_is_none_that_was_played(desk: Desk) -> None:
    desk.new(game="older", seats={"red": "Ada", "blue": None, "green": None}, start=False, luck={})
    desk.new()
    assert _opening(text_of(desk.letters("report", "red")[0], "toy-duel"))


def test_a_substitutes_first_report_opens_with_it_too(desk: Desk) -> None:
    desk.new()
    desk.play()
    desk.close()
    desk.act(give, "red", "Dora")
    (report,) = [one for one in desk.letters("answer", "red") if one.template == "report/1"]
    assert _opening(text_of(report, "toy-duel"))


def test_a_first_report_that_waited_explains_the_step_that_is_open_when_it_goes_out(
    desk: Desk,
) -> None:
    post = Post(desk)
    desk.library = FolderLibrary()
    desk.new(kind="jump-wars")
    post.address("Ada", "ada@example.org")
    mail = Mail(post)
    for seat in SEATS:
        desk.send(seat, "pass: yes")
    desk.close(now=False)
    mail.deliver()
    first = next(
        text for text in map(words_of, mail.inbox["ada@example.org"]) if "YOUR FIRST" in text
    )
    guide = desk.library.kind("jump-wars").guide["start"]
    assert guide["jump"] in flat(first)
    assert guide["plan"] not in flat(first)


def test_the_archive_keeps_reports_without_the_opening(desk: Desk) -> None:
    desk.new()
    for paper in desk.see(lambda books: books.papers(GAME)):
        assert "welcome" not in decode(paper.document)
    wish(desk, "red", "ask", "report 1")
    assert not _opening(text_of(desk.letters("answer", "red")[-1], "toy-duel"))


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_report_explains_its_words_in_a_line_each(desk: Desk, kind: str) -> None:
    desk.new(kind=kind)
    (letter,) = desk.letters("report", "red")
    told = text_of(letter, kind).partition("\nWORDS\n")[2].partition("\n\n")[0].splitlines()
    words = desk.library.kind(kind).guide["words"]
    assert len(told) == len(words) > 10  # one line for each
    assert all(one["word"] in line for one, line in zip(words, told, strict=True))
    assert flat(told[-1]) in flat(page_of(letter, kind))
    wish(desk, "red", "ask", "words")
    answer = text_of(desk.letters("answer", "red")[-1], kind)
    assert "\n".join(told) in answer
    book = desk.library.kind(kind).rulebook
    assert [one["word"] for one in words if one["rule"] not in book] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_quotation_of_the_words_is_no_order(desk: Desk, kind: str) -> None:
    desk.new(kind=kind)
    (letter,) = desk.letters("report", "red")
    told = text_of(letter, kind).partition("\nWORDS\n")[2].partition("\n\n")[0]
    form = decode(letter.document)["due"]["form"]
    own = desk.library.kind(kind)
    for line in told.splitlines():
        written = WrittenLine(text=line.strip(), number=1, raw=line)
        reading = own.free_lines(form, [written], desk.game().seats, ())
        assert (reading.taken, reading.slips) == ((), ()), line


WORDS_TO_EXPLAIN = {
    "jump-wars": ("star field", "cluster", "nebula", "black hole", "research", "special"),
    "jump-drive": ("dealer", "team", "trim", "markers", "convoy"),
    "jump-gate": ("icon !", "sand", "mark", "Black Hole", "hidden"),
    "jump-gate-2010": ("icon !", "scan marker", "special", "wormhole", "nothing"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_words_at_which_strangers_stumbled_are_explained(desk: Desk, kind: str) -> None:
    own = desk.library.kind(kind)
    explained = {one["word"] for one in own.guide["words"]}
    assert explained >= set(WORDS_TO_EXPLAIN[kind])
    techs = set(own.rules.names.get("tech", ()))
    assert explained >= techs


# ---- more


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_every_letter_with_a_form_says_what_can_be_asked(desk: Desk, kind: str) -> None:
    desk.new(kind=kind)
    wish(desk, "red", "ask", "status")
    letter = desk.letters("answer", "red")[-1]
    for said in (flat(text_of(letter, kind)).replace("`", ""), page_of(letter, kind)):
        assert "Write ask: help, ask: words, ask: example, ask: map or ask: rules." in said


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_the_map_is_the_position_alone_as_the_seat_sees_it(desk: Desk, kind: str) -> None:
    desk.new(kind=kind)
    wish(desk, "red", "ask", "map")
    letter = desk.letters("answer", "red")[-1]
    report, alone = decode(desk.letters("report", "red")[0].document), decode(letter.document)
    for key in ("position", "sections", "due", "turn"):
        assert alone[key] == report[key]
    assert (alone["events"], alone["orders"], alone["press"]) == ([], None, [])
    text = text_of(letter, kind)
    assert text.splitlines()[0].endswith("Position for red")
    for section in alone["sections"]:
        assert section["title"].upper() in text


def test_the_map_is_there_when_the_game_is_over_and_not_before_it_begins(desk: Desk) -> None:
    desk.new(options={"rounds": 1})
    while desk.game().open_step is not None:
        desk.play()
        desk.close()
    wish(desk, "red", "ask", "map")
    assert decode(desk.letters("answer", "red")[-1].document)["over"]


def test_a_map_before_the_game_begins_is_refused(desk: Desk) -> None:
    desk.new(seats={"red": "Ada", "blue": None, "green": None}, start=False, luck={})
    (why,) = wish(desk, "red", "ask", "map").not_taken
    assert "has not begun, so there is no position yet" in why


def test_somebody_who_confirms_reads_how_in_one_word(desk: Desk) -> None:
    desk.new(seats=dict.fromkeys(SEATS), start=False, luck={})
    (told,) = apply(desk, "ada@example.org", name="Ada").done
    assert told == (
        "You have NOT joined yet. Reply `yes` to this letter, or send it back as it is, to join. "
        "You get the name that you wrote; `join as NAME` changes it."
    )


# ---- the example


@cache
def _record(kind: str) -> Any:
    folder = LIBRARY.kind(kind).game
    return play_again(ROOT / "games" / folder / LIBRARY.kind(kind).guide["example"]["game"]).record


def _steps(kind: str) -> Iterator[tuple[Mapping[str, Any], Any]]:
    record = _record(kind)
    for told in LIBRARY.kind(kind).guide["example"]["steps"]:
        yield told, next(one for one in record.steps if one.name == told["step"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_was_played_so(kind: str) -> None:
    record, seat = _record(kind), LIBRARY.kind(kind).guide["example"]["seat"]
    for told, step in _steps(kind):
        lines = "\n".join(one["write"] for one in told["orders"])
        reading = LIBRARY.kind(kind).read(step.phase, parse_yaml(lines), record.game.seats)
        (played,) = [o for o in record.orders if (o.step, o.seat) == (step.number, seat)]
        assert reading.findings == ()
        assert reading.orders == decode(played.orders)


@pytest.mark.parametrize("kind", KINDS)
def test_the_report_that_followed_said_what_the_example_says(kind: str) -> None:
    record, seat = _record(kind), LIBRARY.kind(kind).guide["example"]["seat"]
    for told, step in _steps(kind):
        (paper,) = [p for p in record.papers if (p.step, p.seat) == (step.number, seat)]
        report = decode(paper.document)
        said = [one["text"] for one in (*report["events"], *report["orders"]["entries"])]
        assert [line for line in told["results"] if not any(s.startswith(line) for s in said)] == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_rules_still_take_the_example(kind: str) -> None:
    """From the position before each step: nothing is refused, and nothing must fail."""
    record, own = _record(kind), LIBRARY.kind(kind)
    states = {one.number: one.state for one in record.steps}
    for told, step in _steps(kind):
        state = own.rules.load(decode(states[step.predecessor]))
        seat = own.guide["example"]["seat"]
        lines = "\n".join(one["write"] for one in told["orders"])
        orders = own.read(step.phase, parse_yaml(lines), record.game.seats).orders
        found = own.rules.check(own.rules.view(state, seat), seat, orders)
        assert [one.message for one in found if one.grade.value in ("refused", "doomed")] == []


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_the_example_is_sent_to_whoever_asks(desk: Desk, kind: str) -> None:
    desk.new(kind=kind)
    example = desk.library.kind(kind).guide["example"]
    wish(desk, "red", "ask", "example")
    letter = desk.letters("answer", "red")[-1]
    for said in (flat(text_of(letter, kind)), page_of(letter, kind).replace("&amp;", "&")):
        for step in example["steps"]:
            for part in step["orders"]:
                assert flat(part["why"]).replace("`", "") in said.replace("`", "")


# ---- the guides


@pytest.mark.parametrize("kind", KINDS)
def test_the_players_guide_is_three_pages_with_its_example(kind: str) -> None:
    text = PRINTER.text("guide-player.txt", {"example": LIBRARY.kind(kind).guide["example"]})
    assert "A TURN FROM A REAL GAME" in text
    assert len(text.splitlines()) <= PAGES
    assert max(map(len, text.splitlines())) <= TEXT_WIDTH


def test_the_gms_guide_is_three_pages_with_a_turn_as_the_gm_sees_it() -> None:
    text = PRINTER.text("guide-gm.txt", {})
    assert "A TURN AS YOU SEE IT" in text
    assert len(text.splitlines()) <= PAGES


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_to_be_typed_in_an_opening_is_read(kind: str) -> None:
    own = LIBRARY.kind(kind)
    for form, words in own.guide["start"].items():
        for typed in re.findall(r"`([^`]+)`", words):
            filled = own.form(form)
            value = parse_yaml(typed).value
            text = value if set(value) <= set(filled.root.properties) else {"actions": [value]}
            found = own.read(form, Text(value=text), SEATS).findings
            assert [one for one in found if not re.search(r"CARD|PLANET", one.message)] == []


@pytest.mark.parametrize(("green", "name"), [("Cleo", "green"), ("bot", "gm")])
def test_the_first_letter_names_somebody_who_reads(desk: Desk, green: str, name: str) -> None:
    desk.new(seats={"red": "Ada", "blue": "bot", "green": green})
    assert f"To write to others: `to {name}: hello`." in flat(
        text_of(desk.letters("report")[0], "toy-duel")
    )
