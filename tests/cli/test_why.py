"""`evalspan why`."""

import json
from pathlib import Path

from click.testing import CliRunner
from workflows.scored import a_run, put_two_questions
from workflows.small_store import put_chunking, small_store

from evalspan.cli.main import cli
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.score import score


def test_every_share_and_every_doubt_is_printed(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        put_chunking(store, "large", 200)
        migrate_set("faq", "large", store=store)
        score("faq", a_run({"q1": "a1 a0", "q2": "b0"}), chunking="chunks", measures=["RR"], store=store)
        score("faq", a_run({"q1": "a0", "q2": "b0"}), chunking="large", measures=["RR"], store=store)
    said = ["why", "faq", "1", "--measure", "RR", "--store", str(tmp_path / "evalspan.db")]
    printed = CliRunner().invoke(cli, said, standalone_mode=False)
    assert printed.return_value == 0
    assert printed.output.startswith("RR: 0.750 (score 1) → 1.000 (score 2), +0.250\n")
    rows = [line.split() for line in printed.output.splitlines()]
    assert ["retriever", "+0.125"] in rows
    assert ["chunking", "+0.125"] in rows
    assert "The same in both: corpus, labels, min_overlap" in printed.output
    assert "They are told apart by ranges" in printed.output
    row = json.loads(CliRunner().invoke(cli, [*said, "--json"], standalone_mode=False).output)
    assert sum(share["value"] for share in row["shares"]) == row["difference"] == 0.25
