"""Runs: TREC run files, JSON lines with a question's hits on each, and ranx' JSON of scores."""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from math import isnan, nan
from os import PathLike
from pathlib import Path
from typing import Any

from evalspan.errors import Problems
from evalspan.formats.files import reading
from evalspan.formats.lines import JsonLines, Line, Row
from evalspan.formats.trec_runs import read_trec_hits
from evalspan.runs import Hit, Ranked, Run, ranked
from evalspan.text import find_bad_character

HEAD = 4096
"""Bytes by which a format is told: the first lines of any run."""

LARGE = 2**53
"""No offset, latency or number of tokens is larger: JSON readers round what is."""

LARGEST = sys.float_info.max

NAMED = 40
"""Characters of a bad value that are shown."""

_JSON_LIST = re.compile(rb"\[\s*(\{|\]\s*$)")

_FORMS = """{"query_id", "hits"} on each line, {query_id: {chunk_id: score}}, or TREC's form are wanted"""

_NO_NUMBER = (None, "nan", "NaN")
"""Scores that are none: a retriever that failed on a chunk writes them."""


def read_any_run(
    path: str | PathLike[str], problems: Problems, *, pipeline: Mapping[str, Any] | None = None, name: str = ""
) -> Run:
    """By what the file holds: `{"query_id", "hits": [{"chunk_id", "score", …}], "stage"?, "latency_ms"?, "tokens"?}`
    lines, whose first may be `{"pipeline": {stage: configuration}}`; ranx' `{query_id: {chunk_id: score}}`; else TREC.

    Hits are ordered by score, equal ones by the rank that a TREC file gives or by their place in a list, then by chunk
    id. One of a chunk that stands higher is left out, and one whose score is NaN or null; both are counted. `pipeline`
    adds stages to what the file says; one that the file describes otherwise is a problem.
    """
    source = Path(path)
    with reading(source), source.open("rb") as file:
        if not file.seekable():
            problems.add(source, None, "is a pipe, and a run is read twice: write it to a file")
            return Run({})
        head = file.read(HEAD).lstrip(b"\xef\xbb\xbf \t\r\n")
    if _JSON_LIST.match(head):
        problems.add(source, None, f"is a JSON list, and a run is none: {_FORMS}")
        return Run({})
    if not head.startswith(b"{"):
        run = _run({query_id: ranked(hits) for query_id, hits in read_trec_hits(source, problems).items()})
    elif b'"hits"' in head or b'"pipeline"' in head:
        run = _read_lines(source, problems)
    else:
        run = _read_ranx(source, problems)
    wrong = contradiction(run.pipeline, pipeline or {})
    if wrong:
        problems.add(source, None, wrong)
    return replace(run, name=name or source.stem, pipeline={**run.pipeline, **(pipeline or {})})


def contradiction(own: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """What is wrong with a pipeline that is given beside the run's own; "" where the two can be one."""
    stages = sorted(stage for stage in own.keys() & given.keys() if own[stage] != given[stage])
    if not stages:
        return ""
    said = "; ".join(f"{stage}: {_short(own[stage])} in the run, {_short(given[stage])} beside it" for stage in stages)
    return f"two pipelines contradict each other ({said}): leave these stages out of --pipeline, or mend the run"


def _short(configuration: Any) -> str:
    text = json.dumps(configuration, ensure_ascii=False, default=str)
    return text if len(text) <= NAMED else f"{text[:NAMED]}…"


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
            if (time := _amount(lines, line, row, "latency_ms")) is not None:
                latency[query_id] = float(time)
            if (count := _amount(lines, line, row, "tokens")) is not None:
                tokens[query_id] = int(count)
        if len(stages) > 1:
            named = ", ".join(repr(stage) for stage in stages)
            problems.add(path, None, f"holds results of several stages ({named}): one file for each is wanted")
    problems.require_some(rankings, path, "question", before)
    return _run(rankings, stage=next(iter(stages), ""), pipeline=pipeline, latency_ms=latency, tokens=tokens)


def _amount(lines: JsonLines, line: Line, row: Row, key: str) -> float | None:
    value = row.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < LARGE:
        lines.bad(line, f'"{key}" is no amount')
        return None
    return value


def _hits(lines: JsonLines, line: Line, row: Row) -> list[tuple[Hit, int]] | None:
    given = row.get("hits")
    if not isinstance(given, list):
        lines.bad(line, '"hits" is no list')
        return None
    if not lines.plain(line, given, '"hits"'):
        return None
    out = []
    for at, hit in enumerate(given):
        wrong = _wrong(hit)
        if wrong:
            lines.bad(line, f"hits[{at}]{wrong}")
            return None
        score = hit.get("score", float(-at))  # without scores the list's order is the ranking
        value = nan if score in _NO_NUMBER else float(score)
        out.append(
            (Hit(hit["chunk_id"], value, hit.get("text"), hit.get("doc_id"), hit.get("start"), hit.get("end")), at)
        )
    scored = sum("score" in hit for hit in given)
    if 0 < scored < len(given):
        lines.bad(line, f"{len(given) - scored} of {len(given)} hits have no score: all or none have one")
        return None
    return out


def _wrong(hit: Any) -> str:
    """What is wrong with a hit; "" where nothing is."""
    if not isinstance(hit, dict):
        return " is no object"
    if not isinstance(hit.get("chunk_id"), str) or not hit["chunk_id"]:
        return ".chunk_id is no id"
    score = hit.get("score", 0)
    if score not in _NO_NUMBER and not _is_number(score):
        return f".score {str(score)[:NAMED]!r} is no finite number"
    start, end = hit.get("start"), hit.get("end")
    if (start is None) != (end is None):
        return ": start and end go together"
    if start is not None and not (type(start) is type(end) is int and 0 <= start < end < LARGE):
        return f": {start}..{end} is no range"
    texts = [hit.get(key) for key in ("text", "doc_id")]
    return "" if all(text is None or isinstance(text, str) for text in texts) else ": text and doc_id are texts"


def _is_number(value: Any) -> bool:
    """Whether it is one that a float can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -LARGEST <= value <= LARGEST


def _read_ranx(path: Path, problems: Problems) -> Run:
    try:
        with reading(path):
            data = json.loads(path.read_text("utf-8-sig"), object_pairs_hook=_each_once)
    except RecursionError:
        problems.add(path, None, "nested too deeply")
        return Run({})
    except ValueError as error:
        problems.add(path, None, f"neither a run in TREC's form nor in JSON ({error})")
        return Run({})
    rankings: dict[str, Ranked] = {}
    for query_id, scores in data.items():
        wrong = _wrong_scores(query_id, scores)
        if wrong:
            problems.add(path, None, f"question {query_id!r}: {wrong}")
            return Run({})
        hits = (Hit(chunk_id, nan if score is None else float(score)) for chunk_id, score in scores.items())
        rankings[query_id] = ranked((hit, 0) for hit in hits)  # an object has no order
    problems.require_some(rankings, path, "question", problems.count)
    return _run(rankings)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Raises ValueError for a key that stands twice, of which JSON keeps the last."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an id stands twice in one object")
    return found


def _wrong_scores(query_id: str, scores: Any) -> str:
    if not isinstance(scores, dict):
        return "{chunk_id: score} is wanted"
    for name in (query_id, *scores):
        bad = find_bad_character(name)
        if bad is not None or not name:
            return f"an id holds {bad[1]}" if bad else "an id is empty"
    for chunk_id, score in scores.items():
        if score is not None and not (isinstance(score, float) and isnan(score)) and not _is_number(score):
            return f"the score of {chunk_id!r}, {str(score)[:NAMED]!r}, is no finite number"
    return ""
