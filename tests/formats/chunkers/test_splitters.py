"""The real splitters on texts that are made to mislead: no chunk is at a wrong place and sure.

The truth comes from a twin of the text, cut at the same points, in which every line is another one.
"""

import json
import os
import string
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from evalspan.corpus.reported import ChunkFacts, Offset, Wording, check_reported
from evalspan.formats.chunkers import parse_chunks

pytestmark = pytest.mark.filterwarnings("ignore")  # the libraries' own: deprecations, and what they want to download

SAME = "Item a ok.\n" * 24
TWIN = "".join(f"Item {letter} ok.\n" for letter in string.ascii_lowercase[:24])
CJK = (
    "東京の天気は晴れです。大阪は雨が降ります。返品は三十日以内に可能です。送料は無料です。\n"
    "靴の返品は十四日以内です。帽子は交換できません。お問い合わせは電話でどうぞ。\n👩‍👩‍👧 家族割引は五％です。\n"
)
FEE = "The fee is 10\u00a0000\u00a0€."
MIXED = (
    f"# Returns\n\nShoes go back within 30 days. Hats go back within 14 days.\r\n\r\n## Fees\n\n{FEE} {FEE} "
    "No fee for 👩‍👩‍👧 sizes.\n\n| Item | Days |\n|---|---|\n| Shoes | 30 |\n| Hats | 14 |\n| Shoes | 30 |\n\n"
    f"## Fees\n\n{FEE} Ask us.\n"
)


class Splitter(NamedTuple):
    """One configuration."""

    library: str
    name: str
    cut: Callable[[str], Any]


def langchain(name: str, **settings: Any) -> Callable[[str], Any]:
    def cut(text: str) -> Any:
        import langchain_text_splitters as library

        made = getattr(library, name)
        if "encoding_name" in settings and name.startswith("Recursive"):
            made = made.from_tiktoken_encoder
        return made(add_start_index=True, **settings).create_documents([text])

    return cut


def langchain_headers(text: str) -> Any:
    from langchain_text_splitters import MarkdownHeaderTextSplitter

    return MarkdownHeaderTextSplitter([("#", "h1"), ("##", "h2")]).split_text(text)


Parsers = tuple[tuple[str, dict[str, Any]], ...]


def llamaindex(*parsers: tuple[str, dict[str, Any]]) -> Callable[[str], Any]:
    LLAMAINDEX.append(parsers)
    number = len(LLAMAINDEX) - 1
    return lambda text: _llamaindex_nodes()[number, text]


LLAMAINDEX: list[Parsers] = []


@cache
def _llamaindex_nodes() -> dict[tuple[int, str], Any]:
    """All its cuts at once: a process for each would take seconds each."""
    keys = [(number, text) for number in range(len(LLAMAINDEX)) for text in (SAME, TWIN, CJK, MIXED)]
    asked = json.dumps([[LLAMAINDEX[number], text] for number, text in keys])
    script = Path(__file__).with_name("llamaindex_cuts.py")
    ran = subprocess.run(
        [sys.executable, str(script)], input=asked, capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return dict(zip(keys, json.loads(ran.stdout), strict=True))


def haystack(name: str, **settings: Any) -> Callable[[str], Any]:
    def cut(text: str) -> Any:
        preprocessors = pytest.importorskip("haystack.components.preprocessors")
        splitter = getattr(preprocessors, name)(**settings)
        if hasattr(splitter, "warm_up"):
            splitter.warm_up()
        return splitter.run([pytest.importorskip("haystack").Document(content=text, id="d")])["documents"]

    return cut


def chonkie(name: str, tokenizer: str, overlap: bool = False, **settings: Any) -> Callable[[str], Any]:
    def cut(text: str) -> Any:
        library = pytest.importorskip("chonkie")
        tiktoken = pytest.importorskip("tiktoken")
        counted: Any = tiktoken.get_encoding(tokenizer) if tokenizer.startswith("cl100k") else tokenizer
        chunks = getattr(library, name)(counted, **settings)(text)
        if overlap:
            return library.OverlapRefinery("character", context_size=8, merge=True, method="prefix")(chunks)
        return chunks

    return cut


def semchunk(text: str) -> Any:
    return pytest.importorskip("semchunk").chunkerify(len, 30)(text, offsets=True, overlap=5)


def semantic_text_splitter(text: str) -> Any:
    return pytest.importorskip("semantic_text_splitter").TextSplitter(30).chunk_indices(text)


def splitters() -> Iterator[Splitter]:
    tokens = {"encoding_name": "cl100k_base"}
    recursive, token = "RecursiveCharacterTextSplitter", "TokenTextSplitter"
    for size, overlap in ((30, 0), (30, 12), (40, 20), (100, 90), (12, 11), (20, 19)):
        settings = {"chunk_size": size, "chunk_overlap": overlap}
        yield Splitter("langchain_text_splitters", f"recursive {size}/{overlap}", langchain(recursive, **settings))
    for size, overlap in ((12, 0), (12, 5)):
        settings = {"chunk_size": size, "chunk_overlap": overlap}
        for name in (recursive, token):
            cut = langchain(name, **tokens, **settings)
            yield Splitter("langchain_text_splitters", f"{name} by tokens {size}/{overlap}", cut)
        for name in ("SentenceSplitter", token):
            yield Splitter("llama_index.core", f"{name} {size}/{overlap}", llamaindex((name, settings)))
        cut = chonkie("TokenChunker", "cl100k_base", False, **settings)
        yield Splitter("chonkie", f"tokens {size}/{overlap}", cut)
    yield Splitter("langchain_text_splitters", "headers", langchain_headers)
    yield Splitter("llama_index.core", "window", llamaindex(("SentenceWindowNodeParser", {"window_size": 1})))
    hierarchy = {"chunk_sizes": [60, 12], "chunk_overlap": 0}
    yield Splitter("llama_index.core", "hierarchy", llamaindex(("HierarchicalNodeParser", hierarchy)))
    chain = [("SentenceSplitter", {"chunk_size": size, "chunk_overlap": 0}) for size in (40, 12)]
    yield Splitter("llama_index.core", "chain", llamaindex(*chain))
    words: dict[str, Any] = {"split_by": "word", "split_length": 4, "split_overlap": 1}
    yield Splitter("haystack", "words", haystack("DocumentSplitter", **words))
    blocks: dict[str, Any] = {"block_sizes": {12, 6}, "split_overlap": 0, "split_by": "word"}
    yield Splitter("haystack", "hierarchy", haystack("HierarchicalDocumentSplitter", **blocks))
    for unit, size in (("char", 30), ("token", 8)):
        given: dict[str, Any] = {"split_length": size, "split_overlap": 0, "split_unit": unit}
        cut = haystack("RecursiveDocumentSplitter", separators=["\n\n", "\n", " "], **given)
        yield Splitter("haystack", f"recursive by {unit}", cut)
    for keep in (True, False):
        given = {"secondary_split": "word", "split_length": 6, "split_overlap": 0, "keep_headers": keep}
        yield Splitter("haystack", f"headers {keep}", haystack("MarkdownHeaderSplitter", **given))
    sentences: dict[str, Any] = {"chunk_size": 40, "chunk_overlap": 0, "min_sentences_per_chunk": 1}
    for grown in (False, True):
        cut = chonkie("SentenceChunker", "character", grown, **sentences)
        yield Splitter("chonkie", "sentences grown" if grown else "sentences", cut)
    yield Splitter("chonkie", "recursive by tokens", chonkie("RecursiveChunker", "cl100k_base", chunk_size=12))
    yield Splitter("chonkie", "table", chonkie("TableChunker", "row", chunk_size=1))
    yield Splitter("semchunk", "semchunk", semchunk)
    yield Splitter("semantic_text_splitter", "characters", semantic_text_splitter)


SPLITTERS = list(splitters())


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """llama-index-core ships the encodings and sentence models that others download."""
    found = _llamaindex()
    if found is not None:
        static = found.parent / "_static"
        monkeypatch.setitem(os.environ, "TIKTOKEN_CACHE_DIR", str(static / "tiktoken_cache"))
        monkeypatch.setitem(os.environ, "NLTK_DATA", str(static / "nltk_cache"))


def _llamaindex() -> Path | None:
    found = find_spec("llama_index.core") if find_spec("llama_index") else None
    return Path(found.origin) if found is not None and found.origin else None


def require(splitter: Splitter) -> None:
    """Skips where its library is not installed, or the encoding it needs, which LlamaIndex has and others download."""
    if splitter.library != "llama_index.core":
        pytest.importorskip(splitter.library)
    if (splitter.library == "llama_index.core" or "token" in splitter.name.lower()) and _llamaindex() is None:
        pytest.skip("LlamaIndex is not installed")


def facts_of(splitter: Splitter, text: str, ordered: bool) -> list[ChunkFacts]:
    require(splitter)
    objects = splitter.cut(text)
    if not objects:
        pytest.skip("it gives no chunk of this text")
    return check_reported(parse_chunks(objects, document="d").chunks, text, ordered=ordered)


every_splitter = pytest.mark.parametrize("splitter", SPLITTERS, ids=lambda one: f"{one.library} {one.name}")
in_order = pytest.mark.parametrize("ordered", [True, False], ids=["in order", "in any order"])


@every_splitter
@in_order
def test_no_chunk_of_equal_lines_is_at_a_wrong_place_and_sure(splitter: Splitter, ordered: bool) -> None:
    facts = facts_of(splitter, SAME, ordered)
    truth = parse_chunks(splitter.cut(TWIN), document="d").chunks
    assert len(truth) == len(facts)
    for one, true in zip(facts, truth, strict=True):
        if one.match.sure and TWIN.count(true.text) == 1:
            assert one.match.span is not None
            assert one.match.span.start == TWIN.index(true.text)


@every_splitter
@in_order
@pytest.mark.parametrize("text", [CJK, MIXED], ids=["cjk", "mixed"])
def test_a_sure_place_has_what_the_chunk_says(splitter: Splitter, ordered: bool, text: str) -> None:
    facts = facts_of(splitter, text, ordered)
    for one in facts:
        if not one.match.sure:
            continue
        assert one.match.span is not None
        if one.wording is Wording.VERBATIM:
            assert one.match.span.of(text) == one.chunk.text
        if one.wording is Wording.EXTRA:
            assert one.front + one.match.span.of(text).strip() + one.behind == one.chunk.text
    unsure = [one for one in facts if not one.match.sure and one.wording is not Wording.BLANK]
    assert len(unsure) <= (1 if splitter.name == "table" else 0)


def one_of(library: str, name: str) -> Splitter:
    return next(one for one in SPLITTERS if (one.library, one.name) == (library, name))


@pytest.mark.parametrize(
    ("library", "name", "text", "kind", "count"),
    [
        ("langchain_text_splitters", "recursive 12/11", SAME, Offset.TWIN, 23),
        ("langchain_text_splitters", "recursive 20/19", SAME, Offset.TWIN, 23),
        ("llama_index.core", "SentenceSplitter 12/0", SAME, Offset.TWIN, 7),
        ("llama_index.core", "TokenTextSplitter 12/0", SAME, Offset.TWIN, 11),
        ("llama_index.core", "hierarchy", CJK, Offset.PARENT, 5),
        ("llama_index.core", "chain", CJK, Offset.ABSENT, 8),
        ("haystack", "hierarchy", MIXED, Offset.PARENT, 6),
        ("haystack", "headers True", MIXED, Offset.SHIFTED, 7),
        ("haystack", "headers False", MIXED, Offset.SHIFTED, 7),
        ("chonkie", "sentences grown", MIXED, Offset.PART, 8),
    ],
)
def test_what_is_wrong_with_the_offsets_is_told(library: str, name: str, text: str, kind: Offset, count: int) -> None:
    facts = facts_of(one_of(library, name), text, ordered=True)
    assert [one.offset for one in facts].count(kind) == count


@pytest.mark.parametrize(
    ("library", "name"), [("semchunk", "semchunk"), ("semantic_text_splitter", "characters"), ("haystack", "words")]
)
@pytest.mark.parametrize("text", [SAME, CJK, MIXED], ids=["same", "cjk", "mixed"])
def test_offsets_that_are_tracked_are_right(library: str, name: str, text: str) -> None:
    assert {one.offset for one in facts_of(one_of(library, name), text, ordered=False)} == {Offset.RIGHT}
