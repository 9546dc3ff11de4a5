"""What it costs to score a run with bounds, beside ir_measures alone on the same files; and to draw a long history.

python tests/benchmarks/scores.py [--questions 10000] [--hits 100] [--waiting 0.1] [--scores 10000]    # '.[score]'
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from evalspan import ChunkingConfig, Document, Provenance, SetTerms, Store, create_store
from evalspan.errors import Problems
from evalspan.formats.runs import read_any_run
from evalspan.formats.trec import read_labels
from evalspan.runs import Hit, Run
from evalspan.scoring.cases import Case, WaitingChunks
from evalspan.scoring.figures import Figure, mean
from evalspan.scoring.standard import DEFAULT, standard_figures
from evalspan.workflows.history import history

CHUNKS = 200_000
"""Of the index: chunks are returned for several questions, as they are by a real one."""


def write_files(folder: Path, questions: int, hits: int) -> None:
    """Five labels a question, three of them among its hits."""
    seeded = random.Random(11)
    with (folder / "run.txt").open("w") as run, (folder / "qrels.txt").open("w") as qrels:
        for number in range(questions):
            found = seeded.sample(range(CHUNKS), hits)
            run.writelines(
                f"q{number} Q0 chunk-{chunk} {rank} {1 - rank / 1000:.4f} bm25\n" for rank, chunk in enumerate(found, 1)
            )
            labels = [*seeded.sample(found, 3), CHUNKS + number, CHUNKS + number + 1]
            qrels.writelines(f"q{number} 0 chunk-{chunk} {seeded.randint(1, 3)}\n" for chunk in labels)


def with_bounds(folder: Path, waiting: float) -> None:
    """As `evalspan score` does: of a share of the questions a label waits, with three candidates."""
    problems = Problems()
    run = read_any_run(folder / "run.txt", problems)
    cases: dict[str, Case] = {}
    for label in read_labels(folder / "qrels.txt", problems):
        cases.setdefault(label.query_id, Case(label.query_id)).grades[label.chunk_id] = label.grade
    rankings = {query_id: [hit.chunk_id for hit in hits] for query_id, hits in run.rankings.items()}
    seeded = random.Random(12)
    for query_id, case in cases.items():
        if seeded.random() < waiting:
            case.waiting.append(WaitingChunks(1, tuple(seeded.sample(rankings[query_id], 3))))
    for figures in standard_figures(cases, rankings).values():
        mean(figures)


def by_ir_measures(folder: Path) -> None:
    import ir_measures

    qrels = ir_measures.read_trec_qrels(str(folder / "qrels.txt"))  # type: ignore[no-untyped-call]
    run = ir_measures.read_trec_run(str(folder / "run.txt"))  # type: ignore[no-untyped-call]
    parsed = [ir_measures.parse_measure(name) for name in DEFAULT]
    for found in ir_measures.iter_calc(parsed, qrels, run):
        float(found.value)


def measured(what: str, folder: str, *more: str) -> tuple[float, float]:
    """Seconds and peak megabytes of this script in a new process, doing one thing."""
    arguments = [sys.executable, __file__, "--only", what, "--folder", folder, *more]
    started = time.perf_counter()
    process = subprocess.Popen(arguments)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{what}: exit code {process.returncode}")
    return time.perf_counter() - started, used.ru_maxrss / 1000


def put_scores(address: str, count: int) -> None:
    """On two chunkings in turn, so that there are breaks."""
    create_store(address)
    made = Provenance.now("benchmark")
    with Store.open(address) as store, store.writing() as tx:
        snapshot = tx.put_snapshot([Document("d", "text")], "first", None, made)
        version = tx.add_version("faq", None, SetTerms(snapshot_digest=snapshot.digest), [], made)
        mappings = []
        for name in ("a", "b"):
            chunking = tx.add_chunking(name, snapshot, ChunkingConfig(), made).finish()
            mappings.append(tx.add_mapping(version, chunking, None, 0.5, made).finish())
        run = Run({"q": (Hit("a", 1.0),)}, name="bm25")
        for number in range(count):
            figures = {name: Figure(0.5, 0.4, 0.6) for name in DEFAULT}
            tx.add_score(mappings[number * 2 // count], run, figures, {}, 3, "", made)


def draw(address: str) -> None:
    from click.testing import CliRunner

    from evalspan.cli.main import cli

    drawn = CliRunner().invoke(cli, ["history", "faq", "--store", address], standalone_mode=False)
    assert drawn.exception is None, drawn.exception


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--hits", type=int, default=100)
    parser.add_argument("--waiting", type=float, default=0.1)
    parser.add_argument("--scores", type=int, default=10_000)
    parser.add_argument("--only", choices=["ours", "theirs"])
    parser.add_argument("--folder", type=Path)
    said = parser.parse_args()
    if said.only:
        with_bounds(said.folder, said.waiting) if said.only == "ours" else by_ir_measures(said.folder)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder, said.questions, said.hits)
        theirs, memory = measured("theirs", name)
        say(f"ir_measures alone         {theirs:6.1f} s  {memory:5.0f} MB")
        for waiting in (0.0, said.waiting):
            ours, memory = measured("ours", name, "--waiting", str(waiting))
            say(f"with bounds, {waiting:4.0%} waiting {ours:6.1f} s  {memory:5.0f} MB  {ours / theirs:.2f} times")
        address = str(folder / "evalspan.db")
        put_scores(address, said.scores)
        say(f"history of {said.scores:,} scores: read {timed(lambda: history('faq', store=address)):.2f} s")
        say(f"the same, drawn by the command: {timed(lambda: draw(address)):.2f} s")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
