"""Makes what the tests of LlamaIndex read, as a script: its dependency `workflows` has the name of a folder of tests.

Arguments: the folder to make it in, and a JSON file of chunk ids and texts.
"""

import json
import sys
from pathlib import Path

from llama_index.core import StorageContext
from llama_index.core.node_parser import HierarchicalNodeParser
from llama_index.core.schema import BaseNode, Document, NodeRelationship, RelatedNodeInfo, TextNode

VECTOR = [0.1, 0.2]


def persist(folder: Path, held: list[BaseNode], *more: BaseNode, vectors: bool = True) -> None:
    """`more`: in the docstore alone."""
    context = StorageContext.from_defaults()
    context.docstore.add_documents([*held, *more])
    if vectors:
        for node in held:
            node.embedding = VECTOR
        context.vector_store.add(held)
    context.persist(str(folder))


def related(node: TextNode, kind: NodeRelationship, to: str) -> TextNode:
    node.relationships[kind] = RelatedNodeInfo(node_id=to)
    return node


def make(root: Path, chunks: dict[str, str], text: str) -> None:
    """A folder for each case."""
    document = Document(text=text, id_="a")
    plain: list[BaseNode] = [
        related(
            TextNode(id_=one, text=words, start_char_idx=at, end_char_idx=at + len(words)), NodeRelationship.SOURCE, "a"
        )
        for at, (one, words) in enumerate(chunks.items())
    ]
    persist(root / "docstore", plain, document, vectors=False)
    persist(root / "plain", plain, document)
    StorageContext.from_defaults(persist_dir=str(root / "plain")).persist(str(root / "again"))
    persist(root / "more", [*plain, TextNode(text="More.")], document)
    parser = HierarchicalNodeParser.from_defaults(chunk_sizes=[200, 60], chunk_overlap=0)
    parsed = parser.get_nodes_from_documents([document])
    leaves = [one for one in parsed if one.parent_node is not None]
    persist(root / "leaves", leaves, *(one for one in parsed if one.parent_node is None))
    persist(root / "orphans", leaves)
    ring = [TextNode(id_=one, text=one, start_char_idx=1) for one in "xy"]
    persist(root / "ring", [related(*one) for one in zip(ring, [NodeRelationship.PARENT] * 2, "yx", strict=True)])
    persist(root / "nowhere", [TextNode(id_="n", text="One.")])


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[2]).read_text("utf-8"))
    make(Path(sys.argv[1]), given["chunks"], given["text"])
