"""The folder that a migration of files writes."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Self

from evalspan.formats.lines import OrderedLines, json_line
from evalspan.formats.trec import render_qrels
from evalspan.mapping import Qrels


class LabelLines(NamedTuple):
    """What is written of one label; None where a file has nothing of it."""

    outcome: bytes
    span: bytes | None
    queue: bytes | None


class MigrationFolder:
    """outcomes.jsonl, spans.jsonl, queue.jsonl in the order of the labels; qrels.txt and waiting.jsonl by question."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._outcomes, self._spans, self._queue = (OrderedLines(folder) for _ in range(3))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for lines in (self._outcomes, self._spans, self._queue):
            lines.close()

    def put(self, number: int, lines: LabelLines) -> None:
        """The lines of the label of this number, in any order."""
        self._outcomes.put(number, lines.outcome)
        if lines.span is not None:
            self._spans.put(number, lines.span)
        if lines.queue is not None:
            self._queue.put(number, lines.queue)

    def finish(self, qrels: Qrels) -> None:
        """Once, after every label."""
        self._outcomes.write_to(self._folder / "outcomes.jsonl")
        self._spans.write_to(self._folder / "spans.jsonl")
        self._queue.write_to(self._folder / "queue.jsonl")
        with (self._folder / "qrels.txt").open("w", encoding="utf-8", newline="") as out:
            out.writelines(render_qrels(qrels.qrels))
        with (self._folder / "waiting.jsonl").open("wb") as waiting:
            waiting.writelines(_waiting_lines(qrels))


def _waiting_lines(qrels: Qrels) -> Iterator[bytes]:
    for query_id, labels in qrels.waiting.items():
        why = [{"old_chunk_id": old, "bucket": bucket, "reason": reason} for _, old, bucket, reason in labels]
        yield json_line({"query_id": query_id, "labels": why})
