"""Retrieval by a well-kept library and without a network, for runs over real data."""

from collections.abc import Sequence

import pytest


def bm25(texts: Sequence[str], queries: Sequence[str], depth: int) -> list[list[tuple[int, float]]]:
    """Of each query, (number of the text, score), best first; a skip where the library is absent."""
    bm25s = pytest.importorskip("bm25s")
    index = bm25s.BM25()
    index.index(bm25s.tokenize(list(texts), show_progress=False), show_progress=False)
    asked = bm25s.tokenize(list(queries), show_progress=False)
    numbers, scores = index.retrieve(asked, k=min(depth, len(texts)), show_progress=False)
    return [
        [(int(number), float(score)) for number, score in zip(*row, strict=True)]
        for row in zip(numbers, scores, strict=True)
    ]
