"""`evalspan.require`: a call, a block, a decorator; a refusal stops what it guards before its first line."""

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from evalspan.errors import BadInput, CannotTell, Refused
from evalspan.guard import Verdict
from evalspan.workflows.require import Guard, require
from evalspan.workflows.verify import verify

FITS = ("faq", "big.json")
OTHER = ("faq", "later.json")


@pytest.mark.usefixtures("library")
def test_a_call_gives_the_verdict_or_raises_it() -> None:
    passed = require(*FITS)
    assert isinstance(passed, Verdict)
    assert (passed.passed, passed.text, passed.to_row()) == (True, verify(*FITS).text, verify(*FITS).to_row())
    with pytest.raises(Refused) as refused:
        require(*OTHER)
    assert refused.value.verdict == verify(*OTHER)


@pytest.mark.usefixtures("library")
def test_a_block_is_not_entered_where_it_is_refused() -> None:
    entered = []
    with require(*FITS) as verdict, Guard(*FITS) as same:
        entered.append(verdict.eval_set)
    assert verdict == same
    for refusing in (lambda: require(*OTHER), lambda: Guard(*OTHER)):
        with pytest.raises(Refused), refusing():
            entered.append("never")
    assert entered == ["faq@1"]


@pytest.mark.usefixtures("library")
def test_an_error_of_the_block_comes_out_of_it() -> None:
    for guard in (require(*FITS), Guard(*FITS)):
        with pytest.raises(ZeroDivisionError), guard:
            _ = 1 / 0


@pytest.mark.usefixtures("library")
def test_a_function_keeps_its_name_its_signature_and_its_kind() -> None:
    def plain(k: int, /, *, name: str = "run") -> str:
        """Says it."""
        return f"{name}@{k}"

    async def later(k: int) -> int:
        return k

    for guard in (require(*FITS), Guard(*FITS)):
        guarded = guard(plain)
        assert (guarded(5, name="x"), guarded.__name__, guarded.__doc__) == ("x@5", "plain", "Says it.")
        assert inspect.signature(guarded) == inspect.signature(plain)
        assert inspect.iscoroutinefunction(guard(later))
        assert asyncio.run(guard(later)(3)) == 3


@pytest.mark.usefixtures("library")
def test_what_is_decorated_checks_at_every_call_before_its_first_line() -> None:
    ran: list[str] = []

    def plain() -> None:
        ran.append("plain")

    async def later() -> None:
        ran.append("later")

    def some() -> Iterator[int]:
        ran.append("some")
        yield 1

    async def some_later() -> AsyncIterator[int]:
        ran.append("some later")
        yield 1

    index = Path("now.json")
    index.write_text(Path("big.json").read_text())
    guard = require("faq", index)
    first = guard(plain)
    first()
    index.write_text(Path("later.json").read_text())
    coroutine = guard(later)()  # a coroutine checks when it is awaited
    for call in (first, lambda: asyncio.run(coroutine), guard(some), guard(some_later)):
        with pytest.raises(Refused):
            call()
    assert ran == ["plain"]


@pytest.mark.usefixtures("library")
def test_require_checks_where_the_decorator_stands_and_guard_does_not() -> None:
    with pytest.raises(CannotTell, match="no such manifest"):

        @require("faq", "not built yet.json")
        def at_once() -> None: ...

    @Guard("faq", "not built yet.json")
    def first_at_the_call() -> str:
        return "ran"

    with pytest.raises(CannotTell, match="no such manifest"):
        first_at_the_call()
    Path("not built yet.json").write_text(Path("big.json").read_text())
    assert first_at_the_call() == "ran"


@pytest.mark.usefixtures("library")
def test_the_options_are_those_of_verify() -> None:
    with pytest.raises(Refused, match="waits for review"):
        require("faq", "small.json")
    for guard in (require("faq", "small.json", allow_waiting=True), Guard("faq", "small.json", allow_waiting=True)):
        assert guard(lambda: "ran")() == "ran"
    assert require(*OTHER, override="on purpose").override is not None
    with pytest.raises(BadInput, match="needs a reason"):
        require(*OTHER, override=" ")


@pytest.mark.usefixtures("library")
def test_a_set_file_needs_no_store() -> None:
    Path("evalspan.db").rename("away.db")
    with require("faq.jsonl", Path("big.json")) as verdict:
        assert json.loads(json.dumps(verdict.to_row()))["passed"]


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("what", [dict, "text", None], ids=str)
def test_what_is_no_function_is_not_decorated(what: Any) -> None:
    with pytest.raises(TypeError, match="guards functions"):
        Guard(*FITS)(what)
