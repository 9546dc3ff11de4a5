"""The one form that every foreign format is read into and written from, and what a format can hold of it."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from pathlib import Path
from typing import Literal, NamedTuple

from evalspan.corpus import Document
from evalspan.digests import text_digest
from evalspan.errors import Problems
from evalspan.formats.foreign.look import Look
from evalspan.formats.spans import RELEVANT
from evalspan.labels import JudgedQuestion, LabelsAre
from evalspan.text.units import Unit

OneDim = Literal["and", "or"]


class Measure(Enum):
    """What a format's offsets count; its units are tried in turn, and the passage's words tell which is meant."""

    CODE_POINTS = (Unit.CODE_POINT,)
    UTF16_OR_CODE_POINTS = (Unit.UTF16, Unit.CODE_POINT)
    UTF16 = (Unit.UTF16,)
    CANONICAL = ()
    """Code points of the text in NFC with line ends as LF."""


class Piece(NamedTuple):
    """A range, its words, or both."""

    start: int | None
    end: int | None
    quote: str = ""


class ForeignSpan(NamedTuple):
    """A passage as a format has it: half-open, in the units of `measure`."""

    doc_id: str | None
    """None: the format does not say, and the words are looked for in every document."""
    start: int | None
    end: int | None
    quote: str = ""
    grade: int = RELEVANT
    fact: str = ""
    tabular: bool = False
    also: tuple[Piece, ...] = ()
    measure: Measure = Measure.CODE_POINTS
    version: str | None = None
    """The document's label of its version."""
    sha256: str = ""
    """Of the passage's UTF-8, where the format keeps that instead of its words."""
    prefix: str = ""
    suffix: str = ""
    """What stands around it."""


class ForeignQuestion(NamedTuple):
    """A question as a format has it."""

    line: int
    """1-based: its line, or its number among the file's questions."""
    question: JudgedQuestion
    """Without judgments; with its chunk labels."""
    spans: tuple[ForeignSpan, ...] = ()

    @property
    def labelled(self) -> bool:
        return bool(self.spans or self.question.chunk_labels)


class ForeignChunk(NamedTuple):
    """A chunk that a format carries with it."""

    chunk_id: str
    text: str
    doc_id: str | None = None
    start: int | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class ForeignSet:
    """What a foreign file holds."""

    questions: tuple[ForeignQuestion, ...]
    documents: tuple[Document, ...] = ()
    chunks: tuple[ForeignChunk, ...] = ()
    notes: tuple[str, ...] = ()
    """What stands in the file and could not be carried."""


class Holds(StrEnum):
    """What a format can say; the value is how it is named where a format can't."""

    IDS = "ids of questions"
    TEXT = "texts of questions"
    SPANS = "passages"
    LABELS = "labels of chunks"
    DOC_IDS = "which document a passage stands in"
    OFFSETS = "where in its document a passage stands"
    QUOTES = "words of passages"
    GRADES = "grades"
    HARMFUL = "labels of what must not be used"
    SEVERAL = "evidence in several documents"
    GROUPS = "facts"
    """AND over groups of alternatives, without their names."""
    FACTS = "names of facts"
    ANSWER = "reference answers"
    ANSWERS = "further reference answers"
    TAGS = "tags"
    FILTERS = "filters"
    MUST_NOT_USE = "documents that must not be used"
    ACCEPTABLE = "acceptable documents"
    NO_ANSWER = "that a question has no answer"
    LABELS_ARE = "whether labels are alternatives or all needed"
    TABULAR = "that a passage counts only where it is whole"
    ALSO = "passages in pieces"
    UNLABELLED = "questions without labels"
    VERSIONS = "versions of documents"


class ReadOptions(NamedTuple):
    """What a person must say where a file does not."""

    one_dim: OneDim | None = None
    """What a one-dimensional list of AutoRAG's `retrieval_gt` means."""
    delimiter: str | None = None
    """What stands between the items of a list in a CSV file of DeepEval."""


Read = Callable[[Sequence[Path], Problems, ReadOptions], ForeignSet]

Write = Callable[[ForeignSet], dict[str, str | bytes]]
"""File name → content; one file that has no name of its own is named ""."""


@dataclass(frozen=True, slots=True)
class Format:
    """A foreign format."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    guess: Callable[[Look], bool]
    read: Read
    write: Write
    holds: frozenset[Holds]
    labels_are: LabelsAre | None = None
    """What several labels of one question mean in it, where it says."""
    carries: tuple[Literal["documents", "chunks"], ...] = ()
    """What of a corpus stands in its files."""
    asks: Literal["", "one_dim", "delimiter"] = ""
    """The option of `ReadOptions` that says what its files may leave in doubt."""
    many: bool = False
    """Whether it is a folder, or several files."""
    part_of: str = ""
    """The format of several files of which it is one file."""
    wants_texts: bool = False
    """Whether it is written with the texts of the documents at hand."""
    read_only: frozenset[str] = frozenset()
    """Those of its suffixes that stand for something else than what is written."""

    @property
    def endings(self) -> tuple[str, ...]:
        """Suffixes that fit what is written."""
        return tuple(one for one in self.suffixes if one not in self.read_only)


def text_id(text: str, taken: Counter[str] | None = None) -> str:
    """An id for a question of a format that has none: the same text has the same one, whatever its place in the file.
    Further questions of one text are numbered.
    """
    name = f"q-{text_digest(text)[:12]}"
    if taken is None:
        return name
    taken[name] += 1
    return name if taken[name] == 1 else f"{name}-{taken[name]}"


def with_threshold(foreign: ForeignSet, threshold: int | None) -> ForeignSet:
    """Grades from 1 that lie below the threshold become 0: in TREC DL a passage of grade 1 is not relevant."""
    if threshold is None:
        return foreign

    def grade(value: int) -> int:
        return 0 if 0 < value < threshold else value

    questions = []
    for asked in foreign.questions:
        labels = tuple(label.model_copy(update={"grade": grade(label.grade)}) for label in asked.question.chunk_labels)
        question = asked.question.model_copy(update={"chunk_labels": labels})
        spans = tuple(span._replace(grade=grade(span.grade)) for span in asked.spans)
        questions.append(ForeignQuestion(asked.line, question, spans))
    return replace(foreign, questions=tuple(questions))
