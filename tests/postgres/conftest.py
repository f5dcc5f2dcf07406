"""A PostgreSQL of its own for these tests, made by the programs that the system has."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.load.server import free_port


@dataclass(frozen=True)
class Postgres:
    port: int

    def url(self, database: str, port: int | None = None) -> str:
        """Of a database, as the server names it, or by another port."""
        return f"postgresql+psycopg://tables@127.0.0.1:{port or self.port}/{database}"

    def create(self, database: str) -> None:
        subprocess.run(
            [*_as_user(), _program("createdb"), "-h", "127.0.0.1", "-p", str(self.port), "-U", "tables", database],
            check=True,
        )


def _program(name: str) -> str:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    return str(found[-1]) if found else shutil.which(name) or pytest.fail(f"{name} of PostgreSQL is not installed")


def _as_user() -> list[str]:
    """PostgreSQL does not run as root."""
    return ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with tempfile.TemporaryDirectory() as folder:
        if os.getuid() == 0:
            os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
        data, port = f"{folder}/data", free_port()
        made = [_program("initdb"), "-D", data, "-U", "tables", "-A", "trust", "--no-locale", "-E", "UTF8"]
        subprocess.run([*_as_user(), *made], check=True, stdout=subprocess.DEVNULL, cwd=folder)
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
        control = [*_as_user(), _program("pg_ctl"), "-D", data, "-w", "-s"]
        subprocess.run([*control, "-o", options, "-l", f"{folder}/log", "start"], check=True, cwd=folder)
        try:
            yield Postgres(port)
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=True, cwd=folder)
