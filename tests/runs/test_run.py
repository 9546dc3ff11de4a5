"""A run keeps full rankings, best first."""

from dataclasses import FrozenInstanceError

import pytest

from evalspan.runs import Hit, Run


def test_a_run_keeps_its_rankings_as_they_are_and_is_not_changed() -> None:
    hits = (Hit("c1", 0.9), Hit("c2", 0.1))
    run = Run({"q": hits})
    assert run.rankings["q"] == hits
    assert (hits[0].chunk_id, hits[0].score) == ("c1", 0.9)
    with pytest.raises(FrozenInstanceError):
        run.rankings = {}  # type: ignore[misc]
