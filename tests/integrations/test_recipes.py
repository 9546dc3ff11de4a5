"""The page on harnesses holds what is true: each example runs, with the real library, and is refused."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from evalspan.errors import Refused

from .pages import HARNESS, blocks, other_index

pytest_plugins = ["pytester"]

GIVEN = """
RELEVANT = {"How long may I keep a book?": ["big-2"], "What if I am late?": ["big-2"]}

def retrieve(text):
    return [*RELEVANT.get(text, []), "big-5"]

"""
"""What a page takes for the user's own."""


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("heading", ["`require`", "The questions and what is relevant"])
def test_what_needs_no_framework(heading: str) -> None:
    codes = [compile(code, "example", "exec") for code in blocks(HARNESS, heading)]
    for code in codes:
        exec(code, {})
    other_index()
    for code in codes:
        with pytest.raises(Refused):
            exec(code, {})


def test_pytest(pytester: pytest.Pytester, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (code,) = blocks(HARNESS, "pytest")
    (ini,) = blocks(HARNESS, "pytest", "ini")
    pytester.makepyfile(GIVEN + code)
    pytester.makeini(ini)
    for name in ("evalspan.db", "index.json", "later.json"):
        (pytester.path / name).write_bytes((project / name).read_bytes())
    monkeypatch.chdir(pytester.path)
    arguments = ("-p", "evalspan.integrations.pytest_plugin")
    pytester.runpytest_inprocess(*arguments).assert_outcomes(passed=4)
    other_index()
    assert pytester.runpytest_inprocess(*arguments).ret != 0


INSPECT = """
from inspect_ai.scorer import Score, mean, scorer
from inspect_ai.solver import solver

@solver
def retrieval():
    async def solve(state, generate):
        state.store.set("found", retrieve(state.input_text))
        return state
    return solve

@scorer(metrics=[mean()])
def recall():
    async def score(state, target):
        return Score(value=float(set(state.metadata["relevant"]) <= set(state.store.get("found"))))
    return score
"""
INSPECTED = """
from inspect_ai import eval as evaluate

(log,) = evaluate(support_faq(), model=None, log_dir="logs", display="none")
assert (log.status, log.eval.dataset.name, log.eval.dataset.samples) == ("success", "support-faq@1", 3)
assert log.results.scores[0].metrics["mean"].value == 1.0
assert log.eval.metadata["set"] == "support-faq@1"
"""

DEEPEVAL = """
import os
os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

class Held(BaseMetric):
    threshold, async_mode = 0.5, False
    def measure(self, test_case, *_, **__):
        self.score, self.success, self.reason = 1.0, True, ""
        open("measured", "a").write(test_case.input)
        return 1.0
    async def a_measure(self, test_case, *_, **__):
        return self.measure(test_case)
    def is_successful(self):
        return True

test_cases, metrics = [LLMTestCase(input="q", actual_output="a")], [Held()]
"""
DEEPEVALED = """
assert open("measured").read() == "q"
"""

RAGAS = """
import os
os.environ["RAGAS_DO_NOT_TRACK"] = "true"
from ragas.metrics import IDBasedContextRecall
"""
RAGASED = """
assert result["id_based_context_recall"] == [1.0, 1.0]
"""

LANGCHAIN = """
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

class Mine(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        return [Document(id=chunk_id, page_content="…") for chunk_id in retrieve(query)]

retriever = Mine()
"""
LANGCHAINED = """
assert hits == [True, True]
"""

LLAMAINDEX = """
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, TextNode

class Mine(BaseRetriever):
    def _retrieve(self, query_bundle):
        ids = retrieve(query_bundle.query_str)
        return [NodeWithScore(node=TextNode(id_=chunk_id, text="…"), score=1.0) for chunk_id in ids]

retriever = Mine()
"""
LLAMAINDEXED = """
assert [result.metric_vals_dict for result in results] == [{"hit_rate": 1.0, "mrr": 1.0}] * 2
"""


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("heading", "module", "before", "after"),
    [
        ("inspect_ai", "inspect_ai", INSPECT, INSPECTED),
        ("DeepEval", "deepeval", DEEPEVAL, DEEPEVALED),
        ("Ragas", "ragas", RAGAS, RAGASED),
        ("LangChain", "langchain_core", LANGCHAIN, LANGCHAINED),
        ("LlamaIndex", "llama_index", LLAMAINDEX, LLAMAINDEXED),
    ],
    ids=["inspect_ai", "deepeval", "ragas", "langchain", "llamaindex"],
)
def test_a_framework_runs_the_set_and_is_refused_before_it_measures(
    heading: str, module: str, before: str, after: str
) -> None:
    if find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    (code,) = blocks(HARNESS, heading)
    Path("example.py").write_text(GIVEN + before + code + after, "utf-8")
    good = example()
    assert good.returncode == 0, good.stderr
    Path("measured").unlink(missing_ok=True)
    other_index()
    refused = example()
    assert refused.returncode == 1
    assert "Refused: support-faq@1 does not belong to this index." in refused.stderr
    assert not Path("measured").exists()


def example() -> subprocess.CompletedProcess[str]:
    """In a process of its own: what a library sets, warns of, or takes for its modules stays there."""
    command = [sys.executable, "example.py"]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False)
