"""Small corpora cut twice, as files."""

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

SAMPLE = Path(__file__).parents[2] / "sample_corpus"

FILES = ("documents", "old_chunks", "labels", "new_chunks")

Row = dict[str, Any]


def write_rows(path: Path, rows: Iterable[Row]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def read_rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@dataclass(frozen=True)
class Case:
    """What a migration of files reads. Chunks carry the offsets they were cut at."""

    documents: dict[str, str]
    old: tuple[Row, ...]
    new: tuple[Row, ...]
    labels: tuple[tuple[str, str, int], ...]

    def write(self, folder: Path, offsets: bool = False) -> dict[str, Any]:
        """The files, as arguments of migrate_files."""
        folder.mkdir(parents=True, exist_ok=True)
        hidden = () if offsets else ("start", "end")
        documents = [{"doc_id": doc_id, "text": text} for doc_id, text in self.documents.items()]
        cut = [[{k: v for k, v in row.items() if k not in hidden} for row in rows] for rows in (self.old, self.new)]
        labels = folder / "labels.txt"
        labels.write_text("".join(f"{query} 0 {chunk} {grade}\n" for query, chunk, grade in self.labels), "utf-8")
        return {
            "documents": write_rows(folder / "documents.jsonl", documents),
            "old_chunks": write_rows(folder / "old.jsonl", cut[0]),
            "labels": labels,
            "new_chunks": write_rows(folder / "new.jsonl", cut[1]),
        }

    def shuffled(self, seed: random.Random) -> "Case":
        """The same in another order of the lines; labels as they are, since theirs is the order of the outcomes."""
        documents = list(self.documents.items())
        old, new = list(self.old), list(self.new)
        for rows in (documents, old, new):
            seed.shuffle(rows)
        return replace(self, documents=dict(documents), old=tuple(old), new=tuple(new))


def cut(prefix: str, documents: dict[str, str], sizes: Sequence[int], overlap: int = 0) -> tuple[Row, ...]:
    """Stripped stretches of the given sizes, again and again; ids count through the corpus."""
    rows: list[Row] = []
    for doc_id, text in documents.items():
        at = turn = 0
        while at < len(text):
            stretch = text[at : at + sizes[turn % len(sizes)]]
            chunk = stretch.strip()
            if chunk:
                start = at + stretch.index(chunk)
                row = {"chunk_id": f"{prefix}{len(rows)}", "doc_id": doc_id, "text": chunk}
                rows.append({**row, "start": start, "end": start + len(chunk)})
            at += max(1, len(stretch) - overlap)
            turn += 1
    return tuple(rows)


def numbered_text(document: int, words: int) -> str:
    """Text in which no character but the blank occurs twice."""
    first = 0x4E00 + 100 * (document % 50)
    signs = map(chr, range(first, first + 4 * words))
    parts = ["".join(part) for part in zip(*[signs] * 4, strict=True)]
    return " ".join(part + ("\n" if i % 7 == 6 else "") for i, part in enumerate(parts))


def plain_case(documents: int = 3, words: int = 60) -> Case:
    texts = {f"doc{i}": numbered_text(i, words) for i in range(documents)}
    old, new = cut("old", texts, [90, 50]), cut("new", texts, [40, 75], overlap=5)
    labels = tuple((f"q{i // 3}", row["chunk_id"], i % 3) for i, row in enumerate(old))
    return Case(texts, old, new, labels)


@st.composite
def cases(draw: st.DrawFn, repeats: bool = True) -> Case:
    """Texts whose words repeat, so that chunks do, unless not wanted."""
    if repeats:
        words = st.lists(st.sampled_from(["alpha", "beta", "gamma", "δ", "\n\n", "e"]), min_size=1, max_size=40)
        texts = {f"d{i}": " ".join(draw(words)) + "." for i in range(draw(st.integers(1, 3)))}
    else:
        texts = {f"d{i}": numbered_text(i, draw(st.integers(1, 30))) for i in range(draw(st.integers(1, 3)))}
    sizes = st.lists(st.integers(4, 60), min_size=1, max_size=4)
    old, new = cut("old", texts, draw(sizes)), cut("new", texts, draw(sizes), draw(st.integers(0, 3)))
    label = st.tuples(
        st.sampled_from(["q1", "q2", "q10"]), st.sampled_from([row["chunk_id"] for row in old]), st.integers(-1, 2)
    )
    labels = draw(st.lists(label, min_size=1, max_size=8, unique_by=lambda one: one[:2]))
    return Case(texts, old, new, tuple(labels))


def ink(text: str) -> int:
    """Non-blank characters."""
    return sum(not c.isspace() for c in text)


def naive_coverage(text: str, start: int, end: int, chunk: Row) -> float:
    """|chunk ∩ span| / |span|, by counting."""
    shared = text[max(start, chunk["start"]) : min(end, chunk["end"])] if chunk["start"] < end else ""
    return ink(shared) / ink(text[start:end])
