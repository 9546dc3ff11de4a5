"""All foreign formats, and which one a file is in."""

from collections.abc import Sequence
from pathlib import Path

from evalspan.errors import BadInput, Problem
from evalspan.formats.foreign import (
    autorag,
    beir,
    chunking_evaluation,
    correct_chunks,
    deepeval,
    hub,
    label_studio,
    labelled_rag,
    legalbench,
    multihop,
    must_retrieve,
    qrels,
    ragas,
    relevant_spans,
    retrieval_dicts,
    retrieval_eval,
    spanchor,
    squad,
    w3c,
)
from evalspan.formats.foreign.form import Format
from evalspan.formats.foreign.look import look_at
from evalspan.formats.foreign.rows import spread

FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        relevant_spans.FORMAT,
        must_retrieve.FORMAT,
        qrels.FORMAT,
        qrels.BEIR_QRELS,
        beir.FORMAT,
        qrels.RANX,
        correct_chunks.FORMAT,
        retrieval_dicts.FORMAT,
        autorag.FORMAT,
        chunking_evaluation.FORMAT,
        legalbench.FORMAT,
        squad.FORMAT,
        spanchor.FORMAT,
        retrieval_eval.FORMAT,
        labelled_rag.FORMAT,
        ragas.FORMAT,
        deepeval.FORMAT,
        multihop.FORMAT,
        w3c.FORMAT,
        label_studio.FORMAT,
        hub.FORMAT,
    )
}
"""By name, those that people have most first."""


def require_format(name: str) -> Format:
    """Raises BadInput that names all formats."""
    found = FORMATS.get(name)
    if found is None:
        what = f"{name!r} is no format; there are {', '.join(FORMATS)}"
        raise BadInput([Problem("--format", None, what)])
    return found


def guess_format(files: Sequence[Path]) -> Format:
    """By what stands in the files. Raises BadInput where none fits, or several do: nothing is guessed between them."""
    there = spread(files)
    looks = [look_at(path) for path in there]
    fitting = [one for one in FORMATS.values() if any(one.guess(look) for look in looks if _may(one, look.suffix))]
    parts = [one for one in fitting if any(one.part_of == whole.name for whole in fitting)]
    alone = len(files) == 1 and files[0].is_file()
    wholes = {one.part_of for one in parts}
    fitting = [one for one in fitting if (one.name not in wholes if alone else one not in parts)]
    if len(fitting) == 1:
        return fitting[0]
    names = ", ".join(one.name for one in fitting or FORMATS.values())
    what = f"may be {names}" if fitting else f"is in no format that is known ({names})"
    raise BadInput([Problem(str(files[0]), None, f"{what}: say which, --format NAME")])


def _may(form: Format, suffix: str) -> bool:
    return suffix in form.suffixes
