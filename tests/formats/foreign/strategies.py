"""Sets with everything that the common form can say, for the laws of every format."""

from hypothesis import strategies as st
from label_strategies import maybe, names, some_names
from strategies import inked_texts, spans_of

from evalspan.corpus import Document
from evalspan.formats.foreign.form import ForeignChunk, ForeignQuestion, ForeignSet, ForeignSpan, Piece
from evalspan.labels import ChunkLabel, Fact, JudgedQuestion, Question
from evalspan.spans import Span

inked_words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=9).filter(
    lambda text: bool(text.strip())
)


def _piece(span: Span, text: str) -> Piece:
    return Piece(*span, span.of(text))


@st.composite
def _spans(draw: st.DrawFn, documents: dict[str, str], facts: list[str]) -> tuple[ForeignSpan, ...]:
    found = []
    for _ in range(draw(st.integers(0, 3))):
        doc_id = draw(st.sampled_from(sorted(documents)))
        text = documents[doc_id]
        first, *also = sorted(draw(st.lists(spans_of(text), min_size=1, max_size=2, unique=True)))
        if not first.of(text).strip() or any(not one.of(text).strip() or one.start < first.end for one in also):
            continue
        found.append(
            ForeignSpan(
                doc_id,
                *_piece(first, text),
                grade=draw(st.integers(-1, 3)),
                fact=draw(st.sampled_from(["", *facts])),
                tabular=draw(st.booleans()),
                also=tuple(_piece(one, text) for one in also),
                version=draw(st.sampled_from([None, "v1"])),
            )
        )
    return tuple({(one.doc_id, one.start, one.end): one for one in found}.values())


@st.composite
def _labels(draw: st.DrawFn, chunks: list[str], facts: list[str]) -> tuple[ChunkLabel, ...]:
    named = draw(st.lists(st.sampled_from(chunks), max_size=3, unique=True))
    return tuple(
        ChunkLabel(chunk_id=one, grade=draw(st.integers(-1, 3)), fact=draw(st.sampled_from(["", *facts])))
        for one in named
    )


@st.composite
def foreign_sets(draw: st.DrawFn, of_spans: bool) -> ForeignSet:
    documents = draw(st.dictionaries(names, inked_texts, min_size=1, max_size=2))
    chunks = draw(st.dictionaries(names, inked_texts, min_size=1, max_size=3))
    questions = []
    for at, query_id in enumerate(draw(st.lists(names, min_size=1, max_size=3, unique=True)), 1):
        facts = draw(st.sampled_from([[], [], ["f"], ["f", "g"]]))
        spans = draw(_spans(documents, facts)) if of_spans else ()
        labels = () if of_spans else draw(_labels(sorted(chunks), facts))
        question = Question(
            query_id=query_id,
            text=draw(inked_words),
            tags=draw(some_names),
            reference_answers=draw(maybe(st.lists(inked_words, max_size=2).map(tuple))),
            filters=draw(st.sampled_from([{}, {"country": "US", "n": [1, None]}])),
        )
        several = len(spans) + len(labels) > 1 and not facts
        judged = JudgedQuestion(
            question=question,
            chunk_labels=labels,
            facts=tuple(Fact(fact_id=fact, text="?", min_grade=2) for fact in facts),
            labels_are=draw(st.sampled_from(["any", "all"])) if several else None,
            must_not_use=draw(some_names),
            acceptable_docs=draw(some_names),
            no_answer=not spans and not labels and not facts and draw(st.booleans()),
        )
        questions.append(ForeignQuestion(at, judged, spans))
    return ForeignSet(
        tuple(questions),
        tuple(Document(*one) for one in documents.items()),
        tuple(ForeignChunk(*one) for one in chunks.items()),
    )
