"""Items of a review queue, for the formats that carry them."""

from hypothesis import strategies as st
from strategies import ids, sound

from evalspan.labels import Candidate
from evalspan.migrator.review import ReviewItem, Source

DIGEST = "ab" * 16

TEXT = "Returns are free.\r\nWithin 30 days 👍 of delivery, 返品は無料です.\r\nTents cost 15%.\r\n"


def candidate(words: str, text: str = TEXT, doc_id: str = "a.md", why: str = "") -> Candidate:
    start = text.index(words)
    return Candidate(doc_id=doc_id, start=start, end=start + len(words), why=why)


def item(passage: str = "30 days 👍 of delivery", text: str = TEXT, **fields: object) -> ReviewItem:
    """About a passage of the text, unless other fields are given."""
    start = text.index(passage)
    values = {
        "source": Source.MIGRATION,
        "reason": "cut",
        "query_id": "q1",
        "question": "How long?",
        "grade": 2,
        "doc_id": "a.md",
        "passage": passage,
        "ranges": ((start, start + len(passage)),),
        "snapshot_digest": DIGEST,
        "chunking": "new",
    }
    return ReviewItem.model_validate({**values, **fields})


words = st.text(sound, max_size=20) | st.sampled_from(
    ["=1+1", "+", "-5", "@x", "\t=", "'=1", "''", "a\r\nb", '"', ";,"]
)

items = st.builds(
    ReviewItem,
    source=st.sampled_from(Source),
    reason=st.sampled_from(["cut", "changed", "twin", "unjudged"]),
    query_id=ids,
    question=words,
    fact=words,
    grade=st.integers(-1, 3),
    doc_id=ids,
    passage=words,
    ranges=st.lists(st.tuples(st.integers(0, 9), st.integers(10, 20)), max_size=2).map(tuple),
    snapshot_digest=st.just(DIGEST),
    candidates=st.lists(
        st.builds(Candidate, doc_id=ids, start=st.integers(0, 9), end=st.integers(10, 20), why=words), max_size=2
    ).map(tuple),
    chunking=st.none() | ids,
    note=words,
)
