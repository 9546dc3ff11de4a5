"""Errors say what, where, and what to type; all of a file's problems come at once."""

import inspect
import pickle
from pathlib import Path

import pytest

from evalspan import errors
from evalspan.errors import (
    SHOWN,
    BadInput,
    CannotTell,
    Conflict,
    EvalspanError,
    NoStore,
    NotAStore,
    NotFound,
    Problem,
    Problems,
    Refused,
    StoreBusy,
    StoreError,
    StoreTooNew,
    StoreTooOld,
    Unwritable,
)
from evalspan.guard import Finding, Kind, Verdict

VERDICT = Verdict("faq@2", (Finding(Kind.CORPUS, "Another corpus."),), (), (), None, "a" * 32, "b" * 32)


def test_the_tree_is_the_one_drawn_at_the_top() -> None:
    for kind in (NoStore, NotAStore, StoreTooOld, StoreTooNew, StoreBusy, Unwritable):
        assert kind.__bases__ == (StoreError,)
    for branch in (BadInput, StoreError, NotFound, Conflict, CannotTell, Refused):
        assert branch.__bases__ == (EvalspanError,)
    assert EvalspanError.__bases__ == (Exception,)


def test_every_error_stands_in_the_drawing() -> None:
    drawing = errors.__doc__ or ""
    for name, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, Exception):
            assert name in drawing


def test_a_problem_names_its_file_and_line() -> None:
    assert str(Problem("labels.txt", 3, "no grade")) == "labels.txt:3: no grade"
    assert str(Problem("labels.txt", None, "holds no label")) == "labels.txt: holds no label"


def test_bad_input_tells_every_problem_and_ends_with_what_to_do() -> None:
    error = BadInput([Problem("a", 1, "one"), Problem("a", 2, "two")], hint="Mend them.")
    assert str(error) == "a:1: one\na:2: two\nMend them."
    assert error.count == 2


@pytest.mark.parametrize(("count", "rest"), [(SHOWN - 1, 0), (SHOWN, 0), (SHOWN + 1, 1), (SHOWN + 500, 500)])
def test_of_many_problems_the_first_are_shown_and_the_rest_counted(count: int, rest: int) -> None:
    problems = Problems(skip=False)
    for line in range(1, count + 1):
        problems.add(Path("labels.txt"), line, "bad")
    with pytest.raises(BadInput) as caught:
        problems.raise_if_any()
    lines = str(caught.value).split("\n")
    assert caught.value.count == count
    assert lines[0] == "labels.txt:1: bad"
    assert lines[-1].endswith("--skip-bad")
    assert (f"… and {rest} more like these ({count} in all)" in lines) == bool(rest)
    assert len(lines) == min(count, SHOWN) + bool(rest) + 1


def test_who_has_no_way_to_leave_rows_out_is_not_told_of_one() -> None:
    problems = Problems()
    problems.add("set.jsonl", 2, "bad")
    with pytest.raises(BadInput) as caught:
        problems.raise_if_any()
    assert str(caught.value) == "set.jsonl:2: bad"


def test_nothing_wrong_raises_nothing() -> None:
    Problems().raise_if_any()


def test_skipped_rows_are_all_named_and_raise_nothing() -> None:
    problems = Problems(skip=True)
    for line in range(SHOWN + 5):
        problems.add("labels.txt", line, "bad")
    problems.raise_if_any()
    assert len(problems.skipped) == problems.count == SHOWN + 5


@pytest.mark.parametrize("skip", [False, True])
def test_what_is_wrong_with_a_whole_file_can_not_be_skipped(skip: bool) -> None:
    problems = Problems(skip)
    problems.add("labels.txt", 3, "bad")
    problems.add("run.txt", None, "holds no hit")
    assert problems.count == 1
    assert problems.skipped == ((Problem("labels.txt", 3, "bad"),) if skip else ())
    with pytest.raises(BadInput) as caught:
        problems.raise_if_any()
    assert caught.value.problems == (Problem("run.txt", None, "holds no hit"),)
    assert "--skip-bad" not in str(caught.value)


@pytest.mark.parametrize(("skip", "told"), [(False, False), (True, True)])
def test_a_file_of_bad_rows_only_holds_nothing_once_these_are_skipped(skip: bool, told: bool) -> None:
    problems = Problems(skip)
    problems.add("labels.txt", 1, "bad")
    problems.require_some([], "labels.txt", "label", before=0)
    with pytest.raises(BadInput) as caught:
        problems.raise_if_any()
    assert ("holds no label" in str(caught.value)) == told


def test_nothing_counts_as_skipped_where_skipping_was_not_asked_for() -> None:
    problems = Problems()
    problems.add("labels.txt", 1, "bad")
    assert problems.skipped == ()


def test_not_found_names_what_there_is() -> None:
    assert str(NotFound("set", "fqa", ["faq", "law"], "evalspan set list")) == (
        "No set 'fqa' in this store. There is: faq, law. evalspan set list"
    )
    assert str(NotFound("set", "faq")) == "No set 'faq' in this store. There is no set yet."


def test_a_refusal_carries_its_verdict_and_says_what_it_says() -> None:
    error = Refused(VERDICT)
    assert error.verdict is VERDICT
    assert str(error) == VERDICT.text


@pytest.mark.parametrize("kind", [EvalspanError, StoreError, NoStore, Conflict, CannotTell])
def test_an_error_of_one_message_comes_out_of_another_process_as_it_was(kind: type[EvalspanError]) -> None:
    assert str(pickle.loads(pickle.dumps(kind("what to type")))) == "what to type"


@pytest.mark.parametrize(
    "error", [BadInput([Problem("a", 1, "one")], hint="Mend it."), NotFound("set", "faq", ["law"]), Refused(VERDICT)]
)
def test_an_error_with_data_comes_out_of_another_process_as_it_was(error: EvalspanError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert vars(again) == vars(error)
