"""Is this set fit for this index: every refusal says how bad it is and what to type, and nothing else refuses."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.corpus import ChunkingConfig, EmbeddingConfig, Manifest, SnapshotDiff, make_manifest
from evalspan.errors import CannotTell
from evalspan.guard import CorpusFacts, Kind, MappingFacts, SetFacts, Verdict, judge
from evalspan.guard.verdict import NAMED
from evalspan.labels import LABEL_SCHEMA, SetTerms
from evalspan.provenance import Provenance

OURS, THEIRS, CUT, OTHER_CUT = "0" * 32, "1" * 32, "2" * 32, "3" * 32
BY = Provenance(by="ada", at="2026-03-01T09:30:00Z", why="the added documents hold no evidence")
SMALL = EmbeddingConfig(model="small")


def a_set(*, holds: bool = True, judgments: int = 5, chunk_labels: int = 0, **terms: Any) -> SetFacts:
    pinned = SetTerms.model_validate({"snapshot_digest": OURS, **terms})
    return SetFacts("faq@2", pinned, holds, judgments, chunk_labels, "main@1")


def an_index(corpus: str = OURS, embedding: EmbeddingConfig | None = SMALL) -> Manifest:
    return make_manifest(
        corpus_digest=corpus,
        documents=1251,
        chunking=ChunkingConfig(splitter="by hand"),
        chunks=7,
        chunks_digest=CUT,
        chunks_identity=CUT,
        embedding=embedding,
    )


def a_difference(added: int = 0, removed: int = 0, changed: int = 0, evidence: int = 37, same: int = 37) -> CorpusFacts:
    def names(kind: str, count: int) -> tuple[str, ...]:
        return tuple(f"{kind}{number:03}" for number in range(count))

    diff = SnapshotDiff(names("new", added), names("old", removed), names("edit", changed), (), 1000)
    return CorpusFacts(diff, evidence, same)


def a_mapping(waiting: int = 0, cut: str = CUT, embedding: EmbeddingConfig | None = SMALL) -> MappingFacts:
    return MappingFacts("v3", cut, embedding, waiting)


def kinds(verdict: Verdict) -> list[Kind]:
    return [finding.kind for finding in verdict.refusals]


def test_a_set_on_its_own_corpus_with_everything_decided_passes_without_a_word() -> None:
    verdict = judge(a_set(), an_index(), None, a_mapping(), a_mapping())
    assert verdict.passed
    assert (verdict.refusals, verdict.breaks, verdict.notes) == ((), (), ())
    assert verdict.text == "Passed: faq@2 belongs to this index."


def test_a_set_that_is_not_mapped_here_passes_and_is_told_how_to_map_it() -> None:
    verdict = judge(a_set(), an_index(), None, None, None)
    assert verdict.passed
    assert "evalspan migrate" in verdict.text
    assert judge(a_set(judgments=0), an_index(), None, None, None).notes == ()


def test_a_damaged_set_is_refused_with_what_to_do() -> None:
    verdict = judge(a_set(holds=False), an_index(), None, a_mapping(), a_mapping())
    assert kinds(verdict) == [Kind.SET_DAMAGED]
    assert "faq@2" in verdict.text
    assert "evalspan set import" in verdict.text
    assert not verdict.overridable


def test_another_corpus_is_refused_with_how_bad_it_is_and_what_to_type() -> None:
    facts = a_difference(added=214, removed=1, changed=2, same=35)
    verdict = judge(a_set(), an_index(THEIRS), facts, a_mapping(), a_mapping())
    assert kinds(verdict) == [Kind.CORPUS]
    text = verdict.text
    assert text.startswith("Refused: faq@2 ")
    assert "214 added, 1 removed, 2 changed, 1000 the same" in text
    assert "35 of 37 evidence documents" in text
    assert "new000" in text
    assert "old000" in text
    assert "edit001" in text
    assert "main@1" in text
    assert "--override REASON" in text


@pytest.mark.parametrize("count", [NAMED - 1, NAMED, NAMED + 1, NAMED + 1500])
def test_of_many_documents_some_are_named_the_rest_counted_and_a_program_gets_all(count: int) -> None:
    verdict = judge(a_set(), an_index(THEIRS), a_difference(added=count), None, None)
    line = next(line for line in verdict.text.split("\n") if "new000" in line)
    assert line.count("new") == min(count, NAMED)
    assert (f"and {count - NAMED:,} more (--json names them)" in line) == (count > NAMED)
    assert len(verdict.to_row()["documents"]["added"]) == count


def test_a_corpus_that_the_store_does_not_know_is_named_by_its_digest_with_what_to_add() -> None:
    verdict = judge(a_set(), an_index(THEIRS), None, None, None)
    assert kinds(verdict) == [Kind.CORPUS]
    for word in (OURS, THEIRS, "1,251 documents", "evalspan snapshot add", "--override REASON"):
        assert word in verdict.text
    assert verdict.to_row()["documents"] is None


@pytest.mark.parametrize(("count", "words"), [(1, "1 label of faq@2"), (1306, "1,306 labels of faq@2")])
def test_labels_that_name_other_chunks_are_refused_with_their_number_and_the_command(count: int, words: str) -> None:
    verdict = judge(a_set(chunk_labels=count, chunking_identity=OTHER_CUT), an_index(), None, None, None)
    assert kinds(verdict) == [Kind.CHUNK_LABELS]
    assert words in verdict.text
    assert "evalspan migrate faq --to CHUNKING" in verdict.text


def test_labels_that_name_this_indexs_chunks_pass() -> None:
    ours = a_set(judgments=0, chunk_labels=3, chunking_identity=CUT)
    assert judge(ours, an_index(), None, None, None).passed


def test_labels_left_over_beside_spans_wait_even_on_their_own_chunking() -> None:
    left = a_set(judgments=2, chunk_labels=3, chunking_identity=CUT)
    assert kinds(judge(left, an_index(), None, None, None)) == [Kind.WAITING]
    assert judge(left, an_index(), None, None, None, allow_waiting=True).passed


def test_the_same_cut_under_other_ids_is_another_chunking_for_labels() -> None:
    ours = a_set(judgments=0, chunk_labels=3, chunking_identity=CUT)
    renamed = an_index().model_copy(update={"chunks_identity": OTHER_CUT})
    assert kinds(judge(ours, renamed, None, None, None)) == [Kind.CHUNK_LABELS]


def test_labels_of_chunks_without_a_named_chunking_are_refused() -> None:
    assert kinds(judge(a_set(chunk_labels=3), an_index(), None, None, None)) == [Kind.CHUNK_LABELS]


@pytest.mark.parametrize(
    ("count", "words"), [(1, "1 question of faq@2 waits"), (1200, "1,200 questions of faq@2 wait ")]
)
def test_questions_that_wait_for_a_person_are_refused_with_their_number_and_the_option(count: int, words: str) -> None:
    verdict = judge(a_set(), an_index(), None, a_mapping(count), a_mapping(count))
    assert kinds(verdict) == [Kind.WAITING]
    assert words in verdict.text
    assert "--allow-waiting" in verdict.text


def test_waiting_questions_that_are_allowed_are_a_note_with_their_number() -> None:
    verdict = judge(a_set(), an_index(), None, a_mapping(3), a_mapping(3), allow_waiting=True)
    assert verdict.passed
    assert "Note: 3 questions of faq@2 wait" in verdict.text


def test_waiting_on_another_chunking_does_not_matter_here() -> None:
    assert judge(a_set(), an_index(), None, None, a_mapping(3, OTHER_CUT)).passed


def test_every_refusal_is_told_at_once() -> None:
    damaged = a_set(holds=False, chunk_labels=2)
    assert kinds(judge(damaged, an_index(THEIRS), None, None, None)) == [
        Kind.SET_DAMAGED,
        Kind.CORPUS,
        Kind.CHUNK_LABELS,
    ]
    verdict = judge(a_set(), an_index(THEIRS), None, a_mapping(1), None)
    assert kinds(verdict) == [Kind.CORPUS, Kind.WAITING]
    assert all(finding.text in verdict.text for finding in verdict.refusals)


def test_a_later_label_schema_cannot_be_judged() -> None:
    with pytest.raises(CannotTell, match="pip install -U evalspan"):
        judge(a_set(label_schema=LABEL_SCHEMA + 1), an_index(), None, None, None)


def test_where_evidence_alone_is_guarded_untouched_evidence_passes_with_a_break() -> None:
    verdict = judge(a_set(guard_scope="evidence"), an_index(THEIRS), a_difference(added=214), a_mapping(), a_mapping())
    assert verdict.passed
    assert "Break: " in verdict.text
    assert "guard_scope: evidence" in verdict.text


@pytest.mark.parametrize("corpus", [a_difference(changed=1, same=36), None], ids=["touched", "unknown"])
def test_where_evidence_alone_is_guarded_touched_or_unknown_evidence_is_refused(corpus: CorpusFacts | None) -> None:
    verdict = judge(a_set(guard_scope="evidence"), an_index(THEIRS), corpus, a_mapping(), a_mapping())
    assert kinds(verdict) == [Kind.CORPUS]


def test_untouched_evidence_does_not_pass_where_the_corpus_is_guarded() -> None:
    assert kinds(judge(a_set(), an_index(THEIRS), a_difference(added=1), None, None)) == [Kind.CORPUS]


def test_the_evidence_scope_lets_nothing_else_pass() -> None:
    verdict = judge(
        a_set(guard_scope="evidence", holds=False), an_index(THEIRS), a_difference(), a_mapping(2), a_mapping()
    )
    assert kinds(verdict) == [Kind.SET_DAMAGED, Kind.WAITING]


def test_another_chunking_than_last_time_is_a_break_and_no_refusal() -> None:
    verdict = judge(a_set(), an_index(), None, a_mapping(), a_mapping(cut=OTHER_CUT))
    assert verdict.passed
    assert "Break: the index is chunked otherwise than v3" in verdict.text


def test_another_embedding_than_last_time_is_a_break_that_names_both() -> None:
    verdict = judge(a_set(), an_index(embedding=EmbeddingConfig(model="large")), None, a_mapping(), a_mapping())
    assert verdict.passed
    assert [text for text in verdict.breaks if "large" in text and "small" in text] == list(verdict.breaks) != []
    assert judge(a_set(), an_index(embedding=None), None, a_mapping(), a_mapping()).breaks
    assert not judge(a_set(), an_index(), None, a_mapping(), a_mapping(embedding=None)).breaks


def test_a_break_names_what_differs_between_two_configurations_of_one_model() -> None:
    now = EmbeddingConfig(model="small", prefixes={"query": "query: "})
    verdict = judge(a_set(), an_index(embedding=now), None, a_mapping(), a_mapping())
    assert "prefixes" in verdict.text


REFUSED = {
    Kind.CORPUS: judge(a_set(), an_index(THEIRS), None, None, None),
    Kind.CHUNK_LABELS: judge(a_set(chunk_labels=2), an_index(), None, None, None),
    Kind.WAITING: judge(a_set(), an_index(), None, a_mapping(2), None),
    Kind.SET_DAMAGED: judge(a_set(holds=False), an_index(), None, None, None),
}


@pytest.mark.parametrize("kind", [Kind.CORPUS, Kind.CHUNK_LABELS, Kind.WAITING])
def test_a_reason_overrides_a_refusal_and_stays_beside_it(kind: Kind) -> None:
    refused = REFUSED[kind]
    assert not refused.passed
    assert refused.overridable
    verdict = refused.overridden(BY)
    assert verdict.passed
    first = verdict.text.split("\n")[0]
    assert first.startswith("Overridden by ada: faq@2 ")
    assert BY.why in first
    assert kinds(verdict) == [kind]
    assert refused.refusals[0].text in verdict.text
    assert verdict.to_row()["override"] == BY.model_dump()
    assert not refused.passed


def test_damage_among_other_refusals_cannot_be_overridden() -> None:
    assert not judge(a_set(holds=False), an_index(THEIRS), None, None, None).overridable


def test_no_override_makes_a_damaged_set_pass() -> None:
    assert not REFUSED[Kind.SET_DAMAGED].overridden(BY).passed


@law
@given(
    st.builds(
        a_set,
        holds=st.booleans(),
        judgments=st.integers(0, 2),
        chunk_labels=st.integers(0, 2),
        chunking_identity=st.sampled_from([None, CUT, OTHER_CUT]),
        guard_scope=st.sampled_from(["corpus", "evidence"]),
    ),
    st.builds(an_index, st.sampled_from([OURS, THEIRS]), st.sampled_from([None, SMALL])),
    st.sampled_from([None, a_difference(added=1), a_difference(changed=1, same=36)]),
    st.none() | st.builds(a_mapping, st.integers(0, 2)),
    st.none() | st.builds(a_mapping, st.integers(0, 2), st.sampled_from([CUT, OTHER_CUT])),
    st.booleans(),
)
def test_a_verdict_passes_exactly_where_nothing_is_refused_and_tells_a_program_the_same(
    facts: SetFacts,
    manifest: Manifest,
    corpus: CorpusFacts | None,
    here: MappingFacts | None,
    last: MappingFacts | None,
    allow: bool,
) -> None:
    verdict = judge(facts, manifest, corpus, here, last, allow)
    expected = []
    if not facts.digest_holds:
        expected.append(Kind.SET_DAMAGED)
    if manifest.corpus_digest != OURS:
        scoped = facts.terms.guard_scope == "evidence" and corpus is not None
        if not (scoped and corpus is not None and 0 < corpus.evidence_same == corpus.evidence):
            expected.append(Kind.CORPUS)
    if here is None and facts.chunk_labels and facts.terms.chunking_identity != CUT:
        expected.append(Kind.CHUNK_LABELS)
    elif here is None and facts.chunk_labels and facts.judgments and not allow:
        expected.append(Kind.WAITING)
    if here is not None and here.waiting and not allow:
        expected.append(Kind.WAITING)
    assert kinds(verdict) == expected
    assert verdict.passed == (not expected)
    row = verdict.to_row()
    assert (row["passed"], [refusal["kind"] for refusal in row["refusals"]]) == (verdict.passed, expected)
    assert (row["set_corpus_digest"], row["index_corpus_digest"]) == (OURS, manifest.corpus_digest)
    assert verdict.text.startswith("Passed: " if verdict.passed else "Refused: ")


def test_questions_that_lost_their_evidence_are_named_and_refuse_nothing() -> None:
    lost = tuple(f"q{number:02}" for number in range(NAMED + 2))
    verdict = judge(replace(a_set(), bereft=lost), an_index(), None, a_mapping(), a_mapping())
    assert verdict.passed
    (note,) = verdict.notes
    assert "12 questions of faq@2 have no relevant label any more" in note
    assert "q00, q01" in note
    assert "q11" not in note
    assert "--no-answer" in note
    (note,) = judge(replace(a_set(), bereft=("q1",)), an_index(), None, a_mapping(), a_mapping()).notes
    assert "1 question of faq@2 has no relevant label any more" in note
