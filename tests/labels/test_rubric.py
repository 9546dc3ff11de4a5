"""What a question's evidence must hold."""

from typing import Any

import pytest
from hypothesis import given
from label_strategies import judged_questions
from strategies import law

from evalspan.anchoring import make_anchor
from evalspan.errors import CannotTell
from evalspan.labels import OF_ALL, Fact, JudgedQuestion, Judgment, Question, rubric
from evalspan.spans import Span

TEXT = "one two three four five six"


def judgment(at: int, **said: Any) -> Judgment:
    span = Span(at, at + 3)
    return Judgment(**{"doc_id": "d", "grade": 1, **said}, start=at, end=at + 3, anchor=make_anchor(TEXT, span))


def question(*judgments: Judgment, **said: Any) -> JudgedQuestion:
    return JudgedQuestion(question=Question(query_id="q"), judgments=judgments, **said)


A, B, C = judgment(0), judgment(4), judgment(8)


def test_one_label_needs_nobody_to_say_what_labels_are() -> None:
    assert rubric(question(A)) == (("", (A,)),)


def test_several_labels_are_refused_until_somebody_says_what_they_are() -> None:
    with pytest.raises(CannotTell, match=r"question 'q' has 2 labels.*--labels-are any\|all"):
        rubric(question(A, B))
    assert rubric(question(A, B), "any") == (("", (A, B)),)
    assert rubric(question(A, B), "all") == (("", (A,)), ("", (B,)))


def test_the_word_of_the_question_goes_before_that_of_the_set() -> None:
    assert rubric(question(A, B, labels_are="all"), "any") == rubric(question(A, B), "all")
    assert rubric(question(A, B, labels_are="any")) == rubric(question(A, B), "any")


def test_alternatives_of_each_other_are_one_requirement() -> None:
    twins = judgment(0, alternative="x"), judgment(12, alternative="x")
    assert rubric(question(*twins)) == (("", twins),)
    assert rubric(question(*twins, B), "all") == (("", twins), ("", (B,)))
    with pytest.raises(CannotTell):
        rubric(question(*twins, B))


def test_what_stands_for_all_the_others_joins_each_requirement() -> None:
    whole = judgment(20, alternative=OF_ALL)
    assert rubric(question(A, whole, B), "all") == (("", (A, whole)), ("", (B, whole)))
    assert rubric(question(A, whole)) == (("", (A, whole)),)
    assert rubric(question(whole)) == (("", (whole,)),)


def test_facts_are_all_needed_each_by_any_label_that_names_it_from_its_grade() -> None:
    labels = judgment(0, fact="f"), judgment(4, fact="f", grade=2), judgment(8, fact="g"), judgment(12)
    facts = Fact(fact_id="f", min_grade=2), Fact(fact_id="g"), Fact(fact_id="h")
    found = rubric(question(*labels, facts=facts))
    assert found == (("f", (labels[1],)), ("g", (labels[2],)), ("h", ()))


@pytest.mark.parametrize("grade", [0, -1])
def test_what_is_not_relevant_is_no_evidence(grade: int) -> None:
    not_relevant = judgment(4, grade=grade, fact="f")
    assert rubric(question(not_relevant, facts=(Fact(fact_id="f", min_grade=-1),))) == (("f", ()),)
    assert rubric(question(A, judgment(4, grade=grade))) == (("", (A,)),)


def test_nothing_is_needed_where_there_is_no_answer() -> None:
    assert rubric(question(no_answer=True, facts=(Fact(fact_id="f"),))) == ()
    assert rubric(question()) == ()


@law
@given(judged_questions())
def test_every_relevant_label_is_in_the_rubric_of_a_question_without_facts(asked: JudgedQuestion) -> None:
    relevant = {judgment for judgment in asked.judgments if judgment.grade > 0}
    for said in ("any", "all"):
        named = {judgment for _, any_of in rubric(asked, said) for judgment in any_of}
        assert named == relevant if not asked.facts else named <= relevant
