"""SVG out of matplotlib, made fit to stand inside a page.

What matplotlib writes is a document of its own. Here it loses prolog and metadata, its ids get the figure's name in
front so that several can share a page, its fixed colours become the page's CSS variables (so a figure follows dark
mode), and its text stays text in the page's own font: matplotlib's has no Chinese glyphs.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from reviewbot.render.scrub import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Stand-ins: colours that nothing else uses, each replaced by the CSS variable of the page.
INK, MUTED, GRID, MAIN, SECOND, BAD, PAGE = (f"#0{n}0{n}0{n}" for n in range(1, 8))
_VARIABLES = {INK: "ink", MUTED: "muted", GRID: "line", MAIN: "main", SECOND: "second", BAD: "bad", PAGE: "page"}

#: ``Any``: the keys' own type is a literal of all names there are.
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "report",
    "text.parse_math": False,  # a `$` in a name is a `$`
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": MUTED,
    "axes.titlesize": 11,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "xtick.color": GRID,
    "ytick.color": GRID,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "legend.frameon": False,
}
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))

_ID = re.compile(r'\bid="([^"]+)"')
_REFERENCE = re.compile(r'(href="#|url\(#)([^")]+)')
_OWN_STYLE = re.compile(r"<style\b.*?</style>", re.DOTALL)  # its selector is `*`: it would reach the whole page
_FAMILY = re.compile(r"font-family: [^;\"]*;? ?")
_HEIGHT = re.compile(r'\sheight="[^"]*"')  # it follows from the width, which the page may have to narrow


@contextmanager
def drawing() -> Iterator[None]:
    """Figures made and written inside have the look above. Raises ImportError without matplotlib."""
    import matplotlib

    with matplotlib.rc_context(_SETTINGS), warnings.catch_warnings():
        # Only the width of a text is measured with a font that lacks the glyph; the browser draws it with its own.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def canvas(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure of that many inches with one pair of axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def inline(figure: Figure, name: str, label: str) -> Markup:
    """The figure as one ``<svg>`` element. ``name`` is unique in the page, ``label`` is for a screen reader."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata=_NO_METADATA)
    text = clean(buffer.getvalue())
    text = _OWN_STYLE.sub("", text[text.index("<svg") :])
    text = _REFERENCE.sub(rf"\1{name}-\2", _ID.sub(rf'id="{name}-\1"', text))
    text = _FAMILY.sub("", text)
    for colour, variable in _VARIABLES.items():
        text = text.replace(colour, f"var(--{variable})")
    head, _, rest = text.partition(">")
    attributes = Markup(' class="figure" role="img" aria-label="{}">').format(label)
    return Markup(_HEIGHT.sub("", head)) + attributes + Markup(rest)
