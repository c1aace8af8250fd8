"""The report explained to whoever writes a tool: `report --fields`."""

from typing import Any

from jsonschema import Draft202012Validator


def test_the_fields_of_a_kind_are_told_without_any_game(gm: Any) -> None:
    told = gm("report", "--fields", "jump-wars").stdout
    assert "headline (string): The most important thing for this reader, one line." in told
    assert "position.tokens.<seat> (integer): Each player's resource tokens (RT)." in told
    assert "event jumped: Fleets jump (JW-28)." in told
    assert "data.fleets (integer): How many jump." in told
    assert gm("report", "--fields", "jump-w").stdout == told
    assert "kinds are" in gm.refused("report", "--fields", "chess")


def test_the_fields_of_a_game_are_those_of_its_kind(duel: Any) -> None:
    assert (
        duel("report", "ember", "--fields").stdout == duel("report", "--fields", "jump-wars").stdout
    )


def test_with_json_they_are_a_schema_that_reports_keep(duel: Any) -> None:
    check = Draft202012Validator(duel.json("report", "ember", "--fields"))
    report = duel.json("report", "ember", "--seat", "red")
    assert list(check.iter_errors(report)) == []
    for break_it in (
        lambda r: r["position"].pop("grid"),
        lambda r: r["position"].update(more=1),
        lambda r: r["events"].append({**_turn(), "data": {}}),
        lambda r: r["events"].append({**_turn(), "kind": "unheard-of"}),
    ):
        broken = duel.json("report", "ember", "--seat", "red")
        break_it(broken)
        assert list(check.iter_errors(broken))
    report["events"].append(_turn())
    assert list(check.iter_errors(report)) == []


def _turn() -> dict[str, Any]:
    text = {"text": "Turn 2 begins.", "details": [], "about": "others"}
    return {"n": 1, "kind": "turn", "rule": "JW-11", **text, "data": {"turn": 2}}
