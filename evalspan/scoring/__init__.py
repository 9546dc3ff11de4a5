"""Scores, as intervals where labels are unknown."""

from evalspan.scoring.bounds import Interval, RunScore, score_bounds

__all__ = ["Interval", "RunScore", "score_bounds"]
