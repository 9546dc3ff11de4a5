"""Values of every kind that a store keeps."""

from typing import Any

from hypothesis import strategies as st

from evalspan.anchoring import Match, Status, make_anchor
from evalspan.corpus import Chunk, Document, Extractor
from evalspan.digests import text_digest
from evalspan.labels import ChunkLabel, JudgedQuestion, Judgment, Question
from evalspan.mapping import Bucket, Cover, Fit, Outcome, Place, Reason
from evalspan.provenance import Provenance
from evalspan.spans import Span

BY = Provenance(by="a tester", at="2026-03-01T09:30:00Z", why="because")

sound = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
texts = st.text(sound, max_size=40)
ids = st.text(sound, min_size=1, max_size=12)
shares = st.floats(0, 1)
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    start = draw(st.integers(0, 2**31 - 2000))
    return Span(start, start + draw(st.integers(1, 1000)))


@st.composite
def matches(draw: st.DrawFn) -> Match:
    sure = draw(st.booleans())
    span = draw(spans() if sure else st.none() | spans())
    alone = (span,) if span is not None and sure else ()
    return Match(
        span=span,
        status=draw(st.sampled_from(Status)),
        sure=sure,
        same=draw(st.booleans()),
        score=draw(shares),
        coverage=draw(shares),
        pieces=draw(st.just(alone) | st.lists(spans(), max_size=3).map(tuple)),
        rivals=tuple(draw(st.lists(spans(), max_size=3))),
        reason=draw(st.sampled_from(["", "blank", "several places"])),
    )


def documents(max_size: int = 8) -> st.SearchStrategy[list[Document]]:
    one = st.builds(
        Document,
        doc_id=st.text(sound, max_size=12),
        text=texts,
        version=st.none() | texts,
        metadata=st.dictionaries(texts, json_values, max_size=2),
    )
    return st.lists(one, max_size=max_size, unique_by=lambda document: document.doc_id)


extractors = st.none() | st.builds(Extractor, name=texts, version=texts)


@st.composite
def cuts(draw: st.DrawFn) -> dict[str, list[Chunk]]:
    """doc_id → its chunks, ascending, every chunk id once."""
    names = draw(st.lists(ids, max_size=12, unique=True))
    doc_ids = draw(st.lists(ids, min_size=1, max_size=4, unique=True))
    cut: dict[str, list[Chunk]] = {}
    for name in names:
        doc_id = draw(st.sampled_from(doc_ids))
        chunk = Chunk(name, doc_id, draw(matches()), text_digest(draw(texts)))
        cut.setdefault(doc_id, []).append(chunk)
    return dict(sorted(cut.items()))


@st.composite
def judgments(draw: st.DrawFn) -> Judgment:
    span = draw(spans())
    words = draw(ids)
    return Judgment(
        doc_id=draw(ids),
        start=span.start,
        end=span.end,
        grade=draw(st.integers(-2, 4)),
        anchor=make_anchor(words, Span(0, len(words))),
        origin=draw(st.sampled_from(["span", "chunk"])),
        chunk_id=draw(st.none() | ids),
        tabular=draw(st.booleans()),
        provenance=draw(st.none() | st.just(BY)),
    )


@st.composite
def questions(draw: st.DrawFn) -> JudgedQuestion:
    return JudgedQuestion(
        question=Question(
            query_id=draw(ids),
            text=draw(texts),
            tags=tuple(draw(st.lists(texts, max_size=2))),
            reference_answers=tuple(draw(st.lists(texts, max_size=2))),
        ),
        judgments=tuple(draw(st.lists(judgments(), max_size=2))),
        chunk_labels=tuple(draw(st.lists(st.builds(ChunkLabel, chunk_id=ids, grade=st.integers(0, 3)), max_size=2))),
    )


def question_lists(max_size: int = 6) -> st.SearchStrategy[list[JudgedQuestion]]:
    return st.lists(questions(), max_size=max_size, unique_by=lambda question: question.query_id)


outcomes = st.builds(
    Outcome,
    query_id=ids,
    chunk_id=st.none() | ids,
    grade=st.integers(-2, 4),
    place=st.sampled_from(Place),
    fit=st.sampled_from(Fit),
    bucket=st.sampled_from(Bucket),
    reason=st.sampled_from(Reason),
    doc_id=ids,
    match=matches(),
    coarse=st.booleans(),
    min_overlap=shares,
    covers=st.lists(st.builds(Cover, ids, shares, shares, st.booleans(), st.none() | shares), max_size=3).map(tuple),
    union_coverage=shares,
    wide=st.none() | spans(),
    taken=st.none() | st.integers(1, 3),
)
