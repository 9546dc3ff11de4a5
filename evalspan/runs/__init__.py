"""What a retriever returned."""

from evalspan.runs.run import Hit, Run

__all__ = ["Hit", "Run"]
