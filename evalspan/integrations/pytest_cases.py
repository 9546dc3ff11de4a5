"""Which set and index a test means, by its marker and the ini file; each pair is opened once a process."""

from os import PathLike, fspath
from pathlib import Path
from typing import NoReturn

import pytest

from evalspan.corpus import Manifest
from evalspan.errors import BadInput, EvalspanError, Problem
from evalspan.indexes import is_index, parse_address
from evalspan.integrations.case import Case, CaseSource, open_source
from evalspan.integrations.pytest_tally import MARKER

_CASES: pytest.StashKey[list[tuple[CaseSource, Case | EvalspanError]]] = pytest.StashKey()

File = str | PathLike[str] | None


def case_of(node: pytest.Item | pytest.Collector) -> Case:
    """By its closest marker; a set, index or store that it leaves open is the ini file's. Raises what
    `open_source` raises.
    """
    marker = node.get_closest_marker(MARKER)
    if marker is None:
        return session_case(node.config)
    try:
        source = _said(node.config, *marker.args, **marker.kwargs)
    except TypeError as error:
        _bad_marker(f"can't be read: {str(error).replace('_said() ', '')}")
    return _opened(node.config, source)


def session_case(config: pytest.Config) -> Case:
    """By the ini file."""
    return _opened(config, _said(config))


def _said(
    config: pytest.Config,
    eval_set: str | PathLike[str] | None = None,
    index: Manifest | str | PathLike[str] | None = None,
    *,
    allow_waiting: bool | None = None,
    chunking: str | None = None,
    documents: File = None,
    chunks: File = None,
    store: str | None = None,
) -> CaseSource:
    base = config.inipath.parent if config.inipath else config.invocation_params.dir
    if not eval_set and not index:
        # These belong to one set and one index: beside another they would be wrong.
        chunking = chunking or config.getini("evalspan_chunking") or None
        documents = documents or config.getini("evalspan_documents")
        chunks = chunks or config.getini("evalspan_chunks")
    eval_set = eval_set or config.getini("evalspan_set")
    index = index or config.getini("evalspan_index")
    store = store or config.getini("evalspan_store") or None
    if not eval_set or not index:
        missing = "index" if eval_set else "set"
        _bad_marker(f"names no {missing}, and the ini file has no evalspan_{missing}")
    if allow_waiting is None:
        allow_waiting = config.getini("evalspan_allow_waiting")
    return CaseSource(
        _set(eval_set, base),
        index if isinstance(index, Manifest) else _index(index, base),
        allow_waiting,
        chunking,
        _path(documents, base),
        _path(chunks, base),
        store if store is None or "://" in store else str(base / store),
    )


def _bad_marker(what: str) -> NoReturn:
    hint = "@pytest.mark.evalspan(SET, index=INDEX, *, allow_waiting, chunking, documents, chunks, store)"
    raise BadInput([Problem("@pytest.mark.evalspan", None, what)], hint=hint)


def _set(reference: str | PathLike[str], base: Path) -> str:
    """A path from where the ini file is, or the name that it is."""
    path = base / reference
    return str(path) if path.suffix == ".jsonl" or path.is_file() else fspath(reference)


def _index(reference: str | PathLike[str], base: Path) -> str:
    if not isinstance(reference, str) or not is_index(reference):
        return str(base / reference)
    address = parse_address(reference)
    if address.kind == "postgres" or address.is_url:
        return reference
    return f"{address.kind}:{base / address.path}" + (f"#{address.name}" if address.name else "")


def _path(reference: File, base: Path) -> str | None:
    return str(base / reference) if reference else None


def _opened(config: pytest.Config, source: CaseSource) -> Case:
    """Also an error is kept: a thousand tests that are refused ask once."""
    cases = config.stash.setdefault(_CASES, [])
    found = next((result for known, result in cases if known == source), None)
    if found is None:
        try:
            found = open_source(source)
        except EvalspanError as error:
            found = error
        cases.append((source, found))
    if isinstance(found, EvalspanError):
        raise found.with_traceback(None)  # else it grows with each test
    return found
