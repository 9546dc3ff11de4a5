"""`evalspan migrate`."""

from pathlib import Path
from typing import Any, Literal

import click

from evalspan.cli import options
from evalspan.cli.bereft import show_bereft
from evalspan.cli.main import FINE, NO
from evalspan.cli.page import line, plural, print_json, progress, share, table
from evalspan.cli.skipped import show_skipped, skipped_rows
from evalspan.corpus import EmbeddingConfig, Placed
from evalspan.labels import DEFAULT_MIN_OVERLAP
from evalspan.mapping import Reason
from evalspan.migrator.twins import TwinPolicy
from evalspan.workflows.migration import Migration, Offers
from evalspan.workflows.set_references import is_set_file

EXPLAINED = {
    Reason.WHOLE: "a new chunk holds the whole passage",
    Reason.HELD: "a new chunk holds at least {min_overlap:g} of it",
    Reason.EVIDENCE_HELD: "new chunks hold the sentences in it that answer the question",
    Reason.EVIDENCE_ELSEWHERE: "the sentences that answer stand, or may stand, elsewhere than most of it",
    Reason.NEGATIVE: "judged not relevant: carried to the chunks inside it",
    Reason.CUT: "no new chunk holds {min_overlap:g} of it; together they overlap it",
    Reason.REPEATED: "the passage stands in several places, and nothing tells which",
    Reason.WEAK_MATCH: "the passage was found, but not surely",
    Reason.CHANGED: "digits, negation or names in the passage differ from the old chunk's",
    Reason.SCATTERED: "the old chunk was joined from several places of its document",
    Reason.CHUNK_UNCERTAIN: "only new chunks of uncertain place, or of other words, could hold it",
    Reason.NOT_FOUND: "the old chunk's text is not in its document",
    Reason.BLANK: "the old chunk holds white space only",
    Reason.UNCOVERED: "no new chunk overlaps the passage",
}

WORST_SHOWN = 3


@click.command("migrate")
@click.argument("eval_set", metavar="[SET]", required=False)
@click.option("--to", help="With SET: the chunking of the store to map it on (name, digest, latest).")
@click.option("--documents", type=options.FILE, help='Without a store: the documents, {"doc_id","text"} lines.')
@click.option("--old-chunks", type=options.FILE, help='The labelled chunks, {"chunk_id","doc_id","text"} lines.')
@click.option("--labels", type=options.FILE, help="Qrels that name old chunks, TREC or BEIR.")
@click.option("--new-chunks", type=options.FILE, help="The chunks there are now.")
@click.option("--questions", type=options.FILE, help='Questions, {"query_id","text","reference_answers"?} lines.')
@click.option(
    "--min-overlap", type=float, help=f"Share of a passage a chunk must hold. [default: {DEFAULT_MIN_OVERLAP}]"
)
@click.option("--out", type=options.FILE, help="Folder for outcomes, qrels, spans and queue; absent or empty.")
@click.option("--store", help="Keep it in this store. With SET: the store that holds it.")
@click.option("--set", "set_name", help="With --store and files: the set's name. [default: as the labels' file]")
@options.labels_are
@click.option("--embedding", help="With SET: the model that embeds the chunks; another one later marks a break.")
@click.option("--embedding-version", default="", help="Its version.")
@click.option(
    "--twins",
    type=click.Choice(["ask", "accept", "ignore"]),
    help="In a store: passages that stand elsewhere too are offered as alternatives, taken as such, or not looked for. "
    "[default: ask with SET, ignore with files]",
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 also when something waits for a person.")
@options.skip_bad
@options.replace_bad_text
@options.why
@options.as_json
def migrate_command(
    eval_set: str | None,
    to: str | None,
    min_overlap: float | None,
    out: Path | None,
    store: str | None,
    set_name: str | None,
    labels_are: Literal["any", "all"] | None,
    embedding: str | None,
    embedding_version: str,
    twins: TwinPolicy | None,
    exit_zero: bool,
    skip_bad: bool,
    replace_bad_text: bool,
    why: str,
    as_json: bool,
    **files: Path | None,
) -> int:
    """Carries labels over to a new chunking, and says which of them it is sure of.

    \b
    In a store:  evalspan migrate SET --to CHUNKING
    On files:    evalspan migrate --documents D.jsonl --old-chunks OLD.jsonl --labels QRELS
                                  --new-chunks NEW.jsonl --out DIR
    A set file:  evalspan migrate SET.jsonl --documents D.jsonl --new-chunks NEW.jsonl --out DIR
                                  (and --old-chunks, where labels of it still name chunks)

    Exit 0 all clean, 1 something waits for a person, 2 could not be done.
    """
    if eval_set is not None and is_set_file(eval_set):
        unfit: dict[str, object] = {
            "to": to,
            "min_overlap": min_overlap,
            "store": store,
            "set": set_name,
            "labels_are": labels_are,
            "embedding": embedding,
            "embedding_version": embedding_version,
            "twins": twins,
            "why": why,
            "labels": files["labels"],
            "questions": files["questions"],
        }
        _require_set_file_options([name for name, value in unfit.items() if value not in (None, "")], files)
        result = _migrate_set_file(eval_set, files, out, skip_bad, replace_bad_text)
    elif eval_set is not None:
        given = [f"--{name.replace('_', '-')}" for name, value in files.items() if value is not None]
        given += ["--min-overlap"] if min_overlap is not None else []
        given += ["--labels-are"] if labels_are is not None else []
        if to is None or given or set_name or skip_bad or replace_bad_text:
            wrong = f"goes without {', '.join(given)}" if given else "takes --to CHUNKING, --out, --store, --why"
            raise click.UsageError(f"evalspan migrate SET {wrong}: the store has the rest.")
        model = EmbeddingConfig(model=embedding, version=embedding_version) if embedding else None
        result = _migrate_set(eval_set, to, model, out, twins or "ask", store, why)
    else:
        if embedding or embedding_version:
            raise click.UsageError("--embedding goes with SET: a migration of files keeps no embedding.")
        missing = [name for name in ("documents", "old_chunks", "labels", "new_chunks") if files[name] is None]
        if missing or to is not None:
            wanted = " ".join(f"--{name.replace('_', '-')} FILE" for name in missing) or "no --to"
            raise click.UsageError(f"Migrate a SET of the store --to a CHUNKING, or files. For files: {wanted}")
        if store is None and (set_name or why or labels_are or twins):
            raise click.UsageError(
                "--set, --labels-are, --twins and --why say how it is kept: name the store with --store."
            )
        if twins == "accept":
            raise click.UsageError("--twins accept goes with SET. After files: evalspan set twins NAME accept")
        looked: Literal["ask", "ignore"] = "ask" if twins == "ask" else "ignore"
        result = _migrate_files(
            files, min_overlap, out, store, set_name, labels_are, looked, why, skip_bad, replace_bad_text
        )
    if as_json:
        print_json(_row(result))
    else:
        _show(result)
    return FINE if (result.clean and not result.waiting) or exit_zero else NO


def _require_set_file_options(unfit: list[str], files: dict[str, Path | None]) -> None:
    if unfit:
        wrong = ", ".join(f"--{name.replace('_', '-')}" for name in unfit)
        raise click.UsageError(f"A set file goes without {wrong}: the file has the rest, and nothing is kept.")
    missing = [f"--{name.replace('_', '-')} FILE" for name in ("documents", "new_chunks") if files[name] is None]
    if missing:
        raise click.UsageError(f"A set file is laid over files: {' '.join(missing)}")


def _migrate_set_file(
    eval_set: str, files: dict[str, Path | None], out: Path | None, skip_bad: bool, replace_bad_text: bool
) -> Migration:
    from evalspan.workflows.migrate_setfile import migrate_set_file

    documents, new_chunks = files["documents"], files["new_chunks"]
    assert documents is not None
    assert new_chunks is not None
    return migrate_set_file(
        eval_set,
        documents=documents,
        new_chunks=new_chunks,
        old_chunks=files["old_chunks"],
        out=out,
        skip_bad=skip_bad,
        replace_bad_text=replace_bad_text,
        progress=progress,
    )


def _migrate_set(
    eval_set: str,
    to: str,
    embedding: EmbeddingConfig | None,
    out: Path | None,
    twins: TwinPolicy,
    store: str | None,
    why: str,
) -> Migration:
    from evalspan.workflows.migrate_set import migrate_set

    return migrate_set(eval_set, to, embedding=embedding, out=out, twins=twins, store=store, why=why, progress=progress)


def _migrate_files(
    files: dict[str, Path | None],
    min_overlap: float | None,
    out: Path | None,
    store: str | None,
    set_name: str | None,
    labels_are: Literal["any", "all"] | None,
    twins: Literal["ask", "ignore"],
    why: str,
    skip_bad: bool,
    replace_bad_text: bool,
) -> Migration:
    from evalspan.workflows.migrate_files import migrate_files

    given = {name: path for name, path in files.items() if path is not None}
    return migrate_files(
        documents=given["documents"],
        old_chunks=given["old_chunks"],
        labels=given["labels"],
        new_chunks=given["new_chunks"],
        questions=given.get("questions"),
        min_overlap=DEFAULT_MIN_OVERLAP if min_overlap is None else min_overlap,
        out=out,
        store=store,
        set_name=set_name,
        labels_are=labels_are,
        twins=twins,
        why=why,
        skip_bad=skip_bad,
        replace_bad_text=replace_bad_text,
        progress=progress,
    )


def _show(result: Migration) -> None:
    counts = result.tally
    line(f"{plural(counts.total, 'label')} carried over, min_overlap {result.min_overlap:g}", "bold")
    line()
    rows = []
    for bucket, count in (("clean", counts.clean), ("ambiguous", counts.ambiguous), ("unmapped", counts.unmapped)):
        rows.append((bucket, f"{count:,}", share(count, counts.total), ""))
        for key, part in counts.reasons.items():
            if key.startswith(f"{bucket}/"):
                reason = Reason(key.partition("/")[2])
                rows.append(("", f"{part:,}", "", EXPLAINED[reason].format(min_overlap=result.min_overlap)))
    table(("bucket", "labels", "share", "why"), rows, right=(1, 2))
    line()
    waiting = f"; {plural(result.waiting, 'question')} with a label that waits" if result.waiting else ""
    line(f"{plural(result.decided, 'question')} decided{waiting}.")
    if result.recorded is not None:
        show_bereft(result.recorded.eval_set.rpartition("@")[0], result.bereft)
    _show_cuts(result)
    for what, placed in (("old", result.old_chunks), ("new", result.new_chunks)):
        if placed is not None and placed.total != placed.exact:
            line(f"The {what} chunks were found: {_placed(placed)}.")
    show_skipped(result.skipped)
    _show_next(result)


def _show_cuts(result: Migration) -> None:
    cuts = result.cuts
    if not cuts.cut or cuts.median is None:
        return
    line()
    line(
        f"The new chunking cuts {cuts.cut:,} of {cuts.passages:,} labelled passages: no single chunk holds "
        f"{result.min_overlap:g} of them.",
        "yellow",
    )
    line(f"In its best chunk stands {cuts.median:.0%} of such a passage (median):")
    parts = [f"{10 * i}–{10 * i + 10} %: {count:,}" for i, count in enumerate(cuts.tenths) if count]
    line(f"  {'  ·  '.join(parts)}")
    if cuts.coarse:
        line("  Such a passage is a whole old chunk here: the answer in it may still be whole in one new chunk.")
    for cut in cuts.worst[:WORST_SHOWN]:
        queries = ", ".join(cut.query_ids[:3])
        line(
            f"  {cut.best_coverage:.0%} in {cut.best_chunk} of {cut.doc_id} {cut.span.start}–{cut.span.end} ({queries})"
        )


def _placed(placed: Placed) -> str:
    parts = (
        (placed.exact, "as they are"),
        (placed.reformatted, "though not to the letter"),
        (placed.repeated, "in several places, and nothing tells which"),
        (placed.missing, "not at all"),
    )
    return ", ".join(f"{count:,} {what}" for count, what in parts if count)


def _show_offers(offers: Offers) -> None:
    parts = (
        (offers.narrowed, "narrowed to where the evidence stands", "label"),
        (offers.twins, "that hold a labelled passage too", "place"),
        (offers.settled, "of before applied again", "decision"),
        (offers.proposals, "in the review queue", "offer"),
    )
    for count, what, noun in parts:
        if count:
            line(f"  {plural(count, noun)} {what}")


def _show_next(result: Migration) -> None:
    line()
    if result.recorded is not None:
        kept = result.recorded
        line(f"Kept in {kept.store}: {kept.eval_set} on {kept.chunking} (mapping {kept.mapping})")
        if result.offers is not None:
            _show_offers(result.offers)
        if result.waiting:
            line(f"Look at what waits: evalspan review {kept.eval_set.rpartition('@')[0]} list")
    if result.out is not None:
        line(f"Written to {result.out}: outcomes.jsonl, qrels.txt, waiting.jsonl, spans.jsonl, queue.jsonl")
        if not result.clean and result.recorded is None:
            line(f"Look at what waits: {result.out / 'queue.jsonl'}")
    if result.out is None and result.recorded is None:
        line("Nothing was written: name a folder with --out, or a store with --store.")


def _row(result: Migration) -> dict[str, Any]:
    cuts = result.cuts
    return {
        "labels": result.tally.total,
        "clean": result.tally.clean,
        "ambiguous": result.tally.ambiguous,
        "unmapped": result.tally.unmapped,
        "reasons": result.tally.reasons,
        "questions_decided": result.decided,
        "questions_waiting": result.waiting,
        "without_relevant_label": list(result.bereft),
        "min_overlap": result.min_overlap,
        "cuts": {
            "passages": cuts.passages,
            "cut": cuts.cut,
            "coarse": cuts.coarse,
            "median_best_coverage": cuts.median,
            "tenths": list(cuts.tenths),
            "worst": [
                {
                    "doc_id": cut.doc_id,
                    "start": cut.span.start,
                    "end": cut.span.end,
                    "best_chunk": cut.best_chunk,
                    "best_coverage": round(cut.best_coverage, 4),
                    "query_ids": list(cut.query_ids),
                }
                for cut in cuts.worst
            ],
        },
        "old_chunks": result.old_chunks._asdict() if result.old_chunks else None,
        "new_chunks": result.new_chunks._asdict(),
        "out": str(result.out) if result.out else None,
        "recorded": result.recorded._asdict() if result.recorded else None,
        "offers": result.offers._asdict() if result.offers else None,
        "skipped": skipped_rows(result.skipped),
    }
