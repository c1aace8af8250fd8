"""Many small choices from few numbers of one draw."""

from collections import Counter

from adjudicator.core.dice import Chance, Dice


def test_every_number_comes_up_about_as_often() -> None:
    chance = Chance(Dice(b"key", "1-turn").draw("legal", "red"))
    found = Counter(chance.below(5) for _ in range(5000))
    assert set(found) == set(range(5))
    assert all(900 < number < 1100 for number in found.values())


def test_the_same_draw_gives_the_same_choices() -> None:
    def choices() -> list[str]:
        chance = Chance(Dice(b"key", "1-turn").draw("legal", "red"))
        return [chance.choice("abc") if chance.one_in(2) else "-" for _ in range(100)]

    assert choices() == choices()
    assert set(choices()) == set("abc-")
