"""Export, then import, is the identity on what a format can hold; and what it can't is named."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import law

from evalspan.errors import NoSuchOffset, Problems
from evalspan.formats.foreign.fit import fit
from evalspan.formats.foreign.form import ForeignQuestion, ForeignSet, Format, Holds, ReadOptions
from evalspan.formats.foreign.places import settle
from evalspan.formats.foreign.registry import FORMATS

from .helpers import write
from .strategies import foreign_sets

few = settings(law, max_examples=12)
"""Each law holds for twenty formats."""

WRITTEN = list(FORMATS.values())


def plain(form: Format, foreign: ForeignSet, texts: dict[str, str]) -> dict[str, Any]:
    """What a set says, whatever the order of its questions, with its passages in code points."""
    questions = {}
    for _, question, spans in foreign.questions:
        settled = []
        for span in spans:
            one = settle(span, texts[span.doc_id]) if span.doc_id is not None else span
            assert not isinstance(one, str), one
            one = one._replace(grade=int(one.grade))  # a name of a grade is sorted elsewhere than its number
            settled.append(one if Holds.QUOTES in form.holds else one._replace(quote=""))
        questions[question.query_id] = (question, sorted(settled, key=str))
    return questions


@pytest.mark.parametrize("form", WRITTEN, ids=[form.name for form in WRITTEN])
@few
@given(st.data())
def test_export_then_import_is_the_identity(form: Format, data: st.DataObject) -> None:
    of_spans = Holds.SPANS in form.holds and (Holds.LABELS not in form.holds or data.draw(st.booleans()))
    foreign = data.draw(foreign_sets(of_spans))
    texts = {document.doc_id: document.text for document in foreign.documents}
    fitted, _ = fit(foreign, form)
    assume(fitted.questions)
    with tempfile.TemporaryDirectory() as folder:
        try:
            path = write(form, fitted, Path(folder))
        except NoSuchOffset:  # inside what the format takes for one character
            assume(False)
        problems = Problems()
        back = form.read([path], problems, ReadOptions())
        problems.raise_if_any()
    assert plain(form, back, texts) == plain(form, fitted, texts)
    if "documents" in form.carries and not form.wants_texts:
        assert [(one.doc_id, one.text) for one in back.documents] == list(texts.items()) or len(
            set(texts.values())
        ) < len(texts)
    if "chunks" in form.carries:
        assert [(one.chunk_id, one.text) for one in back.chunks] == [(one.chunk_id, one.text) for one in foreign.chunks]


@pytest.mark.parametrize("form", WRITTEN, ids=[form.name for form in WRITTEN])
@few
@given(st.data())
def test_what_fits_loses_nothing_more(form: Format, data: st.DataObject) -> None:
    of_spans = Holds.SPANS in form.holds and (Holds.LABELS not in form.holds or data.draw(st.booleans()))
    fitted, _ = fit(data.draw(foreign_sets(of_spans)), form)
    again, lost = fit(fitted, form)
    assert [one.question for one in again.questions] == [one.question for one in fitted.questions]
    assert [one.spans for one in again.questions] == [one.spans for one in fitted.questions]
    assert +lost == {}


@law
@given(foreign_sets(of_spans=True))
def test_a_label_that_is_not_relevant_never_comes_back_as_relevant(foreign: ForeignSet) -> None:
    def relevant(asked: tuple[ForeignQuestion, ...]) -> set[Any]:
        return {(span.doc_id, span.start, span.end) for one in asked for span in one.spans if span.grade > 0}

    for form in WRITTEN:
        if Holds.OFFSETS in form.holds and Holds.ALSO in form.holds:
            assert relevant(fit(foreign, form)[0].questions) <= relevant(foreign.questions)
