"""Qrels and runs as TREC has them, and qrels as BEIR has them."""

import re
from collections.abc import Iterable, Iterator
from math import inf, isfinite
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from evalspan.errors import Problems
from evalspan.formats.lines import LineFile, fits_qrels
from evalspan.mapping import Bucket, Qrel, WaitingLabel
from evalspan.runs import Hit, Run

BEIR_HEADER = ("query-id", "corpus-id", "score")

_RANK = re.compile(r"[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
_GRADE = re.compile(r"[+-]?[0-9]{1,9}")


class LabelRow(NamedTuple):
    """A line of a qrels file."""

    query_id: str
    chunk_id: str
    grade: int
    line: int


def read_labels(
    path: str | PathLike[str], problems: Problems, left_out: list[WaitingLabel] | None = None
) -> list[LabelRow]:
    """`qid iter docid rel` (blanks or tabs), or BEIR's `query-id corpus-id score` with its header; in file order.

    Bad rows whose question and chunk can be read go to `left_out`: their question is not complete without them.
    """
    labels: list[LabelRow] = []
    before = problems.count
    seen: dict[tuple[str, str], LabelRow] = {}
    beir = False
    source = Path(path)
    for number, text in _texts(source, problems):
        if not labels and tuple(text.split()) == BEIR_HEADER:
            beir = True
            continue
        wanted = BEIR_HEADER if beir else ("query_id", "iter", "chunk_id", "grade")
        fields = _fields(text, len(wanted))
        if len(fields) != len(wanted):
            hint = "; ids with blanks want tabs between the fields" if len(fields) > len(wanted) else ""
            what = f"{len(fields)} fields where {len(wanted)} are wanted ({' '.join(wanted)}){hint}"
            problems.add(source, number, what)
            continue
        query_id, chunk_id, grade = fields[0], fields[-2], fields[-1]
        if not _GRADE.fullmatch(grade):
            problems.add(source, number, f"grade {grade!r} is no whole number")
            if left_out is not None:
                left_out.append(skipped_label(query_id, chunk_id))
            continue
        label = LabelRow(query_id, chunk_id, int(grade), number)
        first = seen.setdefault((query_id, chunk_id), label)
        if first is not label:
            with_grade = "" if first.grade == label.grade else f", with grade {first.grade}"
            what = f"question {query_id!r} and chunk {chunk_id!r} stand on line {first.line} already{with_grade}"
            problems.add(source, number, what)
            continue
        labels.append(label)
    problems.require_some(labels, source, "label", before)
    return labels


def skipped_label(query_id: str, chunk_id: str) -> WaitingLabel:
    """A label that --skip-bad leaves out."""
    return WaitingLabel(query_id, chunk_id, Bucket.UNMAPPED.value, "skipped")


def read_run(path: str | PathLike[str], problems: Problems) -> Run:
    """`qid Q0 docid rank score tag`, in any order; ranked by score, ties by the rank the file gives."""
    source = Path(path)
    before = problems.count
    hits: dict[str, list[tuple[float, int, str]]] = {}
    seen: set[tuple[str, str]] = set()
    for number, text in _texts(source, problems):
        fields = _fields(text, 6)
        if len(fields) != 6:
            what = f"{len(fields)} fields where 6 are wanted (query_id Q0 chunk_id rank score tag)"
            problems.add(source, number, what)
            continue
        query_id, _, chunk_id, rank, score = fields[:5]
        value = _number(score)
        if value is None:
            problems.add(source, number, f"score {score!r} is no finite number")
        elif not _RANK.fullmatch(rank):
            problems.add(source, number, f"rank {rank!r} is no whole number")
        elif (query_id, chunk_id) in seen:
            problems.add(source, number, f"chunk {chunk_id!r} is ranked twice for question {query_id!r}")
        else:
            seen.add((query_id, chunk_id))
            hits.setdefault(query_id, []).append((-value, int(rank), chunk_id))
    problems.require_some(hits, source, "hit", before)
    return Run({q: tuple(Hit(chunk, -score) for score, _, chunk in sorted(ranked)) for q, ranked in hits.items()})


def _number(text: str) -> float | None:
    value = float(text) if _NUMBER.fullmatch(text) else inf
    return value if isfinite(value) else None


def _texts(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """Each line, with its number."""
    with LineFile(path) as lines:
        for line in lines:
            try:
                text = line.data.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                what = f"not UTF-8: byte 0x{line.data[error.start]:02x} at byte {error.start} of the line"
                problems.add(path, line.number, what)
                continue
            if "\0" in text:
                problems.add(path, line.number, "holds NUL")
                continue
            yield line.number, text


def _fields(text: str, wanted: int) -> list[str]:
    """At tabs where that gives as many as wanted, else at blanks."""
    fields = text.split("\t")
    return fields if len(fields) == wanted and all(fields) else text.split()


def _require_fit(qrel: Qrel) -> Qrel:
    """Raises ValueError for an id that would break its line; readers of ids refuse those."""
    if not (fits_qrels(qrel.query_id) and fits_qrels(qrel.doc_id)):
        raise ValueError(f"an id with a tab or a line end can't stand in qrels: {qrel!r}")
    return qrel


def render_qrels(qrels: Iterable[Qrel]) -> Iterator[str]:
    """Lines `qid 0 docid rel`; tabs stand between the fields where an id holds blanks."""
    for query_id, chunk_id, relevance in map(_require_fit, qrels):
        fields = (query_id, "0", chunk_id, str(relevance))
        blank = [*query_id.split(), *chunk_id.split()] != [query_id, chunk_id]
        yield ("\t" if blank else " ").join(fields) + "\n"


def render_beir(qrels: Iterable[Qrel]) -> Iterator[str]:
    """BEIR's qrels with their header."""
    yield "\t".join(BEIR_HEADER) + "\n"
    for query_id, chunk_id, relevance in map(_require_fit, qrels):
        yield f"{query_id}\t{chunk_id}\t{relevance}\n"
