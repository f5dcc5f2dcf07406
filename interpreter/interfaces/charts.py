"""A comparison as one page with charts that needs nothing else. Needs the extra `charts`, which is Matplotlib."""

from __future__ import annotations

import html as entities
import io
import re
from collections.abc import Callable, Sequence
from contextlib import chdir
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.analysis.comparison import from_dealer, told
from interpreter.analysis.intervals import interval, mean
from interpreter.base.signs import visible

if TYPE_CHECKING:
    from interpreter.analysis.comparison import Comparison, Side

MOST_DRAWN = 8
"""More games than these are not told apart in a chart."""
COLOURS = ("#1b6ca8", "#c2571a", "#3b7d3a", "#8e4a9e", "#a33b3b", "#5d5d5d", "#b58900", "#2a8f8f")
MARKS = "osD^v<>P"
_STYLE = """
body { font: 17px/1.5 Georgia, serif; max-width: 50rem; margin: 0 auto; padding: 1rem; color: #222; background: #fff }
h1, h2, figcaption { font-family: Helvetica, Arial, sans-serif; line-height: 1.2 }
h2 { border-bottom: 2px solid #8a3324; margin-top: 2.2rem }
figure { margin: 1.5rem 0 } figure svg { width: 100%; height: auto } figcaption { font-weight: bold }
pre { white-space: pre-wrap; font: inherit } li.sure { font-weight: bold }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a browser may fetch for the page: nothing."""


def page(comparison: Comparison, level: str) -> str:
    """The comparison in words and charts, as HTML."""
    old, *others = comparison.sides
    title = f"{old.label} and {others[0].label}" if len(others) == 1 else f"{old.label} and {len(others)} other games"
    lists = []
    for other in others:
        own = sorted((d for d in comparison.differences if d.other is other), key=lambda found: not found.sure)
        items = "".join(f"<li{' class=sure' if found.sure else ''}>{_escape(str(found))}</li>" for found in own)
        lists.append(f"<h2>{_escape(f'{other.label} instead of {old.label}')}</h2>\n<ul>{items}</ul>")
    note = told(comparison, level).splitlines()[-1]
    played = f"{len(old.course.played)} matches of each game from the same seeds, {level} bots. {note}"
    return "\n".join(
        (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8" />',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}" />',
            f"<title>{_escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
            f"<h1>{_escape(title)}</h1>\n<p>{_escape(played)}</p>",
            *lists,
            f"<p>The charts show the first {MOST_DRAWN} games.</p>" if len(comparison.sides) > MOST_DRAWN else "",
            *_charts(comparison.sides[:MOST_DRAWN]),
            "</body>\n</html>\n",
        )
    )


def _escape(text: str) -> str:
    return entities.escape(visible(" ".join(text.split())))


def _charts(sides: Sequence[Side]) -> list[str]:
    swept = all(type(side.value) is int for side in sides)
    found = [_figure("How long matches last", lambda axes: _lengths(axes, sides))]
    if swept:
        found.append(_figure("How long matches last, by the value", lambda axes: _by_value(axes, sides)))
    if len({side.plan.game.players for side in sides}) == 1:
        found.append(_figure("Who wins, with 95% intervals", lambda axes: _winners(axes, sides)))
    return found


def _figure(title: str, draw: Callable[[Any], None]) -> str:
    """A chart as an SVG that stands in the page. Names are no formulas, letters stay letters, and no date is told."""
    # From the folder it is called in it would read settings, which may let programs run.
    with chdir(Path(__file__).parent):
        import matplotlib
        from matplotlib.figure import Figure

    settings = {
        "svg.fonttype": "none", "svg.hashsalt": title, "text.parse_math": False, "font.size": 11,
        "font.family": "sans-serif", "axes.spines.top": False, "axes.spines.right": False,
    }  # fmt: skip
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # nor what the user's own settings say
        matplotlib.rcParams.update(settings)
        figure = Figure(figsize=(8, 4), layout="constrained")
        axes = figure.add_subplot()
        draw(axes)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    drawn = text.getvalue()[text.getvalue().index("<svg") :]
    drawn = re.sub(r"<metadata>.*?</metadata>", "", drawn, flags=re.DOTALL)
    drawn = drawn.replace("<svg", f'<svg role="img" aria-label="{_escape(title)}"', 1)
    return f"<figure>\n<figcaption>{_escape(title)}</figcaption>\n{drawn}</figure>"


def _unit(sides: Sequence[Side]) -> tuple[str, str]:
    """What lengths are counted in: deals, or decisions where every match is one deal."""
    several = any(match.deals > 1 for side in sides for match in side.course.played)
    return ("deals", "deals") if several else ("decisions", "decisions")


def _of(side: Side, what: str) -> list[int]:
    return [getattr(match, what) for match in side.course.played if match.over]


def _lengths(axes: Any, sides: Sequence[Side]) -> None:
    """The share of matches that have ended by then."""
    what, unit = _unit(sides)
    for number, side in enumerate(sides):
        found = sorted(_of(side, what))
        if found:
            shares = list(accumulate([0, *(100 / len(found) for _ in found)]))
            axes.step([found[0], *found], shares, where="post", color=COLOURS[number], label=visible(side.label))
    axes.set_xlabel(f"{unit} played")
    axes.set_ylabel("% of the matches have ended")
    axes.set_ylim(0, 101)


def _by_value(axes: Any, sides: Sequence[Side]) -> None:
    """The mean length at each value of a number that is swept."""
    what, unit = _unit(sides)
    points = [(side.value, mean(found)) for side in sides if (found := _of(side, what))]
    bounds = [found.interval() or (found.value, found.value) for _, found in points]
    below = [found.value - low for (_, found), (low, _) in zip(points, bounds, strict=True)]
    above = [high - found.value for (_, found), (_, high) in zip(points, bounds, strict=True)]
    values, means = [value for value, _ in points], [found.value for _, found in points]
    axes.errorbar(values, means, (below, above), fmt="o-", color=COLOURS[0], capsize=4)
    axes.set_xticks(values)
    axes.set_xlabel("value")
    axes.set_ylabel(f"{unit} on average")
    axes.set_ylim(bottom=0)


def _winners(axes: Any, sides: Sequence[Side]) -> None:
    """The share of matches that each seat wins, by side."""
    n = sides[0].plan.game.players
    ended = [[match for match in side.course.played if match.over] for side in sides]
    dealt = all(match.dealer is not None for matches in ended for match in matches)
    for number, (side, matches) in enumerate(zip(sides, ended, strict=True)):
        if not matches:
            continue
        won = [sum(((m.dealer or 0) * dealt + seat) % n in m.winners for m in matches) for seat in range(n)]
        shares, bounds = [count / len(matches) for count in won], [interval(count, len(matches)) for count in won]
        below = [100 * max(0.0, share - low) for share, (low, _) in zip(shares, bounds, strict=True)]
        above = [100 * max(0.0, high - share) for share, (_, high) in zip(shares, bounds, strict=True)]
        at = [seat + (number - (len(sides) - 1) / 2) * 0.6 / len(sides) for seat in range(n)]
        axes.errorbar(
            at, [100 * share for share in shares], (below, above), fmt=MARKS[number], color=COLOURS[number],
            capsize=3, label=visible(side.label),
        )  # fmt: skip
    names = [from_dealer(seat, n).removeprefix("whoever ").replace("first dealer's ", "dealer's ") for seat in range(n)]
    axes.set_xticks(
        range(n), [name.replace(" to ", "\nto ") for name in names] if dealt else [f"P{p + 1}" for p in range(n)]
    )
    axes.set_ylabel("% of the matches won")
    axes.set_ylim(bottom=0)
