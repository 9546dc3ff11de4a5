"""A history as one HTML page that needs nothing else: a drawing, and the table it is drawn from."""

from collections.abc import Iterator
from html import escape

from evalspan.scoring.history import Bridge, History, Point

WIDTH, HEIGHT = 960, 340
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 64, 40

COLOURS = ("#1864ab", "#2b8a3e", "#a61e4d", "#e67700", "#5f3dc4", "#0b7285")
"""Of the series, in turn; each is as dark as text on white."""

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem;color:#212529;background:#fff}
h1{font-size:1.4rem} svg{width:100%;height:auto;border:1px solid #dee2e6;border-radius:6px}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #e9ecef}
td.n{text-align:right;font-variant-numeric:tabular-nums} tr.break td{background:#fff4e6;font-weight:600}
.note{color:#495057}
"""


_NOTE = (
    "Figures are joined only where corpus, chunking, embedding, set version and min_overlap are the same. A dashed "
    "line across a break is a bridge: two configurations scored on the same questions at the same time."
)


class _Frame:
    """Where points stand: by their order, since runs come in bursts; figures from 0 to what is needed."""

    def __init__(self, points: list[tuple[Point, int]]) -> None:
        self.at = {point.id: i for i, (point, _) in enumerate(points)}
        highs = [max(point.figure.high, point.figure.value or 0.0) for point, _ in points]
        self.top = max(1.0, *highs) if highs else 1.0

    def x(self, point: Point) -> float:
        room = WIDTH - LEFT - RIGHT
        return LEFT + room * (self.at[point.id] + 0.5) / len(self.at)

    def y(self, value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / self.top)


def render_page(history: History, title: str) -> str:
    """The whole page."""
    points = history.points
    rows = "\n".join(_rows(history))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n"
        f"<h1>{escape(title)}</h1>\n"
        f'<p class="note">{_NOTE}</p>\n'
        f"{_drawing(history, points)}\n"
        "<table><thead><tr><th>score</th><th>time</th><th>run</th><th>code</th><th>set</th><th>chunking</th>"
        f"<th>{escape(history.measure)}</th></tr></thead><tbody>\n{rows}\n</tbody></table>\n"
        "</body></html>\n"
    )


def _drawing(history: History, points: list[tuple[Point, int]]) -> str:
    frame = _Frame(points)
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(history.measure)} over time">']
    parts += _axis(frame)
    parts += _break_marks(history, frame)
    settings = history.settings
    for series in history.series:
        colour = COLOURS[settings.index(series.setting) % len(COLOURS)]
        path = " ".join(f"{frame.x(p):.1f},{frame.y(drawn_at(p)):.1f}" for p in series.points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [_point(point, frame, colour) for point in series.points]
    parts += [_bridge(bridge, frame) for bridge in history.bridges]
    return "".join([*parts, "</svg>"])


def _axis(frame: _Frame) -> Iterator[str]:
    for step in range(6):
        value = frame.top * step / 5
        y = frame.y(value)
        yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#e9ecef"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" font-size="12" fill="#495057">{value:.2g}</text>'


def _break_marks(history: History, frame: _Frame) -> Iterator[str]:
    half = (WIDTH - LEFT - RIGHT) / max(1, len(frame.at)) / 2
    for number, one in enumerate(history.breaks):
        first = history.series[one.series].points[0]
        x = frame.x(first) - half
        said = ", ".join(change.partition(":")[0] for change in one.changes)
        label = f"break: {said}" + (" (bridged)" if one.bridged else "")
        yield _line((x, TOP - 6), (x, HEIGHT - BOTTOM), 'stroke="#d9480f" stroke-dasharray="2 3"')
        y = 18 + 16 * (number % 3)
        yield f'<text x="{x + 4:.1f}" y="{y}" font-size="12" fill="#d9480f">{escape(label)}</text>'


def _point(point: Point, frame: _Frame, colour: str) -> str:
    figure, x = point.figure, frame.x(point)
    said = escape(f"score {point.id}, {point.at}, {point.run}: {_figure(point)}")
    bar = ""
    if figure.low != figure.high:
        low, high = frame.y(figure.low), frame.y(figure.high)
        bar = _line((x, low), (x, high), f'stroke="{colour}" stroke-opacity=".45" stroke-width="5"')
    middle = drawn_at(point)
    fill = colour if figure.value == middle else "#fff"
    at = f'cx="{x:.1f}" cy="{frame.y(middle):.1f}" r="4"'
    return f'{bar}<circle {at} fill="{fill}" stroke="{colour}"><title>{said}</title></circle>'


def _bridge(bridge: Bridge, frame: _Frame) -> str:
    old, new = bridge
    ends = [(frame.x(p), frame.y(drawn_at(p))) for p in (old, new)]
    look = 'stroke="#343a40" stroke-width="1.5" stroke-dasharray="6 4"'
    return _line(ends[0], ends[1], look, f"bridge: scores {old.id} and {new.id}")


def _line(one: tuple[float, float], other: tuple[float, float], look: str, title: str = "") -> str:
    ends = f'x1="{one[0]:.1f}" y1="{one[1]:.1f}" x2="{other[0]:.1f}" y2="{other[1]:.1f}"'
    return f"<line {ends} {look}><title>{escape(title)}</title></line>" if title else f"<line {ends} {look}/>"


def drawn_at(point: Point) -> float:
    """Its figure; the middle of its interval where the questions that are decided lie outside what all can be."""
    value, low, high, _ = point.figure
    return value if value is not None and low <= value <= high else (low + high) / 2


def _figure(point: Point) -> str:
    figure = point.figure
    interval = f"{figure.low:.3f}–{figure.high:.3f}"
    if figure.value is None or not figure.low <= figure.value <= figure.high:
        decided = "" if figure.value is None else f"; {figure.value:.3f} where decided"
        return f"{interval} ({point.waiting} labels wait{decided})"
    return f"{figure.value:.3f}" if figure.low == figure.high else f"{figure.value:.3f} ({interval})"


def _rows(history: History) -> Iterator[str]:
    firsts = {history.series[one.series].points[0].id: one for one in history.breaks}
    for point, _ in history.points:
        broken = firsts.get(point.id)
        if broken is not None:
            said = "; ".join(broken.changes) + (" (bridged)" if broken.bridged else "")
            yield f'<tr class="break"><td colspan="7">Break: {escape(said)}</td></tr>'
        cells = [
            f'<td class="n">{point.id}</td>',
            *(
                f"<td>{escape(cell)}</td>"
                for cell in (
                    point.at,
                    point.run,
                    point.code_version,
                    point.setting.set_version,
                    point.setting.chunking,
                )
            ),
            f'<td class="n">{escape(_figure(point))}</td>',
        ]
        yield f"<tr>{''.join(cells)}</tr>"
