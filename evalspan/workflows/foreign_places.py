"""Which document a foreign passage stands in, and its range there in code points."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from evalspan.formats.foreign.form import ForeignQuestion, ForeignSpan, Measure
from evalspan.formats.foreign.places import in_another_unit, settle
from evalspan.spans import Span
from evalspan.store import SnapshotRecord, Store
from evalspan.text.reading import squash
from evalspan.workflows.import_spans import located, short

SHOWN_DOCUMENTS = 3
"""Documents that are named in a message."""

Settled = tuple[dict[int, ForeignSpan], list[str]]
"""A question's spans by their numbers, those that could be settled, and what is wrong with the others."""

_Where = tuple[int, int]
"""Number of a question, number of its span."""


class Placing:
    """Of the passages of one file in one snapshot."""

    def __init__(self, store: Store, record: SnapshotRecord, relocate: bool) -> None:
        self._store, self._record, self._relocate = store, record, relocate
        self._versions = {entry.doc_id: entry.version for entry in store.snapshot(record).entries}
        self._renamed: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was taken otherwise than the file says."""
        renamed = [f"{old!r} was taken to be document {new!r}" for old, new in sorted(self._renamed.items())]
        return (*renamed, *(f"{count} {what}" for what, count in self._counts.items() if count))

    def settle(self, questions: Sequence[ForeignQuestion]) -> list[Settled]:
        """One for each. Each document is read once."""
        out: list[Settled] = [({}, []) for _ in questions]
        spans = {(q, at): span for q, asked in enumerate(questions) for at, span in enumerate(asked.spans)}
        named = self._named(spans, out)
        for doc_id, text in self._store.texts(self._record, named):
            for where in named[doc_id]:
                self._put(out, where, self._settled(spans[where]._replace(doc_id=doc_id), text))
        for found, wrong in out:
            ordered = sorted(found.items())
            found.clear()
            found.update(ordered)
            wrong.sort()
        return out

    def _put(self, out: list[Settled], where: _Where, one: ForeignSpan | str) -> None:
        q, at = where
        if isinstance(one, str):
            out[q][1].append(f"spans[{at}]: {one}")
        else:
            out[q][0][at] = one

    def _named(self, spans: dict[_Where, ForeignSpan], out: list[Settled]) -> dict[str, list[_Where]]:
        """doc_id → spans in it."""
        named: dict[str, list[_Where]] = {}
        sought: dict[str, list[_Where]] = {}
        names = _Names(self._versions)
        for where, span in spans.items():
            if span.doc_id is None:
                sought.setdefault(squash(span.quote), []).append(where)
                continue
            doc_id = span.doc_id if span.doc_id in self._versions else names.find(span)
            if doc_id is None:
                self._put(out, where, f"document {span.doc_id!r} is not in snapshot {self._record.label}")
                continue
            if doc_id != span.doc_id:
                self._renamed[span.doc_id] = doc_id
            named.setdefault(doc_id, []).append(where)
        for quote, doc_ids in self._holding(sought).items():
            for where in sought[quote]:
                if len(doc_ids) == 1:
                    named.setdefault(doc_ids[0], []).append(where)
                else:
                    self._put(out, where, _elsewhere(spans[where].quote, doc_ids))
        return named

    def _holding(self, quotes: Iterable[str]) -> dict[str, list[str]]:
        """Passage without its blanks → documents that hold it."""
        found: dict[str, list[str]] = {quote: [] for quote in quotes}
        if found:
            for doc_id, text in self._store.texts(self._record):
                squashed = squash(text)
                for quote, doc_ids in found.items():
                    if quote in squashed:
                        doc_ids.append(doc_id)
        return found

    def _settled(self, span: ForeignSpan, text: str) -> ForeignSpan | str:
        there = self._versions[span.doc_id or ""]
        if span.version and there and span.version != there:
            return f"is of version {span.version!r} of {span.doc_id!r}, and the snapshot holds {there!r}"
        settled = settle(span, text)
        if isinstance(settled, str):
            return settled
        settled = settled._replace(version=None)
        if settled.start is not None and settled.end is not None:
            self._counts["passages have no words in the file that would prove their offsets"] += _is_blind(span)
            return self._proven(settled, Span(settled.start, settled.end), text)
        if span.prefix or span.suffix:
            place = located(span.quote, text, span.prefix, span.suffix)
            return place if isinstance(place, str) else _at(settled, place)
        return settled

    def _proven(self, span: ForeignSpan, place: Span, text: str) -> ForeignSpan | str:
        span = span._replace(prefix="", suffix="")
        if not span.quote:
            return span
        if place.of(text) == span.quote:
            if text.find(span.quote) != text.rfind(span.quote):
                self._counts["passages stand in several places of their document; their offsets were taken"] += 1
            return span
        converted = in_another_unit(span, text)
        if converted is not None:
            self._counts["passages have their offsets in UTF-16 code units or bytes, which were converted"] += 1
            return _at(span, converted)
        if not self._relocate:
            return span  # what is wrong is said where spans by hand are proven too
        found = located(span.quote, text)
        if isinstance(found, str):
            return found
        self._counts["passages stand in another place than their offsets say, and were taken there"] += 1
        return _at(span, found)


def _is_blind(span: ForeignSpan) -> bool:
    return not (span.quote or span.sha256)


def _at(span: ForeignSpan, place: Span) -> ForeignSpan:
    """Without its words, which may be spelled otherwise there."""
    return span._replace(start=place.start, end=place.end, quote="", prefix="", suffix="", measure=Measure.CODE_POINTS)


def _elsewhere(quote: str, doc_ids: Sequence[str]) -> str:
    if not doc_ids:
        return f"the passage {short(quote)} stands in no document"
    shown = ", ".join(map(repr, doc_ids[:SHOWN_DOCUMENTS])) + (", …" if len(doc_ids) > SHOWN_DOCUMENTS else "")
    return f"the passage {short(quote)} stands in {len(doc_ids)} documents: {shown}"


class _Names:
    """Documents by what is left of their ids without folders and ending, where that is one document's alone.

    A data set names "state_of_the_union", or a path on another machine, what is state_of_the_union.md in the corpus.
    """

    def __init__(self, doc_ids: Iterable[str]) -> None:
        self._by: dict[str, set[str]] = {}
        for doc_id in doc_ids:
            for name in _short_names(doc_id):
                self._by.setdefault(name, set()).add(doc_id)

    def find(self, span: ForeignSpan) -> str | None:
        """Only for a passage whose words prove it."""
        if span.doc_id is None or not (span.quote or span.sha256):
            return None
        for name in _short_names(span.doc_id):
            found = self._by.get(name, set())
            if len(found) == 1:
                return next(iter(found))
        return None


def _short_names(doc_id: str) -> list[str]:
    """Its file's name, and that without its ending."""
    path = PurePosixPath(doc_id.replace("\\", "/"))
    return list(dict.fromkeys((path.name, path.stem)))
