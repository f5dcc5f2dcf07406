"""Files are written whole or not at all, and the one that cannot be written is named."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from interpreter.base.whole_files import write_whole


@pytest.mark.parametrize("was", [None, "as it was"])
def test_a_full_disk_leaves_what_was_there(was: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.html"
    if was is not None:
        path.write_text(was)

    def full(self: Path, target: Path) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="no space left on device") as failed:
        write_whole(path, "as it will be")
    assert failed.value.filename == str(path)
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == ({} if was is None else {path.name: was})


def test_a_link_stays_one_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to("file")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_text() == "new"


def test_links_in_a_circle_and_files_that_must_not_be_written_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="symbolic links"):
        write_whole(tmp_path / "loop", "new")
    path, opened = tmp_path / "file", Path.open

    def denied(self: Path, mode: str = "r", **more: str) -> object:
        if self == path and mode != "r":
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(self, mode, **more)  # type: ignore[call-overload]

    path.write_text("old")
    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(PermissionError):
        write_whole(path, "new")
    monkeypatch.undo()
    assert path.read_text() == "old"
    path.chmod(0o600)
    write_whole(path, "new")
    assert path.stat().st_mode & 0o777 == 0o600
