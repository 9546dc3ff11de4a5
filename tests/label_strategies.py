"""Questions with everything that can be said of them, for the laws of every room that keeps or writes them."""

from typing import Any, Literal

from hypothesis import strategies as st
from strategies import digests, inked_texts, spans_of, texts

from evalspan.anchoring import make_anchor
from evalspan.labels import (
    AnswerSource,
    Candidate,
    ChunkLabel,
    Fact,
    JudgedQuestion,
    Judgment,
    Part,
    PendingLabel,
    Question,
    Range,
    RetiredLabel,
)
from evalspan.labels.judgment import overlapping
from evalspan.provenance import Provenance

BY = Provenance(by="a tester", at="2026-03-01T09:30:00Z", why="because")

names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r"), min_size=1, max_size=8)
"""Of things that stand in files, too."""

json_values: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers(-9, 9) | texts | st.lists(texts, max_size=2)
)


def maybe(values: st.SearchStrategy[tuple[str, ...]]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.just(()) | values


ANY_GRADE = st.integers(-2, 4)

some_names = maybe(st.lists(names, max_size=2).map(tuple))


@st.composite
def judgments(draw: st.DrawFn, facts: tuple[str, ...] = (), grades: st.SearchStrategy[int] = ANY_GRADE) -> Judgment:
    text = draw(inked_texts)
    spans = sorted(draw(st.lists(spans_of(text), min_size=1, max_size=2, unique=True)))
    if overlapping(spans):
        spans = spans[:1]
    first, *others = spans
    origin: Literal["span", "chunk"] = draw(st.sampled_from(["span", "chunk"]))
    return Judgment(
        doc_id=draw(names),
        start=first.start,
        end=first.end,
        grade=draw(grades),
        anchor=make_anchor(text, first),
        also=tuple(Part(start=one.start, end=one.end, anchor=make_anchor(text, one)) for one in others),
        fact=draw(st.sampled_from(["", *facts])),
        alternative=draw(st.sampled_from(["", "*", "0a1b"])),
        origin=origin,
        chunk_id=draw(st.none() | names),
        wide=Range(start=0, end=len(text)) if origin == "chunk" and draw(st.booleans()) else None,
        tabular=draw(st.booleans()),
        provenance=draw(st.sampled_from([None, BY])),
    )


@st.composite
def judged_questions(draw: st.DrawFn) -> JudgedQuestion:
    no_answer = draw(st.booleans())
    grades = st.integers(-2, 0) if no_answer else ANY_GRADE
    facts = draw(st.lists(names, max_size=2, unique=True))
    known = tuple(facts)
    label = st.builds(ChunkLabel, chunk_id=names, grade=grades, fact=st.sampled_from(["", *known]))
    any_label = judgments(known) | label
    candidate = st.builds(Candidate, start=st.integers(0, 5), end=st.integers(6, 9), doc_id=names, why=texts)
    pending = st.builds(
        PendingLabel,
        label=any_label,
        snapshot_digest=digests,
        reason=st.sampled_from(["changed", "uncertain", "missing", "deleted", "renamed", "not_tied"]),
        candidates=st.lists(candidate, max_size=2).map(tuple),
    )
    retired = st.builds(RetiredLabel, label=any_label, snapshot_digest=digests, provenance=st.just(BY))
    source = st.builds(AnswerSource, doc_id=names, text_digest=digests, stale=texts)
    return JudgedQuestion(
        question=Question(
            query_id=draw(names),
            text=draw(texts),
            tags=draw(some_names),
            reference_answers=draw(maybe(st.tuples(texts))),
            filters=draw(st.dictionaries(texts, json_values, max_size=2)),
        ),
        judgments=tuple(draw(st.lists(judgments(known, grades), max_size=2))),
        chunk_labels=tuple(draw(st.lists(label, max_size=2))),
        pending=tuple(draw(st.lists(pending, max_size=1))),
        retired_labels=tuple(draw(st.lists(retired, max_size=1))),
        facts=tuple(Fact(fact_id=fact, text=draw(texts), min_grade=draw(st.integers(1, 3))) for fact in facts),
        labels_are=draw(st.sampled_from([None, "any", "all"])),
        must_not_use=draw(some_names),
        acceptable_docs=draw(some_names),
        no_answer=no_answer,
        retired=draw(st.booleans()),
        answer_sources=tuple(draw(st.lists(source, max_size=1))),
    )
