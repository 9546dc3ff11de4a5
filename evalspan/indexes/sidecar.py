"""A manifest beside an index that is made of files: it says which files it is about, and by what content."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evalspan.corpus import Manifest, parse_manifest
from evalspan.digests import bytes_digest
from evalspan.errors import CannotTell
from evalspan.formats.files import write_text

SUFFIX = ".evalspan.json"
"""Of the sidecar: it stands beside the file, under the file's own name."""

SIDECAR_VERSION = 1

BLOCK = 1 << 20
"""Bytes hashed at a time: a vector index may be larger than memory."""

_VERSION, _MANIFEST, _FILES, _COUNT = "evalspan_sidecar", "manifest", "files", "count"


class Sidecar:
    """Beside the first of `files`, about all of them.

    JSON: `{"evalspan_sidecar": 1, "manifest": {…}, "files": {name: digest}, "count": n}`. Digests are `bytes_digest`
    of the files' contents; the count is how many vectors or chunks the index held. `where`: the index's address.
    """

    def __init__(self, files: Sequence[Path], where: str) -> None:
        self.path = files[0].with_name(files[0].name + SUFFIX)
        self._files = files
        self._again = f"Write it when the index is built: evalspan manifest write CHUNKING --index {where}"

    def read(self, count: int) -> Manifest:
        """`count`: of the index as it is.

        Raises CannotTell where there is none, or where the index is no longer the one that it was written for.
        """
        row = self._row()
        manifest = parse_manifest(json.dumps(row[_MANIFEST]), str(self.path))
        for file in self._files:
            if row[_FILES].get(file.name) != _digest(file):
                raise CannotTell(
                    f"{self.path} was written for another content of {file.name}: what the index holds since, nobody "
                    f"has said. {self._again}"
                )
        if row[_COUNT] != count:
            raise CannotTell(
                f"{self.path} was written for an index of {row[_COUNT]} chunks, and this one holds {count}. "
                f"{self._again}"
            )
        return manifest

    def write(self, manifest: Manifest, count: int) -> None:
        """Replaces it as a whole, or leaves what was."""
        row = {
            _VERSION: SIDECAR_VERSION,
            _MANIFEST: json.loads(manifest.to_json()),
            _FILES: {file.name: _digest(file) for file in self._files},
            _COUNT: count,
        }
        write_text(self.path, json.dumps(row, ensure_ascii=True, sort_keys=True, indent=1) + "\n")

    def _row(self) -> dict[str, Any]:
        row: Any
        try:
            row = json.loads(self.path.read_bytes())
        except FileNotFoundError:
            raise CannotTell(f"{self.path}: no such manifest beside the index. {self._again}") from None
        except (OSError, ValueError, RecursionError) as error:
            raise CannotTell(f"{self.path}: can't be read ({error}). {self._again}") from None
        version = row.get(_VERSION) if isinstance(row, dict) else None
        if type(version) is not int:
            raise CannotTell(f'{self.path}: not a sidecar of evalspan (no "{_VERSION}" in it). {self._again}')
        if version > SIDECAR_VERSION:
            raise CannotTell(
                f"{self.path}: sidecar version {version}, and this evalspan reads up to {SIDECAR_VERSION}. "
                "Upgrade: pip install -U evalspan"
            )
        if not isinstance(row.get(_FILES), dict) or _MANIFEST not in row or type(row.get(_COUNT)) is not int:
            raise CannotTell(f'{self.path}: "{_MANIFEST}", "{_FILES}" or "{_COUNT}" is missing. {self._again}')
        return dict(row)


def _digest(file: Path) -> str:
    return bytes_digest(_blocks(file))


def _blocks(file: Path) -> Iterator[bytes]:
    try:
        with file.open("rb") as opened:
            while block := opened.read(BLOCK):
                yield block
    except OSError as error:
        raise CannotTell(f"{file}: can't be read ({error.strerror})") from None
