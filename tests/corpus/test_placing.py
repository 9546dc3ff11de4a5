"""The chunks of a document, whatever order the file has them in: an order is believed only where something vouches."""

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from shared_data import rows_of, shared_data
from strategies import cuts_of, inked, inked_texts, law, long_texts, places, raw_chunks

from evalspan.anchoring import Status
from evalspan.corpus import RawChunk, place_chunks
from evalspan.spans import Span

LINE = "The same line again.\n"
MIXED = [LINE if number % 2 else f"Line {number} stands alone.\n" for number in range(24)]
HEX = ["9f3c", "1ab7", "e07d", "44c1", "b2f0", "05ee", "c9a8", "7d61"]
"""Ids that say nothing of an order."""


def cut(lines: list[str]) -> list[Span]:
    ends = [sum(map(len, lines[: number + 1])) for number in range(len(lines))]
    return [Span(end - len(line), end) for line, end in zip(lines, ends, strict=True)]


@law
@given(st.data(), st.one_of(inked_texts, long_texts()))
def test_numbered_slices_in_any_order_are_placed_rightly_or_left_open(data: st.DataObject, text: str) -> None:
    spans = data.draw(cuts_of(text, overlapping=False))
    pairs = data.draw(st.permutations(list(zip(raw_chunks(text, spans), spans, strict=True))))
    certain = [span.start for _, span in pairs if len(places(span.of(text), text)) == 1]
    assume(certain != sorted(certain) or pairs == sorted(pairs, key=lambda pair: pair[1]))  # else see below
    for (_, span), match in zip(pairs, place_chunks([chunk for chunk, _ in pairs], text), strict=True):
        if inked(text, span):
            assert match.span == span if match.sure else span in match.rivals


@pytest.mark.parametrize("seed", range(3))
def test_numbers_in_ids_restore_the_order_of_a_shuffled_dump(seed: int) -> None:
    text = "".join(MIXED)
    pairs = list(zip(raw_chunks(text, cut(MIXED), "doc_7_chunk_"), cut(MIXED), strict=True))
    random.Random(seed).shuffle(pairs)
    matches = place_chunks([chunk for chunk, _ in pairs], text)
    assert [match.span for match in matches] == [span for _, span in pairs]
    assert all(match.sure for match in matches)


@pytest.mark.parametrize("seed", range(3))
def test_random_ids_in_a_shuffled_dump_leave_repeats_ambiguous(seed: int) -> None:
    chance = random.Random(seed)
    chunks = [RawChunk(f"{chance.getrandbits(64):016x}", line) for line in MIXED]
    chance.shuffle(chunks)
    for chunk, match in zip(chunks, place_chunks(chunks, "".join(MIXED)), strict=True):
        assert match.sure == (chunk.text != LINE)
        if chunk.text == LINE:
            assert (match.status, match.span) == (Status.AMBIGUOUS, None)
            assert list(match.rivals) == places(LINE, "".join(MIXED))


def test_the_order_of_a_dump_is_believed_where_enough_chunks_that_stand_once_confirm_it() -> None:
    chance = random.Random(1)
    chunks = [RawChunk(f"{chance.getrandbits(64):016x}", line) for line in MIXED]
    assert [match.span for match in place_chunks(chunks, "".join(MIXED))] == cut(MIXED)


def test_the_order_of_a_dump_is_not_believed_where_few_confirm_it() -> None:
    lines = ["First line.\n", LINE, "Third line.\n", LINE, "Fifth line.\n"]
    chunks = [RawChunk(name, line) for name, line in zip(HEX, lines, strict=False)]
    assert [match.sure for match in place_chunks(chunks, "".join(lines))] == [True, False, True, False, True]


def test_numbers_confirm_an_order_by_themselves() -> None:
    chunks = raw_chunks(LINE * 24, cut([LINE] * 24))
    assert [match.span for match in place_chunks(chunks, LINE * 24)] == cut([LINE] * 24)


def place_sorted_as_text(lines: list[str], without: str = "") -> dict[str, Span | None]:
    """Of a dump in the order c0 c1 c10 c11 c2 …, one chunk of which may be left out."""
    text = "".join(lines)
    dump = sorted(raw_chunks(text, cut(lines)), key=lambda chunk: chunk.chunk_id)
    chunks = [chunk for chunk in dump if chunk.chunk_id != without]
    return {c.chunk_id: m.span if m.sure else None for c, m in zip(chunks, place_chunks(chunks, text), strict=True)}


def test_numbers_in_ids_are_numbers() -> None:
    lines = [f"Line {number} stands alone.\n" if number % 2 else LINE for number in range(24)]
    assert [*map(place_sorted_as_text(lines).get, (f"c{number}" for number in range(24)))] == cut(lines)


def test_numbers_go_before_the_order_of_a_dump_that_was_sorted_as_text() -> None:
    lines = [f"Line {number} stands alone.\n" for number in range(6)] + [LINE] * 6
    assert [*map(place_sorted_as_text(lines).get, (f"c{number}" for number in range(12)))] == cut(lines)


def test_a_chunk_out_of_its_number_is_not_put_where_it_stands_in_the_file() -> None:
    text = "See one. See two. See three. See four. See five."
    spans = [Span(0, 3), *(Span(at, at + 10) for at in range(3, 43, 10)), Span(43, len(text))]
    chunks = raw_chunks(text, spans)
    assert chunks[0].text == "See"
    turned = [*chunks[1:5], chunks[0], chunks[5]]
    match = place_chunks(turned, text)[4]
    assert match.span in (None, spans[0])


def test_a_chunk_out_of_its_number_is_not_put_where_one_is_missing() -> None:
    lines = [LINE if number in (2, 10) else f"Line {number} stands alone.\n" for number in range(11)]
    found = place_sorted_as_text(lines, without="c2")
    assert found["c10"] in (None, cut(lines)[10])


@pytest.mark.parametrize("names", [["3fa9", "b71c"], ["a7e0", "b2f9", "c05d", "e61a", "f3b8"]])
def test_a_dump_sorted_by_random_ids_confirms_no_order(names: list[str]) -> None:
    chunks = [RawChunk(name, LINE) for name in names]
    assert not any(match.sure for match in place_chunks(chunks, LINE * len(names)))


@pytest.mark.parametrize("starts", [(0, 0), (7, 3)], ids=["the first place for each", "no place at all"])
def test_wrong_offsets_give_no_order(starts: tuple[int, int]) -> None:
    chunks = [RawChunk(name, LINE, start) for name, start in zip(HEX, starts, strict=False)]
    assert not any(match.sure for match in place_chunks(chunks, LINE * 2))


def test_true_offsets_place_a_shuffled_dump_with_random_ids() -> None:
    text = "".join(MIXED)
    chance = random.Random(3)
    pairs = [(RawChunk(f"{chance.getrandbits(64):x}", s.of(text), s.start), s) for s in cut(MIXED)]
    chance.shuffle(pairs)
    assert [match.span for match in place_chunks([chunk for chunk, _ in pairs], text)] == [span for _, span in pairs]


@law
@given(st.data(), long_texts())
def test_a_sure_place_never_depends_on_offsets_that_are_wrong(data: st.DataObject, text: str) -> None:
    spans = data.draw(cuts_of(text, overlapping=False))
    starts = data.draw(st.lists(st.integers(-1, len(text)), min_size=len(spans), max_size=len(spans)))
    chunks = [RawChunk(f"c{i}", s.of(text), start) for i, (s, start) in enumerate(zip(spans, starts, strict=True))]
    for span, match in zip(spans, place_chunks(chunks, text), strict=True):
        if inked(text, span) and match.sure:
            assert match.span == span


def test_no_chunks_have_no_places() -> None:
    assert place_chunks([], "text") == []


def test_the_chunks_of_a_real_index_are_placed_where_they_were_cut() -> None:
    folder = shared_data("cookbook_code")
    texts = {row["doc_id"]: row["text"] for row in rows_of(folder / "documents.jsonl")}
    truth = {row["chunk_id"]: (row["start"], row["end"]) for row in rows_of(folder / "chunk_offsets_truth.jsonl")}
    by_document: dict[str, list[RawChunk]] = {}
    for row in rows_of(folder / "chunks.jsonl"):
        by_document.setdefault(row["doc_id"], []).append(RawChunk(row["chunk_id"], row["text"]))
    found = {
        chunk.chunk_id: match
        for doc_id, chunks in by_document.items()
        for chunk, match in zip(chunks, place_chunks(chunks, texts[doc_id]), strict=True)
    }
    assert len(found) == len(truth) == 737
    assert all(match.sure and match.status is Status.EXACT for match in found.values())
    assert {chunk_id: tuple(match.span or ()) for chunk_id, match in found.items()} == truth
