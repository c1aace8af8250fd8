"""Run all checks in order."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from msgspec import Struct

from adjudicator.library.conform.forms import (
    check_examples,
    check_forms,
    check_guide,
)
from adjudicator.library.conform.game_under_test import NonConformanceError, Subject
from adjudicator.library.conform.imagining import check_imagined
from adjudicator.library.conform.play import (
    check_determinism,
    check_documents,
    check_hash_seeds,
    check_orders,
    check_play,
)
from adjudicator.library.conform.reports import check_described, check_reports
from adjudicator.library.conform.rulebook import (
    check_coverage,
    check_rule_numbers,
    check_scenarios,
)
from adjudicator.library.conform.secrets import check_secrets

ConformanceCheck = Callable[[Subject], str]
"""Returns what was tried, in words; raises NonConformanceError at the first thing that differs."""

CHECKS: Final[Mapping[str, ConformanceCheck]] = {
    "forms": check_forms,
    "examples": check_examples,
    "guide": check_guide,
    "play": check_play,
    "orders": check_orders,
    "documents": check_documents,
    "determinism": check_determinism,
    "secrets": check_secrets,
    "imagined": check_imagined,
    "rule numbers": check_rule_numbers,
    "descriptions": check_described,
    "reports": check_reports,
    "scenarios": check_scenarios,
    "coverage": check_coverage,
}


class ConformanceResult(Struct, frozen=True, kw_only=True):
    """The result of a check."""

    kind: str
    check: str
    ok: bool
    text: str
    """What was tried, or the first thing that differs."""


def run_checks(
    subject: Subject, module: str, *, debug: bool = False
) -> Iterator[ConformanceResult]:
    """Run every check, even after one has failed; with `debug` a crash is let through."""
    checks: dict[str, ConformanceCheck] = {
        **CHECKS,
        "hash seeds": partial(check_hash_seeds, module=module),
    }
    for name, check in checks.items():
        yield run_check(subject, name, check, debug=debug)


def run_check(
    subject: Subject, name: str, check: ConformanceCheck, *, debug: bool
) -> ConformanceResult:
    """Run one check and say what came of it."""
    try:
        text, ok = check(subject), True
    except NonConformanceError as fault:
        text, ok = str(fault), False
    except Exception as crash:
        if debug:
            raise
        # A game under test may fail in any way; one check must not hide the others' results.
        text, ok = f"the game raised {type(crash).__name__}: {crash}", False
    return ConformanceResult(kind=subject.kind.kind, check=name, ok=ok, text=text)
