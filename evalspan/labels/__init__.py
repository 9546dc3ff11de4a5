"""What people said about text: questions, judgments, rubrics, decisions, and the eval sets that hold them."""

from evalspan.labels.decision import Action, DecidedSpan, Decision, DecisionKey
from evalspan.labels.evalset import (
    DEFAULT_MIN_OVERLAP,
    LABEL_SCHEMA,
    EvalSet,
    SetTerms,
    in_order,
    set_digest,
)
from evalspan.labels.grades import Grade, parse_grade, render_grade
from evalspan.labels.judgment import Candidate, ChunkLabel, Judgment, Part, PendingLabel, Range, RetiredLabel
from evalspan.labels.proposal import Proposal
from evalspan.labels.question import (
    AnswerSource,
    Fact,
    JudgedQuestion,
    LabelsAre,
    Question,
    QuestionBody,
    question_body,
)
from evalspan.labels.rubric import OF_ALL, Requirement, Rubric, rubric

__all__ = [
    "DEFAULT_MIN_OVERLAP",
    "LABEL_SCHEMA",
    "OF_ALL",
    "Action",
    "AnswerSource",
    "Candidate",
    "ChunkLabel",
    "DecidedSpan",
    "Decision",
    "DecisionKey",
    "EvalSet",
    "Fact",
    "Grade",
    "JudgedQuestion",
    "Judgment",
    "LabelsAre",
    "Part",
    "PendingLabel",
    "Proposal",
    "Question",
    "QuestionBody",
    "Range",
    "Requirement",
    "RetiredLabel",
    "Rubric",
    "SetTerms",
    "in_order",
    "parse_grade",
    "question_body",
    "render_grade",
    "rubric",
    "set_digest",
]
