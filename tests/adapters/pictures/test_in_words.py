"""What a picture shows stands in the text of the same report, too, for whoever sees no pictures."""

import re
from collections.abc import Iterator
from typing import Any

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render.printer import Printer
from tests.adapters.pictures.positions import played

PRINTER = Printer([find_data_folder("templates")])


def told(game: str) -> Iterator[tuple[Any, str, str]]:
    """The position of every other report, its text in one line, and which report it is."""
    for document in list(played(game))[::2]:
        text = " ".join(PRINTER.text("report.txt", document, game).split())
        yield document["position"], text, f"{document['game']['id']} {document['step']}"


def table(text: str, title: str) -> str:
    return text.partition(f" {title} ")[2]


def test_a_map_stands_below_in_words() -> None:
    for position, text, where in told("jump_wars"):
        words = text.partition("In words: ")[2]
        for space, lies in position["map"].items():
            home = f"{lies['home']} " if isinstance(lies, dict) else ""
            said = rf"\b{home}{space}\b"
            assert re.search(said, words), f"{where}: {space}"
        for side, stacks in position["fleets"].items():
            row = re.search(rf"(?:the old )?{side}: ([^:]+)\.", table(text, "FLEETS"))
            assert row, f"{where}: {side}"
            for space, fleets in stacks.items():
                assert re.search(rf"\b{space} \([^)]+\) {fleets}\b", row[1]), f"{where}: {space}"


def test_what_a_step_changed_on_the_map_is_told() -> None:
    shown = 0
    for position, text, where in told("jump_wars"):
        changes = position["changes"]
        said = [f"from {one['from']} to {one['to']} with {one['fleets']} fleet"
                for one in changes["jumps"]]  # fmt: skip
        said += [f"Fight at {one['at']}: " for one in changes["fights"]]
        said += [f"{seat} lost {fallen} of" for one in changes["fights"]
                 for seat, fallen in one["lost"].items() if seat != "empire"]  # fmt: skip
        said += [f"{one['fleets']} fleet" for one in changes["gained"]]
        shown += len(said)
        assert [one for one in said if one not in text] == [], where
        for one in changes["revealed"]:
            assert re.search(rf"\b{one['from']}\W+(to )?{one['to']}\b", text), where
    assert shown > 20


def test_the_chart_stands_beside_it_as_a_table() -> None:
    turns = 0
    for position, text, where in told("jump_wars"):
        past, rows = position["past"], table(text, "OVER THE TURNS")
        if len(past) < 2:
            continue
        seats = re.findall(r"[a-z]+", rows.partition(f" {past[0]['turn']} ")[0])[1:]
        assert sorted(seats) == sorted(past[0]["fleets"]), where
        for one in past:
            row = " ".join(f"{one['fleets'][seat]}/{one['mine'][seat]}" for seat in seats)
            assert f" {one['turn']} {row} " in rows, f"{where}: turn {one['turn']}"
            turns += 1
    assert turns > 5


def test_a_ring_stands_below_in_words() -> None:
    for position, text, where in told("jump_gate"):
        words = text.partition("In words: ")[2]
        for name, site in position["planets"].items():
            codes = site["codes"]
            lands = " and ".join(map(str, codes["land"]))
            head = f"{name} (jump {codes['jump']}, scan {codes['scan']}, land {lands}): "
            assert head in words, where
            said = words.partition(head)[2]
            cards = said.partition(".")[0]
            for card in site["face_up"]:
                assert card in cards, f"{where}: {name}"
            assert bool(site["face_down"]) == (f"; {site['face_down']} face-down" in cards), where
            for seat, card in site["marks"].items():
                assert f"{card} (marked by {seat})" in cards, f"{where}: {name}"
            assert not site["claim"] or said.partition(".")[2].startswith(
                f" Claimed by {site['claim']}."
            ), where
            for seat, markers in site["scans"].items():
                assert not markers or f"{seat} {markers}" in said.partition(" (")[0], where
        for seat, ship in position["ships"].items():
            if ship["at"] != "gate":
                here = words.partition(f"{ship['at']} (jump")[2].partition("Here: ")[2]
                said = f"{seat} (landed)" if ship["landed"] else seat
                assert said in here.partition(".")[0], f"{where}: {seat}"
        for one in position["moves"]:
            places = [one[key].replace("gate", "the Jump Gate") for key in ("from", "to")]
            assert f"{one['seat']} from {places[0]} to {places[1]}" in words, f"{where}: {one}"


def test_empires_are_told_card_by_card() -> None:
    cards = 0
    for position, text, where in told("jump_drive"):
        for seat, empire in position.get("cards", {}).items():
            row = re.search(rf"\b{seat}: (.*?)\.(?= [a-z]+: | CARDS)", table(text, "EMPIRES"))
            assert row, f"{where}: {seat}"
            for card in empire:
                brings = [f"{card[key]} {what}" for key, what in
                          (("vp", "VP"), ("income", "income")) if card[key]]  # fmt: skip
                said = f"{card['name']} ({', '.join(brings)})" if brings else card["name"]
                assert said in row[1], f"{where}: {seat}"
                cards += 1
            gains = position["gains"][seat]
            numbers = f"{seat} {position['vp'][seat]} {gains['vp']} {gains['income']} "
            assert numbers in table(text, "PLAYERS"), where
    assert cards > 20
