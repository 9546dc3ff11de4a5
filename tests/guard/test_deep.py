"""What was read back of an index: each kind of lie is named with its first examples, and nothing else refuses."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import law

from evalspan.corpus import ChunkingConfig, Manifest, make_manifest
from evalspan.guard import Kind
from evalspan.guard.deep import SHOWN, DeepFacts, Examples, Likeness, compare, find_place, judge_deep, named, quoted
from evalspan.guard.lengths import Lengths
from evalspan.guard.verdict import NAMED
from evalspan.spans import Span

TEXT = "Returns are accepted within thirty days.\n\nShipping takes two working days, and Returns are free."


def a_manifest(chunks: int = 17) -> Manifest:
    cut = ChunkingConfig(splitter="by hand")
    return make_manifest(corpus_digest="0" * 32, documents=2, chunking=cut, chunks=chunks, chunks_digest="1" * 32)


def facts(
    held: int = 17, read: int = 17, exact: int = 17, whole: bool = True, chunking: str | None = "v2"
) -> DeepFacts:
    return DeepFacts(
        held=held, whole=whole, chunking=chunking, lengths=Lengths.of(ChunkingConfig()), read=read, exact=exact
    )


def some(count: int) -> Examples:
    examples = Examples()
    for number in range(count):
        examples.add(f"c{number}")
    return examples


def test_an_index_that_is_what_it_says_gives_no_finding() -> None:
    check = judge_deep(facts(), a_manifest())
    assert check.findings == ()
    assert check.notes == ("read back all 17 chunks: 17 as their documents have them, 0 reformatted, 0 otherwise.",)


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        ("unknown", Kind.INDEX_IDS),
        ("missing", Kind.INDEX_IDS),
        ("foreign", Kind.INDEX_DOCUMENTS),
        ("other", Kind.INDEX_TEXTS),
        ("repeated", Kind.INDEX_DUPLICATES),
        ("uncovered", Kind.UNCOVERED),
    ],
)
@pytest.mark.parametrize("count", [1, 2, NAMED + 3])
def test_each_fault_is_counted_and_its_first_examples_are_named(field: str, kind: Kind, count: int) -> None:
    read = facts()
    setattr(read, field, some(count))
    [finding] = judge_deep(read, a_manifest()).findings
    assert finding.kind is kind
    lines = finding.text.split("\n")
    assert lines[0].startswith(f"{count} ")
    assert lines[1] == "  c0"
    assert ("  and 3 more" in lines) == (count > NAMED)
    assert "--override REASON" in lines[-1]


@pytest.mark.parametrize(
    ("held", "said", "text"),
    [
        (34, 17, "34 chunks, and its manifest says 17: 2 times as many"),
        (51, 17, "3 times as many"),
        (18, 17, "18 chunks, and its manifest says 17."),
        (0, 17, "0 chunks, and its manifest says 17."),
        (17, 0, "17 chunks, and its manifest says 0."),
    ],
)
def test_a_count_that_differs_refuses(held: int, said: int, text: str) -> None:
    [finding] = judge_deep(facts(held=held), a_manifest(said)).findings
    assert finding.kind is Kind.INDEX_COUNT
    assert text in finding.text


def test_a_digest_refuses_only_where_it_could_be_taken() -> None:
    read = facts(chunking=None)
    for holds, found in ((None, []), (True, []), (False, [Kind.INDEX_DIGEST])):
        read.digest_holds = holds
        assert [one.kind for one in judge_deep(read, a_manifest()).findings] == found


def test_what_could_not_be_checked_is_said() -> None:
    read = facts(whole=False, chunking=None)
    read.textless, read.unplaced, read.texts, read.covers = some(17), 2, False, False
    notes = " ".join(judge_deep(read, a_manifest()).notes)
    for words in ("keeps no text", "name no document", "no text was checked", "ids were not checked", "--sample all"):
        assert words in notes
    read.whole, read.same_corpus = True, False
    notes = " ".join(judge_deep(read, a_manifest()).notes)
    for words in ("digest over the chunks was not taken", "about another corpus"):
        assert words in notes
    assert "--sample all" not in notes


def test_chunks_without_a_text_refuse_among_others_or_where_texts_have_a_place() -> None:
    read = facts()
    for count, wanted, found in ((0, True, 0), (1, False, 1), (17, False, 0), (17, True, 1)):
        read.textless, read.wants_texts = some(count), wanted
        findings = judge_deep(read, a_manifest()).findings
        assert [one.kind for one in findings] == [Kind.INDEX_TEXTS] * found


def test_documents_are_compared_where_the_index_calls_any_as_the_snapshot_does() -> None:
    read = facts()
    read.displaced, read.moved = some(2), 3
    check = judge_deep(read, a_manifest())
    assert check.findings == ()
    assert "names its documents otherwise" in check.notes[1]
    assert "3 chunks begin elsewhere" in check.notes[2]
    read.same_names = True
    assert [one.kind for one in judge_deep(read, a_manifest()).findings] == [Kind.INDEX_DOCUMENTS]


def test_strange_chunks_of_a_known_chunking_are_told_once() -> None:
    read = facts()
    read.other, read.others = some(2), (("v1", 2),)
    assert judge_deep(read, a_manifest()).findings[0].text.count("those of chunking v1") == 1
    read.unknown = some(17)
    findings = judge_deep(read, a_manifest()).findings
    assert sum("those of chunking v1" in one.text for one in findings) == 1
    assert "None of the ids read back is known" in findings[0].text


@law
@given(st.text(max_size=30), st.text(alphabet=" \n\t\u00a0", max_size=5))
def test_white_space_is_no_difference(text: str, blanks: str) -> None:
    assert compare(text, text) is Likeness.EXACT
    assert compare(text, blanks.join(["", *text, ""])) is not Likeness.OTHER


@law
@given(st.text(max_size=30), st.text(max_size=30))
def test_other_characters_are_a_difference(one: str, other: str) -> None:
    assume("".join(one.split()) != "".join(other.split()))
    assert compare(one, other) is Likeness.OTHER


@law
@given(st.data())
def test_a_slice_of_a_document_is_found_in_it(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(TEXT) - 1))
    end = data.draw(st.integers(start + 1, len(TEXT)))
    place = find_place(TEXT[start:end], TEXT, data.draw(st.sampled_from([None, start])))
    assert place.likeness is Likeness.EXACT
    assert not TEXT[start:end].strip() or Span(start, end) in place.spans


def test_what_stands_twice_has_both_places_unless_an_offset_tells() -> None:
    second = TEXT.rindex("Returns are")
    assert find_place("Returns are", TEXT, None) == (Likeness.EXACT, (Span(0, 11), Span(second, second + 11)), False)
    assert find_place("Returns are", TEXT, second) == (Likeness.EXACT, (Span(second, second + 11),), True)
    assert not find_place("Returns are", TEXT, 5).sure


@pytest.mark.parametrize("text", ["Refunds take a week and a day in all.", "\ud800", TEXT + TEXT])
def test_what_a_document_does_not_hold_is_other(text: str) -> None:
    assert find_place(text, TEXT, 0) == (Likeness.OTHER, (), False)


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_blank_chunk_says_nothing_wrong(text: str) -> None:
    assert find_place(text, TEXT, None) == (Likeness.EXACT, (), False)


def test_names_are_shown_on_one_short_line() -> None:
    assert named("a b") == "a b"
    assert "\n" not in named("a\nb")
    assert len(named("x" * 10_000)) <= SHOWN + 3
    assert quoted("a\n\n b") == "'a b'"
