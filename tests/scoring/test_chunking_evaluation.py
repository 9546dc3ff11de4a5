"""Ours beside the formulas of chunking_evaluation, on its corpora: equal where those are right, and where not, why.

Its figures are of ranges of code points: recall = |∪(c ∩ r)| / Σ|r|, precision = |∪(c ∩ r)| / Σ|c|, and IoU =
|∪(c ∩ r)| / (Σ|c| + what of the references is left), over the top k chunks c and the references r of a question.
"""

import csv
import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from statistics import fmean
from typing import NamedTuple

import pytest
from langchain_text_splitters import RecursiveCharacterTextSplitter
from shared_data import shared_data

from evalspan.scoring.evidence import Counter, Overlap, Place
from evalspan.spans import Span

from .bm25 import bm25

K = 5


class Asked(NamedTuple):
    text: str
    corpus: str
    references: list[Span]


class Theirs(NamedTuple):
    recall: float
    precision: float
    iou: float


@cache
def corpora() -> dict[str, str]:
    folder = shared_data("chunking_evaluation") / "corpora"
    return {path.stem: path.read_bytes().decode("utf-8") for path in sorted(folder.iterdir())}


@cache
def questions() -> list[Asked]:
    with (shared_data("chunking_evaluation") / "questions_df.csv").open(encoding="utf-8", newline="") as file:
        return [
            Asked(
                row["question"],
                row["corpus_id"],
                [Span(one["start_index"], one["end_index"]) for one in json.loads(row["references"])],
            )
            for row in csv.DictReader(file)
        ]


def fixed(size: int, step: int) -> Callable[[str], list[Span]]:
    return lambda text: [Span(at, min(at + size, len(text))) for at in range(0, len(text), step)]


def recursive(size: int, overlap: int) -> Callable[[str], list[Span]]:
    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap, add_start_index=True)

    def cut(text: str) -> list[Span]:
        chunks = splitter.create_documents([text])
        starts = [chunk.metadata["start_index"] for chunk in chunks]
        return [
            Span(start, start + len(chunk.page_content))
            for start, chunk in zip(starts, chunks, strict=True)
            if start >= 0
        ]

    return cut


APART = {"fixed 400": fixed(400, 400), "recursive 400": recursive(400, 0)}
OVERLAPPING = {"fixed 400 by 200": fixed(400, 200), "recursive 400 over 200": recursive(400, 200)}
CHUNKERS = APART | OVERLAPPING


@cache
def retrieved(chunker: str) -> list[list[Place]]:
    """The places of the top hits of each question."""
    places = [(name, span) for name, text in corpora().items() for span in CHUNKERS[chunker](text)]
    texts = [span.of(corpora()[name]) for name, span in places]
    found = bm25(texts, [one.text for one in questions()], K)
    return [[places[number] for number, _ in hits] for hits in found]


def theirs(asked: Asked, hits: Sequence[Place]) -> Theirs:
    wanted = [set(range(*span)) for span in asked.references]
    mine = [set(range(*span)) for corpus, span in hits if corpus == asked.corpus]
    shared = set().union(*mine) & set().union(*wanted)
    sizes = sum(span.length for _, span in hits)
    left = sum(len(one - shared) for one in wanted)
    return Theirs(len(shared) / sum(map(len, wanted)), len(shared) / sizes, len(shared) / (sizes + left))


def ours(asked: Asked, hits: Sequence[Place], counter: Counter) -> Overlap:
    return counter.overlap([(asked.corpus, span) for span in asked.references], hits)


def in_code_points() -> Counter:
    """As if no character were blank: then ours are counted as theirs are."""
    return Counter({name: re.sub(r"\s", "x", text) for name, text in corpora().items()})


def references_overlap(asked: Asked) -> bool:
    return len(set().union(*(range(*span) for span in asked.references))) < sum(one.length for one in asked.references)


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_recall_is_theirs_where_references_do_not_overlap(chunker: str) -> None:
    counter = in_code_points()
    for asked, hits in zip(questions(), retrieved(chunker), strict=True):
        mine, published = ours(asked, hits, counter), theirs(asked, hits)
        if references_overlap(asked):
            assert mine.recall >= published.recall  # they divide by what stands in two references twice
        else:
            assert mine.recall == pytest.approx(published.recall)


@pytest.mark.parametrize("chunker", APART)
def test_precision_and_iou_are_theirs_where_neither_chunks_nor_references_overlap(chunker: str) -> None:
    counter = in_code_points()
    for asked, hits in zip(questions(), retrieved(chunker), strict=True):
        if not references_overlap(asked):
            mine, published = ours(asked, hits, counter), theirs(asked, hits)
            assert [mine.precision, mine.iou] == pytest.approx([published.precision, published.iou])


@pytest.mark.parametrize("chunker", OVERLAPPING)
def test_where_chunks_overlap_they_count_what_two_hits_hold_twice_and_ours_once(chunker: str) -> None:
    counter = in_code_points()
    higher = 0
    for asked, hits in zip(questions(), retrieved(chunker), strict=True):
        mine, published = ours(asked, hits, counter), theirs(asked, hits)
        assert mine.precision >= published.precision - 1e-12
        assert mine.iou >= published.iou - 1e-12
        higher += mine.precision > published.precision + 1e-12
    assert higher > 0


def test_a_hit_twice_lowers_their_precision_and_not_ours() -> None:
    asked, hits = questions()[0], [("state_of_the_union", questions()[0].references[0])]
    counter = in_code_points()
    assert theirs(asked, hits * 2).precision == theirs(asked, hits).precision / 2
    assert ours(asked, hits * 2, counter) == ours(asked, hits, counter)


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_counting_ink_instead_of_code_points_moves_a_mean_by_less_than_a_hundredth(chunker: str) -> None:
    """Splitters strip edges, and readers of PDFs put blanks where they like: what is blank is no evidence."""
    ink = Counter(corpora())
    pairs = list(zip(questions(), retrieved(chunker), strict=True))
    points = in_code_points()
    for measure in ("recall", "precision", "iou"):
        means = [fmean(getattr(ours(*pair, counter), measure) for pair in pairs) for counter in (ink, points)]
        assert abs(means[0] - means[1]) < 0.01
