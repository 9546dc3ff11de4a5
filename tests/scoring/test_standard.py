"""Standard measures are those of ir_measures, and what waits makes intervals that hold every way to decide it."""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product

import ir_measures
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.errors import BadInput
from evalspan.scoring import standard
from evalspan.scoring.cases import Case, WaitingChunks
from evalspan.scoring.figures import Figure, mean
from evalspan.scoring.standard import DEFAULT, standard_figures

MEASURES = ("R@1", "R@3", "P@1", "P@3", "RR", "RR@2", "AP", "AP@2", "nDCG", "nDCG@3", "Success@2", "Rprec")
CHUNKS = [f"c{number}" for number in range(6)]

grades = st.integers(-1, 3)
rankings = st.lists(st.sampled_from(CHUNKS), max_size=6, unique=True)
candidates = st.lists(st.sampled_from([*CHUNKS, "unseen"]), max_size=3, unique=True).map(tuple)


@st.composite
def waiting_cases(draw: st.DrawFn, grade: st.SearchStrategy[int]) -> Case:
    known = draw(st.dictionaries(st.sampled_from(CHUNKS), grades, max_size=3))
    waiting = draw(st.lists(st.builds(WaitingChunks, grade, candidates), min_size=1, max_size=3))
    return Case("q", known, waiting)


def decisions(case: Case, ranking: Sequence[str]) -> Iterator[dict[str, int]]:
    """The grades of every way to decide what waits, by trying them all."""
    options: list[list[dict[str, int]]] = []
    for number, (grade, given_chunks) in enumerate(case.waiting):
        if given_chunks:
            every = chain.from_iterable(combinations(given_chunks, size) for size in range(len(given_chunks) + 1))
            options.append([dict.fromkeys(chosen, grade) for chosen in every])
        else:
            free = [chunk for chunk in ranking if chunk not in case.grades]
            options.append([{}, {f"elsewhere{number}": grade}, *({chunk: grade} for chunk in free)])
    for way in product(*options):
        decided = dict(case.grades)
        for one in way:
            for chunk, grade in one.items():
                decided[chunk] = max(grade, decided.get(chunk, 0))
        yield decided


def by_ir_measures(qrels: Mapping[str, int], ranking: Sequence[str]) -> dict[str, float]:
    run = {chunk: -float(at) for at, chunk in enumerate(ranking)}
    known = {chunk: max(0, grade) for chunk, grade in qrels.items()}
    parsed = {ir_measures.parse_measure(name): name for name in MEASURES}
    return {
        parsed[found.measure]: found.value for found in ir_measures.iter_calc(list(parsed), {"q": known}, {"q": run})
    }


@law
@given(waiting_cases(st.integers(1, 3)), rankings)
def test_every_way_to_decide_what_waits_lies_within_the_interval(case: Case, ranking: list[str]) -> None:
    figures = standard_figures({"q": case}, {"q": ranking}, MEASURES)
    for decided in decisions(case, ranking):
        if any(grade > 0 for grade in decided.values()):
            for name, value in by_ir_measures(decided, ranking).items():
                low, high = figures[name]["q"].low, figures[name]["q"].high
                assert low - 1e-9 <= value <= high + 1e-9, (name, decided)


@law
@given(waiting_cases(st.just(2)), rankings)
def test_where_grades_are_alike_both_ends_are_reached(case: Case, ranking: list[str]) -> None:
    case = Case("q", {chunk: min(grade, 0) for chunk, grade in case.grades.items()}, case.waiting)
    figures = standard_figures({"q": case}, {"q": ranking}, MEASURES)
    found = [by_ir_measures(way, ranking) for way in decisions(case, ranking) if any(g > 0 for g in way.values())]
    for name in MEASURES:
        assert figures[name]["q"].low == pytest.approx(min(one[name] for one in found))
        assert figures[name]["q"].high == pytest.approx(max(one[name] for one in found))


def test_grades_that_differ_in_too_many_ways_leave_ndcg_open_and_no_binary_measure() -> None:
    waiting = [WaitingChunks(1 + number % 2, (chunk,)) for number, chunk in enumerate([*CHUNKS, "x", "y"])]
    figures = standard_figures({"q": Case("q", {"known": 1}, waiting)}, {"q": CHUNKS}, ["nDCG@3", "R@3"])
    assert figures["nDCG@3"]["q"] == Figure(None, 0, 1)
    assert figures["R@3"]["q"].low == 0
    assert figures["R@3"]["q"].high == pytest.approx(3 / 4)


def test_a_measure_that_looks_at_judged_hits_only_is_left_open_while_labels_wait() -> None:
    case = Case("q", {"c0": 1}, [WaitingChunks(1, ("c1",))])
    figures = standard_figures({"q": case}, {"q": CHUNKS}, ["P(judged_only=True)@3"])
    assert figures["P(judged_only=True)@3"]["q"] == Figure(None, 0, 1)


def test_a_bound_is_not_found_by_deciding_all_labels_the_same_way() -> None:
    """One label can only be found, the other only be missed: the least is reached with the first rejected."""
    case = Case("q", {"c0": 1, "far": 1}, [WaitingChunks(1, ("c1",)), WaitingChunks(1, ("unseen",))])
    figure = standard_figures({"q": case}, {"q": ["c0", "c1"]}, ["R@2"])["R@2"]["q"]
    assert [figure.low, figure.high] == pytest.approx([1 / 3, 2 / 3])


def test_a_question_whose_only_label_waits_may_fall_out_of_the_mean() -> None:
    cases = {"a": Case("a", {"c0": 1}), "b": Case("b", {}, [WaitingChunks(1, ("c5",))])}
    figures = standard_figures(cases, {"a": ["c0"], "b": ["c0"]}, ["R@1"])["R@1"]
    assert figures == {"a": Figure(1, 1, 1), "b": Figure(None, 0, 0, True)}
    assert mean(figures) == Figure(1, 0.5, 1)


@pytest.mark.parametrize("seed", range(5))
def test_where_nothing_waits_the_figures_are_those_of_ir_measures_and_of_pytrec_eval(seed: int) -> None:
    seeded = random.Random(seed)
    ids = [f"doc {number}\u2028" for number in range(40)]
    qrels = {f"q{i}": {chunk: seeded.randint(0, 3) for chunk in seeded.sample(ids, 8)} for i in range(20)}
    qrels = {query: row for query, row in qrels.items() if any(row.values())}
    rankings = {query: seeded.sample(ids, seeded.randint(1, 30)) for query in qrels}
    runs = {query: {c: -float(at) for at, c in enumerate(ranking)} for query, ranking in rankings.items()}
    names = [*DEFAULT, "Bpref", "Rprec", "R(rel=2)@5", "P@3"]
    figures = standard_figures({query: Case(query, row) for query, row in qrels.items()}, rankings, names)
    parsed = {ir_measures.parse_measure(name): name for name in names}
    for found in ir_measures.iter_calc(list(parsed), qrels, runs):
        assert figures[parsed[found.measure]][found.query_id].value == pytest.approx(found.value)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut.10", "recall.5"}).evaluate(runs)
    for query, row in theirs.items():
        ours = [figures[name][query].value for name in ("AP", "nDCG@10", "R@5")]
        assert ours == pytest.approx([row["map"], row["ndcg_cut_10"], row["recall_5"]])


def test_a_question_that_the_run_lacks_counts_0_and_is_in_the_mean() -> None:
    cases = {"a": Case("a", {"c0": 1}), "b": Case("b", {"c1": 1})}
    figures = standard_figures(cases, {"a": ["c0"]}, ["RR"])["RR"]
    assert mean(figures) == Figure(0.5, 0.5, 0.5)


@pytest.mark.parametrize("rankings", [{}, {"q": []}], ids=["missing", "empty"])
def test_without_a_hit_every_measure_is_0(rankings: dict[str, list[str]]) -> None:
    figures = standard_figures({"q": Case("q", {"c0": 1})}, rankings, DEFAULT)
    assert {figure["q"].value for figure in figures.values()} == {0}


def test_a_question_with_nothing_relevant_disturbs_no_other() -> None:
    cases = {"a": Case("a", {"c0": 1}), "b": Case("b", {}), "c": Case("c", {"c1": 1}), "d": Case("d", {"c1": 0})}
    figures = standard_figures(cases, {query: ["c0", "c1"] for query in cases}, ["RR"])["RR"]
    assert {query: figure.value for query, figure in figures.items()} == {"a": 1, "c": 0.5}


def test_a_chunk_that_is_returned_twice_is_found_once() -> None:
    figures = standard_figures({"q": Case("q", {"a": 1})}, {"q": ["a", "a", "b"]}, MEASURES)
    assert all(figure["q"].value is not None and figure["q"].value <= 1 for figure in figures.values())
    assert figures["nDCG"]["q"].value == figures["AP"]["q"].value == 1


def test_no_name_is_made_up_for_a_chunk_that_is_returned_twice() -> None:
    assert standard_figures({"q": Case("q", {"a_2": 1})}, {"q": ["a", "a", "z"]}, ["RR"])["RR"]["q"].value == 0


def test_the_best_order_is_of_all_judged_chunks_and_not_of_those_that_were_returned() -> None:
    figure = standard_figures({"q": Case("q", {"a": 1, "b": 1})}, {"q": ["a"]}, ["nDCG"])["nDCG"]["q"]
    assert figure.value is not None
    assert figure.value < 1


def test_what_is_scored_in_parts_is_what_is_scored_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = [WaitingChunks(1, ("c1", "c3")), WaitingChunks(1, ())]
    cases = {f"q{number}": Case(f"q{number}", {"c2": 1}, waiting[:number]) for number in range(3)}
    rankings = dict.fromkeys(cases, CHUNKS)
    at_once = standard_figures(cases, rankings, MEASURES)
    monkeypatch.setattr(standard, "BATCH", 2)
    assert standard_figures(cases, rankings, MEASURES) == at_once


def test_no_case_at_all_has_no_figure() -> None:
    assert standard_figures({}, {}, ["RR"]) == {"RR": {}}


def test_ids_that_c_can_not_hold_are_scored() -> None:
    odd = ["nul\0a", "nul\0b", "\ud800", ""]
    figures = standard_figures({"\0": Case("\0", {odd[1]: 1})}, {"\0": odd}, ["RR"])
    assert figures["RR"]["\0"].value == 0.5


def test_harmful_is_judged_and_not_relevant() -> None:
    cases = {"q": Case("q", {"c0": -1, "c1": 1})}
    figures = standard_figures(cases, {"q": ["c0", "c1"]}, ["Judged@2", "Bpref", "nDCG@2", "P@2"])
    assert figures["Judged@2"]["q"].value == 1
    assert figures["Bpref"]["q"].value == 0
    assert figures["P@2"]["q"].value == 0.5


@pytest.mark.parametrize(
    "name",
    [
        "R@0",
        "R@-1",
        "R@1.5",
        "R",
        "recall@5",
        "",
        "R@5,P@5",
        "R@99999999999999999999",
        "RBP",
        "__class__",
        "R(rel='x')@5",
    ],
)
def test_a_measure_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(BadInput):
        standard_figures({"q": Case("q", {"c": 1})}, {"q": ["c"]}, [name])


@pytest.mark.parametrize(
    ("name", "why"),
    [("IPrec", r"its recall has to be said"), ("P", "its cutoff has to be said"), ("RBP(p=2)", "invalid param p=2")],
)
def test_why_a_measure_can_not_be_computed_is_said_in_words(name: str, why: str) -> None:
    with pytest.raises(BadInput, match="can't be computed here") as caught:
        standard_figures({"q": Case("q", {"c": 1})}, {"q": ["c"]}, [name])
    assert why in str(caught.value)
    assert "object at" not in str(caught.value)


def test_what_a_provider_raises_for_one_question_is_bad_input() -> None:
    cases = {"q": Case("q", {"c": 1})}
    with pytest.raises(BadInput, match=r"^--measure: Accuracy@2 can't be computed here \(ZeroDivisionError"):
        standard_figures(cases, {"q": ["c"]}, ["RR", "Accuracy@2"])


def test_a_measure_that_no_trial_of_one_relevant_chunk_shows_is_computed() -> None:
    cases = {"q": Case("q", {"c": 1})}
    assert standard_figures(cases, {"q": ["c", "d"]}, ["Accuracy@2"])["Accuracy@2"]["q"].value == 1
