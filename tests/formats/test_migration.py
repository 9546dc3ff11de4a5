"""The folder that a migration writes."""

import json
from pathlib import Path

from evalspan.formats.lines import json_line
from evalspan.formats.migration import LabelLines, MigrationFolder
from evalspan.mapping import Carried, QrelsBuilder
from evalspan.mapping.outcome import Bucket, Reason


def test_lines_stand_in_the_order_of_the_labels_and_questions_are_split(tmp_path: Path) -> None:
    folder = MigrationFolder(tmp_path)
    for number in (2, 0, 1):
        line = json_line({"n": number})
        folder.put(number, LabelLines(line, line if number else None, None if number else line))
    builder = QrelsBuilder()
    builder.add(Carried("b", "o1", 1, Bucket.CLEAN, Reason.WHOLE, ("n 2", "n1")))
    builder.add(Carried("b", "o2", 2, Bucket.CLEAN, Reason.WHOLE, ("n1",)))
    builder.add(Carried("a", "o1", 1, Bucket.CLEAN, Reason.WHOLE, ("n1",)))
    builder.add(Carried("a", "o3", 1, Bucket.UNMAPPED, Reason.NOT_FOUND, ()))
    folder.finish(builder.build(0.5))
    read = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert read == {
        "outcomes.jsonl": '{"n":0}\n{"n":1}\n{"n":2}\n',
        "spans.jsonl": '{"n":1}\n{"n":2}\n',
        "queue.jsonl": '{"n":0}\n',
        "qrels.txt": "b\t0\tn 2\t1\nb 0 n1 2\n",
        "waiting.jsonl": read["waiting.jsonl"],
    }
    waiting = [json.loads(line) for line in read["waiting.jsonl"].splitlines()]
    labels = [{"old_chunk_id": "o3", "bucket": "unmapped", "reason": "not_found"}]
    assert waiting == [{"query_id": "a", "labels": labels}]
