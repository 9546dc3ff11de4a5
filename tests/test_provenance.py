"""Who, when and why."""

import getpass
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from evalspan.provenance import Provenance


def test_now_is_utc_to_the_second() -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    made = datetime.strptime(Provenance.now().at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert before <= made <= datetime.now(UTC) + timedelta(seconds=1)


def test_the_name_given_goes_before_the_environment_and_that_before_the_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EVALSPAN_USER", "ci")
    assert Provenance.now("because", by="ada") == Provenance(by="ada", at=Provenance.now().at, why="because")
    assert Provenance.now().by == "ci"
    monkeypatch.delenv("EVALSPAN_USER")
    monkeypatch.setenv("LOGNAME", "grace")
    assert Provenance.now().by == getpass.getuser() == "grace"


def test_an_empty_name_in_the_environment_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVALSPAN_USER", "")
    monkeypatch.setenv("LOGNAME", "grace")
    assert Provenance.now().by == "grace"


def test_what_was_said_cannot_be_changed_and_says_no_more_than_we_know() -> None:
    made = Provenance(by="ada", at="2026-03-01T09:30:00Z")
    with pytest.raises(ValidationError, match="frozen"):
        made.by = "eve"
    with pytest.raises(ValidationError, match="Extra inputs"):
        Provenance.model_validate({**made.model_dump(), "mood": "good"})


def test_json_gives_it_back() -> None:
    made = Provenance.now("moved")
    assert Provenance.model_validate_json(made.model_dump_json()) == made
