"""`evalspan set import --spans`: questions whose evidence a person wrote down as ranges or quotes."""

from collections.abc import Sequence
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Literal

from evalspan.anchoring import Status, locate, make_anchor
from evalspan.errors import Problems
from evalspan.formats.questions import unknown_documents
from evalspan.formats.spans import PlaceRow, SpannedQuestion, SpanRow, read_spans
from evalspan.labels import DEFAULT_MIN_OVERLAP, JudgedQuestion, Judgment, LabelsAre, Part, SetTerms, in_order
from evalspan.migrator.twins import TwinPolicy
from evalspan.spans import Span
from evalspan.store import SnapshotRecord, Store
from evalspan.workflows.migration import check_min_overlap
from evalspan.workflows.sets import ImportedSet, append_version
from evalspan.workflows.stores import StoreOrAddress, opened
from evalspan.workflows.twins import look_for_twins

FilePath = str | PathLike[str]

SHOWN_QUOTE = 60
"""Code points of a text that are shown in a message."""

SHOWN_PLACES = 5
"""Places of a quote that are named in a message."""


def import_spans(
    name: str,
    spans: FilePath,
    *,
    snapshot: str = "latest",
    labels_are: LabelsAre | None = None,
    min_overlap: float = DEFAULT_MIN_OVERLAP,
    guard_scope: Literal["corpus", "evidence"] = "corpus",
    twins: TwinPolicy = "ask",
    store: StoreOrAddress = None,
    why: str = "",
    skip_bad: bool = False,
) -> ImportedSet:
    """A version of the set from a file of questions with their spans, as docs/files.md has it. Every range must lie
    inside its document and say what its quote says; a quote without a range must stand in one place, surely. `twins`:
    what becomes of passages that stand elsewhere too.

    Raises BadInput with every problem of the file, NotFound, Conflict; then nothing was written. `skip_bad` leaves out
    questions that have a problem, whole: with a span less they would look complete.
    """
    check_min_overlap(min_overlap)
    problems = Problems(skip_bad)
    asked = read_spans(spans, problems)
    problems.raise_if_any()
    with opened(store) as opened_store:
        record = opened_store.find_snapshot(snapshot)
        questions = place_spans(asked, opened_store, record, problems, spans)
        problems.raise_if_any()
        terms = SetTerms(
            snapshot_digest=record.digest, min_overlap=min_overlap, guard_scope=guard_scope, labels_are=labels_are
        )
        said = why or f"imported {Path(spans).name}, whose spans are of {record.label}"
        imported = append_version(opened_store, name, terms, in_order(questions), said, problems)
        return with_twins_looked_for(imported, twins, opened_store)


def with_twins_looked_for(imported: ImportedSet, twins: TwinPolicy, store: Store) -> ImportedSet:
    """What a new version's passages have elsewhere, by the policy."""
    if not imported.new or twins == "ignore":
        return imported
    found = look_for_twins(imported.version.name, twins=twins, store=store)
    return imported._replace(version=found.version, twins=found.places)


def place_spans(
    asked: Sequence[SpannedQuestion], store: Store, record: SnapshotRecord, problems: Problems, source: FilePath
) -> list[JudgedQuestion]:
    """The questions with their judgments, in order. What is wrong goes to `problems`, as of `source`, and its question
    is left out.
    """
    questions = []
    for question, (judgments, wrong) in zip(asked, _place_all(asked, store, record), strict=True):
        for what in wrong:
            problems.add(source, question.line, f"question {question.question.query_id!r}: {what}")
        if not wrong:
            questions.append(_judged(question.question, judgments))
    return questions


def _judged(question: JudgedQuestion, judgments: Sequence[Judgment]) -> JudgedQuestion:
    return JudgedQuestion(**{**dict(question), "judgments": tuple(judgments)})


Placed = tuple[list[Judgment], list[str]]
"""The judgments of a question, and what is wrong with its spans."""


def _place_all(asked: Sequence[SpannedQuestion], store: Store, record: SnapshotRecord) -> list[Placed]:
    """One for each question; each document is read once."""
    wanted: dict[str, list[tuple[int, str]]] = {}
    for number, question in enumerate(asked):
        for where, row in question.spans.items():
            wanted.setdefault(row.doc_id, []).append((number, where))
    found: list[dict[str, Judgment | str]] = [{} for _ in asked]
    for doc_id, text in store.texts(record, wanted):
        for number, where in wanted.pop(doc_id):
            found[number][where] = _judgment(asked[number].spans[where], text)
    for doc_id, missing in wanted.items():
        for number, where in missing:
            found[number][where] = f"document {doc_id!r} is not in snapshot {record.label}"
    documents = {entry.doc_id for entry in store.snapshot(record).entries} if _names_documents(asked) else set()
    return [_of_question(question, mine, documents) for question, mine in zip(asked, found, strict=True)]


def _names_documents(asked: Sequence[SpannedQuestion]) -> bool:
    return any(question.must_not_use or question.acceptable_docs for _, question, _ in asked)


def _of_question(asked: SpannedQuestion, found: dict[str, Judgment | str], documents: set[str]) -> Placed:
    """In the order of the file."""
    judgments: dict[tuple[object, ...], tuple[str, Judgment]] = {}
    wrong = unknown_documents(asked.question, documents)
    for where in asked.spans:
        one = found[where]
        if isinstance(one, str):
            wrong.append(f"{where}: {one}")
            continue
        first, _ = judgments.setdefault((one.doc_id, one.spans, one.fact), (where, one))
        if first != where:
            wrong.append(f"{where}: is the same passage as {first}")
    return [judgment for _, judgment in judgments.values()], wrong


def _judgment(row: SpanRow, text: str) -> Judgment | str:
    """The judgment, or what is wrong with the span."""
    places = [_span(place, text) for place in (row, *row.also)]
    wrong = [(f"also[{at - 1}]: " if at else "") + place for at, place in enumerate(places) if isinstance(place, str)]
    if wrong:
        return "; ".join(wrong)
    spans = sorted(place for place in places if not isinstance(place, str))
    if any(one.end > other.start for one, other in pairwise(spans)):
        return "its ranges overlap each other"
    first, *others = spans
    return Judgment(
        doc_id=row.doc_id,
        start=first.start,
        end=first.end,
        grade=row.grade,
        anchor=make_anchor(text, first),
        also=tuple(Part(start=span.start, end=span.end, anchor=make_anchor(text, span)) for span in others),
        fact=row.fact,
        tabular=row.tabular,
    )


def _span(row: PlaceRow, text: str) -> Span | str:
    """Where it stands, or why that can't be said."""
    if row.start is None or row.end is None:
        assert row.quote is not None
        return located(row.quote, text)
    span = Span(row.start, row.end)
    if span.end > len(text):
        return f"{span.start}..{span.end} lies outside the document, which has {len(text):,} code points"
    there = span.of(text)
    if row.quote is not None and there != row.quote:
        elsewhere = located(row.quote, text)
        hint = f"; the quote stands at {elsewhere.start}..{elsewhere.end}" if isinstance(elsewhere, Span) else ""
        return f"at {span.start}..{span.end} stands {short(there)}, not the quote {short(row.quote)}{hint}"
    return span if there.strip() else f"{span.start}..{span.end} holds white space only"


def located(quote: str, text: str, prefix: str = "", suffix: str = "") -> Span | str:
    """Where the quote stands in one place, surely, or why that can't be said."""
    match = locate(quote, text, prefix=prefix, suffix=suffix)
    said = short(quote)
    if match.status is Status.AMBIGUOUS:
        places = ", ".join(f"{start}..{end}" for start, end in match.places[:SHOWN_PLACES])
        places += ", …" if len(match.places) > SHOWN_PLACES else ""
        return f"the quote {said} stands in several places ({places}); say which with start and end"
    as_it_is = match.status in (Status.EXACT, Status.REFORMATTED)
    if match.span is None or not match.same or not as_it_is:
        return f"the quote {said} is not in the document{_like(match.span, text)}"
    if not match.sure:
        start, end = match.span
        return f"the quote {said} may stand at {start}..{end} ({match.reason}); give start and end, or more of it"
    return match.span


def _like(span: Span | None, text: str) -> str:
    return f"; what is most like it stands at {span.start}..{span.end}: {short(span.of(text))}" if span else ""


def short(text: str) -> str:
    """As it is shown in a message."""
    return repr(text if len(text) <= SHOWN_QUOTE else text[: SHOWN_QUOTE - 1] + "…")
