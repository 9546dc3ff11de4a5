"""The house: what imports what, what has one home, and how large a room may be."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PACKAGE = ROOT / "evalspan"

MODULES = sorted(PACKAGE.rglob("*.py"))

LONGEST = 400
"""Lines of a module."""

HOMES = {
    "sqlalchemy": ("evalspan/store/", "migrations/"),
    "alembic": ("evalspan/store/", "migrations/"),
    "rapidfuzz": ("evalspan/anchoring/",),
    "xxhash": ("evalspan/digests.py",),
    "click": ("evalspan/cli/",),
    "rich": ("evalspan/cli/",),
    "psycopg": ("evalspan/store/",),
    "sqlite3": ("evalspan/store/", "evalspan/indexes/"),  # some indexes are SQLite files themselves
}


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """Names of the modules that a module imports anywhere in it, with the line."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, node.lineno


@pytest.mark.parametrize("library", HOMES)
def test_a_library_has_one_home(library: str) -> None:
    code = [*MODULES, *sorted((ROOT / "migrations").rglob("*.py"))]
    found = [
        f"{place(path)}:{line}"
        for path in code
        for name, line in imported(path)
        if name.split(".")[0] == library and not place(path).startswith(HOMES[library])
    ]
    assert found == []


def test_revisions_import_nothing_of_ours() -> None:
    for path in (ROOT / "migrations" / "versions").glob("*.py"):
        assert [name for name, _ in imported(path) if name.split(".")[0] == "evalspan"] == []


def test_imports_go_down_only() -> None:
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    pytest.importorskip("importlinter")
    ran = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "1 kept, 0 broken" in ran.stdout


def test_every_package_of_the_house_is_a_layer_of_the_contract() -> None:
    import tomllib

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (contract,) = settings["tool"]["importlinter"]["contracts"]
    layers = {name.strip() for layer in contract["layers"] for name in layer.split("|")}
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    rooms |= {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert {f"evalspan.{room}" for room in rooms} <= layers


def test_nothing_below_the_command_line_prints() -> None:
    found = []
    for path in MODULES:
        if place(path).startswith("evalspan/cli/"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
                found.append(f"{place(path)}:{node.lineno}")
            if isinstance(node, ast.Attribute) and node.attr in ("stdout", "stderr"):
                found.append(f"{place(path)}:{node.lineno}")
    assert found == []


@pytest.mark.parametrize("path", MODULES, ids=place)
def test_a_module_is_small_and_its_first_line_says_what_it_is(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= LONGEST
    said = ast.get_docstring(ast.parse(text))
    assert said
    assert said.splitlines()[0].strip()


def test_every_exception_of_the_linter_has_its_reason() -> None:
    for line in (line for path in MODULES for line in path.read_text("utf-8").splitlines() if "# noqa" in line):
        assert "# noqa: " in line


def loaded_by(statement: str) -> set[str]:
    """Top-level modules that a fresh interpreter has after it."""
    code = f"{statement}\nimport sys\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True, cwd=ROOT)
    return set(ran.stdout.split())


@pytest.mark.parametrize(
    ("statement", "foreign"),
    [
        ("import evalspan", {"pydantic", "sqlalchemy", "rich", "click", "alembic", "rapidfuzz", "xxhash"}),
        ("import evalspan.store", {"alembic", "click", "rich"}),
        ("import evalspan.cli", {"alembic", "rich", "sqlalchemy", "pydantic"}),
        ("import evalspan.workflows.check", {"alembic", "sqlalchemy", "rich", "click"}),
        ("from evalspan import verify", {"alembic", "rich", "click"}),
        ("from evalspan import locate", {"alembic", "sqlalchemy", "rich", "click"}),
    ],
)
def test_what_is_not_needed_is_not_loaded(statement: str, foreign: set[str]) -> None:
    loaded = loaded_by(statement)
    assert "evalspan" in loaded
    assert loaded & foreign == set()


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    import evalspan

    with pytest.raises(AttributeError, match="frobnicate"):
        getattr(evalspan, "frobnicate")  # noqa: B009 - type checkers know that it is not there
