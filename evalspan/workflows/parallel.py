"""A pure function over many items, on every core, with the results in the order of the items."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Any, TypeVar

from evalspan.errors import EvalspanError

Item = TypeVar("Item")
Result = TypeVar("Result")

BATCH = 32
"""Items handed over at once: some 50 ms of work, so that handing over costs little and the bar moves smoothly."""

WORTH_FORKING = 400
"""Items from which starting processes (some 30 ms) pays."""

AHEAD = 4
"""Batches per process that may wait to be taken, which bounds the memory."""


@contextmanager
def in_order(
    function: Callable[[Item], Result], items: Sequence[Item], cores: int | None = None
) -> Iterator[Iterator[Result]]:
    """Gives the iterator of `function` of each item.

    Processes are forked, so that what the function knows is not copied: where a system can't fork, where threads run,
    or where it does not pay, this process does it all. They start on entry, before anything that forks badly (a
    database connection, a progress bar's thread) need be there.
    """
    cores = cores or usable_cores()
    forking = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    if cores < 2 or not forking or len(items) < WORTH_FORKING:
        yield map(function, items)
        return
    _shared["function"], _shared["items"] = function, items
    pool = ProcessPoolExecutor(cores, mp_context=multiprocessing.get_context("fork"), initializer=_begin)
    try:
        pool.submit(_batch, 0, 0).result()
        yield _results(pool, len(items), cores)
    except BrokenProcessPool:
        raise EvalspanError(
            "A worker process ended without an answer, most likely for lack of memory. "
            "Go on with one process: EVALSPAN_CORES=1"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        _shared.clear()


def usable_cores() -> int:
    """Those this process may run on, or fewer by EVALSPAN_CORES."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    asked = os.environ.get("EVALSPAN_CORES", "")
    return min(there, max(1, int(asked))) if asked.isdecimal() else there


_shared: dict[str, Any] = {}
"""What forked processes inherit; set only while a pool is at work."""


def _results(pool: ProcessPoolExecutor, count: int, cores: int) -> Iterator[Any]:
    running: deque[Future[list[Any]]] = deque()
    for start in range(0, count, BATCH):
        running.append(pool.submit(_batch, start, min(count, start + BATCH)))
        if len(running) > AHEAD * cores:
            yield from running.popleft().result()
    while running:
        yield from running.popleft().result()


def _batch(start: int, end: int) -> list[Any]:
    function = _shared["function"]
    return [function(item) for item in _shared["items"][start:end]]


def _begin() -> None:
    """In a worker: Ctrl-C is the parent's to handle, and a killed parent leaves no worker behind."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
