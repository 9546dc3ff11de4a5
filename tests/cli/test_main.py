"""What holds of every command: help, exit codes, errors, pipes, encodings."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from evalspan.cli.main import cli

from .helpers import COMMAND, SAMPLE, fine, process, refused, run

LEFT_OUT = {"demo"}


def commands(group: click.Group = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        if not path and name in LEFT_OUT:
            continue
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, click.Group):
            arguments = [str(one.metavar) for one in command.params if isinstance(one, click.Argument)]
            yield from commands(command, (*path, name, *arguments))


EVERY = list(commands())
SINGLE = [(path, command) for path, command in EVERY if not isinstance(command, click.Group)]


def named(case: object) -> str:
    return " ".join(case) if isinstance(case, tuple) else ""


def test_every_promised_command_is_there() -> None:
    assert {" ".join(path) for path, _ in SINGLE} == {
        *("init", "check", "migrate", "verify", "store info", "store upgrade", "manifest write", "manifest show"),
        *("snapshot add", "snapshot list", "snapshot show", "snapshot diff"),
        *("chunking add", "chunking list", "chunking show", "chunking report"),
        *("set import", "set list", "set show", "set log", "set export", "set amend", "set twins"),
        *("set diff", "set undo", "set merge"),
        *("set unpack", "set formats", "score", "history", "bridge", "compare", "gate", "why"),
        *("rebase", "relabel", "review SET list", "review SET show", "review SET decide", "review SET apply"),
        *("review SET export", "review SET import"),
    }


@pytest.mark.parametrize(("path", "command"), EVERY, ids=named)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_of_every_command_names_every_option(path: tuple[str, ...], command: click.Command, flag: str) -> None:
    shown = fine(*path, flag).out
    for option in command.params:
        if isinstance(option, click.Option):
            assert all(name in shown for name in option.opts)
    if isinstance(command, click.Group):
        assert all(name in shown for name in command.list_commands(click.Context(command)))
    assert command.help
    assert max(map(len, shown.splitlines())) <= 110


@pytest.mark.parametrize("path", [("set", "import"), ("set", "export")])
def test_every_option_has_a_word_of_help(path: tuple[str, ...]) -> None:
    command = dict(EVERY)[path]
    silent = [option.name for option in command.params if isinstance(option, click.Option) and not option.help]
    assert silent == []


def test_every_other_option_has_a_word_of_help() -> None:
    for path, command in SINGLE:
        if path not in (("set", "import"), ("set", "export")):
            assert all(option.help for option in command.params if isinstance(option, click.Option))


@pytest.mark.parametrize(("path", "command"), SINGLE, ids=named)
def test_every_command_has_a_json_form(path: tuple[str, ...], command: click.Command) -> None:
    assert path
    assert any("--json" in option.opts for option in command.params if isinstance(option, click.Option))


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert version("evalspan") in fine("--version").out


@pytest.mark.parametrize(
    "arguments",
    [
        ("frobnicate",),
        ("check", "--frobnicate"),
        ("check",),
        ("check", "--labels", "x", "--chunks", "y", "--k", "many"),
        ("snapshot", "frobnicate"),
        ("verify",),
        ("verify", "a", "b", "--index", "x"),
        ("migrate",),
        ("migrate", "shop"),
        ("migrate", "shop", "--to", "new", "--labels", "x"),
        ("migrate", "--to", "new"),
        ("set", "import", "shop"),
        ("set", "import", "shop", "--labels", "a", "--file", "b"),
        ("set", "export", "shop", "--format", "trec"),
        ("set", "export", "shop", "--chunking", "new"),
        ("manifest", "write", "new", "--dimensions", "0"),
        ("manifest", "write", "new", "--dimensions", "3"),
        ("manifest", "write", "new", "--embedding", "m", "--prefix", "query"),
        ("chunking", "add", "x", "y", "--param", "size"),
        ("snapshot", "add", "x", "--extractor-version", "1"),
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_is_exit_2_and_says_where_help_is(arguments: tuple[str, ...]) -> None:
    message = refused(*arguments)
    assert "Error: " in message
    assert "--help" in message


@pytest.mark.parametrize("arguments", [("check", "--json"), ("check", "--json", "--nope"), ("migrate", "--json")])
def test_a_wrong_command_line_is_one_json_document_where_json_is_wanted(arguments: tuple[str, ...]) -> None:
    ran = run(*arguments)
    assert ran.code == 2
    assert set(ran.json) >= {"error"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--labels", "nowhere", "--chunks", "nowhere"),
        ("migrate", "nowhere", "--to", "new"),
        ("verify", "nowhere", "--index", "nowhere"),
        ("set", "list"),
        ("snapshot", "add", "nowhere"),
        ("manifest", "show", "nowhere"),
        ("store", "info"),
    ],
    ids=" ".join,
)
def test_an_error_is_one_json_document_where_json_is_wanted(here: Path, arguments: tuple[str, ...]) -> None:
    ran = run(*arguments, "--json")
    assert ran.code == 2
    assert ran.err == ""
    assert set(ran.json) >= {"error"}
    assert ran.json["error"] == refused(*arguments).rstrip("\n")
    assert list(here.iterdir()) == []


LISTS = [("snapshot", "list"), ("chunking", "list"), ("set", "list"), ("set", "log", "shop"), ("set", "show", "shop")]


@pytest.mark.parametrize(
    "arguments", [*LISTS, ("snapshot", "show"), ("chunking", "show"), ("store", "info")], ids=" ".join
)
@pytest.mark.usefixtures("shop")
def test_what_is_listed_is_one_json_document_too(arguments: tuple[str, ...]) -> None:
    assert fine(*arguments, "--json").json
    text = fine(*arguments).out
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("arguments", [("snapshot", "list"), ("chunking", "list"), ("set", "list")], ids=" ".join)
@pytest.mark.usefixtures("here")
def test_an_empty_store_says_what_to_do_next(arguments: tuple[str, ...]) -> None:
    fine("init")
    assert "evalspan " in fine(*arguments).out
    assert fine(*arguments, "--json").json == []


@pytest.mark.usefixtures("shop")
def test_a_reader_that_goes_away_gives_no_traceback() -> None:
    line = f"{' '.join(map(repr, COMMAND))} set export shop | head -1"
    ran = subprocess.run(["bash", "-c", line], capture_output=True, timeout=60, check=False)
    assert ran.returncode == 0
    assert ran.stdout.startswith(b'{"evalspan_set":1')
    assert ran.stderr == b""


def closed_pipe() -> int:
    read, write = os.pipe()
    os.close(read)
    return write


@pytest.mark.usefixtures("shop")
def test_a_reader_that_went_away_is_no_verdict() -> None:
    pipe = closed_pipe()
    ran = subprocess.run(
        [*COMMAND, "set", "list"],
        stdout=pipe,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    os.close(pipe)
    assert ran.stderr == b""
    assert ran.returncode == 141


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "shop", "--index", "new.json"),
        ("set", "show", "nope"),
    ],
)
@pytest.mark.usefixtures("shop")
def test_an_answer_in_json_that_nobody_reads_gives_no_traceback(arguments: tuple[str, ...]) -> None:
    pipe = closed_pipe()
    ran = subprocess.run([*COMMAND, *arguments, "--json"], stdout=pipe, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(pipe)
    assert ran.stderr == b""
    assert ran.returncode == 141


@pytest.mark.usefixtures("shop")
def test_a_refusal_that_nobody_reads_is_a_refusal() -> None:
    pipe = closed_pipe()
    ran = subprocess.run(
        [*COMMAND, "verify", "shop", "--index", "new.json"],
        stdout=pipe,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(pipe)
    assert ran.returncode != 0
    assert ran.stderr == b""


@pytest.mark.usefixtures("shop")
def test_a_closed_standard_output_gives_no_traceback() -> None:
    line = f"{' '.join(map(repr, COMMAND))} set list >&-"
    ran = subprocess.run(["bash", "-c", line], stderr=subprocess.PIPE, timeout=60, check=False)
    assert b"Traceback" not in ran.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.usefixtures("shop")
def test_a_full_disk_under_standard_output_is_one_clear_error() -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run([*COMMAND, "set", "list"], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert ran.returncode == 2
    assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("arguments", [("set", "show", "shop", "--all"), ("snapshot", "list"), ("set", "show", "nope")])
@pytest.mark.usefixtures("shop")
def test_an_output_that_knows_few_characters_does_not_crash(arguments: tuple[str, ...], encoding: str) -> None:
    expected = run(*arguments)
    ran = process(*arguments, env={**os.environ, "PYTHONIOENCODING": encoding})
    assert ran.returncode == expected.code
    assert b"Traceback" not in ran.stderr
    assert len(ran.stdout.splitlines()) == len(expected.out.splitlines())


@pytest.mark.parametrize("arguments", [("set", "export", "shop"), ("set", "show", "shop", "--json")], ids=" ".join)
@pytest.mark.usefixtures("shop")
def test_data_is_never_changed_by_the_outputs_encoding(arguments: tuple[str, ...]) -> None:
    expected = fine(*arguments).out
    ran = process(*arguments, env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert "?" not in ran.stdout.decode("utf-8", "replace") or ran.stdout.count(b"?") == expected.count("?")


def test_the_command_answers_without_a_store_and_from_any_folder(here: Path) -> None:
    ran = process("check", "--labels", SAMPLE / "qrels.txt", "--chunks", SAMPLE / "chunks-old.jsonl", cwd=here)
    assert ran.returncode == 0
    assert list(here.iterdir()) == []


@pytest.mark.usefixtures("here")
def test_bad_rows_are_counted_beyond_the_first_twenty() -> None:
    Path("labels").write_text("q 0 c x\n" * 25)
    Path("chunks").write_text('{"chunk_id": "c"}\n')
    lines = refused("check", "--labels", "labels", "--chunks", "chunks").splitlines()
    assert lines[0] == "labels:1: grade 'x' is no whole number"
    assert lines[19].startswith("labels:20: ")
    assert lines[20:] == ["… and 5 more like these (25 in all)", "Mend these, or go on without them: --skip-bad"]
    answer = run("check", "--labels", "labels", "--chunks", "chunks", "--json").json
    assert answer["count"] == 25
    assert len(answer["problems"]) == 20
    assert answer["problems"][0] == {"file": "labels", "line": 1, "what": "grade 'x' is no whole number"}
