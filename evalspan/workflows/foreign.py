"""`evalspan set import --format`: eval sets of other tools become versions of a set, proven against the corpus."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple

from evalspan.digests import text_digest
from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.foreign.form import (
    ForeignSet,
    Format,
    OneDim,
    ReadOptions,
    with_threshold,
)
from evalspan.formats.foreign.registry import guess_format, require_format
from evalspan.formats.foreign.spanned import spanned
from evalspan.formats.spans import SpannedQuestion
from evalspan.labels import DEFAULT_MIN_OVERLAP, LabelsAre, SetTerms, in_order
from evalspan.migrator.twins import TwinPolicy
from evalspan.store import ChunkingRecord, SnapshotRecord, Store
from evalspan.workflows.foreign_places import Placing
from evalspan.workflows.import_spans import place_spans, with_twins_looked_for
from evalspan.workflows.migration import check_min_overlap
from evalspan.workflows.sets import ImportedSet, append_version
from evalspan.workflows.stores import StoreOrAddress, opened

AUTO = "auto"

OPTIONS = {"one_dim": "--one-dim", "delimiter": "--list-delimiter"}

NO_DOUBT: dict[str, Any] = {"one_dim": "or", "delimiter": "\n"}
"""Any value will do where labels are not read for their meaning."""


class ImportedForeign(NamedTuple):
    """What came of it."""

    imported: ImportedSet
    format: str
    guessed: bool
    """Whether the format was guessed from the files."""
    notes: tuple[str, ...]
    """What could not be carried, and what was taken otherwise than the file says."""


class ReadForeign(NamedTuple):
    """A foreign data set, read."""

    form: Format
    foreign: ForeignSet
    source: Path
    """What its problems are told of."""


def read_foreign(
    files: Sequence[str | PathLike[str]], kind: str, problems: Problems, options: ReadOptions | None
) -> ReadForeign:
    """`kind`: its name, or "auto". `options`: None where labels do not matter, so that nothing is in doubt.

    Raises BadInput for what is wrong with whole files, and for an option that the format has no use for.
    """
    paths = [Path(one) for one in files]
    if not paths:
        raise BadInput([Problem("FILE", None, "no file is named")])
    missing = [path for path in paths if not path.exists()]
    if missing:
        raise BadInput([Problem(str(path), None, "no such file") for path in missing])
    form = guess_format(paths) if kind == AUTO else require_format(kind)
    if options is None:
        options = ReadOptions(**({form.asks: NO_DOUBT[form.asks]} if form.asks else {}))
    unfit = [name for name, value in options._asdict().items() if value is not None and name != form.asks]
    if unfit:
        raise BadInput([Problem(OPTIONS[name], None, f"says nothing of {form.name}") for name in unfit])
    before = problems.count
    foreign = form.read(paths, problems, options)
    problems.require_some(foreign.questions, paths[0], "question", before)
    problems.raise_if_any()
    return ReadForeign(form, foreign, paths[0])


def import_foreign(
    name: str,
    files: Sequence[str | PathLike[str]],
    *,
    kind: str = AUTO,
    snapshot: str | None = None,
    chunking: str | None = None,
    one_dim: OneDim | None = None,
    list_delimiter: str | None = None,
    rel_threshold: int | None = None,
    relocate: bool = False,
    labels_are: LabelsAre | None = None,
    min_overlap: float = DEFAULT_MIN_OVERLAP,
    guard_scope: Literal["corpus", "evidence"] = "corpus",
    twins: TwinPolicy = "ask",
    store: StoreOrAddress = None,
    why: str = "",
    skip_bad: bool = False,
) -> ImportedForeign:
    """A version of the set from a data set of another tool, as docs/formats.md has it. `kind`: the name of its format,
    or "auto", which guesses by what stands in the files and never between two. Passages are proven against `snapshot`
    (the newest, or that of the chunking), labels against `chunking` (the newest). `relocate`: a passage that stands in
    another place than its offsets say, and surely in one, is taken there. `rel_threshold`: grades from 1 below it are
    not relevant.

    Raises BadInput with every problem of the files (and where a file's meaning is in doubt, with the option that says
    it), NotFound, Conflict; then nothing was written. `skip_bad` leaves out questions that have a problem, whole.
    """
    check_min_overlap(min_overlap)
    problems = Problems(skip_bad)
    form, read, source = read_foreign(files, kind, problems, ReadOptions(one_dim, list_delimiter))
    foreign = with_threshold(read, rel_threshold)
    with opened(store) as opened_store:
        labelled = any(one.question.chunk_labels for one in foreign.questions)
        if chunking is not None and not labelled:
            raise BadInput([Problem("--chunking", None, f"says nothing of {source.name}, which names no chunks")])
        cut = opened_store.find_chunking(chunking or "latest") if labelled else None
        record = _snapshot(opened_store, snapshot, cut)
        placing = Placing(opened_store, record, relocate)
        settled = placing.settle(foreign.questions)
        asked = []
        for one, (spans, wrong) in zip(foreign.questions, settled, strict=True):
            question, at_odds = spanned(one, spans)
            for what in (*wrong, *at_odds):
                problems.add(source, one.line, f"question {one.question.query_id!r}: {what}")
            if not wrong and not at_odds:
                asked.append(question)
        if cut is not None:
            asked = _known(asked, foreign, opened_store, cut, problems, source)
        questions = place_spans(asked, opened_store, record, problems, source)
        problems.raise_if_any()
        if not questions:
            raise _all_bad(source, problems, record, cut)
        terms = SetTerms(
            snapshot_digest=record.digest,
            min_overlap=min_overlap,
            chunking_identity=cut.identity if cut is not None else None,
            guard_scope=guard_scope,
            labels_are=labels_are,
        )
        said = why or _why(form, source, rel_threshold)
        imported = append_version(opened_store, name, terms, in_order(questions), said, problems)
        imported = with_twins_looked_for(imported, twins, opened_store)
    notes = (*foreign.notes, *placing.notes)
    return ImportedForeign(imported, form.name, kind == AUTO, notes)


def _all_bad(source: Path, problems: Problems, record: SnapshotRecord, cut: ChunkingRecord | None) -> BadInput:
    """Hardly the fault of each: more likely the file is about another corpus, or another cut of it."""
    against, option = f"snapshot {record.label}", "--snapshot NAME"
    if cut is not None:
        against, option = f"chunking {cut.name!r} of {against}", "--chunking NAME"
    what = f"every question of it is bad, so nothing is left to import; held against {against}"
    hint = f"If it is about another one, say which: {option}"
    return BadInput([Problem(str(source), None, what), *problems.skipped], hint=hint)


def _why(form: Format, source: Path, rel_threshold: int | None) -> str:
    """The threshold changes what the grades mean, so it is kept with the version."""
    said = f"imported {source.name} ({form.name})"
    return said if rel_threshold is None else f"{said}, grades from 1 below {rel_threshold} taken as not relevant"


def _snapshot(store: Store, snapshot: str | None, cut: ChunkingRecord | None) -> SnapshotRecord:
    if cut is None:
        return store.find_snapshot(snapshot or "latest")
    if snapshot is not None and store.find_snapshot(snapshot).digest != cut.snapshot.digest:
        what = f"is not the snapshot of chunking {cut.name!r}, whose chunks the labels name: {cut.snapshot.label}"
        raise BadInput([Problem(f"--snapshot {snapshot}", None, what)])
    return cut.snapshot


def _known(
    asked: Sequence[SpannedQuestion],
    foreign: ForeignSet,
    store: Store,
    cut: ChunkingRecord,
    problems: Problems,
    source: Path,
) -> list[SpannedQuestion]:
    """Questions all of whose labels name chunks of the chunking. That an id is there proves little, so where the file
    carries texts they are compared.
    """
    named = {label.chunk_id for _, question, _ in asked for label in question.chunk_labels}
    there = store.chunk_index(cut, named)
    digests = {chunk.chunk_id: text_digest(chunk.text) for chunk in foreign.chunks if chunk.chunk_id in named}
    bad = dict.fromkeys(named - there.keys(), f"is not in chunking {cut.name!r}")
    for chunk_id, digest in digests.items():
        if chunk_id in there and there[chunk_id].text_digest != digest:
            bad[chunk_id] = f"has another text in chunking {cut.name!r} than in the file"
    out = []
    for one in asked:
        wrong = [label.chunk_id for label in one.question.chunk_labels if label.chunk_id in bad]
        for chunk_id in wrong:
            problems.add(source, one.line, f"question {one.question.query_id!r}: chunk {chunk_id!r} {bad[chunk_id]}")
        if not wrong:
            out.append(one)
    return out
