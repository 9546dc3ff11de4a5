"""What every store must do, asked of an address."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from evalspan.corpus import Manifest
from evalspan.errors import CannotTell
from evalspan.indexes import open_index

from .samples import CHUNKS, a_manifest, content, of_the_future, tampered, too_long


def read(address: str) -> Manifest:
    with open_index(address) as index:
        return index.read_manifest()


def write(address: str, manifest: Manifest | None = None) -> Manifest:
    written = a_manifest() if manifest is None else manifest
    with open_index(address, write=True) as index:
        index.write_manifest(written)
    return written


def refusal(address: str, write: bool = False) -> str:
    """What is said where no manifest can be read, or nothing can be opened to be written."""
    with pytest.raises(CannotTell) as caught, open_index(address, write=write) as index:
        index.read_manifest()
    return str(caught.value)


def keeps_a_manifest(address: str) -> None:
    """Read in the same block, in another, and after another one took its place."""
    assert "holds no manifest. Write one: evalspan manifest write" in refusal(address)
    with open_index(address, write=True) as index:
        index.write_manifest(a_manifest())
        assert index.read_manifest().chunks == len(CHUNKS)
    other = write(address, a_manifest(chunks=7, size=1.0, large=2**60))
    assert read(address) == other
    unknown = Manifest.model_validate({**other.model_dump(), "comment": {"é": [1, None]}})
    write(address, unknown)
    assert read(address).model_dump()["comment"] == {"é": [1, None]}


def refuses_what_is_too_long_and_keeps_what_was(address: str) -> None:
    before = write(address)
    with (
        pytest.raises(CannotTell, match="an index may keep 2048"),
        open_index(address, write=True) as index,
    ):
        index.write_manifest(too_long())
    assert read(address) == before


def refuses_a_manifest_that_lies(address: str, put: Callable[[str], None]) -> None:
    """`put` lays a text where the manifest lives."""
    for text, said in (
        (tampered(a_manifest()), "changed by hand"),
        (of_the_future(a_manifest()), "manifest version 99"),
        ("{}", "not a manifest"),
        ("", "not JSON"),
    ):
        put(text)
        message = refusal(address)
        assert message.startswith(address)
        assert said in message


def gives_its_chunks_back(address: str) -> None:
    """Those of `CHUNKS`, all of document "a", starts counted from 0."""
    with open_index(address) as index:
        assert index.count() == len(CHUNKS)
        chunks = list(index.chunks())
        assert {one.chunk_id: one.text for one in chunks} == CHUNKS
        assert {one.doc_id for one in chunks} == {"a"}
        assert sorted(one.start or 0 for one in chunks) == list(range(len(CHUNKS)))
        for some in (list(CHUNKS)[:2], list(CHUNKS)[2:], list(CHUNKS)[-1:]):
            assert sorted(one.chunk_id for one in index.chunks([*some, "nowhere", "7"])) == sorted(some)
        assert list(index.chunks([])) == []


def reading_changes_nothing(address: str, folder: Path) -> None:
    """Neither a file's content, nor which files there are."""
    write(address)
    before = content(folder)
    with open_index(address) as index:
        index.read_manifest()
        index.count()
        assert list(index.chunks())
        assert list(index.chunks(list(CHUNKS)[:1]))
    assert content(folder) == before


def loaded_to_read(address: str, *names: str) -> set[str]:
    """Which of these modules a fresh process has loaded when it has read the manifest."""
    code = (
        "import sys\nfrom evalspan.workflows.manifests import manifest_of\n"
        f"manifest_of({address!r})\nprint(*({set(names)!r} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stderr == ""
    return set(ran.stdout.split())
