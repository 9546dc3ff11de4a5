"""Files and folders: what the system says of them becomes one clear error, and what is written appears whole or not."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from evalspan.errors import BadInput, Problem, Unwritable


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turns what the system says while `path` is read into BadInput."""
    try:
        yield
    except FileNotFoundError:
        raise BadInput([Problem(str(path), None, "no such file")]) from None
    except IsADirectoryError:
        raise BadInput([Problem(str(path), None, "is a folder; a file is wanted")]) from None
    except PermissionError:
        raise BadInput([Problem(str(path), None, "may not be read by this user")]) from None
    except OSError as error:
        raise BadInput([Problem(str(path), None, f"can't be read ({error.strerror or error})")]) from None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns what the system says while `path` is written into Unwritable."""
    try:
        yield
    except OSError as error:
        raise Unwritable(f"{path}: can't be written ({error.strerror or error}). Name another place.") from None


class StagedFolder:
    """A folder that is written beside its target and becomes it when all is there."""

    def __init__(self, target: Path) -> None:
        self._made: list[Path] = []
        self._landed: list[Path] = []
        with writing(target):
            try:
                self._target = target.resolve()
            except RuntimeError as error:  # a link to itself, on Python before 3.13
                raise OSError(str(error)) from None
            try:
                for parent in reversed(self._target.parents):
                    if not parent.exists():
                        parent.mkdir()
                        self._made.append(parent)
                self.path = Path(tempfile.mkdtemp(prefix=".evalspan-", dir=self._target.parent))
            except OSError:
                self._remove_parents()
                raise

    def land(self) -> None:
        """Now it is the target. What goes wrong later in the block of `staged_folder` takes it away again."""
        with writing(self._target):
            if self._target.exists():  # an empty folder: it may be somebody's working folder, and stays the same one
                if any(self._target.iterdir()):
                    raise OSError("it was filled by something else meanwhile")
                for path in sorted(self.path.iterdir()):
                    self._landed.append(path.replace(self._target / path.name))
                self.path.rmdir()
            else:
                self.path.chmod(0o777 & ~_umask())
                self._landed.append(self.path.replace(self._target))

    def remove(self) -> None:
        """Leaves no trace."""
        for path in self._landed:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        shutil.rmtree(self.path, ignore_errors=True)
        self._remove_parents()

    def _remove_parents(self) -> None:
        for parent in reversed(self._made):
            with suppress(OSError):
                parent.rmdir()


@contextmanager
def staged_folder(target: Path) -> Iterator[StagedFolder]:
    """`target` must be absent or an empty folder. Unless the block lands it and ends well, nothing of it remains."""
    require_vacant(target)
    stage = StagedFolder(target)
    landed = False
    try:
        yield stage
        landed = not stage.path.exists()
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        raise Unwritable(f"{target}: can't be written ({error.strerror}). Make room, or name another place.") from None
    finally:
        if not landed:
            stage.remove()


_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS})
"""What only writing can end in."""


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
