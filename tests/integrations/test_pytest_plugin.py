"""The pytest plugin, in real runs of pytest: what passes, what is an error, and that nothing ends green by accident."""

import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

PLUGIN = "evalspan.integrations.pytest_plugin"

LOADED = ("-p", PLUGIN)
"""The entry points of all that is installed are not looked at, so that a run is what it says, and fast."""

FITS = '@pytest.mark.evalspan("faq", index="big.json")'
OTHER = '@pytest.mark.evalspan("faq", index="later.json")'
GUARDED = "[pytest]\nevalspan_set = faq\nevalspan_index = {}\n"

DECIDED = ["bikes", "fine", "loan"]


@pytest.fixture
def here(pytester: pytest.Pytester, library: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with the files of `library` in it."""
    for path in library.iterdir():
        shutil.copy(path, pytester.path)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.chdir(pytester.path)
    return pytester


def run(here: pytest.Pytester, code: str, *arguments: str) -> pytest.RunResult:
    here.makepyfile(test_eval="import pytest\n" + code)
    return here.runpytest_inprocess(*LOADED, *arguments)


def told(result: pytest.RunResult) -> str:
    return "\n".join(result.outlines + result.errlines)


# What passes


def test_fixtures_give_the_set_and_its_qrels_for_this_index(here: pytest.Pytester) -> None:
    ran = run(
        here,
        f"""
{FITS}
def test_it(evalspan_case, evalspan_set, evalspan_qrels):
    assert evalspan_case.eval_set is evalspan_set
    assert evalspan_case.qrels is evalspan_qrels
    assert [one.query_id for one in evalspan_case.questions] == {DECIDED}
    assert evalspan_qrels.as_dict()["fine"] == {{"big-2": 3}}
    assert evalspan_case.chunking.splitter == "unknown"
""",
    )
    ran.assert_outcomes(passed=1)
    assert ran.ret == 0


def test_a_question_argument_is_a_test_for_each_decided_question(here: pytest.Pytester) -> None:
    code = f"""
{FITS}
def test_it(evalspan_question):
    assert evalspan_question.text
"""
    ran = run(here, code, "-v")
    ran.assert_outcomes(passed=3)
    ran.stdout.fnmatch_lines([f"*test_it[[]{name}[]] PASSED*" for name in DECIDED])
    waiting = code.replace("big.json", "small.json").replace('json")', 'json", allow_waiting=True)')
    run(here, waiting).assert_outcomes(passed=2)


def test_a_report_says_which_version_of_the_set_was_asked(here: pytest.Pytester) -> None:
    run(here, f"{FITS}\ndef test_it(): pass\n", "--junitxml=report.xml")
    properties = ET.parse(here.path / "report.xml").iter("property")
    assert {"name": "evalspan_set", "value": "faq@1"} in [one.attrib for one in properties]


def test_a_fixture_may_take_the_question(here: pytest.Pytester) -> None:
    code = f"""
@pytest.fixture
def answer(evalspan_question):
    return evalspan_question.query_id

{FITS}
def test_it(answer):
    assert answer in {DECIDED}
"""
    run(here, code).assert_outcomes(passed=3)


def test_the_closest_marker_counts_and_leaves_the_rest_to_the_ini_file(here: pytest.Pytester) -> None:
    here.makeini("[pytest]\nevalspan_index = big.json\n")
    code = """
pytestmark = pytest.mark.evalspan("empty")

@pytest.mark.evalspan("faq")
class TestIt:
    def test_it(self, evalspan_case):
        assert evalspan_case.label == "faq@1"
"""
    run(here, code).assert_outcomes(passed=1)


def test_a_set_file_is_laid_over_the_chunks_that_are_named_and_needs_no_store(here: pytest.Pytester) -> None:
    (here.path / "evalspan.db").unlink()
    files = '"faq.jsonl", "big.json", documents="documents.jsonl", chunks="big-chunks.jsonl"'
    code = f"""
@pytest.mark.evalspan({files})
def test_it(evalspan_question):
    assert evalspan_question.query_id in {DECIDED}

@pytest.mark.evalspan("faq.jsonl", "big.json")
def test_guarded_only():
    pass
"""
    run(here, code).assert_outcomes(passed=4)
    here.makeini(
        "[pytest]\nevalspan_set = faq.jsonl\nevalspan_index = big.json\n"
        "evalspan_documents = documents.jsonl\nevalspan_chunks = big-chunks.jsonl\n"
    )
    ran = run(here, "def test_it(evalspan_qrels): assert evalspan_qrels.as_dict()['loan'] == {'big-2': 3}\n")
    ran.assert_outcomes(passed=1)


def test_paths_are_meant_from_the_ini_file(here: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    here.makeini(GUARDED.format("big.json") + "evalspan_store = evalspan.db\nevalspan_chunking = big\n")
    here.makepyfile(test_eval="def test_it(evalspan_qrels): assert evalspan_qrels.qrels\n")
    (here.path / "below").mkdir()
    monkeypatch.chdir(here.path / "below")
    here.runpytest_inprocess(*LOADED, "../test_eval.py").assert_outcomes(passed=1)


def test_a_session_fixture_may_ask_all_questions_once(here: pytest.Pytester) -> None:
    here.makeini(GUARDED.format("big.json"))
    code = f"""
@pytest.fixture(scope="session")
def run(evalspan_session_case):
    return [one.query_id for one in evalspan_session_case.questions]

def test_it(run, evalspan_case, evalspan_session_case):
    assert run == {DECIDED}
    assert evalspan_case is evalspan_session_case
"""
    run(here, code).assert_outcomes(passed=1)


# What is an error


def test_a_refusal_is_an_error_that_says_why_and_no_test_body_runs(here: pytest.Pytester) -> None:
    ran = run(
        here,
        f"""
{OTHER}
def test_marked():
    print("this body ran")

{OTHER}
def test_asking(evalspan_qrels):
    print("this body ran")

{OTHER}
@pytest.mark.skip(reason="not today")
def test_that_would_be_skipped():
    pass

def test_that_asks_nothing():
    pass
""",
    )
    ran.assert_outcomes(errors=3, passed=1)
    assert ran.ret == 1
    assert "this body ran" not in told(ran)
    assert "Traceback" not in told(ran)
    ran.stdout.fnmatch_lines(
        [
            "*ERROR at setup of test_marked*",
            "evalspan: Refused: faq@1 does not belong to this index.",
            "*changed*lending",
        ]
    )


def test_a_refused_session_stops_at_its_first_test(here: pytest.Pytester) -> None:
    here.makeini(GUARDED.format("later.json"))
    code = "@pytest.mark.parametrize('i', range(9))\ndef test_it(i): print('this body ran')\n"
    ran = run(here, code, "--junitxml=report.xml")
    ran.assert_outcomes(errors=1)
    assert ran.ret == 1
    assert "this body ran" not in told(ran)
    ran.stdout.fnmatch_lines(
        ["evalspan: Refused: faq@1*", "*stopping after*", "*evalspan: the set may not be run*"][:1]
    )
    suite = next(ET.parse(here.path / "report.xml").iter("testsuite"))
    assert (suite.get("errors"), suite.get("skipped")) == ("1", "0")
    assert "built from another corpus" in (here.path / "report.xml").read_text()


def test_questions_are_not_asked_of_a_refused_index_and_the_reason_is_told_whatever_was_selected(
    here: pytest.Pytester,
) -> None:
    code = f"{OTHER}\ndef test_it(evalspan_question): print('this body ran')\n\ndef test_other(): pass\n"
    for selection in ((), ("-k", "loan"), ("test_eval.py::test_it[loan]",), ("--collect-only",)):
        ran = run(here, code, *selection)
        assert ran.ret != 0, selection
        assert "this body ran" not in told(ran)
        ran.stdout.fnmatch_lines(["*evalspan: Refused: faq@1 does not belong to this index.*"])


@pytest.mark.parametrize("argument", ["", "evalspan_case", "evalspan_set", "evalspan_qrels", "evalspan_question"])
def test_a_set_without_questions_is_a_failure_and_no_skip(here: pytest.Pytester, argument: str) -> None:
    ran = run(here, f'@pytest.mark.evalspan("empty", index="big.json")\ndef test_it({argument}): pass\n')
    assert ran.ret in (1, 2)
    ran.assert_outcomes(errors=1)
    ran.stdout.fnmatch_lines(["*evalspan: empty@1 has no question to ask of this index*"])


@pytest.mark.parametrize(
    ("marker", "reason"),
    [
        ('"faq", "bag.json"', "*bag.json: no such manifest*"),
        ('"fqa", "big.json"', "*No eval set*fqa*faq*"),
        ('"fqa.jsonl", "big.json"', "*fqa.jsonl: no such file*"),
        ('"faq", "small.json"', "*1 question of faq@1 waits for review*"),
        ('"faq"', "*names no index, and the ini file has no evalspan_index*"),
        ("", "*names no set, and the ini file has no evalspan_set*"),
        ('"faq", "big.json", alow_waiting=True', "*alow_waiting*"),
        ('"faq", "big.json", "big"', "*can't be read*"),
        ('"faq", "chrome:there#docs"', "*no kind of index*"),
        ('"faq", "big.json", store="gone.db"', "*gone.db*"),
    ],
)
def test_whatever_is_wrong_is_an_error_that_names_it(here: pytest.Pytester, marker: str, reason: str) -> None:
    ran = run(here, f"@pytest.mark.evalspan({marker})\ndef test_it(): pass\n")
    ran.assert_outcomes(errors=1)
    assert ran.ret == 1
    assert "Traceback" not in told(ran)
    ran.stdout.fnmatch_lines([reason])


@pytest.mark.parametrize("more", ["", "evalspan_index =\n"])
def test_a_guard_without_an_index_is_a_usage_error(here: pytest.Pytester, more: str) -> None:
    here.makeini("[pytest]\nevalspan_set = faq\n" + more)
    ran = run(here, "def test_it(): pass\n")
    assert ran.ret == pytest.ExitCode.USAGE_ERROR
    assert "without evalspan_index there is nothing to guard" in told(ran)


# What must not end green

SKIPPED = f"""
{FITS}
@pytest.mark.skip(reason="no key")
def test_marked(): pass

{FITS}
def test_in_its_body(evalspan_question): pytest.skip("no key")

def test_other(): pass
"""


def test_a_session_in_which_no_asking_test_ran_fails(here: pytest.Pytester) -> None:
    ran = run(here, SKIPPED)
    ran.assert_outcomes(passed=1, skipped=4)
    assert ran.ret == 1
    ran.stdout.fnmatch_lines(["*All 4 tests that ask an eval set did not run: nothing was evaluated*"])
    one = SKIPPED.replace('pytest.skip("no key")', "pass")
    assert run(here, one).ret == 0
    expected = SKIPPED.replace('pytest.skip("no key")', 'pytest.xfail("known")')
    assert run(here, expected).ret == 0


def test_leaving_out_the_asking_tests_on_purpose_is_fine(here: pytest.Pytester) -> None:
    ran = run(here, SKIPPED, "-m", "not evalspan")
    ran.assert_outcomes(passed=1, deselected=4)
    assert ran.ret == 0
    here.makeini(GUARDED.format("big.json"))
    unmarked = "def test_it(evalspan_case): pass\n"
    assert run(here, unmarked, "-m", "not evalspan").ret == pytest.ExitCode.NO_TESTS_COLLECTED


REPORTER = """
import pytest

@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    session.exitstatus = 0

def pytest_configure(config):
    pass
"""
"""As found in the wild: a reporter that makes every end a good one."""


@pytest.mark.parametrize("code", [f"{OTHER}\ndef test_it(): pass\n", SKIPPED], ids=["refused", "skipped"])
def test_a_reporter_that_rewrites_exit_codes_does_not_hide_it(here: pytest.Pytester, code: str) -> None:
    here.makeconftest(REPORTER)
    assert run(here, code).ret == 1
    assert run(here, "def test_it(): assert False\n").ret == 0  # what is not ours stays theirs


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("-k", "gone"), pytest.ExitCode.NO_TESTS_COLLECTED),
        (("gone/",), pytest.ExitCode.USAGE_ERROR),
        (("test_eval.py::test_gone",), pytest.ExitCode.USAGE_ERROR),
        (("--evalspan-sett=faq",), pytest.ExitCode.USAGE_ERROR),
    ],
    ids=["nothing selected", "renamed folder", "node id", "misspelt option"],
)
def test_where_nothing_is_collected_pytests_own_code_stays(
    here: pytest.Pytester, arguments: tuple[str, ...], code: int
) -> None:
    here.makeini(GUARDED.format("big.json"))
    assert run(here, f"{FITS}\ndef test_it(): pass\n", *arguments).ret == code


def test_a_broken_conftest_is_no_pass(here: pytest.Pytester) -> None:
    here.makeconftest("raise RuntimeError('broken')")
    assert run(here, f"{FITS}\ndef test_it(): pass\n").ret == pytest.ExitCode.USAGE_ERROR


def test_rerunning_and_continuing_do_not_get_past_a_refusal(here: pytest.Pytester) -> None:
    code = f"{OTHER}\ndef test_it(evalspan_question): print('this body ran')\n\ndef test_other(): pass\n"
    ran = run(here, code, "--continue-on-collection-errors")
    assert ran.ret == 1
    assert "this body ran" not in told(ran)


# Under xdist


def distributed(here: pytest.Pytester, code: str, *arguments: str) -> pytest.RunResult:
    pytest.importorskip("xdist")
    here.makepyfile(test_eval="import pytest\n" + code)
    return here.runpytest_subprocess(*LOADED, "-p", "xdist.plugin", "-n", "2", *arguments)


def test_workers_ask_the_same_questions(here: pytest.Pytester) -> None:
    code = f"{FITS}\ndef test_it(evalspan_question, evalspan_qrels): pass\n"
    distributed(here, code).assert_outcomes(passed=3)


def test_workers_are_refused_too(here: pytest.Pytester) -> None:
    ran = distributed(here, f"{OTHER}\n@pytest.mark.parametrize('i', range(4))\ndef test_it(i): pass\n")
    ran.assert_outcomes(errors=4)
    assert ran.ret == 1
    ran.stdout.fnmatch_lines(["*evalspan: Refused: faq@1 does not belong to this index.*"])
    ran = distributed(here, f"{OTHER}\ndef test_it(evalspan_question): pass\n")
    assert ran.ret != 0
    ran.stdout.fnmatch_lines(["*evalspan: Refused: faq@1 does not belong to this index.*"])


def test_a_refused_session_of_workers_stops(here: pytest.Pytester) -> None:
    code = "@pytest.mark.parametrize('i', range(40))\ndef test_it(i): pass\n"
    arguments = ("-o", "evalspan_set=faq", "-o", "evalspan_index=later.json")
    ran = distributed(here, code, *arguments)
    found = ran.parseoutcomes()
    assert set(found) == {"errors"} or set(found) == {"error"}
    assert sum(found.values()) <= 2
    assert ran.ret not in (0, 5)


def test_workers_that_skip_everything_do_not_end_green(here: pytest.Pytester) -> None:
    ran = distributed(here, SKIPPED)
    ran.assert_outcomes(passed=1, skipped=4)
    assert ran.ret == 1
    ran.stdout.fnmatch_lines(["*All 4 tests that ask an eval set did not run*"])
    here.makeconftest(REPORTER)
    assert distributed(here, f"{OTHER}\ndef test_it(): pass\n").ret == 1


# Where nobody asks for it


def test_it_loads_nothing_where_no_test_asks(here: pytest.Pytester) -> None:
    here.makepyfile(
        test_plain="""
        import sys

        def test_it():
            assert not {"pydantic", "sqlalchemy", "xxhash", "rapidfuzz", "alembic", "click"} & set(sys.modules)
            mine = {name for name in sys.modules if name.split(".")[0] == "evalspan"}
            assert mine == {
                "evalspan", "evalspan.errors", "evalspan.integrations",
                "evalspan.integrations.pytest_plugin", "evalspan.integrations.pytest_tally",
            }
        """
    )
    ran = here.runpytest_subprocess(*LOADED)
    ran.assert_outcomes(passed=1)


def test_runs_of_other_people_stay_as_they_are(here: pytest.Pytester) -> None:
    here.makeini("[pytest]\naddopts = --strict-markers --strict-config --doctest-modules -W error\n")
    here.makefile(".txt", test_doc=">>> 1 + 1\n2\n")
    code = '''
def question():
    """
    >>> 2 + 2
    4
    """

@pytest.fixture
def case(): return 1

@pytest.mark.skip
def test_skipped(): pass

@pytest.mark.parametrize("question", ["a", "b"])
def test_it(question, case): pass
'''
    here.makepyfile(test_eval="import pytest\n" + code)
    with_it, without = here.runpytest_subprocess(*LOADED), here.runpytest_subprocess()
    assert with_it.parseoutcomes() == without.parseoutcomes() == {"passed": 4, "skipped": 1}
    assert with_it.ret == without.ret == 0
    assert here.runpytest_subprocess(*LOADED, "gone.py").ret == pytest.ExitCode.USAGE_ERROR
    here.makepyfile(test_eval="import pytest\n@pytest.mark.skip\ndef test_it(): pass\n")
    assert here.runpytest_subprocess(*LOADED).ret == 0


def test_it_says_what_it_offers(here: pytest.Pytester) -> None:
    here.runpytest_inprocess(*LOADED, "--markers").stdout.fnmatch_lines(["@pytest.mark.evalspan(set, index,*"])
    helps = told(here.runpytest_inprocess(*LOADED, "--help"))
    for option in ("set", "index", "store", "chunking", "documents", "chunks", "allow_waiting"):
        assert f"evalspan_{option} (" in helps
    here.runpytest_inprocess(*LOADED, "--fixtures").stdout.fnmatch_lines(["evalspan_case*"])
