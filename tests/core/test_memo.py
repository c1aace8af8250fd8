"""What is asked for several times in a row is made once."""

from adjudicator.core.memo import Latest


def test_equal_arguments_in_a_row_are_worked_out_once() -> None:
    asked: list[dict[str, int]] = []

    def total(numbers: dict[str, int]) -> int:
        asked.append(dict(numbers))
        return sum(numbers.values())

    latest = Latest(total)
    assert [latest({"a": 1}), latest({"a": 1}), latest({"a": 2}), latest({"a": 1})] == [1, 1, 2, 1]
    assert asked == [{"a": 1}, {"a": 2}, {"a": 1}]


def test_named_arguments_count_too() -> None:
    latest = Latest(lambda number, *, times=1: number * times)
    assert [latest(2), latest(2, times=3), latest(2)] == [2, 6, 2]
