"""The page on CI holds what is true: its files parse, its commands exist, pass, and refuse."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalspan.cli.main import cli, main

from .pages import CI, ROOT, blocks, other_index

HOOKS = ROOT / ".pre-commit-hooks.yaml"


def parsed(text: str) -> Any:
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load(text)


def steps() -> list[dict[str, str]]:
    workflow, more = blocks(CI, "GitHub Actions", "yaml")
    read = parsed(workflow)
    assert read[True] == ["pull_request"]  # YAML 1.1 takes the word "on" so
    found: list[dict[str, str]] = [*read["jobs"]["evals"]["steps"], *parsed(more)]
    assert all(set(step) <= {"uses", "with", "name", "run", "shell"} for step in found)
    return found


def hooks() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each hook as a user has it, with the definition it stands on."""
    (defined,) = parsed(HOOKS.read_text("utf-8"))
    for block in blocks(CI, "pre-commit", "yaml"):
        for repository in parsed(block)["repos"]:
            for hook in repository["hooks"]:
                assert hook["id"] == defined["id"]
                yield hook, hook if repository["repo"] == "local" else defined


def hook_lines() -> list[list[str]]:
    return [[*shlex.split(defined["entry"]), *hook.get("args", ())] for hook, defined in hooks()]


def test_a_hook_is_given_no_names_of_files_and_runs_when_what_it_reads_changes() -> None:
    for hook, defined in hooks():
        assert defined["language"] == "python"
        assert defined["pass_filenames"] is False
        for name in ("evals/support-faq.jsonl", "index.json"):
            assert re.search(hook["files"], name)


def test_what_pre_commit_itself_says_of_the_hooks(tmp_path: Path) -> None:
    pytest.importorskip("pre_commit")
    for number, block in enumerate(blocks(CI, "pre-commit", "yaml")):
        (tmp_path / f"{number}.yaml").write_text(block)
        checks = (("validate-manifest", HOOKS), ("validate-config", tmp_path / f"{number}.yaml"))
        for check, path in checks:
            subprocess.run([sys.executable, "-m", "pre_commit", check, str(path)], check=True, timeout=60)


def test_every_command_of_the_page_exists_with_its_options() -> None:
    text = CI.read_text("utf-8")
    lines = [shlex.split(line) for line in re.findall(r"evalspan verify [^|`\n]*", text)] + hook_lines()
    assert len(lines) >= 4
    for _, *arguments in lines:
        if len(arguments) == 1:  # the bare name of the command
            continue
        _, command, rest = cli.resolve_command(cli.make_context("evalspan", [], resilient_parsing=True), arguments)
        assert command is not None
        with command.make_context("verify", rest) as context:
            assert context.params["eval_set"] == "evals/support-faq.jsonl"


@pytest.mark.usefixtures("project")
def test_the_hooks_pass_and_refuse() -> None:
    for _, *arguments in hook_lines():
        assert code_of(arguments) == 0
    other_index()
    for _, *arguments in hook_lines():
        assert code_of(arguments) == 1


def code_of(arguments: list[str]) -> Any:
    with pytest.raises(SystemExit) as done:
        main(arguments)
    return done.value.code


SHELLS = {None: ("bash", "-e"), "bash": ("bash", "--noprofile", "--norc", "-eo", "pipefail")}
"""What GitHub runs a step with, by the shell it names."""


@pytest.mark.usefixtures("project")
def test_the_steps_pass_and_refuse_under_the_shell_that_github_runs(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bin_folder = project / "bin"
    bin_folder.mkdir()
    (bin_folder / "evalspan").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m evalspan "$@"\n')
    (bin_folder / "evalspan").chmod(0o755)
    monkeypatch.setenv("PATH", str(bin_folder), prepend=":")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project / "summary.md"))
    verifying = [step for step in steps() if step.get("run", "").startswith("evalspan")]
    assert len(verifying) == 2

    def codes() -> list[int]:
        return [
            subprocess.run([*SHELLS[step.get("shell")], "-c", step["run"]], capture_output=True, timeout=60).returncode
            for step in verifying
        ]

    assert codes() == [0, 0]
    assert "Passed: evals/support-faq.jsonl" in (project / "summary.md").read_text()
    other_index()
    assert codes() == [1, 1]
    piped = verifying[1]["run"]
    assert subprocess.run([*SHELLS[None], "-c", piped], capture_output=True, timeout=60).returncode == 0, (
        "the page says that a pipe hides it without a shell named"
    )
