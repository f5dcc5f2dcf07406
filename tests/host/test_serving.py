"""The command that starts the server: what it needs, where it listens, what it prints."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from interpreter.interfaces.cli import run
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host import serving
from interpreter.interfaces.host.service import Service
from interpreter.interfaces.host.serving import Settings, addresses, attend, config_of, hosts_of, tell
from interpreter.interfaces.host.store import Unreachable


def test_what_is_not_installed_is_named_with_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "segno" else object())
    assert run(["host"]) == 2
    assert "this needs segno: install the extra 'host'" in capsys.readouterr().err


def test_a_port_that_is_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["host", "--no-browser", "--port", str(port)]) == 1
    assert f"port {port}: Address already in use; --port names another" in capsys.readouterr().err


def test_a_database_that_cannot_be_used_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["host", "--no-browser", "--port", "18751", "--database", "nonsense"]) == 1
    assert "--database 'nonsense'" in capsys.readouterr().err


def test_a_database_is_told_without_its_password(capsys: pytest.CaptureFixture[str]) -> None:
    url = "postgresql+nothing://anna:secret@db/tables"
    assert run(["host", "--no-browser", "--port", "18752", "--database", url]) == 1
    told = capsys.readouterr().err
    assert "anna:***@db" in told and "secret" not in told


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg://anna:secret@127.0.0.1:abc/tables",
        "postgresql+psycopg://anna:secret",  # as if that were a port
        "postgresql+psycopg://anna:top@secret@db/tables",
        "postgresql+psycopg ://anna:secret@db/tables",
        "postgresql+nothing://db/tables?password=secret",
        "postgresql://anna:secret@[::1/tables",
        "nothing://anna:secret@db/tables",
    ],
)
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_database_that_cannot_be_named_so_is_told_without_its_password(
    url: str, workers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["host", "--no-browser", "--port", "18754", "--workers", workers, "--database", url]) == 1
    told = capsys.readouterr().err
    assert "--database" in told and "fault of houserules" not in told
    assert "secret" not in told


@pytest.mark.parametrize(
    "url", ["http://[::1", "cards.example.org", "ftp://cards.example.org", "https://", "https://cards.example.org:x"]
)
def test_the_address_of_a_server_in_front_is_one_of_the_web(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["host", "--no-browser", "--public-url", url]) == 2
    told = capsys.readouterr().err
    assert "--public-url" in told and "such as https://cards.example.org" in told


def test_each_of_several_servers_needs_a_port_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["host", "--no-browser", "--port", "18755", "--workers", "2", "--internal-address"]
    assert run([*words, "127.0.0.1:65535"]) == 1
    assert "--internal-address 127.0.0.1:65536: " in capsys.readouterr().err
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run([*words, f"127.0.0.1:{port - 1}"]) == 1
    assert f"--internal-address 127.0.0.1:{port}: Address already in use" in capsys.readouterr().err


@pytest.mark.parametrize("address", [":8760", "10.0.0.5:", "10.0.0.5:70000", "10.0.0.5:x"])
def test_where_other_servers_reach_this_one_is_a_host_with_a_port_or_without(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["host", "--no-browser", "--internal-address", address]) == 2
    assert "such as 10.0.0.5:8760" in capsys.readouterr().err


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_address_that_this_machine_does_not_have_is_told(
    workers: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "is_shared", lambda settings: True)
    words = ["host", "--no-browser", "--port", "18753", "--internal-address", "192.0.2.1", "--workers", workers]
    assert run(words) == 1
    assert "--internal-address 192.0.2.1:0: " in capsys.readouterr().err


def test_the_home_network_is_let_in_only_if_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "lan_addresses", lambda: ["192.0.2.7", "192.0.2.8"])
    assert addresses(Settings()) == ["http://127.0.0.1:8750"]
    assert addresses(Settings(lan=True))[:2] == ["http://192.0.2.7:8750", "http://192.0.2.8:8750"]
    assert "192.0.2.7" in hosts_of(Settings(lan=True)) and "192.0.2.7" not in hosts_of(Settings())
    assert hosts_of(Settings(public="https://cards.example.org/")) >= {"cards.example.org"}


def test_whoever_asks_names_another_address_only_behind_a_server_of_ours() -> None:
    async def app(*given: object) -> None: ...

    assert not config_of(app, Settings()).proxy_headers
    assert config_of(app, Settings(public="https://cards.example.org")).proxy_headers


@pytest.mark.parametrize(("proxy", "counted"), [("127.0.0.1", "10.0.0.2"), ("10.0.0.2", "me"), ("10.0.0.0/24", "me")])
def test_only_the_server_in_front_is_believed_for_whom_it_asks(proxy: str, counted: str) -> None:
    asked: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope["client"][0])

    config = config_of(app, Settings(public="https://cards.example.org", proxy=proxy))
    config.load()
    scope = {"type": "http", "client": ("10.0.0.2", 5), "headers": [(b"x-forwarded-for", b"me")]}
    asyncio.run(config.loaded_app(scope, None, None))
    assert asked == [counted]


def test_the_links_are_printed_with_a_picture_for_phones(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(serving, "lan_addresses", lambda: ["192.0.2.7", "192.0.2.8"])
    tell(["http://192.0.2.7:8750/#host=abc"], Settings(lan=True), told.append)
    assert any("/#host=abc" in line for line in told)
    assert any("█" in line or "▀" in line for line in told)
    assert any(line.endswith(" http://192.0.2.7:8750") for line in told), "who has no camera types it"


def test_without_a_network_no_picture_is_printed_that_nobody_can_open(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(serving, "lan_addresses", lambda: [])
    tell(["http://127.0.0.1:8750/#host=abc"], Settings(lan=True), told.append)
    assert any("in no network" in line for line in told) and not any("█" in line or "▀" in line for line in told)


def test_threads_of_a_server_let_its_loop_in_sooner_than_pythons_own() -> None:
    before, found = sys.getswitchinterval(), []

    async def work() -> None:
        found.append(sys.getswitchinterval())

    serving.run(work())
    assert found == [pytest.approx(serving.TURN)] and serving.TURN < before == sys.getswitchinterval()


def test_a_server_ends_quietly_while_a_table_is_read(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    reads, goes_on = threading.Event(), threading.Event()

    def taken(service: Service, name: str) -> Any:
        reads.set()
        goes_on.wait(20)
        raise Unreachable("the database is busy")

    monkeypatch.setattr(Service, "_taken", taken)

    async def scene() -> None:
        listening = socket.create_server(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        ends: list[Callable[[], None]] = []

        async def until(stop: Callable[[], None]) -> None:
            ends.append(stop)

        settings = Settings(port, database=f"sqlite:///{tmp_path / 'tables.db'}")
        served = asyncio.create_task(attend(settings, "secret", listening, until=until))
        async with connect(f"ws://127.0.0.1:{port}/socket") as page:
            await page.send(json.dumps({"type": "hello", "v": p.VERSION, "table": "0" * 12, "token": "abc"}))
            while not ends or not reads.is_set():
                await asyncio.sleep(0.01)
            ends[0]()
            await served
            goes_on.set()

    asyncio.run(asyncio.wait_for(scene(), 30))
    gc.collect()
    told = capfd.readouterr().err + caplog.text
    assert "Cancel" not in told and "Traceback" not in told and "never retrieved" not in told, told
