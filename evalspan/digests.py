"""Digests of contents, and the byte forms they are taken over.

All are xxh3-128 as 32 hex digits. They guard against accidents, not against an attacker, who can make two texts with
one digest.
"""

import json
from collections.abc import Iterable

from xxhash import xxh3_128, xxh3_128_hexdigest


def text_digest(text: str) -> str:
    """Over the UTF-8 bytes of the text as it is: no newline translation, no normalisation.

    >>> text_digest("Returns are free.")
    'f5119bb23cb07322802d9c88f2e0daa6'
    """
    return xxh3_128_hexdigest(text.encode("utf-8"))


def bytes_digest(blocks: Iterable[bytes]) -> str:
    """Over bytes that come block by block."""
    digest = xxh3_128()
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()


_CANONICAL = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def canonical_json(value: object) -> str:
    """One spelling for one value: keys sorted, no spaces, non-ASCII as itself. Refuses NaN and infinities."""
    return _CANONICAL.encode(value)


def fingerprint(value: object) -> str:
    """Of a configuration: over the UTF-8 bytes of its canonical JSON."""
    return text_digest(canonical_json(value))


class ArrayDigest:
    """The digest of a canonical JSON array whose items come one at a time, so that no list is held."""

    def __init__(self) -> None:
        self._hash = xxh3_128(b"[")
        self._first = True

    def add(self, item: object) -> None:
        self.add_encoded(canonical_json(item).encode("utf-8"))

    def add_encoded(self, item: bytes) -> None:
        """An item that is canonical JSON already."""
        self._hash.update(item if self._first else b"," + item)
        self._first = False

    def hexdigest(self) -> str:
        final = self._hash.copy()
        final.update(b"]")
        return final.hexdigest()


def snapshot_digest(documents: Iterable[tuple[str, str]]) -> str:
    """Of a corpus: over the UTF-8 JSON array `[[doc_id, text_digest], …]` in code-point order of doc_id, no spaces.

    `documents` are pairs (doc_id, text digest) in any order.

    >>> snapshot_digest([("b", text_digest("two")), ("a", text_digest("one"))])
    '07d343efb82bdaebb657162364476c91'
    """
    digest = ArrayDigest()
    for doc_id, text in sorted(documents):
        digest.add([doc_id, text])
    return digest.hexdigest()
