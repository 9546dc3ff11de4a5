"""LlamaIndex's LabelledRagDataset: `{"examples": [{"query", "reference_contexts", "reference_answer", …}]}`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.foreign.form import ForeignQuestion, ForeignSet, Format, ReadOptions
from evalspan.formats.foreign.quoted import TEXTS_ONLY, spans_of
from evalspan.formats.foreign.rows import Names, Numbered, asked, each, numbered, only, read_json, text_of, texts_of


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    value = read_json(path)
    if not isinstance(value, dict) or "examples" not in value:
        raise BadInput([Problem(str(path), None, 'has no "examples"')])
    names = Names()

    def question(line: Numbered) -> ForeignQuestion:
        text = text_of(line.row, "query")
        answer = text_of(line.row, "reference_answer", "")
        return ForeignQuestion(
            line.line, asked(names(text), text, [answer]), spans_of(texts_of(line.row, "reference_contexts"))
        )

    return ForeignSet(tuple(each(path, problems, numbered(value["examples"], path, "examples"), question)))


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    def example(one: ForeignQuestion) -> dict[str, Any]:
        question = one.question.question
        return {
            "query": question.text,
            "query_by": {"model_name": "", "type": "human"},
            "reference_contexts": [span.quote for span in one.spans],
            "reference_answer": "".join(question.reference_answers[:1]),
            "reference_answer_by": {"model_name": "", "type": "human"},
        }

    return {"": json.dumps({"examples": list(map(example, foreign.questions))}, ensure_ascii=False, indent=2) + "\n"}


FORMAT = Format(
    name="llamaindex-rag",
    title="LlamaIndex's LabelledRagDataset",
    suffixes=(".json",),
    guess=lambda look: look.has("examples") and '"reference_contexts"' in look.head,
    read=_read,
    write=_write,
    holds=TEXTS_ONLY,
)
