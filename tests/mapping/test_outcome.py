"""Outcomes: who is asked, who takes a label over, and how they are counted."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law, missing, one_of, sure

from evalspan.anchoring import Match
from evalspan.mapping import Bucket, Cover, Fit, Outcome, Place, Reason, tally
from evalspan.spans import Span

COVERS = (Cover("whole", 1.0, 0.5), Cover("half", 0.5, 1.0), Cover("unsure", 1.0, 1.0, certain=False))


def outcome(
    bucket: Bucket, reason: Reason, grade: int = 1, coarse: bool = True, min_overlap: float = 0.5, covers: int = 3
) -> Outcome:
    matches: dict[Reason, tuple[Match, Place]] = {
        Reason.NOT_FOUND: (missing(), Place.GONE),
        Reason.REPEATED: (one_of(Span(0, 4), Span(5, 9)), Place.UNCERTAIN),
    }
    match, place = matches.get(reason, (sure(Span(0, 4)), Place.CERTAIN))
    return Outcome(
        "q", "old", grade, place, Fit.HELD, bucket, reason, "d", match, coarse, min_overlap, COVERS[:covers], 1.0
    )


@pytest.mark.parametrize(
    ("grade", "min_overlap", "chosen"),
    [(1, 0.5, ["whole", "half"]), (3, 0.51, ["whole"]), (2, 1.0, ["whole"]), (0, 0.5, ["half"]), (-1, 1.0, ["half"])],
)
def test_a_clean_label_is_taken_over_by_certain_chunks_that_reach_far_enough(
    grade: int, min_overlap: float, chosen: list[str]
) -> None:
    made = outcome(Bucket.CLEAN, Reason.WHOLE, grade, min_overlap=min_overlap)
    assert [cover.chunk_id for cover in made.chosen] == chosen


def test_of_an_ambiguous_label_every_candidate_is_shown_best_first() -> None:
    assert outcome(Bucket.AMBIGUOUS, Reason.REPEATED).chosen == COVERS


def test_an_unmapped_label_has_none() -> None:
    assert outcome(Bucket.UNMAPPED, Reason.NOT_FOUND, covers=0).chosen == ()


def test_a_person_is_asked_about_all_but_clean_labels_and_precise_spans_that_are_cut() -> None:
    assert not outcome(Bucket.CLEAN, Reason.HELD).asks
    assert not outcome(Bucket.AMBIGUOUS, Reason.CUT, coarse=False).asks
    assert outcome(Bucket.AMBIGUOUS, Reason.CUT, coarse=True).asks
    assert outcome(Bucket.AMBIGUOUS, Reason.REPEATED, coarse=False).asks
    assert outcome(Bucket.UNMAPPED, Reason.UNCOVERED, coarse=False).asks


def test_only_a_certain_place_is_told() -> None:
    told = outcome(Bucket.CLEAN, Reason.WHOLE)
    assert (told.span, told.to_row()["start"], told.to_row()["end"]) == (Span(0, 4), 0, 4)
    assert "rivals" not in told.to_row()
    open_one = outcome(Bucket.AMBIGUOUS, Reason.REPEATED)
    assert (open_one.span, open_one.to_row()["start"], open_one.to_row()["end"]) == (None, None, None)
    assert open_one.to_row()["rivals"] == [[0, 4], [5, 9]]


def test_a_row_has_one_figure_for_each_chunk_it_names() -> None:
    row = outcome(Bucket.CLEAN, Reason.WHOLE).to_row()
    assert (row["chunks"], row["coverage"], row["share_of_chunk"]) == (["whole", "half"], [1.0, 0.5], [0.5, 1.0])
    assert (row["query_id"], row["old_chunk_id"], row["doc_id"], row["grade"]) == ("q", "old", "d", 1)
    assert (row["bucket"], row["reason"], row["place"], row["fit"]) == ("clean", "whole", "certain", "held")


@law
@given(st.lists(st.tuples(st.sampled_from(Bucket), st.sampled_from(Reason)), max_size=20))
def test_buckets_and_reasons_partition_the_labels(pairs: list[tuple[Bucket, Reason]]) -> None:
    counts = tally(iter(pairs))
    assert counts.total == len(pairs) == sum(counts.reasons.values())
    assert (counts.clean, counts.ambiguous, counts.unmapped) == tuple(
        sum(bucket is kind for bucket, _ in pairs) for kind in Bucket
    )
    assert counts.reasons == Counter(f"{bucket.value}/{reason.value}" for bucket, reason in pairs)
