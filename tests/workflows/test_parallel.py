"""One function over many items: the same results in the same order, in however many processes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalspan.errors import EvalspanError
from evalspan.workflows.parallel import WORTH_FORKING, in_order, usable_cores


def square(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def alone(call: str) -> None:
    """In a process of its own: one in which a library has started threads forks nothing."""
    script = f"{Path(__file__).read_text('utf-8')}\n\n{call}\n"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("count", [0, 1, WORTH_FORKING, WORTH_FORKING + 77])
def test_results_come_in_the_order_of_the_items(count: int) -> None:
    alone(f"in_the_order_of_the_items({count})")


def in_the_order_of_the_items(count: int) -> None:
    with in_order(square, range(count), cores=2) as results:
        done = list(results)
    assert [number for number, _ in done] == [n * n for n in range(count)]
    forked = {pid for _, pid in done} - {os.getpid()}
    assert bool(forked) == (count >= WORTH_FORKING)


def test_one_core_forks_nothing() -> None:
    with in_order(square, range(WORTH_FORKING), cores=1) as results:
        assert {pid for _, pid in results} == {os.getpid()}


def fail(number: int) -> int:
    if number == 200:
        raise ValueError("two hundred")
    return number


def test_an_error_in_a_worker_is_the_callers() -> None:
    alone("an_error_in_a_worker()")


def an_error_in_a_worker() -> None:
    with pytest.raises(ValueError, match="two hundred"), in_order(fail, range(WORTH_FORKING), cores=2) as results:
        exhaust(results)


def die(number: int) -> int:
    if number == 200:
        os._exit(3)
    return number


def test_a_worker_that_dies_is_one_clear_error() -> None:
    alone("a_worker_that_dies()")


def a_worker_that_dies() -> None:
    with (
        pytest.raises(EvalspanError, match="EVALSPAN_CORES=1"),
        in_order(die, range(WORTH_FORKING), cores=2) as results,
    ):
        exhaust(results)


def exhaust(results: Iterator[object]) -> None:
    for _ in results:
        pass


@pytest.mark.parametrize(("asked", "cores"), [("1", 1), ("0", 1), ("99999", None), ("", None), ("many", None)])
def test_the_number_of_cores_can_be_lowered(monkeypatch: pytest.MonkeyPatch, asked: str, cores: int | None) -> None:
    monkeypatch.delenv("EVALSPAN_CORES", raising=False)
    there = usable_cores()
    monkeypatch.setenv("EVALSPAN_CORES", asked)
    assert usable_cores() == (there if cores is None else cores)
