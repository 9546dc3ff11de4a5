"""Two runs, question by question."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from strategies import law

from evalspan.errors import BadInput
from evalspan.scoring.paired import FEW, compare_paired, pipeline_differences

some_values = st.dictionaries(st.sampled_from("abcdefgh"), st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1)


@law
@given(some_values)
def test_fixes_regressions_and_ties_are_all_questions(values: dict[str, tuple[float, float]]) -> None:
    old, new = ({query: pair[arm] for query, pair in values.items()} for arm in (0, 1))
    (everything,) = compare_paired(old, new, {})
    assert len(everything.fixes) + len(everything.regressions) + everything.ties == everything.questions == len(values)
    assert everything.difference == pytest.approx(sum(new.values()) / len(new) - sum(old.values()) / len(old))
    assert everything.test.low <= everything.difference + 1e-9
    assert everything.test.high >= everything.difference - 1e-9


def test_slices_stand_worst_first_behind_the_whole() -> None:
    old, new = {"a": 0.0, "b": 1.0, "c": 0.5}, {"a": 1.0, "b": 0.0, "c": 0.5}
    found = compare_paired(old, new, {"a": ["good", "both"], "b": ["bad", "both"], "c": ["same"]})
    assert [(one.name, one.difference) for one in found] == [
        ("all", 0), ("bad", -1), ("both", 0), ("same", 0), ("good", 1),
    ]  # fmt: skip


def test_the_largest_changes_stand_first() -> None:
    old = {"a": 0.5, "b": 0.5, "c": 0.5, "d": 0.5}
    (found,) = compare_paired(old, {"a": 0.6, "b": 1.0, "c": 0.1, "d": 0.4}, {})
    assert (found.fixes, found.regressions) == (("b", "a"), ("c", "d"))


def test_the_p_value_is_that_of_a_paired_permutation_test() -> None:
    seeded = random.Random(3)
    old = {str(number): seeded.random() for number in range(12)}
    new = {query: value + seeded.gauss(0.1, 0.1) for query, value in old.items()}
    (found,) = compare_paired(old, new, {})
    theirs = stats.permutation_test(
        (list(new.values()), list(old.values())),
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=9999,
    )
    assert found.test.p_value == pytest.approx(theirs.pvalue)  # 2¹² ways: exact in both


def test_the_same_data_have_the_same_test() -> None:
    seeded = random.Random(5)
    old = {str(number): seeded.random() for number in range(40)}
    new = {query: seeded.random() for query in old}
    assert compare_paired(old, new, {}) == compare_paired(dict(reversed(old.items())), new, {})


def test_with_few_differences_there_is_no_p_value() -> None:
    old = {str(number): 0.0 for number in range(20)}
    few = {**old, **{str(number): 1.0 for number in range(FEW - 1)}}
    enough = {**few, "19": 1.0}
    assert compare_paired(old, few, {})[0].test.p_value is None
    assert compare_paired(old, enough, {})[0].test.p_value is not None


def test_arms_without_a_difference_have_no_interval_to_draw() -> None:
    (found,) = compare_paired({"a": 0.5, "b": 0.1}, {"a": 0.5, "b": 0.1}, {})
    assert found.test == (None, 0, 0)
    assert found.ties == 2


def test_unequal_questions_are_refused_and_named() -> None:
    with pytest.raises(BadInput, match=r"1 only in the first and 2 only in the second \(a, x, y\)"):
        compare_paired({"a": 1.0, "b": 1.0}, {"b": 1.0, "x": 1.0, "y": 0.0}, {})


def test_arms_without_a_question_are_refused() -> None:
    with pytest.raises(BadInput, match="no decided question"):
        compare_paired({}, {}, {})


def test_stages_differ_where_their_configuration_does_or_only_one_has_them() -> None:
    old, new = {"retriever": {"k": 10}, "filter": None}, {"retriever": {"k": 10}, "filter": "x", "reranker": None}
    assert pipeline_differences(old, new) == ["filter"]
    assert pipeline_differences(old, {**new, "reranker": "m"}) == ["filter", "reranker"]
    assert pipeline_differences(old, old) == []
