"""What goes with an example of a tracing platform, under `metadata.evalspan`."""

from collections.abc import Mapping
from typing import Any

from evalspan.labels import EvalSet, JudgedQuestion


def tracing_metadata(eval_set: EvalSet, question: JudgedQuestion, manifest: Mapping[str, Any] | None = None) -> Any:
    """`{"evalspan": {"eval_set", "eval_version", "eval_digest", "query_id", "corpus_digest", "chunk_config_digest"?,
    "spans": [{"doc_id", "start", "end", "grade", "also"?}]}}`: JSON values, to be merged into an example's metadata.

    `manifest`: of the index that is asked, from which the chunking's fingerprint is taken. Offsets count code points,
    half-open.
    """
    spans = []
    for judgment in question.judgments:
        place: dict[str, Any] = {"doc_id": judgment.doc_id, "start": judgment.start, "end": judgment.end}
        also = [[part.start, part.end] for part in judgment.also]
        spans.append(place | {"grade": judgment.grade} | ({"also": also} if also else {}))
    mine: dict[str, Any] = {
        "eval_set": eval_set.name,
        "eval_version": eval_set.version,
        "eval_digest": eval_set.digest,
        "query_id": question.query_id,
        "corpus_digest": eval_set.terms.snapshot_digest,
    }
    chunking = (manifest or {}).get("chunking_fingerprint")
    return {"evalspan": mine | ({"chunk_config_digest": chunking} if chunking else {}) | {"spans": spans}}
