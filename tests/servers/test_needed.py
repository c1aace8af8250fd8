"""Where everything is installed, nothing may be skipped."""

import re
from pathlib import Path

import pytest

from tests.servers.needed import PACKAGES, SKIP_NOTHING, fail_if_skipped, need, need_program

CI = (Path(__file__).resolve().parents[2] / ".ci" / "run").read_text(encoding="utf-8")


def _report(outcome: str) -> pytest.TestReport:
    return pytest.TestReport("a", ("a", 1, "a"), {}, outcome, "why", "setup")  # type: ignore[arg-type]


def test_what_is_not_there_is_told_with_the_way_to_get_it() -> None:
    with pytest.raises(pytest.skip.Exception, match="apt-get install dovecot-imapd dovecot-lmtpd"):
        need("Dovecot", there=False)
    with pytest.raises(pytest.skip.Exception, match="apt-get install chromium"):
        need_program("Chromium", "no-such-browser")
    assert need_program("git", "no-such-program", "sh").endswith("/sh")


def test_a_skip_is_a_failure_where_nothing_may_be_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, ends in (("", ["passed", "skipped"]), ("1", ["passed", "failed"])):
        monkeypatch.setenv(SKIP_NOTHING, value)
        reports = [_report("passed"), _report("skipped")]
        for one in reports:
            fail_if_skipped(one)
        assert [one.outcome for one in reports] == ends
    assert "why" in str(reports[1].longrepr)


@pytest.mark.parametrize("package", sorted({one for names in PACKAGES.values() for one in names}))
def test_the_workflow_installs_what_tests_need(package: str) -> None:
    added = " ".join(re.findall(r"missing\+=\((.*?)\)", CI)).split()
    assert package in added


def test_the_workflow_skips_nothing() -> None:
    assert re.search(rf"{SKIP_NOTHING}=1 [A-Z_=1 ]*make test$", CI, re.MULTILINE)
