"""Runs: TREC run files, JSON lines with a question's hits on each, and ranx' JSON of scores."""

import json
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite, nan
from os import PathLike
from pathlib import Path
from typing import Any

from evalspan.errors import Problems
from evalspan.formats.files import reading
from evalspan.formats.lines import JsonLines, Line, Row
from evalspan.formats.trec import read_run
from evalspan.runs import Hit, Ranked, Run, ranked

HEAD = 4096
"""Bytes by which a format is told: the first lines of any run."""

_NO_NUMBER = (None, "nan", "NaN")
"""Scores that are none: a retriever that failed on a chunk writes them."""


def read_any_run(
    path: str | PathLike[str], problems: Problems, *, pipeline: Mapping[str, Any] | None = None, name: str = ""
) -> Run:
    """By what the file holds: `{"query_id", "hits": [{"chunk_id", "score", …}], "stage"?, "latency_ms"?, "tokens"?}`
    lines, whose first may be `{"pipeline": {stage: configuration}}`; ranx' `{query_id: {chunk_id: score}}`; else TREC.

    Hits are ordered by score, equal ones as they stand. `pipeline` goes before what the file says.
    """
    source = Path(path)
    with reading(source), source.open("rb") as file:
        head = file.read(HEAD).lstrip(b"\xef\xbb\xbf \t\r\n")
    if not head.startswith(b"{"):
        run = _read_trec(source, problems)
    elif b'"hits"' in head or b'"pipeline"' in head:
        run = _read_lines(source, problems)
    else:
        run = _read_ranx(source, problems)
    return replace(run, name=name or source.stem, pipeline=dict(run.pipeline if pipeline is None else pipeline))


def _read_trec(path: Path, problems: Problems) -> Run:
    """The quick way for a file of plain lines; whatever is odd in it is told by the careful reader."""
    data = path.read_bytes()
    hits: dict[str, list[tuple[Hit, int]]] = {}
    try:
        for line in data.decode("utf-8-sig").splitlines():
            query_id, _, chunk_id, rank, score, _ = line.split(None, 5)
            hits.setdefault(query_id, []).append((Hit(chunk_id, float(score)), int(rank)))
    except ValueError:
        return read_run(path, problems)
    if "\x00" in hits or b"\x00" in data or (b"\t" in data and _has_tabbed_blanks(data)):
        return read_run(path, problems)
    if any(abs(hit.score) == float("inf") for mine in hits.values() for hit, _ in mine):
        return read_run(path, problems)
    problems.require_some(hits, path, "hit", problems.count)
    return _run({query_id: ranked(mine) for query_id, mine in hits.items()})


def _has_tabbed_blanks(data: bytes) -> bool:
    """Whether ids hold blanks, between tabs."""
    return any(b" " in line for line in data.splitlines() if line.count(b"\t") == 5)


def _run(rankings: Mapping[str, Ranked], **more: Any) -> Run:
    return Run(
        {query_id: ranking.hits for query_id, ranking in rankings.items()},
        repeated=sum(ranking.repeated for ranking in rankings.values()),
        unscored=sum(ranking.unscored for ranking in rankings.values()),
        **more,
    )


def _read_lines(path: Path, problems: Problems) -> Run:
    before = problems.count
    rankings: dict[str, Ranked] = {}
    first_at: dict[str, int] = {}
    pipeline: dict[str, Any] = {}
    latency: dict[str, float] = {}
    tokens: dict[str, int] = {}
    stages: dict[str, int] = {}
    with JsonLines(path, problems) as lines:
        for line, row in lines:
            if "hits" not in row and isinstance(row.get("pipeline"), dict):
                pipeline |= row["pipeline"]
                continue
            query_id = lines.name(line, row, "query_id")
            if query_id is None:
                continue
            if query_id in rankings:
                lines.bad(line, f"question {query_id!r} stands on line {first_at[query_id]} already")
                continue
            hits = _hits(lines, line, row)
            if hits is None:
                continue
            rankings[query_id], first_at[query_id] = ranked(hits), line.number
            stages.setdefault(str(row.get("stage") or ""), line.number)
            if isinstance(row.get("latency_ms"), int | float):
                latency[query_id] = float(row["latency_ms"])
            if isinstance(row.get("tokens"), int):
                tokens[query_id] = row["tokens"]
        if len(stages) > 1:
            named = ", ".join(repr(stage) for stage in stages)
            problems.add(path, None, f"holds results of several stages ({named}): one file for each is wanted")
    problems.require_some(rankings, path, "question", before)
    return _run(rankings, stage=next(iter(stages), ""), pipeline=pipeline, latency_ms=latency, tokens=tokens)


def _hits(lines: JsonLines, line: Line, row: Row) -> list[tuple[Hit, int]] | None:
    given = row.get("hits")
    if not isinstance(given, list):
        lines.bad(line, '"hits" is no list')
        return None
    out = []
    for at, hit in enumerate(given):
        wrong = _wrong(hit)
        if wrong:
            lines.bad(line, f"hits[{at}]{wrong}")
            return None
        score = hit.get("score", -float(at))  # without scores the list's order is the ranking
        value = nan if score in _NO_NUMBER else float(score)
        out.append(
            (Hit(hit["chunk_id"], value, hit.get("text"), hit.get("doc_id"), hit.get("start"), hit.get("end")), at)
        )
    return out


def _wrong(hit: Any) -> str:
    """What is wrong with a hit; "" where nothing is."""
    if not isinstance(hit, dict):
        return " is no object"
    if not isinstance(hit.get("chunk_id"), str) or not hit["chunk_id"]:
        return ".chunk_id is no id"
    score = hit.get("score", 0)
    if score not in _NO_NUMBER and (
        isinstance(score, bool) or not isinstance(score, int | float) or not isfinite(score)
    ):
        return f".score {score!r} is no finite number"
    start, end = hit.get("start"), hit.get("end")
    if (start is None) != (end is None):
        return ": start and end go together"
    if start is not None and not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end):
        return f": {start}..{end} is no range"
    texts = [hit.get(key) for key in ("text", "doc_id")]
    return "" if all(text is None or isinstance(text, str) for text in texts) else ": text and doc_id are texts"


def _read_ranx(path: Path, problems: Problems) -> Run:
    try:
        data = json.loads(path.read_text("utf-8-sig"))
    except (ValueError, UnicodeDecodeError) as error:
        problems.add(path, None, f"neither a run in TREC's form nor in JSON ({error})")
        return Run({})
    rankings: dict[str, Ranked] = {}
    for query_id, scores in data.items() if isinstance(data, dict) else ():
        if not isinstance(scores, dict) or any(
            isinstance(score, bool) or not isinstance(score, int | float) for score in scores.values()
        ):
            problems.add(path, None, f"question {query_id!r}: {{chunk_id: score}} is wanted")
            return Run({})
        rankings[query_id] = ranked((Hit(chunk, float(score)), 0) for chunk, score in scores.items())
    problems.require_some(rankings, path, "question", problems.count)
    return _run(rankings)
