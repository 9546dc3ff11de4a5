"""`relabel`: what runs return and nobody has judged."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from strategies import missing, sure

from evalspan.anchoring import Match, make_anchor
from evalspan.corpus import Chunk, ChunkingConfig, Document
from evalspan.digests import text_digest
from evalspan.errors import BadInput, Conflict, EvalspanError, NotFound
from evalspan.labels import ChunkLabel, JudgedQuestion, Judgment, Question, Range, RetiredLabel, SetTerms
from evalspan.provenance import Provenance
from evalspan.spans import Span
from evalspan.store import ChunkingRecord, SnapshotRecord, Store, VersionRecord
from evalspan.workflows.relabel import Relabelling, relabel

BY = Provenance(by="tester", at="2026-01-02T03:04:05Z")

DOCUMENTS = {
    "a": "".join(map(chr, range(0x4E00, 0x4E64))),  # no words of these come twice
    "b": "".join(map(chr, range(0x5E00, 0x5E64))),
    "c": "same words. same words. other words.",
}

Cuts = Mapping[str, tuple[str, Match]]


def tens(prefix: str, step: int = 10) -> Cuts:
    """Chunks of that size: a0, a1, … of the documents a and b."""
    return {
        f"{prefix}{doc_id}{at // step}": (doc_id, sure(Span(at, at + step)))
        for doc_id in "ab"
        for at in range(0, 100, step)
    }


def put_snapshot(store: Store, name: str = "v1", **changed: str) -> SnapshotRecord:
    with store.writing() as tx:
        documents = [Document(doc_id, text) for doc_id, text in (DOCUMENTS | changed).items()]
        return tx.put_snapshot(documents, name, None, BY)


def put_chunking(store: Store, snapshot: SnapshotRecord, name: str, cuts: Cuts) -> ChunkingRecord:
    with store.writing() as tx:
        writer = tx.add_chunking(name, snapshot, ChunkingConfig(splitter=name), BY)
        for doc_id in sorted({doc_id for doc_id, _ in cuts.values()}):
            mine = [(chunk_id, match) for chunk_id, (where, match) in cuts.items() if where == doc_id]
            writer.add(doc_id, [Chunk(chunk_id, doc_id, match, text_digest(chunk_id)) for chunk_id, match in mine])
        return writer.finish()


def judgment(start: int, end: int, grade: int = 1, doc_id: str = "a", **fields: Any) -> Judgment:
    anchor = make_anchor(DOCUMENTS[doc_id], Span(start, end))
    return Judgment(doc_id=doc_id, start=start, end=end, grade=grade, anchor=anchor, **fields)


def put_set(store: Store, snapshot: SnapshotRecord, *questions: JudgedQuestion, **terms: Any) -> VersionRecord:
    with store.writing() as tx:
        bodies = [question.body() for question in questions]
        return tx.add_version("faq", None, SetTerms(snapshot_digest=snapshot.digest, **terms), bodies, BY)


def asked(query_id: str = "q", *judgments: Judgment, **fields: Any) -> JudgedQuestion:
    return JudgedQuestion(question=Question(query_id=query_id, text="How?"), judgments=judgments, **fields)


def run_of(folder: Path, name: str, **rankings: Sequence[str]) -> Path:
    path = folder / name
    lines = [f"{q} Q0 {c} {n} {100 - n} t\n" for q, chunks in rankings.items() for n, c in enumerate(chunks, 1)]
    path.write_text("".join(lines), "utf-8")
    return path


def places(found: Relabelling) -> list[tuple[str, str, int, int]]:
    return [
        (offer.proposal.query_id, one.doc_id, one.start, one.end)
        for offer in found.offers
        for one in offer.proposal.candidates
    ]


@pytest.fixture
def snapshot(store: Store) -> SnapshotRecord:
    """With the chunking `ten` of it."""
    record = put_snapshot(store)
    put_chunking(store, record, "ten", tens("x"))
    return record


def test_what_nobody_has_judged_is_offered_with_its_runs_and_ranks(
    store: Store, snapshot: SnapshotRecord, tmp_path: Path
) -> None:
    version = put_set(store, snapshot, asked("q", judgment(0, 10)))
    one, two = run_of(tmp_path, "one", q=["xa0", "xb1", "xa5"]), run_of(tmp_path, "two", q=["xb1", "xa0", "xb7"])
    found = relabel("faq", [one, two], store=store)
    assert places(found) == [("q", "b", 10, 20), ("q", "a", 50, 60), ("q", "b", 70, 80)]
    assert [offer.ranks for offer in found.offers] == [(2, 1), (3, None), (None, 3)]
    assert found.offers[0].text == DOCUMENTS["b"][10:20]
    assert [(run.name, run.chunking, run.results, run.judged) for run in found.runs] == [
        ("one", "ten", 3, 1),
        ("two", "ten", 3, 1),
    ]
    proposals = store.proposals([version])
    assert proposals == [offer.proposal for offer in found.offers]
    assert proposals[0].note == "one: rank 2; two: rank 1"
    assert proposals[1].note == "one: rank 3; two: not returned"
    assert proposals[0].digest == text_digest(DOCUMENTS["b"][10:20])
    assert [proposal.weight for proposal in proposals] == [0.5, 0.333333, 0.333333]
    assert {proposal.reason for proposal in proposals} == {"unjudged"}


@pytest.mark.parametrize(
    ("mine", "offered"),
    [
        (asked("q", judgment(5, 15)), []),  # each of both chunks holds half of it
        (asked("q", judgment(6, 16)), [0]),
        (asked("q", judgment(5, 15, grade=0)), []),
        (asked("q", judgment(0, 100, grade=0)), []),  # both lie inside
        (asked("q", judgment(0, 15, grade=-1)), [1]),
        (asked("q", judgment(0, 15), judgment(15, 100)), []),  # inside both together
        (asked("q", judgment(2, 3, wide=Range(start=0, end=20), origin="chunk")), []),
        (asked("q", judgment(13, 41), judgment(30, 60), judgment(35, 50)), [0, 1]),  # they overlap each other
        (asked("q", judgment(50, 60)), [0, 1]),
        (asked("q", must_not_use=("a",)), []),
        (asked("q", acceptable_docs=("a",)), []),
        (asked("q", judgment(0, 20, doc_id="b")), [0, 1]),
    ],
)
def test_judged_is_what_holds_enough_of_a_judgment_or_lies_inside_one(
    store: Store, snapshot: SnapshotRecord, tmp_path: Path, mine: JudgedQuestion, offered: list[int]
) -> None:
    put_set(store, snapshot, mine)
    found = relabel("faq", [run_of(tmp_path, "run", q=["xa0", "xa1"])], store=store)
    assert places(found) == [("q", "a", 10 * number, 10 * number + 10) for number in offered]
    assert found.runs[0].judged == 2 - len(offered)


def test_a_retired_label_of_this_snapshot_was_judged(store: Store, snapshot: SnapshotRecord, tmp_path: Path) -> None:
    labels = [(judgment(0, 10), snapshot.digest), (judgment(10, 20), "ab" * 16)]
    retired = tuple(RetiredLabel(label=label, snapshot_digest=digest, provenance=BY) for label, digest in labels)
    put_set(store, snapshot, asked("q", retired_labels=retired))
    found = relabel("faq", [run_of(tmp_path, "run", q=["xa0", "xa1"])], store=store)
    assert places(found) == [("q", "a", 10, 20)]


def test_labels_that_still_name_chunks_are_judged_where_those_stand(
    store: Store, snapshot: SnapshotRecord, tmp_path: Path
) -> None:
    old = put_chunking(store, snapshot, "twenty", tens("o", 20))
    labels = (ChunkLabel(chunk_id="oa0", grade=1),)
    put_set(store, snapshot, asked("q", chunk_labels=labels), chunking_identity=old.identity)
    run = run_of(tmp_path, "run", q=["xa0", "xa1", "xa2"])
    assert places(relabel("faq", [run], chunking="ten", store=store)) == [("q", "a", 20, 30)]


def test_only_the_first_results_are_pooled(store: Store, snapshot: SnapshotRecord, tmp_path: Path) -> None:
    put_set(store, snapshot, asked())
    found = relabel("faq", [run_of(tmp_path, "run", q=["xa0", "xa1", "xa2"])], depth=2, store=store)
    assert len(found.offers) == found.runs[0].results == 2


def test_runs_over_several_chunkings_meet_in_the_text(store: Store, snapshot: SnapshotRecord, tmp_path: Path) -> None:
    shifted = {f"y{at}": ("a", sure(Span(at, at + 10))) for at in range(2, 92, 10)}
    put_chunking(store, snapshot, "shifted", shifted)
    put_set(store, snapshot, asked())
    one, two = run_of(tmp_path, "one", q=["xa0"]), run_of(tmp_path, "two", q=["y2", "y52"])
    found = relabel("faq", [one, two], chunking=["ten", "shifted"], store=store)
    assert [(offer.ranks, offer.text) for offer in found.offers] == [
        ((None, 2), DOCUMENTS["a"][52:62]),
        ((1, 1), DOCUMENTS["a"][0:10]),
    ]


def test_passages_of_one_document_with_the_same_words_are_one_offer(
    store: Store, snapshot: SnapshotRecord, tmp_path: Path
) -> None:
    cuts = {"s1": ("c", sure(Span(0, 11))), "s2": ("c", sure(Span(12, 23)))}
    put_chunking(store, snapshot, "same", cuts)
    put_set(store, snapshot, asked())
    one, two = run_of(tmp_path, "one", q=["s2", "s1"]), run_of(tmp_path, "two", q=["s1"])
    (offer,) = relabel("faq", [one, two], store=store).offers
    assert {candidate.span for candidate in offer.proposal.candidates} == {Span(0, 11), Span(12, 23)}
    assert (offer.ranks, offer.proposal.weight) == ((1, 1), 0.0)


def test_what_is_left_out_is_counted(store: Store, snapshot: SnapshotRecord, tmp_path: Path) -> None:
    odd = {
        "gone": ("a", missing()),
        "two": ("a", sure(Span(0, 5), Span(50, 55))),
        "ok": ("a", sure(Span(20, 30))),
    }
    put_chunking(store, snapshot, "odd", odd)
    put_set(store, snapshot, asked(), asked("old", retired=True))
    run = run_of(tmp_path, "run", q=["gone", "two", "ok", "nope"], old=["ok"], other=["ok"], third=["x"])
    found = relabel("faq", [run], store=store)
    assert len(found.offers) == 1
    counts = found.runs[0]
    assert (counts.strangers, counts.retired, counts.unknown, counts.unplaced) == (2, 1, 1, 2)


def test_the_same_runs_again_ask_nothing_twice(store: Store, snapshot: SnapshotRecord, tmp_path: Path) -> None:
    version = put_set(store, snapshot, asked())
    run = run_of(tmp_path, "run", q=["xa0"])
    first, again = (relabel("faq", [run], store=store) for _ in range(2))
    assert first == again
    assert len(store.proposals([version])) == 1


def test_where_all_is_judged_nothing_is_written(store: Store, snapshot: SnapshotRecord, tmp_path: Path) -> None:
    version = put_set(store, snapshot, asked("q", judgment(0, 10)))
    assert relabel("faq", [run_of(tmp_path, "run", q=["xa0"])], store=store).offers == ()
    assert store.proposals([version]) == []


def test_runs_of_one_name_are_told_apart_by_their_folders(
    store: Store, snapshot: SnapshotRecord, tmp_path: Path
) -> None:
    put_set(store, snapshot, asked())
    paths = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        paths.append(run_of(tmp_path / folder, "run", q=["xa0"]))
    assert [run.name for run in relabel("faq", paths, store=store).runs] == [str(path) for path in paths]


def refused(store: Store, error: type[EvalspanError], runs: Sequence[Path], **options: Any) -> str:
    """What is said; nothing was written."""
    with pytest.raises(error) as caught:
        relabel("faq", runs, store=store, **options)
    assert store.proposals(store.versions("faq")) == []
    return str(caught.value)


def test_bad_input_is_refused_with_what_to_do(store: Store, snapshot: SnapshotRecord, tmp_path: Path) -> None:
    put_set(store, snapshot, asked())
    good = run_of(tmp_path, "good", q=["xa0"])
    assert refused(store, BadInput, []).startswith("--run: no run is given")
    assert refused(store, BadInput, [good], depth=0) == "--depth: 0 is below 1"
    assert "3 chunkings for 1 runs" in refused(store, BadInput, [good], chunking=["ten", "ten", "ten"])
    assert "No chunking 'nope'" in refused(store, NotFound, [good], chunking="nope")
    stranger = run_of(tmp_path, "stranger", other=["xa0"])
    assert refused(store, BadInput, [good, stranger]) == (
        "stranger: ranks no question of faq@1: is it the run of another set?"
    )
    foreign = run_of(tmp_path, "foreign", q=["xa0", "n1", "n2"])
    message = refused(store, BadInput, [good, foreign])
    assert message.startswith("foreign: 1 of its 3 chunk ids are in chunking 'ten': is it a run of another index?")
    assert "--chunking NAME" in message
    broken = tmp_path / "broken"
    broken.write_text("q Q0 xa0 1 x t\n")
    assert refused(store, BadInput, [broken]).startswith(f"{broken}:1: score 'x'")


def test_bad_rows_are_left_out_where_that_is_asked_for(store: Store, snapshot: SnapshotRecord, tmp_path: Path) -> None:
    put_set(store, snapshot, asked())
    run = tmp_path / "run"
    run.write_text("q Q0 xa0 1 1 t\nq Q0 xa1 2 x t\n")
    found = relabel("faq", [run], store=store, skip_bad=True)
    assert len(found.offers) == 1
    assert [problem.line for problem in found.skipped] == [2]


def test_a_chunking_of_another_snapshot_is_refused(store: Store, snapshot: SnapshotRecord, tmp_path: Path) -> None:
    put_set(store, snapshot, asked())
    put_chunking(store, put_snapshot(store, "v2", a="changed " * 20), "newer", tens("x"))
    message = refused(store, BadInput, [run_of(tmp_path, "run", q=["xa0"])])
    assert message.startswith("chunking 'newer': faq@1 is about snapshot")


def test_a_version_that_was_followed_by_another_is_refused(
    store: Store, snapshot: SnapshotRecord, tmp_path: Path
) -> None:
    put_set(store, snapshot, asked())
    with store.writing() as tx:
        tx.add_version("faq", 1, SetTerms(snapshot_digest=snapshot.digest), [asked("q2").body()], BY)
    with pytest.raises(Conflict, match="faq@1 has been followed by faq@2"):
        relabel("faq@1", [run_of(tmp_path, "run", q=["xa0"])], store=store)


def test_labels_whose_chunking_is_not_there_cannot_be_weighed(
    store: Store, snapshot: SnapshotRecord, tmp_path: Path
) -> None:
    labels = (ChunkLabel(chunk_id="oa0", grade=1),)
    put_set(store, snapshot, asked("q", chunk_labels=labels), chunking_identity="ab" * 16)
    assert "Add it first" in refused(store, NotFound, [run_of(tmp_path, "run", q=["xa0"])])


def test_a_run_that_is_given_twice_is_refused(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.txt").write_text("q1 Q0 a1 1 1 t\n")
    for again in ("run.txt", tmp_path / "run.txt", "./run.txt"):
        with pytest.raises(BadInput, match="is given twice"):
            relabel("faq", ["run.txt", again], store=store)
