"""The dice: as published, fair, and each draw for itself."""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from adjudicator.core.dice import Dice, Draw, derive_dice_key, seed_from_number

PUBLISHED: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    (Path(__file__).parent / "dice_vectors.yaml").read_text(encoding="utf-8")
)


# ---- the definition once more, from the standard library alone


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _key(seed: bytes, luck: list[list[str]]) -> bytes:
    return hmac.new(seed, _json(luck), hashlib.sha256).digest()


def _below(key: bytes, name: list[str], bounds: list[int]) -> tuple[list[int], int]:
    """The numbers of one draw, and how many blocks they took."""
    numbers: list[int] = []
    counter = 0
    for bound in bounds:
        while True:
            block = hmac.new(key, _json([*name, counter]), hashlib.sha256).digest()
            counter += 1
            number = int.from_bytes(block[:8], "big")
            if number < 2**64 - 2**64 % bound:
                numbers.append(number % bound)
                break
    return numbers, counter


def _shuffled(key: bytes, name: list[str], items: list[str]) -> list[str]:
    deck = list(items)
    numbers, _ = _below(key, name, list(range(len(deck), 1, -1)))
    for last, other in zip(range(len(deck) - 1, 0, -1), numbers, strict=True):
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def _seed(case: dict[str, Any]) -> bytes:
    given = case["seed"]
    return bytes.fromhex(given) if isinstance(given, str) else seed_from_number(given)


def _draw(case: dict[str, Any]) -> Draw:
    return Dice(bytes.fromhex(case["key"]), case["step"]).draw(*case["purpose"])


@pytest.mark.parametrize("case", PUBLISHED["keys"])
def test_keys_are_as_published(case: dict[str, Any]) -> None:
    assert _key(_seed(case), case["luck"]).hex() == case["key"]
    assert (
        derive_dice_key(_seed(case), [(seat, words) for seat, words in case["luck"]]).hex()
        == case["key"]
    )


@pytest.mark.parametrize("case", PUBLISHED["numbers"])
def test_numbers_are_as_published(case: dict[str, Any]) -> None:
    name = [case["step"], *case["purpose"]]
    told = _below(bytes.fromhex(case["key"]), name, case["bounds"])
    assert told == (case["gives"], case["blocks"])
    draw = _draw(case)
    assert [draw.below(bound) for bound in case["bounds"]] == case["gives"]


@pytest.mark.parametrize("case", PUBLISHED["shuffles"])
def test_shuffles_are_as_published(case: dict[str, Any]) -> None:
    name = [case["step"], *case["purpose"]]
    assert _shuffled(bytes.fromhex(case["key"]), name, case["items"]) == case["gives"]
    assert list(_draw(case).shuffled(case["items"])) == case["gives"]


def test_a_seed_given_as_a_number_is_as_published() -> None:
    for case in PUBLISHED["seeds"]:
        assert hashlib.sha256(_json(["seed", case["number"]])).hexdigest() == case["seed"]
        assert seed_from_number(case["number"]).hex() == case["seed"]


def test_the_published_vectors_show_numbers_thrown_away() -> None:
    assert any(case["blocks"] > len(case["bounds"]) for case in PUBLISHED["numbers"])


# ---- fair


def _wilson_hilferty(degrees: int, z: float) -> float:
    """The chi-square value that only chance beyond z standard deviations exceeds."""
    spread = 2 / (9 * degrees)
    return float(degrees * (1 - spread + z * spread**0.5) ** 3)


def test_every_number_below_the_bound_is_equally_likely() -> None:
    dice = Dice(derive_dice_key(seed_from_number(1)), "1-fair")
    for bound in range(2, 101):
        rolls = 50 * bound
        draw = dice.draw("chi-square", str(bound))
        counted = Counter(draw.below(bound) for _ in range(rolls))
        assert set(counted) <= set(range(bound))
        expected = rolls / bound
        squares = sum((counted[n] - expected) ** 2 / expected for n in range(bound))
        # 4.5 deviations: by chance alone once in 300,000 tries; the seed is fixed anyhow
        assert squares < _wilson_hilferty(bound - 1, 4.5), bound
        assert squares > _wilson_hilferty(bound - 1, -4.5) or bound < 10, bound


def test_modulo_alone_would_not_be_fair() -> None:
    # two thirds of 2^64: without throwing away, the lower half would come twice as often
    bound = 2**64 // 3 * 2
    draw = Dice(derive_dice_key(seed_from_number(2)), "1-fair").draw("rejection")
    low = sum(draw.below(bound) < bound // 2 for _ in range(3000))
    assert 1350 < low < 1650


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    dice = Dice(derive_dice_key(seed_from_number(3)), "1-fair")
    orders = Counter(dice.draw("deck", str(n)).shuffled("abcd") for n in range(2400))
    assert len(orders) == 24
    squares = sum((count - 100) ** 2 / 100 for count in orders.values())
    assert squares < _wilson_hilferty(23, 4.5)


# ---- each draw for itself


def _stream(dice: Dice, *purpose: str, length: int = 50) -> list[int]:
    draw = dice.draw(*purpose)
    return [draw.below(1000) for _ in range(length)]


def test_a_hidden_draw_does_not_shift_a_visible_one() -> None:
    alone = _stream(Dice(b"key", "4-plan"), "steal", "blue")
    dice = Dice(b"key", "4-plan")
    hidden = dice.draw("deck", "red")
    draw = dice.draw("steal", "blue")
    beside = []
    for _ in range(50):
        hidden.shuffled(range(7))
        beside.append(draw.below(1000))
    assert beside == alone


def test_the_same_purpose_twice_in_a_step_gives_the_same_numbers() -> None:
    dice = Dice(b"key", "4-plan")
    assert _stream(dice, "steal", "blue") == _stream(dice, "steal", "blue")


@pytest.mark.parametrize(
    ("step", "purpose"),
    [
        ("4-plan", ("steal", "red")),
        ("4-plan", ("steal",)),
        ("4-plan", ("steal", "blue", "0")),
        ("4-plan", ("stealblue",)),
        ("5-plan", ("steal", "blue")),
    ],
)
def test_another_name_is_another_stream(step: str, purpose: tuple[str, ...]) -> None:
    known = _stream(Dice(b"key", "4-plan"), "steal", "blue")
    other = _stream(Dice(b"key", step), *purpose)
    assert sum(a == b for a, b in zip(known, other, strict=True)) < 5


def _streams() -> Iterator[list[float]]:
    for step in ("1-plan", "2-jump", "3-plan"):
        dice = Dice(derive_dice_key(seed_from_number(4)), step)
        for purpose in ("steal", "deck", "map"):
            for seat in ("red", "blue"):
                yield [n - 499.5 for n in _stream(dice, purpose, seat, length=400)]


def test_streams_of_different_purposes_do_not_go_together() -> None:
    streams = list(_streams())
    sizes = [sum(x * x for x in stream) ** 0.5 for stream in streams]
    for i, one in enumerate(streams):
        for j in range(i):
            together = sum(x * y for x, y in zip(one, streams[j], strict=True))
            # 1/sqrt(400) is one standard deviation
            assert abs(together / sizes[i] / sizes[j]) < 4.5 / 20, (i, j)


def test_seed_and_luck_words_both_make_the_key() -> None:
    luck = [("red", "full moon"), ("blue", "")]
    keys = {
        derive_dice_key(b"seed"),
        derive_dice_key(b"other"),
        derive_dice_key(b"seed", luck),
        derive_dice_key(b"seed", luck[::-1]),
        derive_dice_key(b"seed", [("red", "full moon")]),
        derive_dice_key(b"seed", [("red", ""), ("blue", "full moon")]),
    }
    assert len(keys) == 6


# ---- wrong use


@pytest.mark.parametrize("bound", [0, -3, 2**64 + 1])
def test_a_bound_that_cannot_be_is_named(bound: int) -> None:
    with pytest.raises(ValueError, match=f"bound .* got {bound}$"):
        Dice(b"key", "1-plan").draw("x").below(bound)


def test_a_draw_without_a_purpose_is_refused() -> None:
    with pytest.raises(ValueError, match="must name its purpose"):
        Dice(b"key", "1-plan").draw()


def test_a_choice_is_one_of_the_items() -> None:
    draw = Dice(b"key", "1-plan").draw("card")
    assert {draw.choice("abc") for _ in range(60)} == {"a", "b", "c"}


@pytest.mark.parametrize("length", [0, 1, 32, 64, 65, 200])
def test_a_key_may_be_of_any_length(length: int) -> None:
    """RFC 2104: shorter than a block of SHA-256, as long, longer."""
    key = bytes(range(length))
    name = ["7-plan", "steal", "blue"]
    bounds = [6] * 20
    draw = Draw(key, name)
    assert [draw.below(bound) for bound in bounds] == _below(key, name, bounds)[0]


def test_a_key_made_of_a_draw_is_its_next_four_numbers() -> None:
    dice = Dice(b"key", "1-turn")
    numbers = dice.draw("bot", "red")
    made = b"".join(numbers.below(1 << 64).to_bytes(8, "big") for _ in range(4))
    assert dice.draw("bot", "red").make_key() == made
    assert dice.draw("bot", "blue").make_key() != made
