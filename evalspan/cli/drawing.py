"""How an item of the review queue is shown: the passage in its context, its candidates, the ends of chunks."""

import sys
from collections.abc import Container, Iterable, Mapping, Sequence

import click

from evalspan.cli.page import line, on_terminal, table, tame
from evalspan.labels import Candidate, ChunkLabel, Judgment, render_grade
from evalspan.migrator.context import Change, Drawing, Gap, Mark, Piece, compare, covered, draw
from evalspan.migrator.review import STALE_ANSWER, ReviewItem
from evalspan.spans import Span
from evalspan.workflows.stale_evidence import Evidence

REASONS = {
    "cut": "no chunk holds enough of the passage; together they overlap it",
    "repeated": "the passage stands in several places, and nothing tells which",
    "weak_match": "the passage was found, but not surely",
    "changed": "digits, negation or names in the passage are others now",
    "scattered": "the old chunk was joined from several places of its document",
    "chunk_uncertain": "only chunks of uncertain place, or of other words, could hold it",
    "evidence_elsewhere": "a chunk holds most of the old chunk, but not the sentences that answer",
    "not_found": "the old chunk's text is not in its document",
    "blank": "the old chunk holds white space only",
    "uncovered": "no chunk overlaps the passage",
    "uncertain": "the passage may stand in several places of the new text, or was found but not surely",
    "missing": "the passage is not in the new text of its document",
    "deleted": "the document is no longer in the corpus",
    "renamed": "the document is gone, and another one says the same or nearly the same",
    "not_tied": "the label names a chunk that had no certain place",
    "narrowing": "the evidence is likely this part of the old chunk",
    "twin": "the passage stands here too",
    "unjudged": "runs return this passage, and nobody has judged it",
    STALE_ANSWER: "a source of the reference answers has changed within the evidence",
}
"""Why something is asked, in words."""

DRAWN = 9
"""Candidates that are drawn in the text; the others are listed. With more, marks hide the words."""

LISTED = 20
"""Candidates in the table; the others are counted."""

COMPARED = 3
"""Candidates that are held against the old passage word by word."""

BEGINNING = 60
"""Characters of a candidate in the table."""

SAME = 160
"""Of a longer stretch that is the same in both, only the ends are shown, of this length."""

COLOURS = ("green", "magenta", "blue", "yellow")
"""Of the candidates, in turn."""

Styled = list[tuple[str, str]]
"""Stretches of text, each with a style as "bold green", or ""."""

_PLAIN = {"⟦": "[[", "⟧": "]]", "│": "|", "▸": ">", "◂": "<", "…": "..."}
"""Where the output is not UTF-8."""

_BIDI = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Controls that turn the order of what follows them, our marks too. They are not seen themselves."""


def show_item(
    item: ReviewItem,
    text: str | None,
    chunks: Sequence[tuple[str, Span]] = (),
    old_text: str | None = None,
    *,
    answers: Sequence[str] = (),
    others: Mapping[str, str] | None = None,
) -> None:
    """Prints it. `text` is that of `drawn_document(item)` in the set's snapshot, None where that document is gone, and
    `chunks` are its chunks.

    `old_text`: of `item.doc_id` in the item's snapshot, where that is another one than the set's. `answers`: reference
    answers. `others`: doc_id → text of other documents in which candidates stand.
    """
    _show_head(item, answers, elsewhere=old_text is not None)
    if item.reason == STALE_ANSWER:
        return
    here = drawn_document(item)
    mine = [(number, one.span) for number, one in enumerate(item.candidates, 1) if one.doc_id == here][:DRAWN]
    drawn = {number for number, _ in mine} if text is not None else set()
    texts = {**(others or {}), **({} if text is None else {here: text})}
    spans = [Span(*one) for one in item.ranges]
    passage = spans if old_text is None else []
    _show_candidates(item, texts, passage, drawn)
    if old_text is not None and spans:
        show_drawing(f"As it was, snapshot {item.snapshot_digest[:12]}: {item.doc_id}", draw(old_text, spans))
        _show_differences(item, texts)
    elif not spans and item.passage:
        _title("The passage, whose place is not known:")
        _print([(_ends_of(item.passage), "bold")])
    if text is not None and (passage or drawn):
        title = "As it is now" if old_text is not None else "In its document"
        drawing = draw(text, passage, chunks, [span for _, span in mine])
        show_drawing(f"{title}: {here}", drawing, [number for number, _ in mine])


def drawn_document(item: ReviewItem) -> str:
    """The document that an item is drawn in: that of its likeliest candidate, else of its passage."""
    if item.ranges and any(one.doc_id == item.doc_id for one in item.candidates):
        return item.doc_id
    return item.candidates[0].doc_id if item.candidates else item.doc_id


def _show_head(item: ReviewItem, answers: Sequence[str], elsewhere: bool) -> None:
    line(f"{item.query_id}  {_one_line(item.question)}".rstrip(), "bold")
    rows = [("answer", answer) for answer in answers]
    rows += [
        ("item", f"{item.name} ({item.source}{f', chunking {item.chunking}' if item.chunking else ''})"),
        ("asked", f"{item.reason}: {REASONS.get(item.reason, 'see the documentation')}"),
    ]
    if item.subject is not None:
        corpus = f" of snapshot {item.snapshot_digest[:12]}" if elsewhere else ""
        rows.append(("label", _label(item.subject, corpus)))
    if item.fact:
        rows.append(("fact", item.fact))
    if item.note:
        rows.append(("note", item.note))
    for name, value in rows:
        line(f"  {name:<7} {_one_line(value)}")


def _label(label: Judgment | ChunkLabel, corpus: str) -> str:
    said = render_grade(label.grade)
    if isinstance(label, ChunkLabel):
        return f"{said}, chunk {label.chunk_id}"
    where = ", ".join(f"{start}–{end}" for start, end in label.spans)
    came = f", from chunk {label.chunk_id}" if label.chunk_id else ""
    return f"{said}, {label.doc_id} {where}{corpus}{came}"


def _show_candidates(
    item: ReviewItem, texts: Mapping[str, str], passage: Sequence[Span], drawn: Container[int]
) -> None:
    """`passage`: where it stands in the set's own snapshot, if it does; `drawn`: candidates that are seen below."""
    line()
    if not item.candidates:
        line("It has no candidate.", "yellow")
        return
    columns: dict[str, list[str]] = {"": [], "candidate": [], "of the passage": [], "why": [], "begins": []}
    for number, one in enumerate(item.candidates[:LISTED], 1):
        text = texts.get(one.doc_id)
        inside = text is not None and passage and one.doc_id == item.doc_id
        share = f"{covered(text, passage, one.span):.0%}" if text is not None and inside else ""
        cells = (str(number), f"{one.doc_id} {one.start}–{one.end}", share, one.why)
        begins = "" if text is None or number in drawn else _beginning(one, text)
        for column, cell in zip(columns.values(), (*cells, begins), strict=True):
            column.append(cell)
    said = {header: column for header, column in columns.items() if any(column)}
    right = [i for i, header in enumerate(said) if header in ("", "of the passage")]
    table(list(said), zip(*said.values(), strict=True), right=right)
    rest = len(item.candidates) - LISTED
    if rest > 0:
        line(f"… and {rest:,} more; `evalspan review SET export` lists them all")


def _beginning(candidate: Candidate, text: str) -> str:
    passage = _one_line(text[candidate.start : candidate.start + BEGINNING + 1][: candidate.end - candidate.start])
    return passage[:BEGINNING] + "…" if candidate.end - candidate.start > BEGINNING else passage


def _show_differences(item: ReviewItem, texts: Mapping[str, str]) -> None:
    """Of the old passage and the likeliest places that it may have now."""
    for number, one in enumerate(item.candidates[:COMPARED], 1):
        text = texts.get(one.doc_id)
        if text is None or not item.passage:
            continue
        now = one.span.of(text)
        if now == item.passage:
            _title(f"Candidate {number} says the same, to the letter.")
            continue
        _title(f"What differs in candidate {number} ([-only before-], {{+only now+}}):")
        differing(item.passage, now)


def show_evidence(evidence: Sequence[Evidence]) -> None:
    """Prints what a stale answer rests on, each passage as it was and as it is."""
    for one in evidence:
        if one.old and one.new:
            _title(f"{one.doc_id}, {_BECAME[one.what]} ([-as it was-], {{+as it is+}}):")
            differing(one.old, one.new)
        elif one.old or one.new:
            _title(f"{one.doc_id}, {_BECAME[one.what]}, as it {'was' if one.old else 'is'}:")
            _print([(_ends_of(one.old or one.new), "")])


_BECAME = {"waits": "evidence that waits for a place", "retired": "evidence that is retired", "stands": "evidence"}


def differing(old: str, new: str) -> None:
    """Prints both passages in one, with what differs marked."""
    _print(difference(compare(old, new)))


def show_drawing(title: str, drawing: Drawing, numbers: Sequence[int] = ()) -> None:
    """Prints a passage in its text. `numbers`: of the candidates that are drawn, as the table has them."""
    _title(f"{title} {drawing.start}–{drawing.end}")
    _print(rendered(drawing, numbers))
    if drawing.unseen:
        line(f"  … and {drawing.unseen:,} more of the passage's ranges")
    if drawing.unseen_candidates:
        named = ", ".join(str(numbers[number - 1]) for number in drawing.unseen_candidates)
        line(f"  not drawn: candidate {named}")
    line()
    _print([(_legend(drawing), "dim")])


def _legend(drawing: Drawing) -> str:
    kinds = {segment.of for segment in drawing.segments if isinstance(segment, Mark)}
    said = {
        "passage": "⟦passage⟧",
        "candidate": "│1▸ candidate 1 ◂1│",
        "chunk": "│id▸ a chunk begins, ◂id│ it ends",
    }
    return "   ".join(words for kind, words in said.items() if kind in kinds)


def rendered(drawing: Drawing, numbers: Sequence[int] = ()) -> Styled:
    """With its marks in it. `numbers`: how the candidates are called; else 1, 2, …"""

    def called(number: int) -> int:
        return numbers[number - 1] if numbers else number

    out: Styled = []
    last = 0
    for segment in drawing.segments:
        if isinstance(segment, Gap):
            ends = f", {segment.ends:,} ends of chunks" if segment.ends else ""
            out.append((f" […{segment.characters:,} characters{ends}…] ", "dim"))
        elif isinstance(segment, Piece):
            if out and out[last][0].endswith("\r") and segment.text.startswith("\n"):  # a mark inside a line end
                out[last] = (out[last][0][:-1], out[last][1])
            colour = COLOURS[(called(segment.candidates[0]) - 1) % len(COLOURS)] if segment.candidates else ""
            last = len(out)
            out.append((segment.text, f"{'bold ' if segment.passage else ''}{colour}".strip()))
        else:
            out.append(_mark(segment, called(segment.number) if segment.number else 0))
    return out


def _mark(mark: Mark, number: int) -> tuple[str, str]:
    if mark.of == "passage":
        return "⟦" if mark.begins else "⟧", "bold"
    name = str(number) if mark.of == "candidate" else _one_line(mark.chunk_id)
    style = f"bold {COLOURS[(number - 1) % len(COLOURS)]}" if mark.of == "candidate" else "dim cyan"
    return f"│{name}▸" if mark.begins else f"◂{name}│", style


def difference(changes: Iterable[Change]) -> Styled:
    """As wdiff has it: [-gone-], {+new+}. Long stretches that are the same are left out but for their ends."""
    out: Styled = []
    for kind, text in changes:
        if kind == "removed":
            out.append((f"[-{text}-]", "red"))
        elif kind == "added":
            out.append((f"{{+{text}+}}", "green"))
        else:
            out.append((_ends_of(text), ""))
    return out


def _ends_of(text: str) -> str:
    left = len(text) - 2 * SAME
    if left <= SAME:
        return text
    return f"{text[:SAME]} […{left:,} characters…] {text[-SAME:]}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _title(text: str) -> None:
    line()
    line(text, "bold")


def tamed(parts: Styled) -> Styled:
    """Without characters that steer the terminal, and with every line end as LF."""
    return [(tame(text.replace("\r\n", "\n").replace("\r", "\n")).translate(_BIDI), style) for text, style in parts]


def _print(parts: Styled) -> None:
    """Behind two blanks."""
    if on_terminal():
        from rich.console import Console
        from rich.padding import Padding
        from rich.text import Text

        drawn = Text()
        for text, style in tamed(parts):
            drawn.append(text, style or None)
        Console(highlight=False).print(Padding(drawn, (0, 0, 0, 2)))
        return
    plain = "".join(text for text, _ in tamed(parts))
    if (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
        for mark, ascii_mark in _PLAIN.items():
            plain = plain.replace(mark, ascii_mark)
    click.echo("\n".join(f"  {row}".rstrip() for row in plain.split("\n")))
