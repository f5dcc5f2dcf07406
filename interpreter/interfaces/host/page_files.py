"""The files of the page, under addresses that change with them, so that a browser may keep them."""

from __future__ import annotations

import hashlib
from pathlib import Path

KINDS = {
    ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
    ".json": "application/json", ".webmanifest": "application/manifest+json", ".png": "image/png",
}  # fmt: skip
FOLDER = Path(__file__).parent / "page"


class PageFiles:
    """All files of the page, read once. `/page/` in index.html stands for the folder under the hash of all of them."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix in (*KINDS, ".html")
        }
        digest = hashlib.sha256()
        for name, body in self._files.items():
            digest.update(f"{name}\0{len(body)}\0".encode() + body)
        self.hash = digest.hexdigest()[:12]

    def index(self) -> bytes:
        """The page itself."""
        return self._files["index.html"].replace(b'"/page/', f'"/page/{self.hash}/'.encode())

    def file(self, path: str) -> tuple[bytes, str] | None:
        """A file and its kind; of another hash than today's there is none."""
        folder, _, name = path.partition("/")
        kind = KINDS.get(Path(name).suffix)
        if folder != self.hash or name not in self._files or kind is None:
            return None
        return self._files[name], kind
