"""The pytest plugin: a marker, fixtures, and a guard for the whole session.

It is loaded in every run of pytest where evalspan is installed: so it takes nothing but pytest until a test asks.
"""

from typing import TYPE_CHECKING, NoReturn

import pytest

from evalspan.errors import EvalspanError
from evalspan.integrations.pytest_tally import ASKS, MARKER, REFUSED, Tally

if TYPE_CHECKING:
    from evalspan.integrations.case import Case
    from evalspan.labels import EvalSet
    from evalspan.mapping import Qrels

QUESTION = "evalspan_question"
"""The argument by which a test is run once for each question."""

FIXTURES = frozenset({"evalspan_case", "evalspan_set", "evalspan_qrels", "evalspan_session_case", QUESTION})
"""A test that takes one of these asks the set."""

OPTIONS = {
    "evalspan_set": "The set that every test of the session relies on: a name, NAME@VERSION, or a set file.",
    "evalspan_index": "The index: its manifest, or chroma:PATH#COLLECTION and the like.",
    "evalspan_store": "The store, where it is not the configured one.",
    "evalspan_chunking": "What the store calls the index's chunking, where that is to be checked.",
    "evalspan_documents": "Of a set file: the documents it is about.",
    "evalspan_chunks": "Of a set file: the chunks of the index.",
}
"""Paths are meant from the folder of the ini file."""

ALLOW_WAITING = "evalspan_allow_waiting"


def pytest_addoption(parser: pytest.Parser) -> None:
    for name, what in OPTIONS.items():
        parser.addini(name, what, type="string", default="")
    parser.addini(ALLOW_WAITING, "Leave out questions that wait for review.", type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{MARKER}(set, index, *, allow_waiting=False, chunking=None, documents=None, chunks=None, store=None): the "
        "test relies on this eval set and this index; it is an error where they do not belong together.",
    )
    if config.getini("evalspan_set") and not config.getini("evalspan_index"):
        raise pytest.UsageError("evalspan_set guards the session, and without evalspan_index there is nothing to guard")
    if not hasattr(config, "workerinput"):  # under xdist the reports of all workers come together at the controller
        config.pluginmanager.register(Tally(), "evalspan-tally")


def pytest_itemcollected(item: pytest.Item) -> None:
    if item.get_closest_marker(MARKER) is None:
        if FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
            return
        item.add_marker(MARKER)  # so that `-m "not evalspan"` means these too
    item.user_properties.append(ASKS)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if QUESTION not in metafunc.fixturenames:
        return
    from evalspan.integrations.pytest_cases import case_of

    try:
        questions = case_of(metafunc.definition).questions
    except EvalspanError as error:
        # An empty list of parameters would be a skip.
        raise pytest.Collector.CollectError(f"evalspan: {error}") from None
    metafunc.parametrize(QUESTION, questions, ids=[question.query_id for question in questions])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before a test is skipped. Not as a wrapper: those of pytest are torn down whatever happens, so come first."""
    guarded = bool(item.config.getini("evalspan_set"))
    if guarded or item.get_closest_marker(MARKER) is not None:
        _check(item, guarded)


def _check(item: pytest.Item, guarded: bool) -> None:
    from evalspan.integrations.pytest_cases import case_of, session_case

    try:
        if guarded:
            session_case(item.config)
    except EvalspanError as error:
        item.session.shouldfail = "evalspan: the set may not be run against the index"
        _refuse(item, error)
    try:
        if item.get_closest_marker(MARKER) is not None:
            _note(item, ("evalspan_set", case_of(item).label))
    except EvalspanError as error:
        _refuse(item, error)


def _refuse(item: pytest.Item, error: EvalspanError) -> NoReturn:
    _note(item, REFUSED)
    raise _failed(error) from None


def _failed(error: EvalspanError) -> BaseException:
    return pytest.fail.Exception(f"evalspan: {error}", pytrace=False)


def _note(item: pytest.Item, pair: tuple[str, str]) -> None:
    """Once, though the test may be run again."""
    if pair not in item.user_properties:
        item.user_properties.append(pair)


@pytest.fixture
def evalspan_case(request: pytest.FixtureRequest) -> "Case":
    """The set that the test's marker or the ini file names, held against the index."""
    from evalspan.integrations.pytest_cases import case_of

    try:
        case = case_of(request.node)
        _ = case.questions  # of none, nothing could be asked
    except EvalspanError as error:
        _refuse(request.node, error)
    return case


@pytest.fixture
def evalspan_set(evalspan_case: "Case") -> "EvalSet":
    """All of it, with questions that wait or are retired."""
    return evalspan_case.eval_set


@pytest.fixture
def evalspan_qrels(evalspan_case: "Case") -> "Qrels":
    """In the chunk ids of the index; `.as_dict()` is what measures take."""
    return evalspan_case.qrels


@pytest.fixture(scope="session")
def evalspan_session_case(request: pytest.FixtureRequest) -> "Case":
    """The same by the ini file alone, for fixtures that ask all questions once."""
    from evalspan.integrations.pytest_cases import session_case

    try:
        case = session_case(request.config)
        _ = case.questions
    except EvalspanError as error:
        raise _failed(error) from None
    return case
