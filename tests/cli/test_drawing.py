"""How an item of the review queue is shown."""

import io
import os
import pty
import re
import sys
from contextlib import redirect_stdout, suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cuts_of, inked_texts, law, pieces_over, spans_of

from evalspan.anchoring import make_anchor
from evalspan.cli.drawing import (
    DRAWN,
    LISTED,
    REASONS,
    difference,
    differing,
    drawn_document,
    rendered,
    show_item,
    tamed,
)
from evalspan.labels import Candidate, ChunkLabel, Judgment
from evalspan.mapping import Reason
from evalspan.migrator.context import compare, draw
from evalspan.migrator.review import ReviewItem, Source
from evalspan.spans import Span

TEXT = "# Returns\n\nReturns are free. You have 30 days from delivery.\n\nTents cost 15%.\n"
PASSAGE = "You have 30 days from delivery."
START = TEXT.index(PASSAGE)
CHUNKS = [("c1", Span(0, START + 11)), ("c2", Span(START + 11, len(TEXT)))]
HALVES = (
    Candidate(doc_id="a.md", start=START, end=START + 11, why="chunk c1 holds 35%"),
    Candidate(doc_id="a.md", start=START + 11, end=START + len(PASSAGE), why="chunk c2 holds 65%"),
)


def item(**fields: Any) -> ReviewItem:
    values = {
        "source": Source.MIGRATION,
        "reason": "cut",
        "query_id": "q1",
        "question": "How long\ndo I have?",
        "grade": 2,
        "doc_id": "a.md",
        "passage": PASSAGE,
        "ranges": ((START, START + len(PASSAGE)),),
        "snapshot_digest": "ab" * 16,
        "candidates": HALVES,
        "chunking": "new",
    }
    return ReviewItem.model_validate({**values, **fields})


def shown(one: ReviewItem, text: str | None = TEXT, *rest: Any, encoding: str = "utf-8", **options: Any) -> str:
    """In a pipe."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="replace", write_through=True)
    with redirect_stdout(out):
        show_item(one, text, *rest, **options)
    return out.buffer.getvalue().decode(encoding)


def plain(parts: list[tuple[str, str]]) -> str:
    return "".join(text for text, _ in parts)


def test_all_that_a_decision_needs_is_there() -> None:
    label = Judgment(
        doc_id="a.md",
        start=START,
        end=START + len(PASSAGE),
        grade=2,
        anchor=make_anchor(TEXT, Span(START, START + len(PASSAGE))),
        origin="chunk",
        chunk_id="old-1",
    )
    out = shown(item(subject=label, fact="f1", note="look"), TEXT, CHUNKS, answers=["30 days."])
    for wanted in (
        "q1  How long do I have?",
        "answer  30 days.",
        f"item    {item(fact='f1').name} (migration, chunking new)",
        f"asked   cut: {REASONS['cut']}",
        f"label   supporting (2), a.md {START}–{START + len(PASSAGE)}, from chunk old-1",
        "fact    f1",
        "note    look",
        "1  a.md 29–40             35%  chunk c1 holds 35%",
        "2  a.md 40–60             65%  chunk c2 holds 65%",
        "  Returns are free. ⟦│1▸You have 30◂1│◂c1││c2▸│2▸ days from delivery.◂2│⟧",
        "⟦passage⟧   │1▸ candidate 1 ◂1│   │id▸ a chunk begins, ◂id│ it ends",
    ):
        assert wanted in out, out
    assert "\x1b" not in out


def test_a_label_that_names_a_chunk_says_so() -> None:
    assert "label   direct (3), chunk old-1" in shown(item(subject=ChunkLabel(chunk_id="old-1", grade=3)))


def test_what_differs_after_a_rebase_is_marked_between_both_passages() -> None:
    new = TEXT.replace("30 days", "14 working days")
    now = Candidate(doc_id="a.md", start=START, end=START + len(PASSAGE) + 8)
    out = shown(item(source=Source.REBASE, reason="changed", candidates=(now,)), new, [], TEXT)
    assert f"As it was, snapshot abababababab: a.md 0–{len(TEXT)}" in out
    assert f"⟦{PASSAGE}⟧" in out
    assert "You have [-30-]{+14 working+} days from delivery." in out
    assert "│1▸You have 14 working days from delivery.◂1│" in out


def test_two_passages_are_printed_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    differing("one two\nthree", "one 2\nthree")
    assert capsys.readouterr().out == "  one [-two-]{+2+}\n  three\n"


def test_a_passage_that_only_moved_differs_in_nothing() -> None:
    out = shown(
        item(candidates=(Candidate(doc_id="a.md", start=START + 2, end=START + 2 + len(PASSAGE)),)),
        "\n\n" + TEXT,
        [],
        TEXT,
    )
    assert "Candidate 1 says the same, to the letter." in out


def test_a_deleted_document_is_shown_as_it_was() -> None:
    out = shown(item(source=Source.REBASE, reason="deleted", candidates=()), None, [], TEXT)
    assert "It has no candidate." in out
    assert f"⟦{PASSAGE}⟧" in out
    assert "As it is now" not in out


def test_a_renamed_document_is_drawn_under_its_new_name() -> None:
    renamed = Candidate(doc_id="b.md", start=START, end=START + len(PASSAGE))
    one = item(source=Source.REBASE, reason="renamed", candidates=(renamed,))
    assert drawn_document(one) == "b.md"
    out = shown(one, TEXT, CHUNKS, TEXT)
    assert "As it is now: b.md 0–" in out


def test_a_candidate_of_another_document_is_listed_with_its_beginning() -> None:
    other = Candidate(doc_id="b.md", start=0, end=9)
    out = shown(item(candidates=(*HALVES, other)), TEXT, CHUNKS, others={"b.md": "Elsewhere it says"})
    assert re.search(r"3  b\.md 0–9 +Elsewhere", out)


def test_a_passage_without_a_place_is_written_out() -> None:
    out = shown(item(reason="not_found", ranges=(), candidates=()), TEXT)
    assert f"The passage, whose place is not known:\n  {PASSAGE}" in out


def test_a_label_that_never_had_a_place_is_shown_with_its_candidates_only() -> None:
    one = item(
        source=Source.REBASE, reason="not_tied", ranges=(), passage="", subject=ChunkLabel(chunk_id="x", grade=1)
    )
    out = shown(one, TEXT, CHUNKS, TEXT)
    assert "As it was" not in out
    assert "│1▸You have 30◂1│" in out


def test_stale_answers_have_no_passage_to_draw() -> None:
    out = shown(item(source=Source.ANSWER, reason="stale_answer", ranges=(), candidates=(), note="a.md: changed"), None)
    assert "note    a.md: changed" in out
    assert "candidate" not in out


def test_many_candidates_are_listed_and_fewer_drawn() -> None:
    many = tuple(Candidate(doc_id="a.md", start=at, end=at + 1) for at in range(LISTED + 5))
    out = shown(item(ranges=(), candidates=many), TEXT)
    assert "… and 5 more; `evalspan review SET export` lists them all" in out
    assert f"│{DRAWN}▸" in out
    assert f"│{DRAWN + 1}▸" not in out


def test_every_reason_of_a_mapping_that_asks_has_its_words() -> None:
    silent = {Reason.WHOLE, Reason.HELD, Reason.EVIDENCE_HELD, Reason.NEGATIVE}
    assert {reason.value for reason in Reason} - silent <= REASONS.keys()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_lines_whatever_ends_them(end: str) -> None:
    text = f"one{end}two{end}three"
    start = text.index("two")
    out = shown(item(ranges=((start, start + 3),), candidates=()), text)
    assert "  one\n  ⟦two⟧\n  three\n" in out


def test_a_chunk_that_ends_inside_a_line_end_makes_no_second_one() -> None:
    drawing = draw("one\r\ntwo", [Span(0, 8)], [("c", Span(0, 4))])
    assert plain(tamed(rendered(drawing))) == "│c▸⟦one◂c│\ntwo⟧"


def test_no_text_and_no_id_steers_the_terminal() -> None:
    text = "a \x1b]0;owned\x07 b \u202e c \x9b2J d"
    one = item(query_id="\x1b[2J", question="\x1b[2J", ranges=((0, 5),), candidates=(), note="\x07")
    out = shown(one, text, [("\x1b[2J\n", Span(0, 3))])
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", out)


def test_marks_are_ascii_where_the_output_is_not_utf_8() -> None:
    out = shown(item(), TEXT, CHUNKS, encoding="cp1252")
    assert "[[|1>You have 30<1|<c1||c2>|2> days from delivery.<2|]]" in out


@pytest.mark.parametrize("passage", ["返品は無料です。", "الإرجاع مجاني", "👩‍👩‍👧 👍🏽", "e\u0301te\u0301"])
def test_every_script_is_drawn_as_it_is(passage: str) -> None:
    text = f"x {passage} y"
    assert f"  x ⟦{passage}⟧ y\n" in shown(item(ranges=((2, 2 + len(passage)),), candidates=()), text)


def test_a_terminal_gets_colours_and_the_same_marks() -> None:
    pid, handle = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS="200")
        os.environ.pop("NO_COLOR", None)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - this process ends here
        show_item(item(), TEXT, CHUNKS)
        sys.stdout.flush()
        os._exit(0)
    drawn = b""
    with suppress(OSError):  # how Linux says that the other end is closed
        while block := os.read(handle, 65536):
            drawn += block
    os.close(handle)
    os.waitpid(pid, 0)
    text = drawn.decode("utf-8")
    assert "\x1b[" in text
    words = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)
    assert "⟦│1▸You have 30◂1│◂c1││c2▸│2▸ days from delivery.◂2│⟧" in words


@law
@given(st.data())
def test_marks_apart_what_is_drawn_is_the_text(data: st.DataObject) -> None:
    text = data.draw(inked_texts.filter(lambda text: not set("⟦⟧│▸◂…") & set(text)))
    passage = data.draw(st.lists(spans_of(text), min_size=1, max_size=2))
    chunks = [("c", span) for span in data.draw(cuts_of(text))]
    drawing = draw(text, passage, chunks, data.draw(pieces_over(text)))
    words = plain(rendered(drawing))
    bare = re.sub(r"⟦|⟧|│[c0-9]+▸|◂[c0-9]+│", "", words)
    assert bare.replace("\r", "") == text[drawing.start : drawing.end].replace("\r", "")


@law
@given(inked_texts, inked_texts)
def test_a_difference_shows_both_texts(old: str, new: str) -> None:
    parts = difference(compare(old, new))
    assert "".join(t[2:-2] if t.startswith("[-") else t for t, style in parts if style != "green") == old
    assert "".join(t[2:-2] if t.startswith("{+") else t for t, style in parts if style != "red") == new
