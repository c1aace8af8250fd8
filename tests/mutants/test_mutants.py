"""Faults for mutation testing: the same ones for the same source, each in a place that is known."""

from tests.mutants.faults import Module
from tests.mutants.forks import Trial
from tests.mutants.modules import OPTIONS, ROOT, list_modules

SOURCE = """
LIMIT = 3

class Order:
    def is_large(self, fleets):
        if fleets > LIMIT and not self.negated:
            return True
        return False
"""


def test_each_fault_is_one_place_in_a_function_that_is_named() -> None:
    found = [
        (one.line, one.before, one.after, one.function) for one in Module("x", SOURCE).mutants()
    ]
    whole = "fleets > LIMIT and not self.negated"
    assert found[0] == (2, "3", "4", "")
    assert {name for *_, name in found[1:]} == {"Order.is_large"}
    assert {(line, before, after) for line, before, after, _ in found[1:]} == {
        (6, ">", ">="),
        (6, "and", "or"),
        (6, whole, f"(not ({whole}))"),
        (6, "not self.negated", "(self.negated)"),
        (7, "True", "False"),
        (8, "False", "True"),
    }


def test_there_are_modules_and_tests_that_should_find_the_faults_in_them() -> None:
    assert len(list_modules()) > 50
    assert all((ROOT / name).exists() for name in OPTIONS if name.startswith("tests/"))
    assert Trial.__doc__
