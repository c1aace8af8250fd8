"""Whatever a report offers in words is read as that order when it is copied into a reply."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from adjudicator.adapters.yaml.reader import try_parse_yaml
from adjudicator.core.finding import Grade
from adjudicator.core.forms.orders_as_text import write_inline
from adjudicator.core.forms.reading import FreeReading, Text, WrittenLine
from tests.games.jump_gate.play import FIRST, LIBRARY, SECOND, Played, walk
from tests.games.jump_gate.test_play import ALL_VARIANTS
from tests.games.jump_gate.test_report import BURN, NEW, OLD, reported, section

GAMES: list[tuple[str, dict[str, Any], str]] = [
    (SECOND, {}, "legal"),
    (FIRST, {}, "legal"),
    (FIRST, ALL_VARIANTS, "legal"),
    (FIRST, ALL_VARIANTS, "bot"),
]
SPECIALS = {"backroom-deal", "hotshot-pilot", "inside-info", "jump-paradox", "long-range-scan"}
_LIST = re.compile(
    r"^(?P<before>.*? (?:to|of|with|at|harvest) )"
    r"(?P<all>[^,;]+(?:, [^,;]+?)* or .+?)(?P<after>(?: (?:with|by) n\d+)?)$"
)


def read_reply(kind: str, *lines: str) -> FreeReading:
    found = LIBRARY.kind(kind)
    written = [WrittenLine(text=one, number=n, raw=one) for n, one in enumerate(lines, 1)]
    return found.free_lines("turn", written, found.seats[:3], ("ready",))


def actions_in(kind: str, *lines: str) -> list[dict[str, Any]]:
    """The actions that a reply with these lines puts on file."""
    found = LIBRARY.kind(kind)
    reading = read_reply(kind, *lines)
    assert reading.text.value, lines
    form = found.read("turn", Text(value=reading.text.value), found.seats[:3])
    assert form.findings == (), lines
    assert form.orders is not None
    actions: list[dict[str, Any]] = form.orders["actions"]
    return actions


def each_choice(phrase: str) -> list[str]:
    """A phrase for each of the things that it lists: jump to anno, jump to cinder."""
    opened, then, phrase = phrase.rpartition(", then ")
    listed = _LIST.match(phrase)
    if listed is None:
        return [f"{opened}{then}{phrase}"]
    things = re.split(", | or ", listed["all"])
    return [f"{opened}{then}{listed['before']}{one}{listed['after']}" for one in things]


def hand(kind: str, played: Played, seat: str) -> list[str]:
    rules = LIBRARY.kind(kind).rules
    sections = rules.report(rules.view(played.before, seat), ())["sections"]
    (lines,) = [one["lines"] for one in sections if one["title"] == "Your hand"]
    return list(lines)


def phrases(lines: list[str]) -> Iterator[tuple[str, str | None]]:
    """What the lines of a hand offer, each with its card."""
    for line in lines:
        label, _, offers = line.rstrip(".").partition(": ")
        card = re.match(r"n\d\d(?= \()", label)
        if not offers or offers == "nothing from here":
            continue
        if label == "Always":
            yield from ((one, None) for one in re.findall("`(.+?)`", offers))
        elif card or label in ("Without a card", "With any card"):
            for one in offers.split("; "):
                yield one, card[0] if card else None


@pytest.mark.parametrize(("kind", "options", "who"), GAMES)
def test_each_phrase_of_the_hand_is_read_as_that_order(
    kind: str, options: dict[str, Any], who: str
) -> None:
    rules, tried = LIBRARY.kind(kind).rules, set()
    for played in walk(kind, 5, 3, options, who=who, steps=40):
        if played.before.table.step != "turn":
            continue
        seat = played.before.table.active
        view = rules.view(played.before, seat)
        for phrase, card in phrases(hand(kind, played, seat)):
            for one in each_choice(phrase):
                actions = actions_in(kind, one)
                assert len(actions) == 1 + (", then " in one), one
                last = actions[-1]
                words = one.rpartition(", then ")[2]
                said = words.partition(" ")[0].rstrip(",")
                assert last["do"] in (said, "special") or said == "return", one
                named = {last.get("card"), *last.get("cards", ())}
                assert card is None or card in named, one
                places = {last.get("to"), last.get("at"), *last.get("take", ())}
                assert any(str(place) in words for place in places - {None}) or places == {None}
                tried.add(said)
                if len(actions) > played.before.table.actions_left:
                    continue
                refused = [
                    finding
                    for finding in rules.check(view, seat, {"actions": actions})
                    if finding.grade is Grade.REFUSED
                ]
                assert refused == [], one
    assert {"jump", "scan", "fly", "harvest"} <= tried
    assert who == "legal" or tried >= {"land", *SPECIALS}


@pytest.mark.parametrize("kind", [FIRST, SECOND])
def test_a_place_that_is_named_is_where_the_ship_must_be(kind: str) -> None:
    rules = LIBRARY.kind(kind).rules
    played = next(
        one
        for one in walk(kind, 5, 3, {}, who="bot")
        if one.before.table.step == "turn" and one.before.table.ships[one.before.table.active].at
    )
    table = played.before.table
    here = table.ships[table.active].at
    there = next(one for one in table.ring if one != here)
    view = rules.view(played.before, table.active)
    for do in ("scan", "land", "harvest"):
        actions = actions_in(kind, f"{do} {'at ' if do == 'harvest' else ''}{there}")
        assert actions == [{"do": do, "at": there}]
        (found,) = rules.check(view, table.active, {"actions": actions})
        assert (found.grade, found.message) == (
            Grade.REFUSED,
            f"You are at {here}, not at {there}.",
        )


@pytest.mark.parametrize("one_in", [3, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", [FIRST, SECOND])
def test_a_slip_in_a_planets_name_keeps_the_card_and_proposes_the_nearest_name(
    kind: str, one_in: int
) -> None:
    for number, planet in enumerate(LIBRARY.kind(kind).rules.names["planet"]):
        for at in range(1 + number % one_in, len(planet), one_in):
            wrong = planet[:at] + planet[at + 1 :]
            if not planet[at].isalpha():
                continue
            for phrase, meant in (
                (f"jump to {wrong} with n44", {"do": "jump", "to": planet, "card": "n44"}),
                (f"jump {wrong} n44", {"do": "jump", "to": planet, "card": "n44"}),
                (f"scan {wrong} with card n44", {"do": "scan", "at": planet, "card": "n44"}),
                (f"land on {wrong} with n08 and n45",
                 {"do": "land", "at": planet, "cards": ["n08", "n45"]}),
            ):  # fmt: skip
                reading = read_reply(kind, phrase)
                (slip,) = reading.slips
                assert slip.meant == {"actions": [meant]}, phrase
                assert reading.text.value is None


def test_a_whole_menu_is_no_order_and_its_writer_hears_it() -> None:
    reading = read_reply(SECOND, "jump to anno, cinder or window with n44")
    assert reading.text.value is None
    (why,) = reading.odd
    assert "`jump to anno with n44`" in why


def test_the_hand_says_what_each_card_could_do_from_here() -> None:
    report = reported(FIRST, OLD, "{red: {actions: [{do: research}]}}", "red")
    assert section(report, "Your hand")["lines"] == [
        "From anno:",
        (
            "n02 (jump 1, land 1): jump to cinder or waldwelt with n02; "
            "land on anno with n02 and n16"
        ),
        "n04 (jump 1, land 3): jump to cinder or waldwelt with n04",
        "n05 (jump 2, land 1, inside-info): land on anno with n05 and n16; inside-info with n05",
        "n16 (jump 4, land 4): land on anno with n02 and n16; land on anno with n05 and n16",
        "n17 (jump 5, scan 1, wormhole): wormhole to cinder, waldwelt or window with n17",
        "Without a card: fly to window or cinder.",
        "To choose, add `, take fame, water` to a landing: you get the first that is there.",
        (
            "Always: `research` to fill your hand to 5, "
            "or `research, discarding n17` to replace cards."
        ),
    ]
    hand = section(reported(SECOND, NEW, "{blue: {}}", "green"), "Your hand")["lines"]
    assert "Your hidden resources: fame." in hand


def test_the_hand_tells_what_may_be_harvested() -> None:
    report = reported(SECOND, NEW, "{red: {actions: [{do: research}]}}", "red")
    lines = section(report, "Your hand")["lines"]
    assert "n36 (scan 3, land 1): scan anno with n36" in lines
    assert (
        "n21 (jump any, scan 3): jump to cinder or waldwelt with n21; scan anno with n21" in lines
    )
    assert "With any card: harvest gem-red!." in lines


def test_a_landed_player_reads_what_the_cards_could_do_from_orbit() -> None:
    hand = section(
        reported(FIRST, BURN, "{red: {actions: [{do: research}]}}", "red", orbital_burn=True),
        "Your hand",
    )["lines"]
    from_orbit = "return to orbit, then jump to cinder or waldwelt with n04"
    assert f"n04 (jump 1, land 3): {from_orbit}" in hand
    assert (
        "n05 (jump 2, land 1, inside-info): inside-info with n05; "
        "return to orbit, then land on anno with n05 and n16"
    ) in hand
    assert "Without a card: return to orbit." in hand


@pytest.mark.parametrize(("kind", "options", "who"), GAMES)
def test_the_example_reads_the_same_in_one_line(
    kind: str, options: dict[str, Any], who: str
) -> None:
    """The box of what is due shows it so."""
    found, tried = LIBRARY.kind(kind), 0
    for played in walk(kind, 5, 3, options, who=who, steps=40):
        if played.before.table.step != "turn":
            continue
        view = found.rules.view(played.before, played.before.table.active)
        example = found.rules.report(view, ())["form"]["example"]
        whole = found.read("turn", Text(value=example), found.seats[:3]).orders
        assert whole is not None
        line = try_parse_yaml(write_inline(example), small_keys=True)
        assert isinstance(line, Text)
        assert found.read("turn", line, found.seats[:3]).orders == whole
        tried += 1
    assert tried > 10
