"""What a first answer costs: `import evalspan`, and `evalspan verify` over 100,000 documents, each in a new process.

python tests/benchmarks/startup.py [--documents 100000] [--questions 2000] [--runs 9]
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from evalspan import (
    ChunkingConfig,
    Document,
    JudgedQuestion,
    Judgment,
    Provenance,
    Question,
    SetTerms,
    Span,
    Store,
    create_store,
    locate,
    make_anchor,
    manifest,
)
from evalspan.corpus import RawChunk, as_chunks, place_chunks


def text_of(number: int) -> str:
    return f"Page {number}\n\nWhat is said on page {number} is said on no other page of this corpus.\n"


def documents(count: int) -> Iterator[Document]:
    for number in range(count):
        yield Document(f"page-{number:06d}", text_of(number))


def judged(number: int) -> JudgedQuestion:
    text = text_of(number)
    span = locate(f"What is said on page {number}", text).span or Span(0, 1)
    judgment = Judgment(
        doc_id=f"page-{number:06d}", start=span.start, end=span.end, grade=1, anchor=make_anchor(text, span)
    )
    return JudgedQuestion(question=Question(query_id=f"q{number}", text=f"Page {number}?"), judgments=(judgment,))


def build(address: str, count: int, questions: int) -> None:
    """A store with a snapshot, another in which 50 documents changed, a chunking of each, and a set on the first."""
    create_store(address)
    with Store.open(address) as store, store.writing() as tx:
        made = Provenance.now("benchmark")
        snapshot = tx.put_snapshot(documents(count), "first", None, made)
        edited = (Document(d.doc_id, d.text + ("More.\n" if i < 50 else "")) for i, d in enumerate(documents(count)))
        second = tx.put_snapshot(edited, "second", None, made)
        for name, record in (("cut", snapshot), ("cut-of-second", second)):
            chunking = tx.add_chunking(name, record, ChunkingConfig(), made)
            for i, document in enumerate(documents(count)):
                text = document.text + ("More.\n" if name != "cut" and i < 50 else "")
                raw = [RawChunk(f"{document.doc_id}#0", text)]
                chunking.add(document.doc_id, as_chunks(document.doc_id, raw, place_chunks(raw, text)))
            chunking.finish()
        terms = SetTerms(snapshot_digest=snapshot.digest)
        tx.add_version("pages", None, terms, (judged(n).body() for n in range(questions)), made)


def seconds(*command: str, runs: int, codes: tuple[int, ...] = (0,)) -> list[float]:
    """Of each run after a first one that does not count."""
    out = []
    for _ in range(runs + 1):
        began = time.perf_counter()
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        out.append(time.perf_counter() - began)
        if done.returncode not in codes:
            raise SystemExit(done.stderr or done.stdout)
    return out[1:]


def show(what: str, taken: list[float]) -> None:
    sys.stdout.write(f"{what:60} median {statistics.median(taken):.3f} s  ({min(taken):.3f}–{max(taken):.3f})\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=9)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder, "evalspan.db"))
        build(address, given.documents, given.questions)
        for name in ("cut", "cut-of-second"):
            Path(folder, f"{name}.json").write_text(manifest(name, store=address).to_json())
        show("python -c pass", seconds(sys.executable, "-c", "pass", runs=given.runs))
        show("python -c 'import evalspan'", seconds(sys.executable, "-c", "import evalspan", runs=given.runs))
        verify = (sys.executable, "-m", "evalspan", "verify", "pages", "--store", address, "--index")
        show("evalspan verify, passed", seconds(*verify, f"{folder}/cut.json", runs=given.runs))
        show(
            "evalspan verify, refused, 50 documents differ",
            seconds(*verify, f"{folder}/cut-of-second.json", runs=given.runs, codes=(1,)),
        )


if __name__ == "__main__":
    main()
