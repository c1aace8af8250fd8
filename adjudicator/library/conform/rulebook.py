"""Check rule numbers and scenarios: every rule that is cited exists."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from adjudicator.adapters.games.game_texts import read_yaml_file
from adjudicator.adapters.games.scenarios import (
    find_scenario_files,
    make_scenario_tools,
    read_scenario_file,
)
from adjudicator.core.document import Impossible
from adjudicator.core.finding import Grade
from adjudicator.core.scenario.parser import Scenario
from adjudicator.core.scenario.runner import ScenarioVerdict, run_scenario
from adjudicator.desk.model.errors import Refused
from adjudicator.library.conform.game_under_test import NonConformanceError, Subject

WITHOUT_SCENARIO = "without-scenario.yaml"
"""Beside the folder of scenarios: the rules that have none, each with the reason. A game that has
this file promises a scenario for every other rule."""
_SAMPLE = 40


def check_rule_numbers(subject: Subject) -> str:
    """Check that every event and every finding names a rule of the rulebook."""
    cited: Counter[str] = Counter()
    for step in subject.steps:
        for event in step.closed.events:
            _require_rule(subject, event.rule, f"{step.what}: event {event.kind}")
            cited[event.rule] += 1
    for step in subject.sample(_SAMPLE):
        for seat, orders in step.orders.items():
            others = [other for one, other in step.orders.items() if one != seat]
            view = subject.rules.view(step.before, seat)
            for form in (orders, *others[:1]):
                for finding in subject.rules.check(view, seat, form):
                    if finding.grade is not Grade.UNREADABLE:
                        _require_rule(
                            subject, finding.rule, f"{step.what}: finding {finding.message}"
                        )
                        cited[finding.rule] += 1
    return f"{cited.total()} events and findings cite {len(cited)} rules"


def _require_rule(subject: Subject, rule: str, where: str) -> None:
    if rule not in subject.kind.rulebook:
        raise NonConformanceError(f'{where} names "{rule}", which is no rule of the rulebook')


def check_scenarios(subject: Subject) -> str:
    """Check that every scenario of the kind passes, has its file's name, and cites real rules."""
    scenarios = find_own_scenarios(subject)
    if scenarios is None:
        return "no scenarios are at hand; they come with the checkout"
    for path, scenario in scenarios:
        if scenario.id != path.stem:
            raise NonConformanceError(f"{path.name} holds the scenario {scenario.id}")
        if not scenario.title:
            raise NonConformanceError(f"{path.name} has no title")
        for rule in scenario.rules:
            _require_rule(subject, rule, path.name)
        _require_ok(subject, path, scenario)
    example = subject.kind.scenario()
    if example is not None:
        _require_ok(subject, example, _read_scenario(example))
    twice = [title for title, n in Counter(one.title for _, one in scenarios).items() if n > 1]
    if twice:
        raise NonConformanceError(f'two scenarios have the title "{twice[0]}"')
    return f"{len(scenarios)} scenarios"


def _require_ok(subject: Subject, path: Path, scenario: Scenario) -> None:
    outcome = run_scenario(scenario, make_scenario_tools(subject.kind))
    if outcome.verdict is not ScenarioVerdict.OK:
        lines = "; ".join(outcome.lines[:3])
        raise NonConformanceError(f"{path.name}: {outcome.verdict}: {lines}")


def _read_scenario(path: Path) -> Scenario:
    try:
        return read_scenario_file(path)
    except Impossible as fault:
        raise NonConformanceError(f"{path.name} cannot be read: {fault}") from fault


def check_coverage(subject: Subject) -> str:
    """Check that every rule has a scenario, or a reason in without-scenario.yaml."""
    scenarios = find_own_scenarios(subject)
    if scenarios is None:
        return "no scenarios are at hand; they come with the checkout"
    cited = {rule for _, scenario in scenarios for rule in scenario.rules}
    missing = [rule for rule in subject.kind.rulebook if rule not in cited]
    excused = list_excused_rules(subject)
    covered = len(subject.kind.rulebook) - len(missing)
    summary = f"{covered} of {len(subject.kind.rulebook)} rules have a scenario"
    if excused is None:
        return f"{summary}; without {WITHOUT_SCENARIO} the game does not promise the others"
    for rule in missing:
        if rule not in excused:
            raise NonConformanceError(
                f"{rule} has no scenario; {WITHOUT_SCENARIO} does not say why"
            )
    for rule in excused:
        if rule in cited:
            raise NonConformanceError(f"{rule} has a scenario, but {WITHOUT_SCENARIO} excuses it")
    return summary


def list_excused_rules(subject: Subject) -> Mapping[str, str] | None:
    """List the rules that need no scenario; None if the game makes no promise."""
    folder = subject.kind.scenarios()
    path = folder.parent / WITHOUT_SCENARIO if folder is not None else None
    if path is None or not path.is_file():
        return None
    return {str(rule): str(why) for rule, why in read_yaml_file(path).items()}


def find_own_scenarios(subject: Subject) -> Sequence[tuple[Path, Scenario]] | None:
    """Find the scenarios of the kind; None when the folder is not at hand."""
    folder = subject.kind.scenarios()
    if folder is None:
        return None
    scenarios = []
    try:
        for path in find_scenario_files([folder]):
            scenario = read_scenario_file(path)
            if scenario.kind == subject.kind.kind:
                scenarios.append((path, scenario))
    except (Impossible, Refused) as fault:
        raise NonConformanceError(f"a scenario cannot be read: {fault}") from fault
    if not scenarios:
        raise NonConformanceError(f"{folder} holds no scenario of {subject.kind.kind}")
    return scenarios
