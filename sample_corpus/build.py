"""Regenerate every derived file of the sample corpus.

Needs bm25s 0.3.16, langchain-text-splitters 1.1.3 and semantic-text-splitter 0.33.1.

Reads v1/*.md, v2/*.md, questions.jsonl and evidence.jsonl, all written by hand.

Evidence is a quote that occurs exactly once in its document; where a passage is repeated,
"copy" says which occurrence is meant, counted from 1. Offsets are Unicode code points.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import bm25s
from langchain_text_splitters import RecursiveCharacterTextSplitter
from semantic_text_splitter import MarkdownSplitter

HERE = Path(__file__).resolve().parent
HALF = 0.5  # share of a span's non-blank characters that a labelled chunk must hold
TOP_K = 10
TOKENS = {"stopwords": "en_plus", "show_progress": False}


class Chunk(NamedTuple):
    """A piece of a document: text == document[start:end]."""

    chunk_id: str
    doc_id: str
    text: str
    start: int
    end: int


def read_documents(folder: str) -> dict[str, str]:
    """Read a version of the corpus, file stem to text, without newline translation."""
    paths = sorted((HERE / folder).glob("*.md"), key=lambda path: path.stem)
    return {path.stem: path.read_bytes().decode("utf-8") for path in paths}


def read_jsonl(name: str) -> list[dict[str, Any]]:
    """Read a JSON lines file that lies beside this script."""
    return [json.loads(line) for line in (HERE / name).read_bytes().splitlines()]


def write_lines(name: str, lines: Iterable[str]) -> None:
    """Write lines as UTF-8 with LF."""
    (HERE / name).write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8"))


def write_jsonl(name: str, rows: Iterable[dict[str, Any]]) -> None:
    """Write one JSON object a line, readable characters left as they are."""
    write_lines(name, (json.dumps(row, ensure_ascii=False) for row in rows))


def cut_old(text: str) -> Iterator[tuple[int, str]]:
    """Cut with LangChain's recursive splitter: offset and text of each chunk."""
    cutter = RecursiveCharacterTextSplitter(chunk_size=800, chunk_overlap=100, add_start_index=True)
    for piece in cutter.create_documents([text]):
        yield piece.metadata["start_index"], piece.page_content


def cut_new(text: str) -> Iterator[tuple[int, str]]:
    """Cut with the Markdown splitter: offset and text of each chunk."""
    yield from MarkdownSplitter(320, trim=True).chunk_indices(text)


def name_chunks(doc_id: str, text: str, pieces: Iterable[tuple[int, str]]) -> Iterator[Chunk]:
    """Name chunks by their content, so that an id lives exactly as long as its text."""
    seen: Counter[str] = Counter()
    last = -1
    for start, piece in pieces:
        if start <= last or text[start : start + len(piece)] != piece:
            raise ValueError(f"{doc_id}: chunk does not stand at {start}")
        last = start
        chunk_id = f"{doc_id}:{hashlib.sha256(piece.encode('utf-8')).hexdigest()[:8]}"
        seen[chunk_id] += 1
        suffix = f"-{seen[chunk_id]}" if seen[chunk_id] > 1 else ""
        yield Chunk(chunk_id + suffix, doc_id, piece, start, start + len(piece))


def resolve(item: dict[str, Any], text: str) -> dict[str, Any]:
    """Turn a quote into a span, refusing one that is missing or not unique."""
    quote, copy = item["quote"], item.get("copy", 1)
    count = text.count(quote)
    if count < copy or (count > 1 and "copy" not in item):
        raise ValueError(f"{item['query_id']}: {count} occurrences of {quote!r}")
    start = -1
    for _ in range(copy):
        start = text.index(quote, start + 1)
    place = {"start": start, "end": start + len(quote), "quote": quote, "grade": item["grade"]}
    return {"query_id": item["query_id"], "doc_id": item["doc_id"], **place}


def coverage(chunk: Chunk, span: dict[str, Any]) -> float:
    """Share of the span's non-blank characters that the chunk holds."""
    if chunk.doc_id != span["doc_id"]:
        return 0.0
    first = max(chunk.start - span["start"], 0)
    inside = span["quote"][first : max(chunk.end - span["start"], first)]
    return len("".join(inside.split())) / len("".join(span["quote"].split()))


def make_qrels(truth: list[dict[str, Any]], chunks: list[Chunk]) -> Iterator[str]:
    """Label every chunk that holds at least half of a span with the highest such grade."""
    grades: dict[tuple[str, str], int] = {}
    for span in truth:
        for key in ((span["query_id"], c.chunk_id) for c in chunks if coverage(c, span) >= HALF):
            grades[key] = max(grades.get(key, 0), span["grade"])
    for (query_id, chunk_id), grade in sorted(grades.items()):
        yield f"{query_id} 0 {chunk_id} {grade}"


def make_run(questions: list[dict[str, Any]], chunks: list[Chunk]) -> Iterator[str]:
    """Rank the chunks for each question by BM25, equal scores in order of chunk id."""
    index = bm25s.BM25()
    words = bm25s.tokenize([chunk.text for chunk in chunks], **TOKENS)
    index.index(words, show_progress=False)
    for question in questions:
        asked = bm25s.tokenize(question["text"], return_ids=False, **TOKENS)[0]
        scored = zip(index.get_scores(asked).tolist(), chunks, strict=True)
        best = sorted(scored, key=lambda pair: (-pair[0], pair[1].chunk_id))[:TOP_K]
        for rank, (score, chunk) in enumerate(best, start=1):
            yield f"{question['query_id']} Q0 {chunk.chunk_id} {rank} {score:.4f} bm25"


def main() -> None:
    """Write all derived files."""
    v1, v2, questions = read_documents("v1"), read_documents("v2"), read_jsonl("questions.jsonl")
    write_jsonl("documents.jsonl", ({"doc_id": doc_id, "text": t} for doc_id, t in v1.items()))
    write_jsonl("documents-v2.jsonl", ({"doc_id": doc_id, "text": t} for doc_id, t in v2.items()))
    old = [chunk for doc_id, t in v1.items() for chunk in name_chunks(doc_id, t, cut_old(t))]
    new = [chunk for doc_id, t in v1.items() for chunk in name_chunks(doc_id, t, cut_new(t))]
    new_v2 = [chunk for doc_id, t in v2.items() for chunk in name_chunks(doc_id, t, cut_new(t))]
    bare = ({"chunk_id": c.chunk_id, "doc_id": c.doc_id, "text": c.text} for c in old)
    write_jsonl("chunks-old.jsonl", bare)
    write_jsonl("chunks-new.jsonl", (chunk._asdict() for chunk in new))
    write_jsonl("chunks-v2.jsonl", (chunk._asdict() for chunk in new_v2))
    truth = [resolve(item, v1[item["doc_id"]]) for item in read_jsonl("evidence.jsonl")]
    write_jsonl("truth.jsonl", truth)
    write_lines("qrels.txt", make_qrels(truth, old))
    write_lines("run.txt", make_run(questions, new))
    write_lines("run-old.txt", make_run(questions, old))


if __name__ == "__main__":
    main()
