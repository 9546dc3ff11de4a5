"""Files and folders appear whole, or not at all."""

import errno
import os
from pathlib import Path

import pytest

from evalspan.errors import BadInput, Unwritable
from evalspan.formats.files import StagedFolder, require_vacant, staged_folder, write_text

as_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")


@pytest.mark.parametrize("there", [False, True], ids=["absent", "empty"])
def test_a_folder_appears_when_the_block_ends_well(tmp_path: Path, there: bool) -> None:
    target = tmp_path / "out"
    if there:
        target.mkdir()
    with staged_folder(target) as stage:
        (stage.path / "a").write_text("x")
        assert not (target / "a").exists()
        stage.land()
        assert (target / "a").read_text() == "x"
    assert [path.name for path in target.iterdir()] == ["a"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def fail_in(stage: StagedFolder, error: type[BaseException], landed: bool) -> None:
    (stage.path / "a").write_text("x")
    if landed:
        stage.land()
    raise error


@pytest.mark.parametrize("landed", [False, True])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_folder_leaves_no_trace_when_the_block_fails(
    tmp_path: Path, error: type[BaseException], landed: bool
) -> None:
    with pytest.raises(error), staged_folder(tmp_path / "out") as stage:
        fail_in(stage, error, landed)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("landed", [False, True])
def test_no_parent_folder_stays_behind_when_the_block_fails(tmp_path: Path, landed: bool) -> None:
    with pytest.raises(KeyboardInterrupt), staged_folder(tmp_path / "a" / "b" / "out") as stage:
        fail_in(stage, KeyboardInterrupt, landed)
    assert list(tmp_path.iterdir()) == []


def test_a_parent_that_was_there_stays_when_the_block_fails(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(KeyboardInterrupt), staged_folder(tmp_path / "a" / "b" / "out") as stage:
        fail_in(stage, KeyboardInterrupt, landed=False)
    assert list(tmp_path.rglob("*")) == [tmp_path / "a"]


def test_a_folder_that_was_never_landed_leaves_no_trace(tmp_path: Path) -> None:
    with staged_folder(tmp_path / "a" / "out") as stage:
        (stage.path / "a").write_text("x")
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_itself_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises((Unwritable, BadInput)), staged_folder(tmp_path / "loop"):
        pass


def test_missing_parents_are_made(tmp_path: Path) -> None:
    with staged_folder(tmp_path / "a" / "b") as stage:
        stage.land()
    assert (tmp_path / "a" / "b").is_dir()


def test_a_folder_gets_the_rights_that_the_umask_leaves(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        with staged_folder(tmp_path / "out") as stage:
            stage.land()
        write_text(tmp_path / "file", "x")
    finally:
        os.umask(old)
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o750
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640


def test_what_is_not_vacant_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("x")
    (tmp_path / "file").write_text("x")
    for name in ("out", "file"):
        with pytest.raises(BadInput, match="exists already and is not empty"):
            require_vacant(tmp_path / name)
    assert (tmp_path / "out" / "mine").read_text() == "x"


def test_a_link_to_an_empty_folder_is_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with staged_folder(tmp_path / "link") as stage:
        (stage.path / "a").write_text("x")
        stage.land()
    assert (tmp_path / "link" / "a").read_text() == "x"


def test_the_working_folder_may_be_the_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with staged_folder(Path()) as stage:
        (stage.path / "a").write_text("x")
        stage.land()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_who_stands_in_the_target_sees_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with staged_folder(Path()) as stage:
        (stage.path / "a").write_text("x")
        stage.land()
    assert Path("a").exists()


def test_an_error_of_another_file_is_not_blamed_on_the_target(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="other"), staged_folder(tmp_path / "out"):
        raise OSError(5, "broken", "other")


@pytest.mark.parametrize("parent", ["file", pytest.param("locked", marks=as_root)])
def test_a_parent_that_takes_no_folder_is_one_clear_error(tmp_path: Path, parent: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "locked").mkdir(mode=0o500)
    with (
        pytest.raises((Unwritable, BadInput), match=r"can't be written|no such file") as caught,
        staged_folder(tmp_path / parent / "out"),
    ):
        pass
    assert str(tmp_path / parent / "out") in str(caught.value)


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    write_text(path, "new\r\né")
    assert path.read_bytes() == "new\r\né".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_can_not_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "\ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_in_no_folder_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(Unwritable, match="can't be written"):
        write_text(tmp_path / "no" / "file", "x")


def test_a_full_disk_is_told_of_the_folder_and_leaves_no_trace(tmp_path: Path) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(Unwritable, match=r"out: can't be written \(No space left"), staged_folder(tmp_path / "out"):
        full()
    assert list(tmp_path.iterdir()) == []
