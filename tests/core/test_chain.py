"""The chain: it commits to everything, tells nothing, and no link can be moved."""

import hashlib
import hmac
import json

import msgspec
import pytest

from adjudicator.core.chain import FIRST, Link, compute_commitment, find_link_fault, forge_link

SEED = bytes(range(32))


def _chain() -> list[Link]:
    setup = forge_link(None, kind="setup", step="0-setup", after=None, commitments={"state": "aa"})
    plan = forge_link(
        setup, kind="step", step="1-plan", after="0-setup", commitments={"state": "bb", "b/x": "c"}
    )
    ruling = forge_link(
        plan, kind="ruling", step="2-ruling", after="1-plan", commitments={"reason": "dd"}
    )
    return [setup, plan, ruling]


def _first_fault(links: list[Link]) -> str | None:
    for previous, link in zip([None, *links], links, strict=False):
        if wrong := find_link_fault(previous, link):
            return wrong
    return None


def test_a_link_names_its_predecessor_and_the_first_names_nothing() -> None:
    setup, plan, ruling = _chain()
    assert setup.previous == FIRST == "0" * 64
    assert (plan.previous, ruling.previous) == (setup.digest, plan.digest)
    assert [link.number for link in (setup, plan, ruling)] == [0, 1, 2]


def test_a_link_can_be_recomputed_from_its_published_form() -> None:
    setup, plan, _ = _chain()
    body = {
        "number": 1,
        "kind": "step",
        "step": "1-plan",
        "after": "0-setup",
        "commitments": {"b/x": "c", "state": "bb"},
    }
    text = json.dumps([setup.digest, body], separators=(",", ":"), sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest() == plan.digest


def test_an_untouched_chain_has_no_fault() -> None:
    assert _first_fault(_chain()) is None


@pytest.mark.parametrize(
    "change",
    [
        {"number": 5},
        {"kind": "step"},
        {"step": "2-plan"},
        {"after": "0-setup"},
        {"after": None},
        {"commitments": {"reason": "de"}},
        {"commitments": {"reason": "dd", "state": "ee"}},
        {"commitments": {}},
        {"previous": FIRST},
        {"digest": "0" * 64},
    ],
    ids=lambda change: f"{next(iter(change))}",
)
def test_whatever_is_changed_in_a_link_is_found(change: dict[str, object]) -> None:
    *before, ruling = _chain()
    wrong = _first_fault([*before, msgspec.structs.replace(ruling, **change)])
    assert wrong is not None
    assert wrong.startswith("link ")


def test_a_link_that_was_changed_and_sealed_anew_breaks_the_next() -> None:
    setup, _, ruling = _chain()
    other = forge_link(
        setup, kind="step", step="1-plan", after="0-setup", commitments={"state": "xx"}
    )
    wrong = _first_fault([setup, other, ruling])
    assert wrong is not None
    assert "link 2 (2-ruling)" in wrong


def test_a_link_left_out_or_swapped_is_found() -> None:
    setup, plan, ruling = _chain()
    assert _first_fault([setup, ruling]) is not None
    assert _first_fault([plan, setup, ruling]) is not None
    assert _first_fault([plan, ruling]) is not None


def test_commitments_are_sorted_whatever_order_they_came_in() -> None:
    one = forge_link(
        None, kind="setup", step="0-setup", after=None, commitments={"a": "1", "b": "2"}
    )
    two = forge_link(
        None, kind="setup", step="0-setup", after=None, commitments={"b": "2", "a": "1"}
    )
    assert one == two
    assert list(two.commitments) == ["a", "b"]


def test_a_commitment_can_be_recomputed_from_the_seed() -> None:
    salt = hmac.new(SEED, b'["4-plan","red","orders"]', hashlib.sha256).digest()
    told = hmac.new(salt, b'{"build":3}', hashlib.sha256).hexdigest()
    assert compute_commitment(SEED, "4-plan", "red", "orders", b'{"build":3}') == told


def test_without_the_seed_a_guess_cannot_be_confirmed() -> None:
    # the same small content looks different in every step, for every seat and part
    made = {
        compute_commitment(seed, step, seat, part, b"{}")
        for seed in (SEED, bytes(32))
        for step in ("4-plan", "5-jump")
        for seat in ("red", "blue", "")
        for part in ("orders", "report")
    }
    assert len(made) == 24
    assert hashlib.sha256(b"{}").hexdigest() not in made
