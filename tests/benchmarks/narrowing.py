"""Whole-chunk labels narrowed by the questions' words alone, and with an embedding model plugged in as the scorer.

    python tests/benchmarks/narrowing.py CHUNKING_EVALUATION        needs the extra `bench`

Real documents and questions whose evidence has known spans (the folder of chunking_evaluation with `corpora/` and
`questions_df.csv`). Labelled are the old chunks that hold half of a span; what is called relevant is held against the
new chunks that do. P, R: precision and recall of the clean labels' chunks; reach: recall with the first five candidates
of the ambiguous ones; first: share of ambiguous labels whose first candidate is right.
"""

import argparse
import csv
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import all_minilm_l6_v2
import numpy as np
from langchain_text_splitters import RecursiveCharacterTextSplitter
from tokenizers import Tokenizer

from evalspan.corpus import RawChunk
from evalspan.labels import Question
from evalspan.mapping import Bucket
from evalspan.migrator import OldLabel, Scorer, migrate_document
from evalspan.spans import Span

SHIFTS = (((1000, 200), (400, 0)), ((2000, 0), (500, 100)))
HEADS = 12
LONGEST = 256
"""Tokens of a sentence that are read."""


class Item(NamedTuple):
    """A question with the spans of its evidence."""

    question: Question
    doc_id: str
    spans: list[Span]


class MiniLM:
    """all-MiniLM-L6-v2 in numpy: the mean of the last layer's vectors, of length 1."""

    def __init__(self, folder: Path) -> None:
        raw = (folder / "model.safetensors").read_bytes()
        size = int.from_bytes(raw[:8], "little")
        self._weights: dict[str, Any] = {}
        for name, entry in json.loads(raw[8 : 8 + size]).items():
            if name != "__metadata__" and entry["dtype"] == "F32":
                begin, end = (8 + size + offset for offset in entry["data_offsets"])
                self._weights[name] = np.frombuffer(raw[begin:end], "<f4").reshape(entry["shape"])
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(LONGEST)
        self._tokenizer.no_padding()
        self._known: dict[str, Any] = {}

    def __call__(self, question: str, sentences: Sequence[str]) -> list[float]:
        return [float(self.vector(question) @ self.vector(sentence)) for sentence in sentences]

    def vector(self, text: str) -> Any:
        if text not in self._known:
            hidden = self._hidden(self._tokenizer.encode(text).ids).mean(0)
            self._known[text] = hidden / np.linalg.norm(hidden)
        return self._known[text]

    def _linear(self, name: str, x: Any) -> Any:
        return x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _norm(self, name: str, x: Any) -> Any:
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]

    def _hidden(self, ids: Sequence[int]) -> Any:
        table = "embeddings.{}_embeddings.weight".format
        x = self._weights[table("word")][ids] + self._weights[table("position")][: len(ids)]
        x = self._norm("embeddings.LayerNorm", x + self._weights[table("token_type")][0])
        layers = sum(name.endswith("attention.self.query.weight") for name in self._weights)
        for number in range(layers):
            layer = f"encoder.layer.{number}"
            x = self._norm(f"{layer}.attention.output.LayerNorm", x + self._attention(layer, x))
            inner = self._linear(f"{layer}.intermediate.dense", x)
            inner = 0.5 * inner * (1 + np.tanh(np.sqrt(2 / np.pi) * (inner + 0.044715 * inner**3)))
            x = self._norm(f"{layer}.output.LayerNorm", x + self._linear(f"{layer}.output.dense", inner))
        return x

    def _attention(self, layer: str, x: Any) -> Any:
        parts = (self._linear(f"{layer}.attention.self.{part}", x) for part in ("query", "key", "value"))
        query, key, value = (part.reshape(len(x), HEADS, -1).transpose(1, 0, 2) for part in parts)
        scores = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1])
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (shares / shares.sum(-1, keepdims=True)) @ value
        return self._linear(f"{layer}.attention.output.dense", mixed.transpose(1, 0, 2).reshape(x.shape))


def read_items(folder: Path) -> tuple[dict[str, str], list[Item]]:
    texts = {}
    for path in sorted((folder / "corpora").glob("*.md")):
        with path.open(encoding="utf-8", newline="") as file:
            texts[path.stem] = file.read()
    items = []
    with (folder / "questions_df.csv").open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file)):
            spans = [Span(part["start_index"], part["end_index"]) for part in json.loads(row["references"])]
            items.append(Item(Question(query_id=f"q{number}", text=row["question"]), row["corpus_id"], spans))
    return texts, items


def cut(texts: Mapping[str, str], size: int, overlap: int) -> dict[str, list[tuple[RawChunk, Span]]]:
    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap, add_start_index=True)
    out: dict[str, list[tuple[RawChunk, Span]]] = {}
    for doc_id, text in texts.items():
        out[doc_id] = []
        for number, piece in enumerate(splitter.create_documents([text])):
            start = piece.metadata["start_index"]
            chunk = RawChunk(f"{doc_id}:{size}:{number}", piece.page_content)
            out[doc_id].append((chunk, Span(start, start + len(piece.page_content))))
    return out


def relevant(item: Item, chunks: Sequence[tuple[RawChunk, Span]]) -> set[str]:
    return {
        chunk.chunk_id
        for chunk, place in chunks
        if any((part := place.shared(span)) and 2 * part.length >= span.length for span in item.spans)
    }


def measure(
    texts: Mapping[str, str],
    items: Sequence[Item],
    shift: tuple[tuple[int, int], tuple[int, int]],
    scorer: Scorer | None,
) -> str:
    old, new = (cut(texts, *sizes) for sizes in shift)
    truth = {item.question.query_id: relevant(item, new[item.doc_id]) for item in items}
    questions = {item.question.query_id: item.question for item in items}
    clean: dict[str, set[str]] = defaultdict(set)
    reached: dict[str, set[str]] = defaultdict(set)
    first = []
    for doc_id, text in texts.items():
        mine = [item for item in items if item.doc_id == doc_id]
        labels = [OldLabel(i.question.query_id, chunk, 1) for i in mine for chunk in sorted(relevant(i, old[doc_id]))]
        before, after = ([chunk for chunk, _ in chunks[doc_id]] for chunks in (old, new))
        for outcome in migrate_document(doc_id, text, before, after, labels, 0.5, questions, scorer).outcomes:
            chunks = [cover.chunk_id for cover in outcome.chosen]
            if outcome.bucket is Bucket.CLEAN:
                clean[outcome.query_id].update(chunks)
            elif chunks:
                first.append(chunks[0] in truth[outcome.query_id])
            reached[outcome.query_id].update(chunks if outcome.bucket is Bucket.CLEAN else chunks[:5])
    gold = sum(map(len, truth.values()))
    hit = sum(len(clean[query] & chunks) for query, chunks in truth.items())
    reach = sum(len(reached[query] & chunks) for query, chunks in truth.items())
    said = sum(map(len, clean.values()))
    return f"P {hit / said:.3f} R {hit / gold:.3f} reach {reach / gold:.3f} first {sum(first) / len(first):.3f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    texts, items = read_items(parser.parse_args().data)
    with TemporaryDirectory() as temp:
        model = MiniLM(Path(all_minilm_l6_v2.extract_model(temp)))
    for shift in SHIFTS:
        for name, scorer in (("words", None), ("words and MiniLM", model)):
            sys.stdout.write(f"{shift[0]} -> {shift[1]}  {name:17s} {measure(texts, items, shift, scorer)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
