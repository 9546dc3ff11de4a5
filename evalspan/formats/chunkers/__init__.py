"""Chunks as the libraries that cut or keep them give them: one module for each, and one registry."""

from evalspan.formats.chunkers.reading import read_chunks
from evalspan.formats.chunkers.registry import PRODUCERS, ParsedChunks, Told, parse_chunks

__all__ = ["PRODUCERS", "ParsedChunks", "Told", "parse_chunks", "read_chunks"]
