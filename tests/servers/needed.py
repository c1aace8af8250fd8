"""What the machine must have for some tests; where it is not there, they are skipped.

In `.ci/run`, which installs all of it, a test that is skipped has failed: it says of the program
what nobody tried.
"""

import os
import shutil

import pytest

SKIP_NOTHING = "ADJUDICATOR_TESTS_SKIP_NOTHING"
"""The environment variable that makes every skip a failure."""
PACKAGES = {
    "Chromium": ("chromium",),
    "Dovecot": ("dovecot-imapd", "dovecot-lmtpd"),
    "git": ("git",),
    "PostgreSQL": ("postgresql",),
    "Postfix": ("postfix",),
    "systemd-analyze": ("systemd",),
}
"""What may be wanted, and the packages of Debian that bring it."""


def need(name: str, *, there: bool) -> None:
    """Skip the test if this is not there.

    Whoever changes a rule of a game need not install five servers; .ci/run lets no skip pass.
    """
    if not there:
        # reason: a change of rules needs no servers; with SKIP_NOTHING, as in .ci/run, it fails
        get = f"apt-get install {' '.join(PACKAGES[name])}"
        pytest.skip(f"{name} is not installed, and a change of rules does not need it: {get}")


def need_root(name: str) -> None:
    """Skip the test if this starts for root only, and somebody else runs the tests."""
    if os.geteuid() != 0:
        # reason: it changes its user itself, which only root can; with SKIP_NOTHING it fails
        pytest.skip(f"{name} changes its user, which only root can: run as root, as .ci/run does")


def need_program(name: str, *programs: str) -> str:
    """Where the first of these programs is; skip the test if there is none of them."""
    path = next(filter(None, map(shutil.which, programs)), None)
    need(name, there=path is not None)
    assert path is not None
    return path


def fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    """A skip becomes a failure where nothing may be skipped."""
    if report.skipped and os.environ.get(SKIP_NOTHING):
        report.outcome = "failed"
        report.longrepr = f"skipped, though {SKIP_NOTHING} is set: {report.longrepr}"
