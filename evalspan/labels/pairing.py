"""The labels of a question in two versions: which of the one is which of the other, and what became of it."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from evalspan.labels.judgment import ChunkLabel, Judgment, PendingLabel, RetiredLabel
from evalspan.labels.question import JudgedQuestion
from evalspan.provenance import Provenance


class Change(StrEnum):
    """What became of a label."""

    ADDED = "added"
    REMOVED = "removed"
    REGRADED = "re-graded"
    MOVED = "moved"
    """The same passage at another range, or in another document."""
    NARROWED = "narrowed"
    WIDENED = "widened"
    REPLACED = "replaced"
    """Another passage stands in its place."""
    TIED = "tied to text"
    """It named a chunk, and is a range now."""
    WAITS = "waits"
    """It lost its place, and waits for a person."""
    RETIRED = "retired"
    BACK = "back"
    """It waited or was retired, and counts again."""
    ANNOTATED = "annotated"
    """Same passage, same grade; something else that is said of it differs."""


class Held(NamedTuple):
    """A label as its question holds it."""

    state: Literal["counts", "waits", "retired"]
    label: Judgment | ChunkLabel
    holder: PendingLabel | RetiredLabel | None = None
    """What holds one that does not count."""

    @property
    def provenance(self) -> Provenance | None:
        """Whose word it is, as far as the label itself says."""
        return self.holder.provenance if isinstance(self.holder, RetiredLabel) else self.label.provenance

    def to_row(self) -> dict[str, Any]:
        """As JSON."""
        return {"state": self.state, **(self.holder or self.label).model_dump(mode="json", exclude_defaults=True)}


class LabelChange(NamedTuple):
    """One label that is not the same in both."""

    changes: tuple[Change, ...]
    """At least one."""
    old: Held | None
    """None for one that was added."""
    new: Held | None
    """None for one that was removed."""
    fields: tuple[str, ...] = ()
    """What else is said otherwise of it, as "fact", "provenance"."""

    def to_row(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "changes": [change.value for change in self.changes],
            "fields": list(self.fields),
            "old": self.old.to_row() if self.old else None,
            "new": self.new.to_row() if self.new else None,
        }


def label_changes(old: JudgedQuestion, new: JudgedQuestion, same_corpus: bool) -> tuple[LabelChange, ...]:
    """In the order of the old question, then what was added. `same_corpus`: whether ranges are of the same texts."""
    changes = (_change(before, after, same_corpus) for before, after in _pairs(_held(old), _held(new), same_corpus))
    return tuple(change for change in changes if change is not None)


def _held(question: JudgedQuestion) -> list[Held]:
    return [
        *(Held("counts", judgment) for judgment in question.judgments),
        *(Held("counts", label) for label in question.chunk_labels),
        *(Held("waits", waiting.label, waiting) for waiting in question.pending),
        *(Held("retired", retired.label, retired) for retired in question.retired_labels),
    ]


def _place(held: Held) -> Hashable:
    label = held.label
    return (label.doc_id, label.spans) if isinstance(label, Judgment) else label.chunk_id


def _text(label: Judgment) -> tuple[str, ...]:
    return (label.anchor.digest, *(part.anchor.digest for part in label.also))


_KEYS: tuple[Callable[[Held], Hashable], ...] = (
    lambda held: held,
    lambda held: (held.state, _place(held), held.label.fact),
    lambda held: (_place(held), held.label.fact),
    _place,
    lambda held: (_text(held.label), held.label.doc_id) if isinstance(held.label, Judgment) else None,
    lambda held: _text(held.label) if isinstance(held.label, Judgment) else None,
    lambda held: (held.label.chunk_id, held.label.fact) if held.label.chunk_id else None,
)
"""By what a label is known again, the surest first; None is known by nothing."""


def _pairs(
    old: Sequence[Held], new: Sequence[Held], same_corpus: bool
) -> Iterator[tuple[Held, Held | None] | tuple[None, Held]]:
    """Every label once: with its other half, or alone."""
    partner: dict[int, int] = {}
    free_old, free_new = dict.fromkeys(range(len(old))), dict.fromkeys(range(len(new)))

    def join(i: int, j: int) -> None:
        partner[i] = j
        del free_old[i], free_new[j]

    for key in _KEYS:
        wanted = _grouped(new, free_new, key)
        for i in tuple(free_old):
            found = wanted.get(key(old[i]))
            if found:
                join(i, found.pop(0))
    there = _grouped(new, free_new, _site)
    for i in tuple(free_old):
        inside = (j for j in there.get(_site(old[i]), ()) if j in free_new and _nested(old[i], new[j], same_corpus))
        j = next(inside, None)
        if j is not None:
            join(i, j)
    before, after = _grouped(old, free_old, _site), _grouped(new, free_new, _site)
    for site in before.keys() & after.keys():
        # One label left of a document on either side: with more it would be a guess which became which.
        if len(before[site]) == len(after[site]) == 1:
            join(before[site][0], after[site][0])
    yield from ((held, new[partner[i]] if i in partner else None) for i, held in enumerate(old))
    yield from ((None, new[j]) for j in free_new)


def _grouped(
    labels: Sequence[Held], numbers: Iterable[int], key: Callable[[Held], Hashable]
) -> dict[Hashable, list[int]]:
    """By what they are known by."""
    groups: dict[Hashable, list[int]] = {}
    for number in numbers:
        known_by = key(labels[number])
        if known_by is not None:
            groups.setdefault(known_by, []).append(number)
    return groups


def _site(held: Held) -> tuple[str, str] | None:
    return (held.label.doc_id, held.label.fact) if isinstance(held.label, Judgment) else None


def _nested(old: Held, new: Held, same_corpus: bool) -> bool:
    """Of two labels of one site."""
    one, other = old.label, new.label
    if not isinstance(one, Judgment) or not isinstance(other, Judgment):
        return False
    return _narrower(one, other, same_corpus) or _narrower(other, one, same_corpus)


def _narrower(wide: Judgment, part: Judgment, same_corpus: bool) -> bool:
    """Whether the second passage is a part of the first."""
    if wide.doc_id != part.doc_id or wide.also or part.spans == wide.spans:
        return False
    if wide.coarse and part.wide is not None and part.wide.span == wide.span:
        return True
    if same_corpus:
        return all(span.inside(wide.span) for span in part.spans)
    shorter, longer = part.anchor.exact, wide.anchor.exact
    return not part.also and 0 < len(shorter) < len(longer) and shorter in longer


def _change(old: Held | None, new: Held | None, same_corpus: bool) -> LabelChange | None:
    """None where they are the same."""
    if old is None or new is None:
        return LabelChange((Change.ADDED if old is None else Change.REMOVED,), old, new)
    if old == new:
        return None
    placed = _of_place(old.label, new.label, same_corpus)
    changes = [*_of_state(old, new), *placed]
    if old.label.grade != new.label.grade:
        changes.append(Change.REGRADED)
    return LabelChange(tuple(changes) or (Change.ANNOTATED,), old, new, _fields(old, new, elsewhere=bool(placed)))


def _of_state(old: Held, new: Held) -> list[Change]:
    if old.state == new.state:
        return []
    return [{"counts": Change.BACK, "waits": Change.WAITS, "retired": Change.RETIRED}[new.state]]


def _of_place(old: Judgment | ChunkLabel, new: Judgment | ChunkLabel, same_corpus: bool) -> list[Change]:
    if isinstance(old, ChunkLabel):
        if isinstance(new, Judgment):
            return [Change.TIED if new.chunk_id == old.chunk_id else Change.REPLACED]
        return [] if old.chunk_id == new.chunk_id else [Change.REPLACED]
    if isinstance(new, ChunkLabel):
        return [Change.REPLACED]
    if (old.doc_id, old.spans) == (new.doc_id, new.spans):
        # An edit can put other words into the very range.
        return [] if _text(old) == _text(new) else [Change.REPLACED]
    if _text(old) == _text(new):
        return [Change.MOVED]
    if _narrower(old, new, same_corpus):
        return [Change.NARROWED]
    return [Change.WIDENED if _narrower(new, old, same_corpus) else Change.REPLACED]


_OF_PLACE = frozenset({"doc_id", "start", "end", "also", "anchor", "wide", "origin", "chunk_id"})
"""What differs with the place, and goes without saying where another place is told of."""


def _fields(old: Held, new: Held, elsewhere: bool) -> tuple[str, ...]:
    """What else is said otherwise."""
    before, after = old.label.model_dump(), new.label.model_dump()
    differing = [
        name
        for name in dict.fromkeys((*before, *after))
        if before.get(name) != after.get(name) and name != "grade" and not (elsewhere and name in _OF_PLACE)
    ]
    if old.state == new.state and old.holder is not None and new.holder is not None:
        said, says = old.holder.model_dump(exclude={"label"}), new.holder.model_dump(exclude={"label"})
        differing += [name for name in says if said.get(name) != says[name] and name not in differing]
    return tuple(differing)
