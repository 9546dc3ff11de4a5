"""Cuts texts with LlamaIndex, in a process of its own: its package `workflows` would be our folder of tests here.

Standard input: JSON `[[parsers, text], …]`, a parser being `[name, settings]`; standard output: for each the nodes.
"""

import json
import sys
from importlib import import_module
from typing import Any

_MODULES = ("llama_index.core", "llama_index.core.node_parser", "llama_index.core.ingestion")


def cut(parsers: list[tuple[str, dict[str, Any]]], text: str) -> list[dict[str, Any]]:
    """The nodes, as `to_dict` has them."""
    core, parsers_of, ingestion = map(import_module, _MODULES)
    made = [getattr(parsers_of, name).from_defaults(**settings) for name, settings in parsers]
    documents = [core.Document(text=text, id_="d")]
    if len(made) > 1:
        nodes = ingestion.IngestionPipeline(transformations=made).run(documents=documents)
    else:
        nodes = made[0].get_nodes_from_documents(documents)
    return [node.to_dict() for node in nodes]


def main() -> None:
    out = sys.stdout
    sys.stdout = sys.stderr  # where the library's own remarks belong
    json.dump([cut(*asked) for asked in json.load(sys.stdin)], out)


if __name__ == "__main__":
    main()
