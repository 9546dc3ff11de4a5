"""Files and folders: what the system says of them becomes one clear error, and what is written appears whole or not."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evalspan.errors import BadInput, Problem, Unwritable


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turns what goes wrong while `path` is read into BadInput."""
    try:
        yield
    except FileNotFoundError:
        raise BadInput([Problem(str(path), None, "no such file")]) from None
    except IsADirectoryError:
        raise BadInput([Problem(str(path), None, "is a folder; a file is wanted")]) from None
    except PermissionError:
        raise BadInput([Problem(str(path), None, "may not be read by this user")]) from None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns what goes wrong while `path` is written into Unwritable."""
    try:
        yield
    except OSError as error:
        raise Unwritable(f"{path}: can't be written ({error.strerror or error}). Name another place.") from None


@contextmanager
def staged_folder(target: Path) -> Iterator[Path]:
    """A folder to write into, which becomes `target` when the block ends well, and else leaves no trace.

    `target` must be absent or an empty folder.
    """
    require_vacant(target)
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        with writing(target):
            yield stage
            stage.chmod(0o777 & ~_umask())
            stage.replace(target)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def require_vacant(target: Path) -> None:
    """Raises BadInput unless `target` is absent or an empty folder."""
    with reading(target):
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            what = "exists already and is not empty; name a new folder, or empty this one"
            raise BadInput([Problem(str(target), None, what)])


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_text(path: Path, text: str) -> None:
    """The file appears whole or not at all."""
    with writing(path):
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        stage = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
                out.write(text)
            stage.chmod(0o666 & ~_umask())
            stage.replace(path)
        finally:
            stage.unlink(missing_ok=True)
