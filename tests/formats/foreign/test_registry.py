"""Which format a file is in is told by what stands in it, and never guessed between two."""

import json
import tempfile
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shared_data import shared_data
from strategies import law

from evalspan.errors import BadInput, NoSuchOffset, Problems
from evalspan.formats.foreign.fit import fit
from evalspan.formats.foreign.form import ForeignSet, Format, Holds, ReadOptions
from evalspan.formats.foreign.look import HEAD, Look
from evalspan.formats.foreign.registry import FORMATS, guess_format, require_format

from .helpers import put, write
from .strategies import foreign_sets

few = settings(law, max_examples=12)
"""Each law holds for twenty formats."""


@pytest.mark.parametrize("form", FORMATS.values(), ids=list(FORMATS))
@few
@given(st.data())
def test_what_is_written_in_a_format_is_guessed_to_be_it(form: Format, data: st.DataObject) -> None:
    of_spans = Holds.SPANS in form.holds
    fitted, _ = fit(data.draw(foreign_sets(of_spans)), form)
    first = fitted.questions[0] if fitted.questions else None
    assume(first and (first.labelled or form.name == "must-retrieve"))
    if form.name == "trec":  # where an id holds blanks, tabs stand between the fields, and nothing tells them apart
        assume(not any(len(line.split()) != 4 for line in _lines(form, fitted)))
    with tempfile.TemporaryDirectory() as folder:
        try:
            path = write(form, fitted, Path(folder))
        except NoSuchOffset:
            assume(False)
        assert guess_format([path]).name == form.name


def _lines(form: Format, foreign: ForeignSet) -> list[str]:
    return str(form.write(foreign)[""]).split("\n")[:-1]


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "\x00\x01", "a,b,c\n1,2,3\n", '{"a": 1}', "x" * HEAD])
def test_what_is_in_no_format_is_refused_with_what_to_type(tmp_path: Path, content: str) -> None:
    for suffix in (".json", ".jsonl", ".csv", ".txt", ".bin"):
        with pytest.raises(BadInput, match="say which, --format NAME"):
            guess_format([put(tmp_path, f"a{suffix}", content)])


def test_a_file_in_two_formats_is_not_guessed(tmp_path: Path) -> None:
    row = {"query_id": "q", "question": "?", "anchors": [], "doc_uri": "d", "relevance": 1}
    with pytest.raises(BadInput, match="may be spanchor, retrieval-eval: say which"):
        guess_format([put(tmp_path, "a.jsonl", [row])])


def test_an_unknown_name_is_answered_with_all_names() -> None:
    with pytest.raises(BadInput, match="'xml' is no format; there are relevant-spans, must-retrieve, trec, beir"):
        require_format("xml")


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ('{"data": [{"title": "a", "paragraphs": [{"context": "long', {"data"}),
        ('[{"query": "a", "evidence_list": [{"fa', {"query", "evidence_list"}),
        ('{"a": "\\\\", "b": {"c": [1, 2', {"a", "b"}),
        ('{"a": 1}\n{"b": 2', {"a"}),
    ],
)
def test_a_head_that_breaks_off_still_shows_its_keys(text: str, keys: set[str]) -> None:
    assert Look(text.encode(), Path("a.json")).row.keys() == keys


KEYS = [
    "id",
    "query_id",
    "queryId",
    "query",
    "question",
    "relevant_spans",
    "doc",
    "start",
    "end",
    "tests",
    "snippets",
    "span",
    "data",
    "paragraphs",
    "qas",
    "answers",
    "context",
    "text",
    "queries",
    "corpus",
    "relevant_docs",
    "examples",
    "user_input",
    "reference_contexts",
    "input",
    "evidence_list",
    "fact",
    "target",
    "selector",
    "type",
    "body",
    "annotations",
    "result",
    "value",
    "items",
    "anchors",
    "document_id",
    "doc_uri",
    "relevance",
    "chunk_id",
    "_id",
    "mustRetrieve",
    "filters",
    "title",
    "answer_start",
    "source",
    "labels",
    "file_path",
]

JUNK: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=20,
)


@pytest.mark.parametrize("form", FORMATS.values(), ids=list(FORMATS))
@few
@given(st.lists(JUNK, max_size=3))
def test_junk_is_read_or_refused_and_nothing_else(form: Format, rows: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for suffix in form.suffixes:
            value: Any = rows if suffix == ".jsonl" or len(rows) != 1 else rows[0]
            path = put(Path(folder), f"junk{suffix}", value)
            problems = Problems()
            try:
                form.read([path], problems, ReadOptions())
                problems.raise_if_any()
            except BadInput:
                continue


ODD: list[Any] = [None, True, -1, 10**20, 1.5, "", "\ud800", "a\0b", "x", "\t", [], {}, [1], [[]], {"a": 1}, [{}]]


def mutated(value: Any, random: Random) -> Any:
    """With some of its parts gone, or of another kind."""
    if random.random() < 0.1:
        return random.choice(ODD)
    if isinstance(value, dict):
        return {key: mutated(one, random) for key, one in value.items() if random.random() > 0.05}
    return [mutated(one, random) for one in value] if isinstance(value, list) else value


def broken(name: str, content: str, random: Random) -> str:
    if name.endswith(".json"):
        return json.dumps(mutated(json.loads(content), random))
    if name.endswith(".jsonl"):
        rows = [json.loads(line) for line in content.split("\n") if line.strip()]
        return "".join(json.dumps(mutated(row, random)) + "\n" for row in rows)
    return content.replace(random.choice('abc012"\t,'), random.choice(["", '"', "\t", "\0"]), random.randrange(3))


@pytest.mark.parametrize("form", FORMATS.values(), ids=list(FORMATS))
@few
@given(st.data(), st.randoms())
def test_a_broken_file_is_read_or_refused_and_nothing_else(form: Format, data: st.DataObject, random: Random) -> None:
    fitted, _ = fit(data.draw(foreign_sets(Holds.SPANS in form.holds)), form)
    with tempfile.TemporaryDirectory() as folder:
        try:
            path = write(form, fitted, Path(folder))
        except NoSuchOffset:
            assume(False)
        for file in [one for one in Path(folder).rglob("*") if one.is_file() and one.suffix != ".parquet"]:
            put(file.parent, file.name, broken(file.name, file.read_text("utf-8"), random))
        problems = Problems()
        with suppress(BadInput):
            form.read([path], problems, ReadOptions())
            problems.raise_if_any()


@pytest.mark.parametrize(
    ("data", "name", "wanted"),
    [
        ("chunking_evaluation", "questions_df.csv", "chunking-evaluation"),
        ("autorag", "qa_data_sample.parquet", "autorag"),
        ("autorag", "dataset_sample_gen_by_autorag", "autorag"),
        ("cookbook_code", "qrels.txt", "trec"),
        ("cookbook_docs", "docs_evaluation_dataset.json", "correct-chunks"),
    ],
)
def test_real_files_are_guessed(data: str, name: str, wanted: str) -> None:
    assert guess_format([shared_data(data) / name]).name == wanted
