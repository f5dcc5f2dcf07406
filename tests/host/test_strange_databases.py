"""A database from somebody else, or one that is damaged: nothing of it or beside it is spoilt, and nobody waits."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sqlite3
import stat
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from house import House, Person, play_on, run

from interpreter.interfaces.host.database import StoreError
from interpreter.interfaces.host.leases import Sharing
from interpreter.interfaces.host.secrets_of_tables import hashed
from interpreter.interfaces.host.service import NoTable
from interpreter.interfaces.host.store import Store

ENDLESS = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r)"
EVENTS = (
    "CREATE TABLE events (table_id VARCHAR(32) NOT NULL, n INTEGER NOT NULL, at FLOAT NOT NULL, "
    "body BLOB NOT NULL, PRIMARY KEY (table_id, n)) WITHOUT ROWID"
)


def url(file: Path) -> str:
    return f"sqlite:///{file}"


def makes(file: Path, script: str) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.executescript(script)


def all_there(folder: Path) -> dict[str, tuple[int, bytes]]:
    """By its name what each file says, and who may read it."""
    return {path.name: (path.stat().st_mode, path.read_bytes()) for path in folder.iterdir()}


# ---- what lies beside it --------------------------------------------------------------------------------------


@pytest.mark.parametrize("beside", ["lock", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("lies", ["a link", "a link to nothing", "a pipe", "a folder"])
@pytest.mark.parametrize("is_new", [True, False])
def test_a_file_beside_the_database_that_is_a_link_or_no_plain_file_is_refused_and_not_touched(
    tmp_path: Path, beside: str, lies: str, is_new: bool
) -> None:
    file, precious = tmp_path / "tables.db", tmp_path / "precious.txt"
    if not is_new:
        Store(url(file)).stop()
    precious.write_text("precious", "utf-8")
    precious.chmod(0o644)
    path = Path(f"{file}.lock" if beside == "lock" else f"{file}{beside}")
    path.unlink(missing_ok=True)
    match lies:
        case "a link":
            path.symlink_to("precious.txt")
        case "a link to nothing":
            path.symlink_to("nothing.txt")
        case "a pipe":
            os.mkfifo(path)
        case "a folder":
            path.mkdir(mode=0o755)
    with pytest.raises(StoreError, match="is a link, or no plain file"):
        Store(url(file))
    assert precious.read_text("utf-8") == "precious" and precious.stat().st_mode & 0o777 == 0o644
    assert not (tmp_path / "nothing.txt").exists() and os.path.lexists(path)


def test_what_the_lock_of_a_database_says_stays(tmp_path: Path) -> None:
    lock = tmp_path / "tables.db.lock"
    lock.write_text("precious", "utf-8")
    Store(url(tmp_path / "tables.db")).stop()
    assert lock.read_text("utf-8") == "precious"


@pytest.mark.parametrize("lies", ["a pipe", "a folder"])
def test_a_database_that_is_no_plain_file_is_refused(tmp_path: Path, lies: str) -> None:
    file = tmp_path / "tables.db"
    os.mkfifo(file) if lies == "a pipe" else file.mkdir()
    with pytest.raises(StoreError, match="is a link, or no plain file"):
        Store(url(file))


def test_a_database_may_be_named_by_a_link_and_is_then_read_by_nobody_else(tmp_path: Path) -> None:
    real = tmp_path / "real.db"
    (tmp_path / "link.db").symlink_to("real.db")
    for _ in ("new", "there"):
        Store(url(tmp_path / "link.db")).stop()
        assert stat.S_ISLNK((tmp_path / "link.db").lstat().st_mode) and real.stat().st_mode & 0o777 == 0o600
        real.chmod(0o644)


# ---- databases of other programs ------------------------------------------------------------------------------


def a_letter(file: Path) -> None:
    file.write_text("not a database at all, just a letter\n" * 100, "utf-8")


def its_own(file: Path) -> None:
    makes(file, "CREATE TABLE birthdays (who TEXT, day TEXT); INSERT INTO birthdays VALUES ('Anna', '1 May')")


def events_of_its_own(file: Path) -> None:
    makes(file, "CREATE TABLE events (id INTEGER PRIMARY KEY, what TEXT); INSERT INTO events VALUES (1, 'birthday')")


def like_ours_without_a_version(file: Path) -> None:
    makes(file, EVENTS)


def about_of_its_own(file: Path) -> None:
    makes(file, "CREATE TABLE about (version); INSERT INTO about VALUES ('abc')")


def in_use(file: Path) -> None:
    """It has written last to the file beside it, and was cut off."""
    other = file.with_name("other.db")
    with closing(sqlite3.connect(other)) as database:
        database.executescript("PRAGMA journal_mode=WAL; CREATE TABLE birthdays (who TEXT)")
        for ending in ("", "-wal"):
            Path(f"{file}{ending}").write_bytes(Path(f"{other}{ending}").read_bytes())
    other.unlink()


def at_rest(file: Path) -> None:
    makes(file, "PRAGMA journal_mode=WAL; CREATE TABLE birthdays (who TEXT)")


@pytest.mark.parametrize(
    "of_another",
    [its_own, events_of_its_own, like_ours_without_a_version, about_of_its_own, in_use, at_rest, a_letter],
)
def test_a_database_of_another_program_is_refused_and_not_changed(
    tmp_path: Path, of_another: Callable[[Path], None]
) -> None:
    file = tmp_path / "tables.db"
    of_another(file)
    file.chmod(0o644)
    before = all_there(tmp_path)
    is_none = of_another is a_letter
    for sharing in (None, Sharing("a")):
        with pytest.raises(StoreError, match="not a database" if is_none else "it is a database of another program"):
            Store(url(file), sharing=sharing)
    found = all_there(tmp_path)
    found.pop("tables.db-shm", None)  # SQLite keeps its place in the other one there, and makes it anew
    assert found == before


def test_what_another_program_was_stopped_at_is_not_undone(tmp_path: Path) -> None:
    file, other = tmp_path / "tables.db", tmp_path / "other.db"
    makes(other, "CREATE TABLE birthdays (who TEXT)")
    with closing(sqlite3.connect(other, isolation_level=None)) as database:
        database.executescript("PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN")
        database.executemany("INSERT INTO birthdays VALUES (?)", [("Anna" * 1000,)] * 50)
        for ending in ("", "-journal"):
            Path(f"{file}{ending}").write_bytes(Path(f"{other}{ending}").read_bytes())
    before = all_there(tmp_path)
    with pytest.raises(StoreError, match=r"tables\.db-journal lies beside it"):
        Store(url(file))
    assert all_there(tmp_path) == before


def test_a_database_of_a_newer_version_is_not_even_added_to(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    makes(
        file,
        "CREATE TABLE about (version INTEGER NOT NULL, PRIMARY KEY (version)); INSERT INTO about VALUES (99); "
        "CREATE TABLE newer (what TEXT)",
    )
    before = all_there(tmp_path)
    with pytest.raises(StoreError, match="version 99"):
        Store(url(file))
    assert all_there(tmp_path) == before


def test_a_database_goes_on_alone_and_shared_after_its_owner_has_put_it_in_order(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    for sharing in (Sharing("a"), None, Sharing("a")):
        Store(url(file), sharing=sharing).stop()
        makes(file, "ANALYZE; VACUUM")


# ---- what others have put into ours ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "trap",
    [
        f"DROP TABLE events; CREATE VIEW events AS {ENDLESS} SELECT 't' || x AS table_id, 1 AS n, 0.0 AS at, x'7b7d' "
        "AS body FROM r",
        f"CREATE VIEW more AS {ENDLESS} SELECT x FROM r",
        "CREATE TRIGGER q AFTER INSERT ON events BEGIN DELETE FROM events WHERE n > 3; END",
        "DROP TABLE seen; CREATE VIRTUAL TABLE seen USING fts5(table_id, n, at)",
        "DROP TABLE seen; CREATE TABLE seen (table_id, n, at, PRIMARY KEY (table_id))",
        "DROP TABLE rulesets; CREATE TABLE rulesets (digest VARCHAR(64) NOT NULL, text TEXT NOT NULL "
        "CHECK (length(hex(zeroblob(400000000))) > 0), PRIMARY KEY (digest))",
        "ALTER TABLE events ADD COLUMN more TEXT",
        "CREATE TABLE more (what TEXT)",
        "CREATE INDEX more ON events (hex(zeroblob(n)))",
        f"PRAGMA writable_schema=1; UPDATE sqlite_master SET sql='CREATE VIEW events AS {ENDLESS} SELECT x FROM r', "
        "type='view', rootpage=0 WHERE name='events'",
        f"PRAGMA writable_schema=1; INSERT INTO sqlite_master VALUES ('view', 'sqlite_stat1', 'sqlite_stat1', 0, "
        f"'CREATE VIEW sqlite_stat1 AS {ENDLESS} SELECT 1 AS tbl, 1 AS idx, x AS stat FROM r')",
    ],
)
@pytest.mark.parametrize("was_stopped", [False, True])
def test_a_database_in_which_more_was_made_than_our_tables_is_refused_before_anything_is_asked_of_it(
    tmp_path: Path, trap: str, was_stopped: bool
) -> None:
    file, other = tmp_path / "tables.db", tmp_path / "other.db"
    Store(url(other)).stop()
    with closing(sqlite3.connect(other, isolation_level=None)) as database:
        database.executescript(trap)
        if was_stopped:  # all of it stands in the file beside it
            Path(f"{file}-wal").write_bytes(Path(f"{other}-wal").read_bytes())
            file.write_bytes(other.read_bytes())
    if not was_stopped:
        file.write_bytes(other.read_bytes())
    before = file.read_bytes()
    with pytest.raises(StoreError, match="it holds what this program has not made"):
        Store(url(file))
    assert file.read_bytes() == before


# ---- rows that cannot be ours ---------------------------------------------------------------------------------

SPEC = {"source": "hearts"}
OPENED: dict[str, Any] = {
    "t": "open", "game": SPEC, "title": "Hearts", "seats": 4, "join": "j", "watch": "w", "code": "BADBAD",
}  # fmt: skip
NESTED = '{"t": "open", "game": {"source": "hearts", "options": {"a": ' + "[" * 5_000 + "]" * 5_000 + "}}}"
BODIES: list[Any] = [
    None, 5, 0.5, "text", 3_000_000_000, b"\xff\xfe", b"", NESTED.encode(),
    *(json.dumps({**OPENED, "seats": seats}).encode() for seats in (0, -1, 17, 1_000_000, 10**30, "4", None)),
    json.dumps({**OPENED, "game": {**SPEC, "players": 3}}).encode(),
]  # fmt: skip
LATER: list[tuple[Any, Any]] = [
    (2, None), (2, 7), (2, "text"), ("x", b'{"t":"lapse"}'), (b"x", b'{"t":"lapse"}'), (1.5, b'{"t":"lapse"}'),
    (2**63 - 1, b'{"t":"lapse"}'), (-1, b'{"t":"lapse"}'), (2, b'{"t":"sit","seat":9,"name":"Anna","secret":"s"}'),
    (2, b'{"t":"propose","what":"bot","by":9,"seat":8}'), (2, b'{"t":"set","what":"wait","value":[]}'),
    (2, b'{"t":"end","won":[7]}'), (2, b'{"t":"undo","stay":1,"redrawn":[],"chance":{"deck":1}}'),
    (2, b'{"t":"begin","made":[[],[]],"head":' + b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"}"),
]  # fmt: skip


def put_in(file: Path, rows: list[tuple[Any, ...]], into: str = "events") -> None:
    """Rows whatever their types: in a file a column takes anything."""
    with closing(sqlite3.connect(file)) as database, database:
        made = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", (into,)).fetchone()[0]
        for text in (made.replace(" NOT NULL", ""), made):  # meanwhile even nothing at all may stand there
            database.execute("PRAGMA writable_schema=1")
            database.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (text, into))
            database.commit()
            with closing(sqlite3.connect(file)) as other, other:
                if text != made:
                    marks = ", ".join("?" * len(rows[0]))
                    other.executemany(f"INSERT INTO {into} VALUES ({marks})", rows)


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_a_table_of_which_the_first_row_cannot_be_ours_is_left_alone_and_never_made(tmp_path: Path, body: Any) -> None:
    file, bad, good = tmp_path / "tables.db", "0" * 12, "1" * 12
    Store(url(file)).stop()
    put_in(file, [(bad, 1, 1.0, body), (good, 1, 1.0, json.dumps(OPENED).encode())])
    store = Store(url(file))
    try:
        assert [name for name, _ in store.opened()] == [good]
        with pytest.raises((ValueError, RecursionError)):
            store.take(bad)
    finally:
        store.stop()


@pytest.mark.parametrize("row", [("q", "r"), (1, "r"), (1, b""), (None, None), (1, None)], ids=range(5))
def test_when_a_table_was_last_found_may_be_damaged_and_is_then_now(tmp_path: Path, row: tuple[Any, ...]) -> None:
    file, name = tmp_path / "tables.db", "1" * 12
    Store(url(file)).stop()
    put_in(file, [(name, 1, 1.0, json.dumps(OPENED).encode())])
    put_in(file, [(name, *row)], "seen")
    store = Store(url(file))
    try:
        assert store.clear_away(time.time() - 60) == 0
        assert store.clear_away(time.time() + 60) == 1
    finally:
        store.stop()


def test_tables_of_which_a_row_cannot_be_ours_say_so_and_keep_no_other_from_going_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    good = list[Person]()

    async def opens(house: House) -> None:
        good.extend(await house.table_of(2, "crazy-eights", players=2))

    async def goes_on(house: House) -> None:
        for name in names:
            for _ in ("first", "again"):
                with pytest.raises(NoTable, match="cannot be read") as told:
                    await house.service.table(name)
                assert told.value.why == "gone"
        people = [await house.come(person.links) for person in good]
        for person in people:
            await person.welcome()
        assert await play_on(people, 2) == 2
        await house.open()
        await house.service.clear_away()

    run(opens, tmp_path)
    now, file = time.time(), tmp_path / "tables.db"
    first, later = [f"{at:012x}" for at in range(len(BODIES))], [f"{at:012x}" for at in range(100, 100 + len(LATER))]
    names = first + later
    rows: list[tuple[Any, ...]] = [(name, 1, now, body) for name, body in zip(first, BODIES, strict=True)]
    rows += [(name, 1, now, json.dumps(OPENED).encode()) for name in later]
    rows += [(name, n, now, body) for name, (n, body) in zip(later, LATER, strict=True)]
    rows += [(b"\0\xff", 1, None, b"{}"), (7.5, 1, "y", json.dumps(OPENED).encode())]
    put_in(file, rows)
    put_in(file, [(first[0], "q", "r"), (first[1], 1, "r"), (b"zz", 1, 1.0), (first[2], 1, b"")], "seen")
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("INSERT INTO seen VALUES (CAST(x'ff41' AS TEXT), 1, 1.0)")
        database.execute("INSERT INTO events VALUES (CAST(x'ff41' AS TEXT), 1, 1.0, ?)", (b"{}",))
    run(goes_on, tmp_path)
    assert not [record for record in caplog.records if record.exc_info or record.levelno > logging.WARNING]


@pytest.mark.parametrize("text", [b"\xff", 5, "[]", '{"hearts": 5}', "{", "[" * 5_000])
def test_of_a_table_of_which_the_rules_are_damaged_people_are_told_so(
    tmp_path: Path, text: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def opens(house: House) -> None:
        await house.open()

    async def begins(house: House) -> None:
        page = await house.come({"table": "0" * 12}, "watching")
        await page.welcome()
        table = await house.service.table("0" * 12)
        table.put(table.begin)
        assert "does not understand the rules" in (await page.message("error"))["text"]

    run(opens, tmp_path)
    body = {**OPENED, "game": {**SPEC, "players": 4}, "watch": hashed("watching"), "digest": "d"}
    put_in(tmp_path / "tables.db", [("0" * 12, 1, time.time(), json.dumps(body).encode())])
    put_in(tmp_path / "tables.db", [("d", text)], "rulesets")
    run(begins, tmp_path)
    assert not [record for record in caplog.records if record.exc_info]


def test_seats_that_the_rules_cannot_have_begin_no_match(tmp_path: Path) -> None:
    async def opens(house: House) -> None:
        await house.open()

    async def begins(house: House) -> None:
        table = await house.service.table("0" * 12)
        told = list[Any]()
        table.tell = told.append  # type: ignore[method-assign]
        table.put(table.begin)
        while not told:
            await asyncio.sleep(0.01)
        assert "players" in told[0].text and table.state.state == "lobby"

    run(opens, tmp_path)
    body = {**OPENED, "seats": 16, "game": {**SPEC, "players": 16}}
    put_in(tmp_path / "tables.db", [("0" * 12, 1, time.time(), json.dumps(body).encode())])
    run(begins, tmp_path)


def test_secrets_in_a_row_that_no_secret_could_have_open_nothing(tmp_path: Path) -> None:
    async def opens(house: House) -> None:
        await house.open()

    async def comes(house: House) -> None:
        page = await house.come({"table": "0" * 12}, "whatever")
        assert (await page.message("error"))["why"] == "moved"

    run(opens, tmp_path)
    body = json.dumps({**OPENED, "join": "é", "watch": "é"}).encode()
    put_in(tmp_path / "tables.db", [("0" * 12, 1, time.time(), body)])
    run(comes, tmp_path)


@pytest.mark.parametrize("shared", [False, True])
def test_of_a_table_of_which_a_row_was_cut_a_page_is_told_so_once_and_other_tables_go_on(
    tmp_path: Path, shared: bool, caplog: pytest.LogCaptureFixture
) -> None:
    people, others = list[Person](), list[Person]()

    async def plays(house: House) -> None:
        people.extend(await house.table_of(4))
        await play_on(people, 6)
        others.extend(await house.table_of(2, "crazy-eights", players=2))

    async def comes(house: House) -> None:
        for _ in ("first", "again"):
            page = await house.come(people[0].links)
            told = await page.hear()
            assert told["type"] == "error" and "cannot be read" in told["text"]
            assert told["final"] and told["why"] == "gone"
        async with house.client() as client:
            answer = await client.get(f"/api/tables/{people[0].links['table']}/rules")
            assert answer.status_code == 404 and "cannot be read" in answer.json()["error"]
        again = [await house.come(person.links) for person in others]
        for person in again:
            await person.welcome()
        assert await play_on(again, 2) == 2

    run(plays, tmp_path, shared=shared)
    with closing(sqlite3.connect(tmp_path / "tables.db")) as database, database:
        cut = "UPDATE events SET body = substr(body, 1, 20) WHERE table_id = ? AND n = 8"
        assert database.execute(cut, (people[0].links["table"],)).rowcount == 1
    run(comes, tmp_path, shared=shared)
    assert not [record for record in caplog.records if record.exc_info or record.levelno > logging.WARNING]
    assert caplog.text.count(f"{people[0].links['table']}' cannot be read") == 1


def test_what_a_newer_version_has_stored_last_is_not_taken_for_less(tmp_path: Path) -> None:
    async def opens(house: House) -> None:
        names.append((await house.open())["table"])

    async def comes(house: House) -> None:
        with pytest.raises(NoTable, match="newer version"):
            await house.service.table(names[0])

    names = list[str]()
    run(opens, tmp_path)
    put_in(tmp_path / "tables.db", [(names[0], 7, time.time(), b'{"t":"of a newer version"}')])
    run(comes, tmp_path)
