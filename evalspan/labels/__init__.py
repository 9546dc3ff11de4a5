"""What people said about text: questions, judgments, and the eval sets that hold them."""

from evalspan.labels.evalset import (
    DEFAULT_MIN_OVERLAP,
    LABEL_SCHEMA,
    EvalSet,
    SetTerms,
    in_order,
    set_digest,
)
from evalspan.labels.question import ChunkLabel, JudgedQuestion, Judgment, Question, QuestionBody, question_body

__all__ = [
    "DEFAULT_MIN_OVERLAP",
    "LABEL_SCHEMA",
    "ChunkLabel",
    "EvalSet",
    "JudgedQuestion",
    "Judgment",
    "Question",
    "QuestionBody",
    "SetTerms",
    "in_order",
    "question_body",
    "set_digest",
]
