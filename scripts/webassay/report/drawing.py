"""How every figure looks and is written: the same data give the same bytes, and no colour is needed to read one."""

import io
from contextlib import AbstractContextManager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webassay.core.files import write_bytes
from webassay.report.letters import spelled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMS = ("pdf", "png")
BLUE, ORANGE, GREEN, PINK, YELLOW, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"
COLOURS = (BLUE, ORANGE, GREEN, PINK, SKY, YELLOW)
"""Okabe and Ito's, which the colour-blind can tell apart; shapes, dashes or hatches say the same besides."""
GREY = "#777777"
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that every machine draws the same
    "font.size": 9,
    "text.parse_math": False,  # names are text, whatever dollars they hold
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.5,
    "legend.frameon": False,
    "pdf.fonttype": 42,
}
UNDATED: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
"""Neither dates nor versions."""


def styled() -> AbstractContextManager[None]:
    """Figures are made within it, too: matplotlib takes some of a style when an axis is made, some when it is drawn."""
    import matplotlib

    return matplotlib.rc_context(STYLE)


@lru_cache
def _glyphs() -> frozenset[int]:
    from matplotlib.font_manager import findfont
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(findfont(STYLE["font.family"])).get_charmap())


def drawable(name: str) -> str:
    """A name with no letter that would be drawn as an empty box."""
    return spelled(name, _glyphs())


def new_figure(width: float, height: float) -> "Figure":
    """In inches; no window system, no global state."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def rendered(figure: "Figure", form: str) -> bytes:
    content = io.BytesIO()
    with styled():
        figure.savefig(content, format=form, dpi=200, bbox_inches="tight", metadata=UNDATED[form])
    return content.getvalue()


def save(figure: "Figure", folder: Path, name: str) -> None:
    for form in FORMS:
        write_bytes(folder / f"{name}.{form}", rendered(figure, form))
