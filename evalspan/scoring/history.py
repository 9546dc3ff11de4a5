"""Scores over time, in series that may be compared, and the breaks between them.

"A trend chart with an unmarked discontinuity is worse than two charts": points whose corpus, chunking, embedding, set
version or min_overlap differ are of different series. No line joins two series but a bridge: two scores that were taken
together, on the same set version.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from evalspan.scoring.figures import Figure


class Setting(NamedTuple):
    """What two figures must share to be compared."""

    corpus: str
    """Each as it is shown; equal exactly where the thing is."""
    chunking: str
    embedding: str
    set_version: str
    min_overlap: str

    def differences(self, other: "Setting") -> tuple[str, ...]:
        """In words, as "chunking: words-400 → words-200"."""
        return tuple(
            f"{name.replace('_', ' ')}: {mine} → {theirs}"
            for name, mine, theirs in zip(self._fields, self, other, strict=True)
            if mine != theirs
        )


class Point(NamedTuple):
    """One score."""

    id: int
    at: str
    """UTC, ISO 8601."""
    setting: Setting
    figure: Figure
    run: str
    code_version: str
    waiting: int


class Series(NamedTuple):
    """Points of one setting with none of another between them, oldest first."""

    setting: Setting
    points: tuple[Point, ...]


class Break(NamedTuple):
    """A new series begins, and its figures are not to be subtracted from those before."""

    at: str
    """Time of its first point."""
    series: int
    """Number of the series that begins, from 0."""
    changes: tuple[str, ...]
    """Against the series of the point before it."""
    bridged: bool
    """A bridge was taken between its setting and that before it."""


class Bridge(NamedTuple):
    """Two points that were taken together."""

    old: Point
    new: Point


class History(NamedTuple):
    measure: str
    series: tuple[Series, ...]
    """In the order of time; a setting comes again where others were scored in between."""
    breaks: tuple[Break, ...]
    bridges: tuple[Bridge, ...]

    @property
    def settings(self) -> list[Setting]:
        """Each once, in the order in which they first come."""
        return list(dict.fromkeys(one.setting for one in self.series))

    @property
    def points(self) -> list[tuple[Point, int]]:
        """Every point with the number of its series, oldest first."""
        out = [(point, number) for number, one in enumerate(self.series) for point in one.points]
        return sorted(out, key=lambda pair: (pair[0].at, pair[0].id))


def trace(measure: str, points: Iterable[Point], bridges: Iterable[tuple[int, int]] = ()) -> History:
    """`points` in any order; `bridges`: pairs of their ids."""
    ordered = sorted(points, key=lambda point: (point.at, point.id))
    series = tuple(Series(setting, tuple(mine)) for setting, mine in groupby(ordered, key=lambda point: point.setting))
    by_id = {point.id: point for point in ordered}
    linked = tuple(Bridge(by_id[old], by_id[new]) for old, new in bridges if old in by_id and new in by_id)
    return History(measure, series, tuple(_breaks(series, linked)), linked)


def _breaks(series: Sequence[Series], bridges: Sequence[Bridge]) -> Iterator[Break]:
    """One wherever the setting changes, on the way back to an earlier one too."""
    linked = [{bridge.old.setting, bridge.new.setting} for bridge in bridges]
    for number, (before, after) in enumerate(pairwise(series), 1):
        changes = before.setting.differences(after.setting)
        yield Break(after.points[0].at, number, changes, {before.setting, after.setting} in linked)
