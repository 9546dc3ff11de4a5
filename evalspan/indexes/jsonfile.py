"""JSON files in which LlamaIndex and LangChain keep a whole index."""

from pathlib import Path
from typing import Any

from pydantic_core import from_json

from evalspan.errors import CannotTell


def read_object(path: Path, where: str) -> dict[str, Any]:
    """Raises CannotTell, saying `where`, for what is no JSON object."""
    try:
        value = from_json(path.read_bytes())
    except FileNotFoundError:
        raise CannotTell(f"{where}: no such file ({path.name})") from None
    except (OSError, ValueError) as error:
        raise CannotTell(f"{where}: {path.name} can't be read ({error})") from None
    if not isinstance(value, dict):
        raise CannotTell(f"{where}: {path.name} is no JSON object")
    return value
