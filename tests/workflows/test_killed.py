"""Eight processes import and migrate in one store at once, and each is killed at some point."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from evalspan.corpus import chunks_digest
from evalspan.digests import snapshot_digest, text_digest
from evalspan.store import Store, create_store

ROUNDS = int(os.environ.get("EVALSPAN_TEST_ROUNDS", "2"))
"""How often; 50 takes some minutes."""

CORPUS = Path(__file__).parents[2] / "sample_corpus"


def start(store: str, number: int) -> subprocess.Popen[bytes]:
    """One of three things that write, on one of three sets."""
    name = f"set-{number % 3}"
    files: list[str | Path] = ["--documents", CORPUS / "documents.jsonl", "--old-chunks", CORPUS / "chunks-old.jsonl"]
    files += ["--labels", CORPUS / "qrels.txt", "--new-chunks", CORPUS / "chunks-new.jsonl"]
    commands: list[list[str | Path]] = [
        ["migrate", *files, "--store", store, "--set", name, "--min-overlap", f"0.{number % 9 + 1}"],
        ["set", "import", name, "--labels", CORPUS / "qrels.txt", "--chunking", "old", "--store", store],
        ["migrate", "shop", "--to", "new", "--store", store],
    ]
    command = [sys.executable, "-m", "evalspan", *commands[number % len(commands)]]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run(store: str, *command: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "evalspan", *command, "--store", store], check=True, capture_output=True)


def require_whole(address: str) -> int:
    """Everything in the store is what its digest and counts say. Returns how many mappings there are."""
    with Store.open(address) as store:
        for snapshot in store.snapshots():
            texts = ((doc_id, text_digest(text)) for doc_id, text in store.texts(snapshot))
            assert snapshot_digest(texts) == snapshot.digest
        for chunking in store.chunkings():
            chunks = [chunk for _, mine in store.chunks(chunking) for chunk in mine]
            assert (chunks_digest(chunks), len(chunks)) == (chunking.digest, chunking.chunks)
        for newest in store.sets():
            versions = store.versions(newest.name)
            assert [version.number for version in versions] == list(range(1, len(versions) + 1))
            assert all(store.check_digest(version) for version in versions)
        mappings = store.mappings()
        for mapping in mappings:
            labels = mapping.version.judgments + mapping.version.chunk_labels
            assert sum(1 for _ in store.outcomes(mapping)) == mapping.tally.total == labels
        return len(mappings)


def test_what_is_in_the_store_after_kills_is_whole(tmp_path: Path) -> None:
    address = str(tmp_path / "evalspan.db")
    create_store(address)
    run(address, "snapshot", "add", CORPUS / "documents.jsonl")
    for name in ("old", "new"):
        run(address, "chunking", "add", name, CORPUS / f"chunks-{name}.jsonl")
    run(address, "set", "import", "shop", "--labels", CORPUS / "qrels.txt", "--chunking", "old")
    run(address, "manifest", "write", "new", "--out", tmp_path / "index.json")
    run(address, "migrate", "shop", "--to", "new", "--exit-zero")
    dice = random.Random(11)
    landed = require_whole(address)
    assert landed == 1
    for _ in range(ROUNDS):
        running = [start(address, number) for number in range(8)]
        began = time.monotonic()
        for process, moment in sorted(((p, dice.uniform(0.3, 6)) for p in running), key=lambda pair: pair[1]):
            time.sleep(max(0.0, began + moment - time.monotonic()))
            process.kill()
        for process in running:
            process.wait()
        mappings = require_whole(address)
        assert mappings >= landed
        landed = mappings
    run(address, "manifest", "write", "new", "--out", tmp_path / "after.json")
