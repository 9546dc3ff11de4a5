"""TREC run files as they come: with repeated hits and scores that are no numbers, which are left out and counted."""

from math import isinf, nan
from pathlib import Path

from evalspan.errors import Problems
from evalspan.formats.files import reading
from evalspan.formats.lines import LineFile
from evalspan.runs import Hit

Hits = dict[str, list[tuple[Hit, int]]]
"""query_id → its hits, each with the rank that the file gives."""

RANK_DIGITS = 9
"""More are no rank, and take their time to be read."""


def read_trec_hits(path: Path, problems: Problems) -> Hits:
    """`query_id Q0 chunk_id rank score tag`, between blanks, or between tabs where ids hold blanks."""
    with reading(path):
        hits = _quickly(path)
    return _carefully(path, problems) if hits is None else hits


def _quickly(path: Path) -> Hits | None:
    """Of a file of plain lines; None where anything is odd, and the careful reader has to look."""
    hits: Hits = {}
    ids: dict[str, str] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            for line in file:
                fields = line.split()
                if not fields:
                    continue
                query_id, _, chunk_id, rank, score, _ = fields
                if "\t" in line and line.count("\t") == 5 and line.rstrip("\r\n").split("\t") != fields:
                    return None
                value = _score(score)
                if value is None or not _is_rank(rank) or "\0" in line:
                    return None
                # Chunks are returned for many questions: one string for each is half of the memory.
                hit = Hit(ids.setdefault(chunk_id, chunk_id), value)
                mine = hits.get(query_id)
                if mine is None:
                    hits[query_id] = [(hit, int(rank))]
                else:
                    mine.append((hit, int(rank)))
    except ValueError:
        return None
    return hits or None


def _carefully(path: Path, problems: Problems) -> Hits:
    hits: Hits = {}
    before = problems.count
    with LineFile(path) as lines:
        for line in lines:
            try:
                text = line.data.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                what = f"not UTF-8: byte 0x{line.data[error.start]:02x} at byte {error.start} of the line"
                problems.add(path, line.number, what)
                continue
            fields = _fields(text)
            if not fields:
                continue
            what = _wrong(text, fields)
            if what:
                problems.add(path, line.number, what)
                continue
            query_id, _, chunk_id, rank, score, _ = fields
            value = _score(score)
            hits.setdefault(query_id, []).append((Hit(chunk_id, nan if value is None else value), int(rank)))
    problems.require_some(hits, path, "hit", before)
    return hits


def _wrong(text: str, fields: list[str]) -> str:
    """What is wrong with a line; "" where nothing is."""
    if "\0" in text:
        return "holds NUL"
    if len(fields) != 6:
        hint = "; ids with blanks want tabs between the fields" if len(fields) > 6 else ""
        return f"{len(fields)} fields where 6 are wanted (query_id Q0 chunk_id rank score tag){hint}"
    if _score(fields[4]) is None:
        return f"score {fields[4]!r} is no finite number"
    return "" if _is_rank(fields[3]) else f"rank {fields[3]!r} is no whole number"


def _fields(text: str) -> list[str]:
    fields = text.split("\t")
    return fields if len(fields) == 6 and all(fields) else text.split()


def _score(text: str) -> float | None:
    """NaN where a retriever wrote that; None for what is no finite number as other tools write it."""
    try:
        value = float(text)
    except ValueError:
        return None
    return None if isinf(value) or "_" in text or not text.isascii() or text != text.strip() else value


def _is_rank(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= RANK_DIGITS
