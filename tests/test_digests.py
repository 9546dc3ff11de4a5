"""Digests can be recomputed by anyone from what the documentation says of their bytes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ids, law, texts
from xxhash import xxh3_128_hexdigest

from evalspan.digests import (
    ArrayDigest,
    bytes_digest,
    canonical_json,
    fingerprint,
    snapshot_digest,
    text_digest,
)

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


def test_the_test_vectors_of_the_documentation_hold() -> None:
    assert text_digest("Returns are free.") == "f5119bb23cb07322802d9c88f2e0daa6"
    assert snapshot_digest([("b", text_digest("two")), ("a", text_digest("one"))]) == "07d343efb82bdaebb657162364476c91"


@law
@given(texts)
def test_a_text_digest_is_xxh3_128_of_the_utf_8_bytes(text: str) -> None:
    assert text_digest(text) == xxh3_128_hexdigest(text.encode("utf-8"))


@law
@given(texts, texts)
def test_digests_are_equal_exactly_where_texts_are(one: str, other: str) -> None:
    assert (text_digest(one) == text_digest(other)) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("a\nb", "a\r\nb"), ("é", "e\u0301"), ("a b", "a\xa0b"), ("a", "a "), ("\ufeffa", "a"), ("", "\u200b")],
)
def test_texts_that_look_alike_have_different_digests(one: str, other: str) -> None:
    assert text_digest(one) != text_digest(other)


@law
@given(st.lists(st.binary(max_size=9), max_size=6))
def test_a_digest_of_blocks_does_not_depend_on_where_they_are_cut(blocks: list[bytes]) -> None:
    assert bytes_digest(blocks) == bytes_digest([b"".join(blocks)]) == xxh3_128_hexdigest(b"".join(blocks))


@law
@given(json_values)
def test_canonical_json_reads_back_as_the_same_value(value: Any) -> None:
    assert json.loads(canonical_json(value)) == value


@law
@given(st.dictionaries(texts, json_values, max_size=4))
def test_canonical_json_does_not_depend_on_the_order_of_keys(value: dict[str, Any]) -> None:
    turned = dict(reversed(value.items()))
    assert canonical_json(turned) == canonical_json(value)
    assert fingerprint(turned) == fingerprint(value)


def test_canonical_json_has_sorted_keys_no_spaces_and_letters_as_themselves() -> None:
    assert canonical_json({"ß": [1, 0.5, None, True], "a": "é\n"}) == '{"a":"é\\n","ß":[1,0.5,null,true]}'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_canonical_json_refuses_what_json_has_no_word_for(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"x": value})


@law
@given(json_values)
def test_a_fingerprint_is_taken_over_sorted_compact_json(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert fingerprint(value) == xxh3_128_hexdigest(text.encode())


@law
@given(st.lists(json_values, max_size=5))
def test_an_array_digested_item_by_item_has_the_digest_of_the_whole(items: list[Any]) -> None:
    digest, encoded = ArrayDigest(), ArrayDigest()
    for item in items:
        digest.hexdigest()  # asking on the way changes nothing
        digest.add(item)
        encoded.add_encoded(canonical_json(item).encode())
    assert digest.hexdigest() == encoded.hexdigest() == fingerprint(items)


@law
@given(st.dictionaries(ids, texts, max_size=5), st.randoms(use_true_random=False))
def test_a_snapshot_digest_is_taken_over_pairs_in_code_point_order(corpus: dict[str, str], random: Any) -> None:
    pairs = [(doc_id, text_digest(text)) for doc_id, text in corpus.items()]
    random.shuffle(pairs)
    rows = sorted(([d, xxh3_128_hexdigest(t.encode())] for d, t in corpus.items()), key=lambda r: [*map(ord, r[0])])
    by_hand = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    assert snapshot_digest(iter(pairs)) == xxh3_128_hexdigest(by_hand.encode("utf-8"))


@law
@given(st.dictionaries(ids, texts, max_size=3), st.dictionaries(ids, texts, max_size=3))
def test_snapshot_digests_are_equal_exactly_where_the_documents_are(one: dict[str, str], other: dict[str, str]) -> None:
    digests = [snapshot_digest((d, text_digest(t)) for d, t in corpus.items()) for corpus in (one, other)]
    assert (digests[0] == digests[1]) == (one == other)


def test_code_point_order_is_not_utf_16_order() -> None:
    pairs = [("\U0001f600", "0"), ("\uff21", "1")]
    assert snapshot_digest(pairs) == fingerprint([["\uff21", "1"], ["\U0001f600", "0"]])
