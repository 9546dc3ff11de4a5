"""Files and folders: what the system says of them becomes one clear error, and what is written appears whole or not."""

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
    """A folder that is written beside its target and takes its name when all is there."""

    def __init__(self, target: Path) -> None:
        self._target = target.resolve()
        self._made: list[Path] = []
        self._landed = False
        with writing(target):
            for parent in reversed(self._target.parents):
                if not parent.exists():
                    parent.mkdir()
                    self._made.append(parent)
            self.path = Path(tempfile.mkdtemp(prefix=f".{self._target.name}.", dir=self._target.parent))

    def land(self) -> None:
        """Now it is the target. What goes wrong later in the block of `staged_folder` takes it away again."""
        with writing(self._target):
            self.path.chmod(0o777 & ~_umask())
            self.path.replace(self._target)
            self._landed = True

    def remove(self) -> None:
        """Leaves no trace."""
        shutil.rmtree(self._target if self._landed else self.path, ignore_errors=True)
        for parent in reversed(self._made):
            with suppress(OSError):
                parent.rmdir()


@contextmanager
def staged_folder(target: Path) -> Iterator[StagedFolder]:
    """`target` must be absent or an empty folder. Unless the block ends well, after `land`, nothing of it remains."""
    require_vacant(target)
    stage = StagedFolder(target)
    try:
        yield stage
    except BaseException:
        stage.remove()
        raise


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
