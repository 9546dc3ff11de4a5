"""A history as a page: whole, self-contained, and joined only where it may be."""

from xml.etree import ElementTree

from evalspan.scoring.figures import Figure
from evalspan.scoring.history import Point, Setting, trace
from evalspan.scoring.page import render_page

OLD = Setting("v1", "large <b>", "ada", "faq@1", "0.5")
NEW = OLD._replace(chunking="small")


def point(number: int, setting: Setting, figure: Figure) -> Point:
    return Point(number, f"2026-03-{number:02d}T09:00:00Z", setting, figure, "run & co", "", 0)


def test_every_point_is_drawn_and_no_line_crosses_a_break() -> None:
    points = [point(n, OLD if n < 3 else NEW, Figure(0.1 * n, 0.1 * n, 0.1 * n)) for n in range(1, 6)]
    page = render_page(trace("R@10", points), "faq: R@10")
    svg = ElementTree.fromstring(page[page.index("<svg") : page.index("</svg>") + 6])
    lines = [line.attrib["points"].split() for line in svg.iter("polyline")]
    assert [len(line) for line in lines] == [2, 3]
    assert len(list(svg.iter("circle"))) == 5
    assert "large &lt;b&gt;" in page
    assert "<b>" not in page


def test_a_bridge_is_the_only_link_and_an_undecided_score_has_no_dot_filled() -> None:
    points = [point(1, OLD, Figure(0.5, 0.5, 0.5)), point(2, NEW, Figure(None, 0.2, 0.9))]
    page = render_page(trace("R@10", points, [(1, 2)]), "t")
    assert page.count("bridge: scores 1 and 2") == 1
    assert 'fill="#fff"' in page
