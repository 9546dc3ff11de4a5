"""`evalspan set undo`: a new version that is equal to an old one."""

from dataclasses import dataclass

from evalspan.errors import BadInput, NotFound, Problem
from evalspan.provenance import Provenance
from evalspan.store import DecisionRecord, MappingRecord, Store, VersionRecord
from evalspan.store.lineage import Standing, living, standing
from evalspan.workflows.queue import mappings_of
from evalspan.workflows.stores import StoreOrAddress, opened


@dataclass(frozen=True, slots=True)
class Undone:
    """What came of it."""

    version: VersionRecord
    """The newest now."""
    restored: VersionRecord
    """The one that it is equal to."""
    new: bool
    """False: the newest version was that one already, and nothing was written."""
    set_aside: tuple[DecisionRecord, ...]
    """Decisions that it no longer stands on. They are kept."""
    back: tuple[DecisionRecord, ...]
    """Decisions that had been set aside, and that it stands on again."""
    mapping: MappingRecord | None = None
    """The newest one of a version with its content: until it is mapped itself, the review queue asks about that."""


def undo_set(name: str, *, to: int | None = None, store: StoreOrAddress = None, why: str = "") -> Undone:
    """Appends a version with the content of version `to` (the one before the newest), and so with its digest. What was
    decided since is set aside, and comes back where the undo is undone.

    Raises NotFound, BadInput (there is nothing before it; its content is damaged), Conflict; then nothing was written.
    """
    with opened(store) as opened_store:
        versions = opened_store.versions(name)
        target = _target(versions, to)
        newest = versions[-1]
        if target.number in (newest.number, newest.restores):
            return Undone(newest, target, False, (), ())
        if not opened_store.check_digest(target):
            what = "its content is not what its digest says; take it from a copy of the store"
            raise BadInput([Problem(target.label, None, what)])
        questions = opened_store.eval_set(target).questions
        made = Provenance.now(why or f"undone: as {target.label} again")
        with opened_store.writing() as tx:
            bodies = (question.body() for question in questions)
            version = tx.add_version(name, newest.number, target.terms, bodies, made, restores=target.number)
        aside, back = _moved(opened_store, versions, version)
        mapping = next(reversed(mappings_of(opened_store, version)), None)
        return Undone(version, target, True, aside, back, mapping)


def _target(versions: list[VersionRecord], to: int | None) -> VersionRecord:
    newest = versions[-1]
    number = newest.parent if to is None else to
    if number is None:
        raise BadInput([Problem(newest.label, None, "is the first version; there is none before it")])
    for version in versions:
        if version.number == number:
            return version
    raise NotFound("version", f"{newest.name}@{number}", [version.label for version in reversed(versions)])


def _moved(
    store: Store, before: list[VersionRecord], version: VersionRecord
) -> tuple[tuple[DecisionRecord, ...], tuple[DecisionRecord, ...]]:
    """The decisions that stood before and do not now, and the other way round."""
    old, new = living(before), living([*before, version])
    aside, back = [], []
    for record in store.decisions(version.name):
        stood, stands = (standing(record, chain) is Standing.APPLIED for chain in (old, new))
        if stood and not stands:
            aside.append(record)
        elif stands and not stood:
            back.append(record)
    return tuple(aside), tuple(back)
