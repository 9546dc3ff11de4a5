"""`evalspan set log`, `diff`, `undo` and `merge`: the versions of a set."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.main import FINE, NO
from evalspan.cli.page import line, plural, print_json, table
from evalspan.cli.set_difference import in_numbers, show_difference
from evalspan.labels.difference import set_difference
from evalspan.labels.merge import MergeConflict
from evalspan.store import DecisionRecord, MappingRecord, OverrideRecord, VersionRecord
from evalspan.store.lineage import Standing, living, standing
from evalspan.workflows.merge_sets import MergedSet, merge_sets
from evalspan.workflows.set_references import find_set
from evalspan.workflows.stores import opened
from evalspan.workflows.undo import Undone, undo_set

REPLACED = "replaced"
"""How a decision stands that a later one about the same item took the place of, before it was applied."""

_STANDINGS = {
    Standing.APPLIED.value: "applied",
    Standing.WAITING.value: "waits",
    Standing.SET_ASIDE.value: "set aside by an undo",
    REPLACED: "replaced",
}


def standings(decisions: Sequence[DecisionRecord], chain: Sequence[VersionRecord]) -> dict[int, str]:
    """Decision id → what became of it. `decisions`: all of the set, oldest first: of several about one item that are
    not applied, only the last one waits.
    """
    last = {record.decision.item: record.id for record in decisions}
    out = {record.id: standing(record, chain).value for record in decisions}
    superseded = (one for one in decisions if not one.versions and last[one.decision.item] != one.id)
    return out | {record.id: REPLACED for record in superseded}


@click.command("log")
@click.argument("name")
@options.store
@options.as_json
def log_command(name: str, store: str | None, as_json: bool) -> int:
    """Every version, mapping, decision and overridden refusal of a set: who, when, why."""
    with opened(store) as opened_store:
        versions = opened_store.versions(name)
        mappings = [record for record in opened_store.mappings() if record.version.name == name]
        decisions = opened_store.decisions(name)
        overrides = [override for record in versions for override in opened_store.overrides(record)]
    chain = living(versions)
    stands = standings(decisions, chain)
    if as_json:
        counts = {version.number for version in chain}
        print_json(
            {
                "versions": [{**version_row(one), "counts": one.number in counts} for one in versions],
                "mappings": [_mapping_row(mapping) for mapping in mappings],
                "decisions": [_decision_row(record, stands[record.id]) for record in decisions],
                "overrides": [_override_row(override) for override in overrides],
            }
        )
        return FINE
    parts = ((versions, "version"), (mappings, "mapping"), (decisions, "decision"), (overrides, "overridden refusal"))
    said = ", ".join(plural(len(records), noun) for records, noun in parts if records)
    line(f"{versions[-1].name}: {said}", "bold")
    line()
    _show_versions(versions, chain)
    _show_mappings(mappings)
    _show_decisions(decisions, stands)
    if overrides:
        line()
        whys = [(o.version.label, o.provenance.at, o.provenance.by, o.provenance.why) for o in overrides]
        table(("overridden", "at", "by", "reason"), whys)
    return FINE


@click.command("diff")
@click.argument("old")
@click.argument("new")
@options.store
@options.as_json
def diff_command(old: str, new: str, store: str | None, as_json: bool) -> int:
    """What differs between two versions: questions, passages, grades, answers.

    OLD and NEW are NAME (its newest version), NAME@VERSION, or a set file. Exit 0 equal, 1 they differ, 2 could not
    tell.
    """
    before, after = find_set(old, store), find_set(new, store)
    difference = set_difference(before.eval_set, after.eval_set)
    if as_json:
        print_json({"old": before.label, "new": after.label, **difference.to_row()})
    else:
        show_difference(difference)
    return FINE if difference.equal else NO


@click.command("undo")
@click.argument("name")
@click.option("--to", type=int, metavar="VERSION", help="Which one to go back to. [default: the one before the newest]")
@options.why
@options.store
@options.as_json
def undo_command(name: str, to: int | None, why: str, store: str | None, as_json: bool) -> int:
    """Append a version that is equal to an older one. Nothing is lost.

    Decisions that were applied since are set aside and listed; undoing the undo brings them back.
    """
    undone = undo_set(name, to=to, store=store, why=why)
    if as_json:
        print_json(
            {
                **version_row(undone.version),
                "new": undone.new,
                "set_aside": [_decision_row(record, Standing.SET_ASIDE.value) for record in undone.set_aside],
                "back": [_decision_row(record, Standing.APPLIED.value) for record in undone.back],
            }
        )
        return FINE
    _show_undone(undone)
    return FINE


@click.command("merge")
@click.argument("ours")
@click.argument("theirs")
@click.option("--base", required=True, help="The version that both were made from.")
@click.option("--out", type=options.FILE, help="The file to write, which may be OURS. [default: a version of OURS]")
@options.why
@options.store
@options.as_json
def merge_command(
    ours: str, theirs: str, base: str, out: Path | None, why: str, store: str | None, as_json: bool
) -> int:
    """Bring two people's edits of one set together, question by question.

    OURS, THEIRS and BASE are NAME, NAME@VERSION, or set files. What one side alone changed is taken. Exit 0 merged, 1
    both changed the same otherwise: each such question is named, and nothing is written.
    """
    try:
        merged = merge_sets(ours, theirs, base=base, out=out, store=store, why=why)
    except MergeConflict as conflict:
        if as_json:
            print_json({"error": str(conflict), "clashes": [clash._asdict() for clash in conflict.clashes]})
        else:
            line(str(conflict), "red")
        return NO
    if as_json:
        where = version_row(merged.version) if merged.version else {"out": str(out)}
        print_json({**where, "digest": merged.eval_set.digest, "brought": merged.brought.to_row()})
    else:
        _show_merged(merged, ours, theirs, out)
    return FINE


COMMANDS = (log_command, diff_command, undo_command, merge_command)
"""Of `evalspan set`."""


def version_row(record: VersionRecord) -> dict[str, Any]:
    """A version as JSON."""
    return {
        "set": record.name,
        "version": record.number,
        "parent": record.parent,
        "restores": record.restores,
        "digest": record.digest,
        "terms": record.terms.model_dump(),
        "questions": record.questions,
        "spans": record.judgments,
        "chunk_labels": record.chunk_labels,
        "pending": record.pending,
        "provenance": record.provenance.model_dump(),
    }


def _mapping_row(record: MappingRecord) -> dict[str, Any]:
    return {
        "mapping": record.id,
        "version": record.version.number,
        "chunking": record.chunking.name,
        "embedding": record.embedding.model_dump() if record.embedding else None,
        "min_overlap": record.min_overlap,
        "tally": record.tally._asdict(),
        "provenance": record.provenance.model_dump(),
    }


def _decision_row(record: DecisionRecord, stands: str) -> dict[str, Any]:
    return {
        "decision": record.id,
        "standing": stands,
        "versions": list(record.versions),
        **record.decision.model_dump(mode="json", exclude_defaults=True),
    }


def _override_row(record: OverrideRecord) -> dict[str, Any]:
    return {
        "version": record.version.number,
        "refusal": record.refusal,
        "provenance": record.provenance.model_dump(),
    }


def _show_versions(versions: list[VersionRecord], chain: list[VersionRecord]) -> None:
    counts = {version.number for version in chain}
    rows = [
        (
            one.label,
            "undone" if one.number not in counts else f"= {one.name}@{one.restores}" if one.restores else "",
            f"{one.questions:,}",
            f"{one.judgments:,}",
            f"{one.chunk_labels:,}",
            f"{one.pending:,}",
            one.terms.snapshot_digest[:12],
            one.provenance.at,
            one.provenance.by,
            one.provenance.why,
        )
        for one in versions
    ]
    headers = ("version", "state", "questions", "spans", "chunk labels", "lost", "snapshot", "made", "by", "why")
    table(headers, rows, right=(2, 3, 4, 5))


def _show_mappings(mappings: list[MappingRecord]) -> None:
    if not mappings:
        return
    line()
    headers = ("mapping", "version", "chunking", "min_overlap", "clean", "ambiguous", "unmapped", "made", "by", "why")
    rows = [
        (
            one.id,
            one.version.label,
            one.chunking.name,
            f"{one.min_overlap:g}",
            f"{one.tally.clean:,}",
            f"{one.tally.ambiguous:,}",
            f"{one.tally.unmapped:,}",
            one.provenance.at,
            one.provenance.by,
            one.provenance.why,
        )
        for one in mappings
    ]
    table(headers, rows, right=(0, 3, 4, 5, 6))


def _show_decisions(decisions: list[DecisionRecord], standings_of: Mapping[int, str]) -> None:
    if not decisions:
        return
    line()
    rows = []
    for record in decisions:
        made = record.decision.provenance
        numbers = ", ".join(f"@{number}" for number in record.versions)
        stands = f"{_STANDINGS[standings_of[record.id]]} {numbers}".rstrip()
        rows.append((*_decided(record), stands, made.at, made.by, made.why))
    table(("decision", "question", "asked since", "action", "standing", "made", "by", "why"), rows)


def _decided(record: DecisionRecord) -> tuple[str, str, str, str]:
    decision = record.decision
    return decision.item, decision.query_id, decision.reason, decision.action.value


def _show_undone(undone: Undone) -> None:
    if not undone.new:
        line(f"{undone.version.label} is as {undone.restored.label} already: nothing was written", "bold")
        return
    line(f"{undone.version.label} is as {undone.restored.label} again", "bold")
    for what, records in (("set aside, and kept", undone.set_aside), ("back", undone.back)):
        if records:
            line(f"  {plural(len(records), 'decision')} {what}:")
            for record in records:
                item, query_id, reason, action = _decided(record)
                made = record.decision.provenance
                said = f"{item}  {query_id}  {action} ({reason})  by {made.by}, {made.at}"
                line(f"    {said}  {' '.join(made.why.split())}".rstrip())
    cut = undone.mapping.chunking.name if undone.mapping is not None else "CHUNKING"
    line(f"  Map it: evalspan migrate {undone.version.name} --to {cut}")


def _show_merged(merged: MergedSet, ours: str, theirs: str, out: Path | None) -> None:
    if merged.brought.equal:
        line(f"{ours} holds all of {theirs} already", "bold")
    else:
        line(f"Merged {theirs}: {in_numbers(merged.brought)}", "bold")
    if merged.version is not None:
        line(f"  {merged.version.label}{': nothing was written' if merged.brought.equal else ''}")
    else:
        line(f"  Wrote {out}")
