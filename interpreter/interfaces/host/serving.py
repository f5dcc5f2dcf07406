"""Starting the server: where it listens, under which addresses it is reached, and what stands in the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import itertools
import logging
import signal
import socket
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from interpreter.interfaces.host import circles

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from interpreter.interfaces.host.service import Service
    from interpreter.interfaces.host.several_workers import Until
    from interpreter.interfaces.host.store import Store

log = logging.getLogger("houserules.host")

PORT = 8750
HIGHEST_PORT = 65_535
HANDLES = 65_536
"""Files and connections that a server may have open, where the system lets it."""
TURN = 0.0005
"""Seconds after which a thread that works lets in the loop. Python's own 0.005 are waited again after each message that
is sent or read while a thread makes a game."""
BACKLOG = 2_048
"""Connections that wait for a server."""
NEEDED = ("starlette", "uvicorn", "websockets", "sqlalchemy", "segno", "psutil")


@dataclass(frozen=True, slots=True)
class Settings:
    """lan: whether the home network may come in. database: as SQLAlchemy names it; None for the user's folder. public:
    the address under which a server in front of this one is reached. workers: how many servers there are. inside: the
    host, or host:port, at which other servers of the same database reach this one. proxy: the addresses or networks of
    servers in front that are believed for whom they ask."""

    port: int = PORT
    lan: bool = False
    is_open: bool = False
    database: str | None = None
    public: str | None = None
    pace: float = 1.0
    workers: int = 1
    inside: str = "127.0.0.1"
    proxy: str = "127.0.0.1"


def missing() -> list[str]:
    """What of the extra `host` is not installed."""
    from importlib.util import find_spec

    return [name for name in NEEDED if find_spec(name) is None]


def lan_addresses() -> list[str]:
    """The addresses of this machine in its networks, that of the default route first."""
    found: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it only tells by which way one would go
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(found) if not address.startswith("127.")]


def addresses(settings: Settings) -> list[str]:
    """Where the page is, the best address first."""
    if settings.public is not None:
        return [settings.public.rstrip("/")]
    hosts = lan_addresses() if settings.lan else []
    return [f"http://{host}:{settings.port}" for host in (*hosts, "127.0.0.1")]


def hosts_of(settings: Settings) -> set[str]:
    """The names under which the server may be asked."""
    own = {"127.0.0.1", "localhost", "::1"}
    return own | {urlsplit(address).hostname or "" for address in addresses(settings)}


async def serve(
    settings: Settings, say: Callable[[str], None], ready: Callable[[str], None] = lambda link: None
) -> None:
    """Serve until the program is stopped. say: prints a line. ready: is given the host's link. Raises StoreError,
    and OSError where the port cannot be had."""
    from interpreter.interfaces.host.secrets_of_tables import new_secret

    listening = _listening(settings)
    secret = new_secret()
    links = [f"{address}/#host={secret}" for address in addresses(settings)]

    def started() -> None:
        tell(links, settings, say)
        ready(links[-1])

    if settings.workers == 1:
        await attend(settings, secret, listening, started)
        return
    from interpreter.interfaces.host.several_workers import lead

    with contextlib.ExitStack() as tried:  # what is wrong is told before they begin
        for number in range(settings.workers):
            tried.enter_context(_inside(settings, number)[0])
    _store(settings, "", secret).stop()
    listening.listen(BACKLOG)
    started()
    await lead(settings.workers, partial(_serve_one, settings, secret, listening))


def _serve_one(settings: Settings, secret: str, listening: socket.socket, number: int, until: Until) -> None:
    """One of several servers, in a process of its own."""
    run(attend(settings, secret, listening, number=number, until=until))


async def attend(
    settings: Settings,
    secret: str,
    listening: socket.socket,
    started: Callable[[], None] = lambda: None,
    number: int = 0,
    until: Until | None = None,
) -> None:
    """One server. secret: of the host. number: among the workers. until: stops it when something has come about.

    Raises StoreError, and OSError where the port cannot be had at which other servers reach it.
    """
    import uvicorn

    from interpreter.interfaces.host.gatekeeper import Gate
    from interpreter.interfaces.host.service import Service
    from interpreter.interfaces.host.web import Web

    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(_is_ours)
    sockets, address = [listening], ""
    if is_shared(settings):
        inside, address = _inside(settings, number)
        sockets.append(inside)
    service = Service(_store(settings, address, secret), pace=settings.pace)
    web = Web(service, Gate(hosts_of(settings)), secret, settings.is_open, (settings.public or "").startswith("https"))
    config = config_of(web.app(), settings)
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext  # type: ignore[assignment, method-assign]  # it would end the program too soon
    interrupted = _heed_signals(server)
    service.store.start(asyncio.get_running_loop())
    await service.start()
    task = asyncio.create_task(server.serve(sockets=sockets))
    while not server.started and not task.done():
        await asyncio.sleep(0.01)
    if server.started:
        started()
    circles.look_seldom()
    _open_as_many_as_may_be()
    besides = [asyncio.ensure_future(sweep(service))]
    if until is not None:
        besides.append(asyncio.ensure_future(until(partial(setattr, server, "should_exit", True))))
    try:
        await task
    finally:
        for beside in besides:
            beside.cancel()
        await service.stop()
    if interrupted:
        raise KeyboardInterrupt


def _heed_signals(server: uvicorn.Server) -> list[int]:
    """Let the server end when the program is asked to, and then hand over its tables. What is given gets an entry when
    somebody has interrupted it."""
    interrupted: list[int] = []

    def ends(number: int, frame: object = None) -> None:
        interrupted.extend([number] if number == signal.SIGINT else [])
        server.handle_exit(number, None)

    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            asyncio.get_running_loop().add_signal_handler(number, ends, number)
        except NotImplementedError:  # on Windows
            signal.signal(number, ends)
    return interrupted


def is_shared(settings: Settings) -> bool:
    """Whether other servers use the database, too: one that is no file is everybody's. Raises StoreError."""
    from interpreter.interfaces.host.database import is_file

    return settings.workers > 1 or (settings.database is not None and not is_file(settings.database))


def _store(settings: Settings, address: str, secret: str) -> Store:
    """Raises StoreError."""
    from interpreter.interfaces.host.database import default_url
    from interpreter.interfaces.host.leases import Sharing
    from interpreter.interfaces.host.secrets_of_tables import hashed
    from interpreter.interfaces.host.store import Store

    sharing = Sharing(address, hashed(secret)) if is_shared(settings) else None
    return Store(settings.database or default_url(), sharing=sharing)


def _inside(settings: Settings, number: int) -> tuple[socket.socket, str]:
    """Where other servers reach this one. Raises OSError."""
    host, _, port = settings.inside.partition(":")
    wanted = int(port) + number if port else 0
    named = f"--internal-address {host}:{wanted}"
    if wanted > HIGHEST_PORT:
        raise OSError(errno.EADDRNOTAVAIL, "each server needs a port of its own, and there is no such port", named)
    try:
        found = socket.create_server((host, wanted))
    except OSError as error:
        raise OSError(error.errno, error.strerror, named) from None
    return found, f"{host}:{found.getsockname()[1]}"


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run what serves: in the loop of uvloop, which costs less for each message, where that is installed. Threads let
    it in soon."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(TURN)
    try:
        import uvloop
    except ImportError:  # as on Windows
        asyncio.run(work)
    else:
        uvloop.run(work)
    finally:
        sys.setswitchinterval(before)


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether something is to be told in the terminal: what strangers send wrongly fills no log, and that pages are cut
    off when the server ends, which come back by themselves, is no fault."""
    is_cut_off = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not is_cut_off and not str(record.msg).startswith(("Invalid ", "Cancel "))


def _open_as_many_as_may_be() -> None:
    """A connection needs a file handle, of which many systems let a program have a thousand unless it asks for more."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = HANDLES if most == resource.RLIM_INFINITY else min(most, HANDLES)
        if now != resource.RLIM_INFINITY and now < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def config_of(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    """How the application is served."""
    from interpreter.interfaces.host.open_socket import OpenSocket
    from interpreter.interfaces.host.protocol import LONGEST_MESSAGE
    from interpreter.interfaces.host.strangers import MOST, Config

    return Config(
        app,
        most_strangers=MOST if settings.public is None else None,
        lifespan="off",
        access_log=False,
        log_level="warning",
        server_header=False,
        ws=OpenSocket,
        ws_max_size=LONGEST_MESSAGE,
        ws_ping_interval=10.0,
        ws_ping_timeout=10.0,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,  # pages come back by themselves
        proxy_headers=settings.public is not None,  # without a server in front anybody could name any address
        forwarded_allow_ips=settings.proxy,
    )


def _listening(settings: Settings) -> socket.socket:
    """The port of the page. Raises OSError."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(("0.0.0.0" if settings.lan else "127.0.0.1", settings.port))
    except OSError as error:
        found.close()
        raise OSError(error.errno, f"{error.strerror}; --port names another", f"port {settings.port}") from None
    return found


async def sweep(service: Service) -> None:
    """Let tables leave memory at which nobody is, and give up what is too old."""
    have_left = False
    for seconds in itertools.count(1):
        await asyncio.sleep(1)
        try:
            if seconds % 60 == 0:
                have_left |= await service.leave_idle() > 0
            if seconds % (24 * 3600) == 0:
                await service.clear_away()
        except Exception:  # as when the database does not answer
            log.exception("what is to be put in order will be at the next time")
        if (have_left and service.store.rests) or circles.may_be_many():
            circles.end()
            have_left = False


def tell(links: list[str], settings: Settings, say: Callable[[str], None]) -> None:
    """Print where the page is, with a picture of the best address for phones, which opens no more than the page."""
    say("Houserules is running. Open your own link, which may open tables (don't pass it on):")
    for link in links:
        say(f"  {link}")
    page = addresses(settings)[0]
    if settings.lan and page.startswith("http://127."):
        say("This machine is in no network: nobody else can open that.")
    elif settings.lan:
        import io

        import segno

        picture = io.StringIO()
        segno.make(page, error="m").terminal(picture, compact=True)
        say(f"For the others in the same network, by this picture or typed: {page}")
        say(picture.getvalue())
        say("There they type the code that your table shows. It doesn't open? Look at the firewall of this machine.")
    say("Ctrl+C ends the server; tables go on when it is started again.")
