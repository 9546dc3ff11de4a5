"""Finding passages again in a new version of their text, beside what people would otherwise use.

    python tests/benchmarks/passages.py ../shared/data [--pairs 60] [--seconds 60] [--write]

Each method gets the same spans of the same pairs, the slow ones fewer (`--seconds` a method and part). It is *right*
when it is sure and both ends are as the truth has them, or nearly (intersection over union of .9), *wrong* when it is
sure of another place, or of any place where the passage is gone. `--write` puts the table into docs/benchmarks.md.
"""

import argparse
import gzip
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import edlib
import reanchor
from rapidfuzz.fuzz import partial_ratio_alignment
from spanchor.annotation.locate import locate_text
from spanchor.models.document import Document

import evalspan
from evalspan import Span

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
CONTEXT = 64


class Case(NamedTuple):
    """A pair of texts, with the spans asked for and their truth."""

    old: str
    new: str
    truths: list[dict[str, Any]]


Answers = list[Span | None]
"""Where a method is sure; None where it is not."""


def by_relocate(case: Case, spans: list[Span]) -> Answers:
    return [match.span if match.sure else None for match in evalspan.relocate(spans, case.old, case.new)]


def by_locate(case: Case, spans: list[Span]) -> Answers:
    out: Answers = []
    for span in spans:
        prefix, suffix = case.old[max(0, span.start - CONTEXT) : span.start], case.old[span.end : span.end + CONTEXT]
        match = evalspan.locate(span.of(case.old), case.new, prefix=prefix, suffix=suffix, near=span.start)
        out.append(match.span if match.sure else None)
    return out


def by_reanchor(case: Case, spans: list[Span]) -> Answers:
    prepared = reanchor.prepare_document(case.new)
    out: Answers = []
    for start, end in spans:
        found = reanchor.resolve_quote(prepared, reanchor.describe_quote(case.old, start, end))
        out.append(Span(found.start, found.end) if found is not None and not found.rivals else None)
    return out


def by_spanchor(case: Case, spans: list[Span]) -> Answers:
    documents = {"new": Document.from_text("new", case.new)}
    out: Answers = []
    for span in spans:
        found = locate_text(span.of(case.old), documents)
        out.append(Span(found[0].start, found[0].end) if len(found) == 1 else None)
    return out


def by_rapidfuzz(case: Case, spans: list[Span]) -> Answers:
    out: Answers = []
    for span in spans:
        found = partial_ratio_alignment(span.of(case.old), case.new, score_cutoff=75)
        out.append(Span(found.dest_start, found.dest_end) if found is not None else None)
    return out


def by_edlib(case: Case, spans: list[Span]) -> Answers:
    out: Answers = []
    for span in spans:
        quote = span.of(case.old)
        try:
            found = edlib.align(quote, case.new, mode="HW", task="locations", k=len(quote) * 3 // 10)
        except ValueError:  # it takes no more than 256 different characters
            out.append(None)
            continue
        places = found["locations"] if found["editDistance"] >= 0 else []
        out.append(Span(places[0][0], places[0][1] + 1) if len(places) == 1 else None)
    return out


def by_find(case: Case, spans: list[Span]) -> Answers:
    places = [(case.new.find(span.of(case.old)), span.length) for span in spans]
    return [Span(at, at + size) if at >= 0 else None for at, size in places]


METHODS: dict[str, Callable[[Case, list[Span]], Answers]] = {
    "evalspan.relocate": by_relocate,
    "evalspan.locate": by_locate,
    "reanchor": by_reanchor,
    "spanchor": by_spanchor,
    "rapidfuzz partial ratio ≥ 75": by_rapidfuzz,
    "edlib, distance ≤ 30 %": by_edlib,
    "str.find, first hit": by_find,
}


def rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf8") as lines:
        return [json.loads(line) for line in lines]


def cases(folder: Path, pairs: int, gone: bool) -> Iterator[Case]:
    """A sample of the pairs, the same each time."""
    texts = {}
    if (folder / "texts.jsonl.gz").is_file():
        texts = {text["text_id"]: text["text"] for text in rows(folder / "texts.jsonl.gz")}
    spans: dict[str, list[dict[str, Any]]] = {}
    for span in rows(folder / "spans.jsonl.gz"):
        spans.setdefault(span["pair_id"], []).append(span)
    chosen = rows(folder / "pairs.jsonl.gz")
    random.Random(5).shuffle(chosen)
    for pair in chosen[:pairs]:
        old = texts[pair["old"]] if texts else pair["old_text"]
        new = texts[pair["new"]] if texts else pair["new_text"]
        truths = spans.get(pair["id"], [])
        yield without_one(Case(old, new, truths)) if gone else Case(old, new, truths)


def without_one(case: Case) -> Case:
    """The longest of its passages is cut out of the new text."""
    there = [truth for truth in case.truths if truth["kind"] in ("intact", "edited") and truth["unique_new"]]
    if not there:
        return case._replace(truths=[])
    longest = max(there, key=lambda truth: truth["new_end"] - truth["new_start"])
    new = case.new[: longest["new_start"]] + case.new[longest["new_end"] :]
    squashed = re.sub(r"\s+", "", case.old[longest["old_start"] : longest["old_end"]])
    still = squashed in re.sub(r"\s+", "", new)
    return Case(case.old, new, [] if still else [longest | {"kind": "gone"}])


def verdict(truth: dict[str, Any], answer: Span | None) -> str:
    if truth["kind"] in ("deleted", "gone"):
        return "right" if answer is None else "wrong"
    if answer is None:
        return "unsure"
    start, end = truth["new_start"], truth["new_end"]
    inner = max(0, min(end, answer.end) - max(start, answer.start))
    share = inner / (max(end, answer.end) - min(start, answer.start))
    low = truth.get("start_min")
    fits = (
        low is not None
        and low <= answer.start <= truth["start_max"]
        and truth["end_min"] <= answer.end <= truth["end_max"]
    )
    return "right" if fits or share >= 0.9 else "loose" if share >= 0.2 else "wrong"


def measure(method: Callable[[Case, list[Span]], Answers], given: list[Case], seconds: float) -> str:
    """right / wrong, and on how many spans where time ran out; MB of old text a second."""
    counts: dict[str, int] = {}
    spent, letters = 0.0, 0
    for case in given:
        spans = [Span(truth["old_start"], truth["old_end"]) for truth in case.truths]
        began = time.perf_counter()
        answers = method(case, spans)
        spent += time.perf_counter() - began
        letters += len(case.old) if spans else 0
        for truth, answer in zip(case.truths, answers, strict=True):
            said = verdict(truth, answer)
            counts[said] = counts.get(said, 0) + 1
        if spent > seconds:
            break
    n = sum(counts.values())
    return f"{counts.get('right', 0) / n:.3f} / {counts.get('wrong', 0) / n:.3f} ({n}), {letters / spent / 1e6:.3g}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    parts = {
        name: list(cases(given.data / ("edits" if name == "gone" else name), given.pairs, name == "gone"))
        for name in ("edits", "traces", "gone", "reextract")
    }
    lines = ["| right / wrong (spans), MB/s | " + " | ".join(parts) + " |", "|---" * (len(parts) + 1) + "|"]
    for name, method in METHODS.items():
        cells = [measure(method, part, given.seconds) for part in parts.values()]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
        sys.stderr.write(lines[-1] + "\n")
    table = "\n".join(lines)
    if given.write:
        page = PAGE.read_text("utf-8")
        marked = f"<!-- anchoring -->\n{table}\n<!-- /anchoring -->"
        PAGE.write_text(
            re.sub(r"<!-- anchoring -->.*<!-- /anchoring -->", lambda _: marked, page, flags=re.DOTALL), "utf-8"
        )
    else:
        sys.stdout.write(table + "\n")


if __name__ == "__main__":
    main()
