"""What a form shows as an example is accepted as it stands."""

import re
from collections import Counter
from typing import Any

import pytest

import adjudicator
from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.adapters.render.text_layout import format_block
from adjudicator.adapters.yaml.reader import parse_yaml
from adjudicator.core.finding import Grade
from adjudicator.rules.jump_wars.orders.prefill import WRITTEN

KINDS = ("jump-wars", "jump-drive", "jump-gate", "jump-gate-2010")
WRONG = (Grade.UNREADABLE, Grade.REFUSED, Grade.DOOMED)
BESIDE_A_WORLD = {"second", "contact_specialist"}
"""Keys that nobody can order alone."""
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b")


@pytest.mark.parametrize("seeds", [1, pytest.param(3, marks=pytest.mark.soak)])
@pytest.mark.parametrize("mover", ["bot", "legal"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_example_of_a_form_is_accepted_as_it_stands(
    kind: str, mover: str, seeds: int
) -> None:
    """Whole, line by line without the #, and each phrase in backticks of its comments."""
    shown = Counter[str]()
    beside = set[str]()
    own = adjudicator.load(kind)
    for seed in range(seeds):
        state = own.new(seed=seed, seats=3)
        for number in range(45):
            if state.over:
                break
            for seat in state.due:
                form = state.report(seat).document["form"]
                for orders in _list_offers(own, state, seat, form):
                    if isinstance(orders, dict) and orders.keys() & BESIDE_A_WORLD:
                        beside |= orders.keys()
                        continue
                    findings = [one for one in state.check(seat, orders) if one.grade in WRONG]
                    assert findings == [], (state.step, seat, orders)
                    shown[str(state.step).partition("-")[2]] += 1
            orders = {
                seat: state.bot(seat) if mover == "bot" else state.legal(seat, seed * 99 + number)
                for seat in state.due
            }
            state = state.close(orders)
    assert sum(shown.values()) > 20
    assert ("contact_specialist" in beside) is (kind == "jump-drive")


def test_the_abilities_of_jump_wars_are_written_as_their_form_reads_them() -> None:
    own = adjudicator.load("jump-wars").source
    meant = {"CARD": "trade", "SEAT": "blue", "SPACE": "C4", "TECHNOLOGY": "attack"}
    for phrase in WRITTEN.values():
        said = PLACEHOLDER.sub(lambda found: meant[found[0]], phrase)
        reading = own.read("plan", parse_yaml(said), ("red", "blue"))
        assert reading.findings == (), said
        assert reading.orders


def _list_offers(own: Any, state: Any, seat: str, form: Any) -> list[Any]:
    example = form.get("example") or {}
    offers: list[Any] = [format_block(example)] if example else []
    alone = () if "pay" in example else example.items()  # what pays belongs to what it is for
    offers += [{key: value} for key, value in alone]
    for comment in form["comments"]:
        for phrase in re.findall(r"`([^`]+)`", comment):
            if not PLACEHOLDER.search(phrase):
                offers += [_read(own, state, seat, phrase)]
    return offers


def _read(own: Any, state: Any, seat: str, phrase: str) -> Any:
    """Read a phrase as a line of a reply."""
    form = state.due[seat].form
    if phrase in own.source.form(form).root.properties:
        return {}  # the name of a key alone
    letter = parse_letter(f"Content-Type: text/plain\n\n{phrase}\n".encode())
    reading = own.source.free_lines(form, letter.lines, state.seats, ("ready", "ask", "luck"))
    assert reading.taken, phrase
    return {key: one for key, one in reading.text.value.items() if key not in ("ready", "ask")}
