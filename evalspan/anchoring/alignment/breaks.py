"""Where a text pauses: between paragraphs, lines, sentences, words."""

import re

PARAGRAPH, LINE, SENTENCE, WORD = 3, 2, 1, 0

PAUSES = ".!?:;…。！？：；।॥؟۔|"
CLOSING = "\"'”’»)]}*_`>」』）】"
_STEPS = re.compile(rf"\s*\n\s*|[.!?:;…|؟۔][{re.escape(CLOSING)}]*\s+|[。！？：；।॥][{re.escape(CLOSING)}]*\s*|\s+")


def pause_before(text: str, offset: int) -> int:
    """How strong the pause is between what stands before `offset` and what begins there."""
    before = text[max(0, offset - 40) : offset]
    inked = before.rstrip()
    if not inked:
        return PARAGRAPH if offset <= 40 or "\n" in before else WORD
    blank = before[len(inked) :]
    lines = blank.count("\n")
    if lines:
        return PARAGRAPH if lines > 1 else LINE
    return SENTENCE if inked.rstrip(CLOSING)[-1:] in PAUSES and inked.rstrip(CLOSING) else WORD


def pauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The places in a range behind a pause, each with its strength."""
    return [(m.end(), pause_before(text, m.end())) for m in _STEPS.finditer(text, start, end) if m.end() < end]
