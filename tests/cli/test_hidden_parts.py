"""Secret parts of a state document: kept back, and put back in where nobody wrote them."""

from typing import Any

from adjudicator.cli.acts.hidden_parts import has_secret, remove_secrets, restore_secrets

SECRETS = ("hands", "planets.*.face_down", "notes.red")
WHOLE: dict[str, Any] = {
    "turn": 3,
    "hands": {"red": ["n01"]},
    "planets": {
        "anno": {"claim": "red", "face_down": ["fame"]},
        "cinder": {"face_down": ["sand"]},
        "window": "void",
    },
    "notes": {"red": "mine", "blue": "open"},
}


def test_what_is_secret_is_left_out_and_nothing_else() -> None:
    assert remove_secrets(WHOLE, SECRETS) == {
        "turn": 3,
        "planets": {"anno": {"claim": "red"}, "cinder": {}, "window": "void"},
        "notes": {"blue": "open"},
    }


def test_what_was_left_out_comes_back() -> None:
    assert restore_secrets(remove_secrets(WHOLE, SECRETS), WHOLE, SECRETS) == WHOLE


def test_cards_of_a_planet_that_nobody_names_are_not_lost() -> None:
    written = {"planets": {"anno": {"claim": "blue"}}}
    assert restore_secrets(written, WHOLE, SECRETS)["planets"] == {
        "anno": {"claim": "blue", "face_down": ["fame"]},
        "cinder": {"face_down": ["sand"]},
    }


def test_what_somebody_writes_counts() -> None:
    written = {"hands": {}, "planets": {"anno": {"face_down": ["water"]}, "cinder": 3}}
    made = restore_secrets(written, WHOLE, SECRETS)
    assert made["hands"] == {}
    assert made["planets"] == {"anno": {"face_down": ["water"]}, "cinder": 3}


def test_whether_there_is_anything_to_keep_back() -> None:
    assert has_secret(WHOLE, "planets.*.face_down")
    assert not has_secret({**WHOLE, "hands": {}}, "hands")
    assert not has_secret({"planets": {"anno": {"face_down": []}}}, "planets.*.face_down")
