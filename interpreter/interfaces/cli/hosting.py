"""The command that opens a table in the browser."""

from __future__ import annotations

import click

from interpreter.interfaces.cli.commands import cli
from interpreter.interfaces.cli.flags import Wrong
from interpreter.interfaces.cli.output import say


def _address(_: click.Context, __: click.Parameter, given: str) -> str:
    host, colon, port = given.partition(":")
    if not host or (colon and not (port.isdecimal() and 0 < int(port[:6]) < 65_536)):
        raise click.BadParameter("a host, or a host and a port such as 10.0.0.5:8760")
    return given


def _page_address(_: click.Context, __: click.Parameter, given: str | None) -> str | None:
    from urllib.parse import urlsplit

    if given is None:
        return None
    try:
        found = urlsplit(given)
        is_right = found.scheme in ("http", "https") and bool(found.hostname) and found.port != 0
    except ValueError:
        is_right = False
    if not is_right:
        raise click.BadParameter(f"'{given}' is no address of a page such as https://cards.example.org")
    return given


def _networks(_: click.Context, __: click.Parameter, given: str) -> str:
    from ipaddress import ip_network

    found = [one.strip() for one in given.split(",")]
    for one in found:
        try:
            ip_network(one)
        except ValueError:
            why = f"'{one}' is no address such as 10.0.0.2, and no network such as 10.0.0.0/24"
            raise click.BadParameter(why) from None
    return ",".join(found)


@cli.command(short_help="Open a table in the browser.")
@click.option("--port", type=click.IntRange(1, 65535), default=8750, metavar="N", help="The port of the page (8750).")
@click.option("--lan", is_flag=True, help="Let the home network in, and show a code for phones.")
@click.option("--open", "is_open", is_flag=True, help="Let everybody open tables, not the host alone.")
@click.option("--database", metavar="URL", help="Where tables are kept, as SQLAlchemy names it.")
@click.option(
    "--public-url",
    metavar="URL",
    callback=_page_address,
    help="The address of a server in front of this one, such as https://...",
)
@click.option(
    "--proxy",
    default="127.0.0.1",
    metavar="ADDRESS",
    callback=_networks,
    help="Where that server asks from, or the network (127.0.0.1): it is believed for whom it asks.",
)
@click.option("--workers", type=click.IntRange(1, 64), default=1, metavar="N", help="How many servers work here (1).")
@click.option(
    "--internal-address",
    "inside",
    default="127.0.0.1",
    metavar="HOST[:PORT]",
    callback=_address,
    help="Where servers on other machines with the same database reach this one.",
)
@click.option("--browser/--no-browser", default=True, help="Whether the browser is opened.")
def host(
    port: int,
    lan: bool,
    is_open: bool,
    database: str | None,
    public_url: str | None,
    proxy: str,
    workers: int,
    inside: str,
    browser: bool,
) -> None:
    """Open tables in the browser: people join with a link, or with a code, from their own screens.

    Everything is kept on this machine, in the folder for your data unless --database says otherwise. It needs the extra
    'host'.
    """
    from interpreter.interfaces.host import serving

    if absent := serving.missing():
        raise click.UsageError(
            f"this needs {', '.join(absent)}: install the extra 'host', with: pip install 'houserules[host]' "
            "(in a clone: pip install '.[host]')"
        )
    from interpreter.interfaces.host.database import StoreError

    settings = serving.Settings(port, lan, is_open, database, public_url, workers=workers, inside=inside, proxy=proxy)
    try:
        serving.run(serving.serve(settings, say, _open if browser else lambda link: None))
    except StoreError as error:
        raise Wrong(str(error)) from None


def _open(link: str) -> None:
    import webbrowser

    webbrowser.open(link)
