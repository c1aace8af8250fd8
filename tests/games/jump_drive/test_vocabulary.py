"""The words of the component file are a closed set, and every term of it matters to a scenario."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adjudicator.adapters.games.data_folders import find_data_home
from adjudicator.adapters.games.game_texts import read_yaml_file
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.games.scenarios import (
    find_scenario_files,
    make_scenario_tools,
    read_scenario_file,
)
from adjudicator.core.scenario.parser import Scenario
from adjudicator.core.scenario.runner import ScenarioVerdict, run_scenario
from adjudicator.desk.model.errors import Refused
from adjudicator.rules.jump_drive import GAMES
from tests.samples import sampled

LIBRARY = FolderLibrary()
KIND = LIBRARY.kind("jump-drive")
TOOLS = make_scenario_tools(KIND)
CARDS: Mapping[str, Mapping[str, Any]] = {
    card["slug"]: card for part in ("supply", "cards") for card in KIND.components()[part]
}
SCHEMA = read_yaml_file(find_data_home() / "seeds" / "jump_drive" / "components.schema.yaml")

Place = tuple[str | int, ...]


@cache
def scenarios() -> Sequence[tuple[str, Scenario]]:
    """Every scenario that comes out, the short ones first, with the text that names its cards."""
    paths = find_scenario_files([Path(__file__).parent / "scenarios"])
    told = [(path.read_text(encoding="utf-8"), read_scenario_file(path)) for path in paths]
    return [
        (text, scenario)
        for text, scenario in sorted(told, key=lambda one: len(one[0]))
        if run_scenario(scenario, TOOLS).verdict is ScenarioVerdict.OK
    ]


def changed(card: str, place: Place, value: object) -> dict[str, Any]:
    """The components with something else on one card; None takes it away."""
    document: dict[str, Any] = deepcopy(dict(KIND.components()))
    target: Any = next(c for c in (*document["supply"], *document["cards"]) if c["slug"] == card)
    for part in place[:-1]:
        target = target[part]
    if value is None:
        del target[place[-1]]
    else:
        target[place[-1]] = value
    return document


def noticed(card: str, components: Mapping[str, Any]) -> bool:
    """Whether a scenario that names the card comes out otherwise with these components."""
    tools = msgspec.structs.replace(TOOLS, rules=GAMES[KIND.kind](components))
    return any(
        run_scenario(scenario, tools).verdict is not ScenarioVerdict.OK
        for text, scenario in scenarios()
        if card in text
    )


def terms() -> Iterator[tuple[str, Place, object]]:
    """Every number and every term of victory points and income, each a little changed."""
    for card, said in CARDS.items():
        for value in ("vp", "income"):
            yield card, (value, "base"), said[value]["base"] + 1
            for kind in ("per", "with"):
                for n, term in enumerate(said[value].get(kind, ())):
                    yield card, (value, kind, n), None
                    yield card, (value, kind, n, "value"), term["value"] + 1
                    other = "own" if term["whose"] == "other" else "other"
                    yield card, (value, kind, n, "whose"), other
                    if "each" in term:
                        yield card, (value, kind, n, "each"), term["each"] + 1


OTHERWISE: Mapping[str, Callable[[Any], object]] = {
    "discount": lambda number: number + 1,
    "military_against": lambda number: number + 1,
    "except_world": lambda _: "gray",
    "first_world": lambda word: "military" if word == "nonmilitary" else "nonmilitary",
    "second_world": lambda word: "military" if word == "nonmilitary" else "nonmilitary",
    "discard_self": lambda _: None,
    "with_pay_for_military": lambda word: not word,
    "limit_per_player": lambda number: number + 1,
}
"""How a word of a power is changed."""


SPEECHLESS = ("with_pay_for_military", "military")
"""It says which military worlds count as non-military; a convoy for conquests takes none of those
either way (JD-23)."""

EXCUSED = {"survey-team": "JD-9 says more than its powers: from the table, once in a game"}
"""Cards whose powers are not asked for, and why."""


def powers() -> Iterator[tuple[str, Place, object]]:
    """Every power taken away, and every word of it changed."""
    for card, said in CARDS.items():
        for n, power in enumerate(said["powers"]):
            if card in EXCUSED:
                continue
            yield card, ("powers", n), None
            for word, otherwise in OTHERWISE.items():
                if word in power and (word, power.get("second_world")) != SPEECHLESS:
                    yield card, ("powers", n, word), otherwise(power[word])
            if "on" in power:
                yield card, ("powers", n, "on"), {"tag": "imperium"}
            if "requires" in power:
                yield card, ("powers", n, "requires", "at_most"), 1
                yield card, ("powers", n, "requires", "or_card"), "space-marines"
                yield card, ("powers", n, "requires", "icon"), "explore"
            if "military_per" in power:
                yield card, ("powers", n, "military_per", "icon"), "explore"
                yield card, ("powers", n, "military_per", "value"), 2


def told(change: tuple[str, Place, object]) -> str:
    card, place, value = change
    return f"{card} {'.'.join(map(str, place))} {'gone' if value is None else value}"


@pytest.mark.parametrize("change", sampled([*terms(), *powers()], 5, told))
def test_every_term_matters_to_a_scenario(change: tuple[str, Place, object]) -> None:
    card, place, value = change
    assert noticed(card, changed(card, place, value))


def used(values: Iterator[Mapping[str, Any]]) -> set[str]:
    """Every key that occurs in one of them."""
    return {key for value in values for key in value}


def test_no_word_of_the_schema_is_without_a_card() -> None:
    """What no card says no scenario could show."""
    values = [card[value] for card in CARDS.values() for value in ("vp", "income")]
    every_power = [power for card in CARDS.values() for power in card["powers"]]
    words = {
        "per": used(term for value in values for term in value.get("per", ())),
        "with": used(term for value in values for term in value.get("with", ())),
        "power": used(iter(every_power)),
        "target": used(power["on"] for power in every_power if "on" in power),
        "value": used(iter(values)),
    }
    for part, keys in words.items():
        assert keys == set(SCHEMA["$defs"][part]["properties"]), part


@pytest.mark.parametrize(
    ("card", "place", "value"),
    [
        ("mining-robots", ("luck",), 1),
        ("mining-robots", ("kind",), "wonder"),
        ("mining-robots", ("colour",), "purple"),
        ("mining-robots", ("tags",), ["pirate"]),
        ("mining-robots", ("vp", "bonus"), 1),
        ("mining-robots", ("powers", 0), {"teleport": 1}),
        ("mining-robots", ("powers", 0, "luck"), 1),
        ("mining-robots", ("powers", 0, "on"), {}),
        ("mining-robots", ("powers", 0, "on"), {"world": "purple"}),
        ("mining-robots", ("powers", 0, "on"), {"world": "any", "kind": "world"}),
        ("mining-robots", ("powers", 0, "on"), {"icon": "military"}),
        ("galactic-imperium", ("powers", 0, "on"), {"tag": "pirate"}),
        ("contact-specialist", ("powers", 0, "except_world"), "purple"),
        ("contact-specialist", ("powers", 0, "pay_for_military"), "sometimes"),
        ("colony-convoy", ("powers", 0, "first_world"), "any"),
        ("military-convoy", ("powers", 0, "strength"), "general"),
        ("trade-pact", ("powers", 1, "requires", "icon"), "luck"),
        ("trade-pact", ("powers", 1, "requires", "at_least"), 1),
        ("war-propaganda", ("powers", 0, "move_to"), "lowest_strength"),
        ("war-propaganda", ("powers", 0, "when"), "after_scoring"),
        ("war-propaganda", ("powers", 0, "tie_with_owner"), "move"),
        ("war-propaganda", ("powers", 0, "tie_of_others"), "first_seat"),
        ("uplift-mercenaries", ("powers", 0, "military_per", "whose"), "other"),
        ("new-galactic-order", ("vp", "per", 0, "strength"), "unused"),
        ("consumer-markets", ("vp", "per", 0, "world"), "purple"),
        ("consumer-markets", ("vp", "per", 0, "whose"), "all"),
        ("consumer-markets", ("vp", "per", 0, "luck"), 1),
        ("survey-hq", ("vp", "per", 0, "round"), "up"),
        ("gem-world", ("vp", "with", 0, "each"), 2),
        ("gem-world", ("vp", "with", 0, "whose"), "all"),
        ("survey-team", ("powers", 1, "from_supply"), "twice"),
    ],
)
def test_a_word_that_does_not_exist_is_refused(card: str, place: Place, value: object) -> None:
    with pytest.raises(Refused, match="components of jump-drive"):
        LIBRARY.kind("jump-drive", changed(card, place, value))


def test_the_shipped_components_are_of_the_vocabulary() -> None:
    assert LIBRARY.kind("jump-drive", dict(KIND.components())).title == "Jump Drive"
