"""A disk of our own for the home, which can be full or read-only."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

_MOST = "4g"
"""Memory is taken only for what lies there."""


def may_mount() -> bool:
    """Whether this machine lets us."""
    if os.geteuid() or not all(map(shutil.which, ("mount", "umount"))):
        return False
    with tempfile.TemporaryDirectory() as folder:
        if not _done("mount", "-t", "tmpfs", "-o", "size=1m", "none", folder):
            return False
        return _done("umount", folder)


class Disk:
    """A tmpfs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True)
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={_MOST},mode=700", "none", folder], check=True
        )

    def fill(self) -> None:
        """Not a block is left."""
        while not _done("mount", "-o", f"remount,size={self._used()}", str(self._folder)):
            pass  # somebody has written meanwhile

    def _used(self) -> int:
        about = os.statvfs(self._folder)
        return max(about.f_blocks - about.f_bfree, 1) * about.f_frsize

    def free(self) -> None:
        """There is room again."""
        self._remount(f"size={_MOST}")

    def forbid_writing(self) -> bool:
        """Read-only, unless somebody has a file open for writing."""
        return _done("mount", "-o", "remount,ro", str(self._folder))

    def allow_writing(self) -> None:
        """As before."""
        self._remount("rw")

    def close(self) -> None:
        """The disk and everything on it is gone."""
        subprocess.run(["umount", "-l", self._folder], check=True)

    def _remount(self, option: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{option}", self._folder], check=True)


def _done(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
