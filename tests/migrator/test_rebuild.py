"""Labels that name chunks become statements about text, and nothing that was said is dropped."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from strategies import inked_texts, law, spans_of

from evalspan.anchoring import make_anchor
from evalspan.labels import ChunkLabel, JudgedQuestion, Judgment, Question
from evalspan.migrator import chunk_judgment, rebuild
from evalspan.provenance import Provenance
from evalspan.spans import Span

BY = Provenance(by="ada", at="2026-03-01T09:30:00Z", why="read it")
TEXT = "The fee is five pounds a day. The annex says more."


@law
@given(st.data(), inked_texts, st.integers(-2, 3))
def test_the_judgment_of_a_chunk_is_the_whole_chunk_and_coarse(data: st.DataObject, text: str, grade: int) -> None:
    span = data.draw(spans_of(text))
    judgment = chunk_judgment(text, "d", span, "c", grade)
    assert (judgment.span, judgment.doc_id, judgment.grade) == (span, "d", grade)
    assert (judgment.origin, judgment.chunk_id, judgment.tabular) == ("chunk", "c", False)
    assert judgment.anchor == make_anchor(text, span)


chunk_labels = st.builds(
    ChunkLabel,
    chunk_id=st.sampled_from(["c1", "c2", "lost"]),
    grade=st.integers(-1, 3),
    provenance=st.sampled_from([None, BY]),
)


@law
@given(st.lists(chunk_labels, max_size=5))
def test_every_label_becomes_a_judgment_with_its_own_grade_or_stays(labels: list[ChunkLabel]) -> None:
    judgments = {
        "c1": chunk_judgment(TEXT, "d", Span(0, 29), "c1", 1),
        "c2": chunk_judgment(TEXT, "d", Span(30, 50), "c2", 1),
    }
    before = chunk_judgment(TEXT, "d", Span(4, 7), "older", 2)
    question = JudgedQuestion(
        question=Question(query_id="q", tags=("t",)), judgments=(before,), chunk_labels=tuple(labels)
    )
    after = rebuild(question, judgments)
    assert after.question == question.question
    assert after.judgments[0] == before
    tied = [label for label in labels if label.chunk_id in judgments]
    assert after.chunk_labels == tuple(label for label in labels if label.chunk_id == "lost")
    made = Counter((j.chunk_id, j.grade, j.provenance, j.span) for j in after.judgments[1:])
    assert made == Counter((x.chunk_id, x.grade, x.provenance, judgments[x.chunk_id].span) for x in tied)
    assert rebuild(after, judgments) == after
    assert Judgment.model_validate_json(before.model_dump_json()) == before
