"""An index's manifest as a file."""

from os import PathLike
from pathlib import Path

from evalspan.corpus import Manifest, parse_manifest
from evalspan.errors import CannotTell


def read_manifest(path: str | PathLike[str]) -> Manifest:
    """Raises CannotTell where there is none, or none that can be read."""
    source = Path(path)
    try:
        text = source.read_text("utf-8")
    except FileNotFoundError:
        raise CannotTell(f"{source}: no such manifest. Write one beside the index: evalspan manifest write") from None
    except (OSError, UnicodeDecodeError) as error:
        raise CannotTell(f"{source}: can't be read ({error})") from None
    return parse_manifest(text, str(source))
