"""Starting the server: where it listens, under which addresses it is reached, and what stands in the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import logging
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from interpreter.interfaces.host.service import Service

PORT = 8750
NEEDED = ("starlette", "uvicorn", "websockets", "sqlalchemy", "segno")


@dataclass(frozen=True, slots=True)
class Settings:
    """lan: whether the home network may come in. database: as SQLAlchemy names it; None for the user's folder. public:
    the address under which a server in front of this one is reached."""

    port: int = PORT
    lan: bool = False
    is_open: bool = False
    database: str | None = None
    public: str | None = None
    pace: float = 1.0


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
    import uvicorn

    from interpreter.interfaces.host.gatekeeper import Gate
    from interpreter.interfaces.host.secrets_of_tables import new_secret
    from interpreter.interfaces.host.service import Service
    from interpreter.interfaces.host.store import Store, default_url
    from interpreter.interfaces.host.web import Web

    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    listening = _listening(settings)
    secret = new_secret()
    service = Service(Store(settings.database or default_url()), pace=settings.pace)
    web = Web(service, Gate(hosts_of(settings)), secret, settings.is_open, (settings.public or "").startswith("https"))
    config = config_of(web.app(), settings)
    server = uvicorn.Server(config)
    service.store.start(asyncio.get_running_loop())
    await service.start()
    links = [f"{address}/#host={secret}" for address in addresses(settings)]
    task = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not task.done():
        await asyncio.sleep(0.01)
    if server.started:
        tell(links, settings, say)
        ready(links[-1])
    _collect_seldom()
    sweep = asyncio.create_task(_sweep(service))
    try:
        await task
    finally:
        sweep.cancel()
        await service.stop()


def _collect_seldom() -> None:
    """Look for what is in circles and not needed any more less often: next to nothing here is, and each search goes
    through all that tables keep."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 10)


def config_of(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    """How the application is served."""
    import uvicorn

    from interpreter.interfaces.host.protocol import LONGEST_MESSAGE

    return uvicorn.Config(
        app,
        lifespan="off",
        access_log=False,
        log_level="warning",
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=LONGEST_MESSAGE,
        ws_ping_interval=10.0,
        ws_ping_timeout=10.0,
        ws_per_message_deflate=False,
        proxy_headers=settings.public is not None,  # without a server in front anybody could name any address
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


async def _sweep(service: Service) -> None:
    """Let tables leave memory at which nobody is, and give up what is too old."""
    for minutes in itertools.count(1):
        await asyncio.sleep(60)
        await service.leave_idle()
        if minutes % (24 * 60) == 0:
            await service.clear_away()


def tell(links: list[str], settings: Settings, say: Callable[[str], None]) -> None:
    """Print where the page is, with a picture of the best address for phones, which opens no more than the page."""
    say("The table is open. Your own link, which may open tables (don't pass it on):")
    for link in links:
        say(f"  {link}")
    if settings.lan:
        import io

        import segno

        picture = io.StringIO()
        segno.make(addresses(settings)[0], error="m").terminal(picture, compact=True)
        say(picture.getvalue())
        say("Phones in the same network find the page by this picture, and a table by its code.")
        say("It doesn't open? Look at the firewall of this machine.")
    say("Ctrl+C ends the server; tables go on when it is started again.")
