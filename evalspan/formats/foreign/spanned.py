"""The passages of a foreign question as those of a spans file, so that both are proven in one way."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from evalspan.formats.foreign.form import ForeignQuestion, ForeignSpan, Piece
from evalspan.formats.lines import NUL
from evalspan.formats.spans import PlaceRow, SpannedQuestion, SpanRow
from evalspan.formats.values import wrong_values
from evalspan.labels import JudgedQuestion
from evalspan.text import find_bad_character


def spanned(asked: ForeignQuestion, settled: Mapping[int, ForeignSpan]) -> tuple[SpannedQuestion, list[str]]:
    """`settled`: number of a span → the span in code points, with its document. And what is wrong with the question."""
    wrong: list[str] = []
    rows: dict[str, SpanRow] = {}
    seen = set[ForeignSpan]()
    for at, span in settled.items():
        if span in seen:
            continue
        seen.add(span)
        try:
            rows[f"spans[{at}]"] = _row(span)
        except ValidationError as error:
            wrong += wrong_values(error, f"spans[{at}]")
    wrong += _at_odds(asked, settled)
    return SpannedQuestion(asked.line, asked.question, rows), wrong


def _row(span: ForeignSpan) -> SpanRow:
    first, *also = (_place(one) for one in (Piece(span.start, span.end, span.quote), *span.also))
    values: dict[str, Any] = {"doc_id": span.doc_id, **first, "also": [PlaceRow.model_validate(one) for one in also]}
    return SpanRow.model_validate({**values, "grade": span.grade, "fact": span.fact, "tabular": span.tabular})


def _place(piece: Piece) -> dict[str, Any]:
    return {"start": piece.start, "end": piece.end, "quote": piece.quote or None}


def _at_odds(asked: ForeignQuestion, settled: Mapping[int, ForeignSpan]) -> list[str]:
    question = asked.question
    known = {fact.fact_id for fact in question.facts}
    wrong = [
        f"spans[{at}]: fact {span.fact!r} is none of the question's"
        for at, span in settled.items()
        if span.fact and span.fact not in known
    ]
    if question.no_answer and any(span.grade > 0 for span in settled.values()):
        wrong.append("is said to have no answer, and has a relevant passage")
    written = json.dumps(question.model_dump(), ensure_ascii=False)
    if NUL.decode() in written or find_bad_character(written) is not None:
        wrong.append("holds NUL or a lone surrogate")
    try:
        JudgedQuestion.model_validate(dict(question))
    except ValidationError as error:
        wrong += wrong_values(error)
    return wrong
