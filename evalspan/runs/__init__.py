"""What a retriever returned."""

from evalspan.runs.run import Hit, Ranked, Run, ranked

__all__ = ["Hit", "Ranked", "Run", "ranked"]
