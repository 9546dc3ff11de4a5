"""What came of the tests that ask a set: a session in which none of them ran must not end green."""

from collections.abc import Generator
from typing import Any

import pytest

MARKER = "evalspan"
"""Of a test that relies on a set."""

ASKS, REFUSED = (MARKER, "asks a set"), (MARKER, "was refused its set")
"""User properties of a test's reports, which workers of xdist send along."""


class Tally:
    """A plugin of the process that reports: the only one, or the controller of xdist."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._asked = 0
        self._refused = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        said = {tuple(pair) for pair in report.user_properties}  # lists, where they come from a worker
        if ASKS not in said:
            return
        self._seen.add(report.nodeid)
        self._refused += REFUSED in said
        self._asked += report.when == "call" and (report.outcome != "skipped" or hasattr(report, "wasxfail"))

    @property
    def failure(self) -> str | None:
        """Why the session must not end green, whatever else came of it."""
        if self._refused:
            return "a test was refused its eval set: see its error above"
        if self._seen and not self._asked:
            tests = "The test that asks" if len(self._seen) == 1 else f"All {len(self._seen)} tests that ask"
            return f'{tests} an eval set did not run: nothing was evaluated. To run without them: -m "not evalspan"'
        return None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, Any, Any]:
        """After every other, since some plugins rewrite exit codes here."""
        result = yield
        if self.failure is not None and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        return result

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.failure is not None:
            terminalreporter.section("evalspan", red=True)
            terminalreporter.line(self.failure, red=True)
