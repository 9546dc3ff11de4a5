"""`evalspan relabel`: what several runs return and nobody has judged, offered for a look."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from evalspan.corpus import Chunk
from evalspan.digests import text_digest
from evalspan.errors import BadInput, Conflict, NotFound, Problem, Problems
from evalspan.formats.trec import read_run
from evalspan.labels import Candidate, EvalSet, JudgedQuestion, Judgment, Proposal
from evalspan.runs import Run
from evalspan.runs.pool import Pooled, Result, most_disputed_first, pool, together, top
from evalspan.spans import Span, merged
from evalspan.store import ChunkingRecord, SnapshotRecord, Store, VersionRecord
from evalspan.text import Ink
from evalspan.workflows.stores import StoreOrAddress, opened

_Path = str | PathLike[str]

FOREIGN = 0.5
"""Share of a run's chunk ids that must be in the chunking. Below it the run is of another index, and the few ids that
both have may name other texts there.
"""


class PooledRun(NamedTuple):
    """One of the runs, as far as it is pooled."""

    name: str
    chunking: str
    results: int
    """Of the set's questions, within the depth."""
    judged: int
    """Of these, how many are judged already."""
    strangers: int
    """Questions of the run that the set does not have."""
    retired: int
    """Questions of the run that the set no longer asks."""
    unknown: int
    """Different chunk ids within the depth that are not in the chunking."""
    unplaced: int
    """Different chunk ids without one certain place in their document: nothing is offered of these."""


class Offer(NamedTuple):
    """A passage that is offered."""

    proposal: Proposal
    ranks: tuple[int | None, ...]
    """In each of the runs; None where it is not returned within the depth."""
    text: str


@dataclass(frozen=True, slots=True)
class Relabelling:
    """What came of it."""

    version: VersionRecord
    runs: tuple[PooledRun, ...]
    depth: int
    offers: tuple[Offer, ...]
    """Most disagreement first."""
    skipped: tuple[Problem, ...]


def relabel(
    eval_set: str,
    runs: Sequence[_Path],
    *,
    chunking: str | Sequence[str] = "latest",
    depth: int = 10,
    store: StoreOrAddress = None,
    skip_bad: bool = False,
) -> Relabelling:
    """Pools the first `depth` results of TREC runs, and adds each passage that nobody has judged to the review queue.

    `chunking`: whose chunks the runs name; one for all, or one for each. A result is judged where it holds the set's
    min_overlap of a judgment of its question, relevant or not, or lies inside what was judged.

    Raises BadInput (a run has little in common with the chunking or nothing with the set, the chunking is a cut of
    another snapshot), NotFound, Conflict (a later version follows); then nothing was written.
    """
    names = _run_names(runs)
    _require_different(runs)
    chunkings = [chunking] if isinstance(chunking, str) else list(chunking)
    _require(depth >= 1, "--depth", f"{depth} is below 1")
    _require(bool(runs), "--run", "no run is given; one is the least: --run RUN")
    fits = len(chunkings) in (1, len(runs))
    _require(fits, "--chunking", f"{len(chunkings)} chunkings for {len(runs)} runs: give one for all, or one for each")
    problems = Problems(skip_bad)
    read = []
    for run in runs:
        read.append(read_run(run, problems))
        problems.raise_if_any()
    with opened(store) as opened_store:
        version = opened_store.find_version(eval_set)
        _require_newest(opened_store, version)
        cuts = [opened_store.find_chunking(reference) for reference in chunkings]
        for cut in cuts:
            _require_same_corpus(version, cut)
        work = _Relabel(opened_store, version, cuts[0].snapshot, depth)
        for number, (name, ranked) in enumerate(zip(names, read, strict=True)):
            work.add(name, ranked, cuts[number % len(cuts)])
        offers = tuple(work.offers())
        if offers:
            with opened_store.writing() as tx:
                tx.add_proposals(version, [offer.proposal for offer in offers])
        return Relabelling(version, work.runs(), depth, offers, problems.skipped)


def _require(holds: bool, where: str, what: str) -> None:
    if not holds:
        raise BadInput([Problem(where, None, what)])


def _require_different(runs: Sequence[_Path]) -> None:
    """A run that is given twice would agree with itself."""
    seen: set[Path] = set()
    for run in runs:
        path = Path(run).resolve()
        _require(path not in seen, str(run), "is given twice: a run is pooled once")
        seen.add(path)


def _run_names(runs: Sequence[_Path]) -> list[str]:
    """The files' names; with their folders where names alone are not enough."""
    counts = Counter(Path(run).name for run in runs)
    return [Path(run).name if counts[Path(run).name] == 1 else str(run) for run in runs]


def _require_newest(store: Store, version: VersionRecord) -> None:
    newest = store.versions(version.name)[-1]
    if newest.number != version.number:
        raise Conflict(
            f"{version.label} has been followed by {newest.label}, and only the newest version is reviewed. "
            f"Type: evalspan relabel {newest.name} --run RUN"
        )


def _require_same_corpus(version: VersionRecord, cut: ChunkingRecord) -> None:
    mine, other = version.terms.snapshot_digest, cut.snapshot.digest
    what = (
        f"{version.label} is about snapshot {mine[:12]}, and this is a cut of {other[:12]} ({cut.snapshot.label}). "
        "Name the chunking that the runs' index was made of: --chunking NAME (evalspan chunking list)"
    )
    _require(mine == other, f"chunking {cut.name!r}", what)


class _Relabel:
    """One pooling."""

    def __init__(self, store: Store, version: VersionRecord, snapshot: SnapshotRecord, depth: int) -> None:
        self._store, self._version, self._snapshot, self._depth = store, version, snapshot, depth
        self._set: EvalSet = store.eval_set(version)
        self._questions = {question.query_id: question for question in self._set.questions}
        self._chunks: dict[int, dict[str, Chunk]] = {}
        self._results: list[Result] = []
        self._runs: list[PooledRun] = []
        self._judged: Counter[int] = Counter()

    def add(self, name: str, run: Run, cut: ChunkingRecord) -> None:
        """Raises BadInput where it has nothing in common with the set, or little with the chunking."""
        asked = run.rankings.keys() & self._questions.keys()
        what = f"ranks no question of {self._version.label}: is it the run of another set?"
        _require(bool(asked), name, what)
        hits = [hit for hit in top(run, self._depth) if hit[0] in asked and not self._questions[hit[0]].retired]
        named = {chunk_id for _, _, chunk_id in hits}
        there = self._of_chunking(cut, named)
        known = len(there.keys() & named)
        what = (
            f"{known} of its {len(named)} chunk ids are in chunking {cut.name!r}: is it a run of another index? Name "
            "the chunking that the index was made of: --chunking NAME (evalspan chunking list)"
        )
        _require(known >= FOREIGN * len(named), name, what)
        before = len(self._results)
        unplaced = set()
        for query_id, rank, chunk_id in hits:
            chunk = there.get(chunk_id)
            if chunk is None:
                continue
            if chunk.span is None or len(chunk.match.pieces) > 1:
                unplaced.add(chunk_id)
                continue
            self._results.append(Result(query_id, len(self._runs), rank, chunk.doc_id, chunk.span))
        self._runs.append(
            PooledRun(
                name=name,
                chunking=cut.name,
                results=len(self._results) - before,
                judged=0,
                strangers=len(run.rankings.keys() - asked),
                retired=sum(self._questions[query_id].retired for query_id in asked),
                unknown=len(named - there.keys()),
                unplaced=len(unplaced),
            )
        )

    def _of_chunking(self, cut: ChunkingRecord, named: set[str]) -> Mapping[str, Chunk]:
        known = self._chunks.setdefault(cut.id, {})
        known.update(self._store.chunk_index(cut, named - known.keys()))
        return known

    def runs(self) -> tuple[PooledRun, ...]:
        """Once the offers are made."""
        return tuple(run._replace(judged=self._judged[number]) for number, run in enumerate(self._runs))

    def offers(self) -> Iterator[Offer]:
        """Most disagreement first; passages of one document with the same words are one offer."""
        by_document: dict[str, list[Result]] = {}
        for result in self._results:
            by_document.setdefault(result.doc_id, []).append(result)
        judged = self._judged_spans()
        names = [run.name for run in self._runs]
        unjudged: list[Result] = []
        texts: dict[tuple[str, Span], str] = {}
        for doc_id, text in self._store.texts(self._snapshot, by_document):
            mine = by_document[doc_id]
            for result in self._unjudged(text, mine, judged):
                unjudged.append(result)
                texts[doc_id, result.span] = result.span.of(text)
        copies: dict[tuple[str, str, str], list[Pooled]] = {}
        for passage in pool(unjudged, len(names)):
            words = texts[passage.doc_id, passage.span]
            copies.setdefault((passage.query_id, passage.doc_id, words), []).append(passage)
        by_words = {together(mine): mine for mine in copies.values()}
        for first in sorted(by_words, key=most_disputed_first):
            yield _offer(first, by_words[first], texts[first.doc_id, first.span], names)

    def _unjudged(
        self, text: str, results: Iterable[Result], judged: Mapping[tuple[str, str], "_Judged"]
    ) -> Iterator[Result]:
        """Of the results in one document."""
        results = list(results)
        here = {result.query_id: judged.get((result.query_id, result.doc_id), _NOTHING) for result in results}
        spans = [span for one in here.values() for passage in (*one.passages, one.all) for span in passage]
        ink = Ink(text, [offset for span in (*spans, *(result.span for result in results)) for offset in span])
        for result in results:
            question = self._questions[result.query_id]
            whole_document = result.doc_id in (*question.must_not_use, *question.acceptable_docs)
            if whole_document or _is_judged(result.span, here[result.query_id], ink, self._version.terms.min_overlap):
                self._judged[result.run] += 1
            else:
                yield result

    def _judged_spans(self) -> Mapping[tuple[str, str], "_Judged"]:
        """(query_id, doc_id) → what was judged of the document for the question."""
        found: dict[tuple[str, str], _Judged] = {}
        labels = self._labelled_chunks()
        for question in self._set.questions:
            for doc_id, spans, wide in _judged_of(question, self._version.terms.snapshot_digest, labels):
                known = found.get((question.query_id, doc_id), _NOTHING)
                everything = merged([*known.all, *spans, *wide])
                found[question.query_id, doc_id] = _Judged((*known.passages, spans), tuple(everything))
        return found

    def _labelled_chunks(self) -> Mapping[str, Chunk]:
        """Those that labels of the set name still."""
        named = {label.chunk_id for question in self._set.questions for label in question.chunk_labels}
        identity = self._version.terms.chunking_identity
        if not named or identity is None:
            return {}
        cut = self._store.chunking_by_identity(identity, self._version.terms.snapshot_digest)
        if cut is None:
            known = [record.name for record in self._store.chunkings()]
            hint = "The set's labels name its chunks. Add it first: evalspan chunking add NAME CHUNKS"
            raise NotFound("chunking", identity, known, hint)
        return self._store.chunk_index(cut, named)


class _Judged(NamedTuple):
    """What was judged of one document for one question."""

    passages: tuple[tuple[Span, ...], ...]
    """The ranges of each judgment, neither overlapping nor touching."""
    all: tuple[Span, ...]
    """All of them together, and the old chunks that judgments were narrowed from: somebody looked at those."""


_NOTHING = _Judged((), ())


def _judged_of(
    question: JudgedQuestion, snapshot_digest: str, labels: Mapping[str, Chunk]
) -> Iterator[tuple[str, tuple[Span, ...], tuple[Span, ...]]]:
    """(doc_id, ranges, wider ranges) of each judgment, label of a chunk, and retired judgment of this snapshot."""
    retired = [one.label for one in question.retired_labels if one.snapshot_digest == snapshot_digest]
    for judgment in (*question.judgments, *retired):
        if isinstance(judgment, Judgment):
            wide = (judgment.wide.span,) if judgment.wide else ()
            yield judgment.doc_id, tuple(merged(judgment.spans)), wide
    for label in question.chunk_labels:
        chunk = labels.get(label.chunk_id)
        if chunk is not None and chunk.span is not None:
            yield chunk.doc_id, tuple(merged(chunk.match.places)), ()


def _is_judged(span: Span, judged: _Judged, ink: Ink, min_overlap: float) -> bool:
    def shared(spans: Iterable[Span]) -> int:
        return sum(ink.between(*part) for one in spans if (part := one.shared(span)) is not None)

    if shared(judged.all) == ink.between(*span):
        return True
    for passage in judged.passages:
        size = sum(ink.between(*one) for one in passage)
        if size and shared(passage) >= min_overlap * size:
            return True
    return False


def _offer(passage: Pooled, copies: Iterable[Pooled], text: str, names: Sequence[str]) -> Offer:
    ranked = zip(names, passage.ranks, strict=True)
    proposal = Proposal(
        query_id=passage.query_id,
        reason="unjudged",
        candidates=tuple(Candidate(doc_id=one.doc_id, start=one.span.start, end=one.span.end) for one in copies),
        digest=text_digest(text),
        note="; ".join(f"{name}: rank {rank}" if rank else f"{name}: not returned" for name, rank in ranked),
        weight=round(passage.disagreement, 6),
    )
    return Offer(proposal, passage.ranks, text)
