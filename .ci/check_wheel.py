"""What a wheel of evalspan must hold, and must not."""

import sys
import zipfile

WANTED = (
    "evalspan/py.typed",
    "evalspan/__init__.pyi",
    "evalspan/_migrations/env.py",
    "evalspan/_migrations/script.py.mako",
    "evalspan/_sample_corpus/documents.jsonl",
    "evalspan/_sample_corpus/qrels.txt",
)
UNWANTED = ("tests/", "docs/", "migrations/", "sample_corpus/", "evalspan/_migrations/__pycache__")


def main(path: str) -> int:
    """Exit code 1, and what is wrong, where something is."""
    names = zipfile.ZipFile(path).namelist()
    wrong = [f"missing: {name}" for name in WANTED if name not in names]
    wrong += [f"too much: {name}" for name in names if name.startswith(UNWANTED) or name.endswith(".pyc")]
    if not any(name.startswith("evalspan/_migrations/versions/0001") for name in names):
        wrong.append("missing: the first revision")
    print("\n".join(wrong) or f"{path}: {len(names)} files, all there")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
