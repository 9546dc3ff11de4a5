"""Where in an old chunk the evidence for a question stands."""

from evalspan.migrator.narrow.narrowing import Certainty, How, Narrowing, WideLabel, narrow_labels
from evalspan.migrator.narrow.scores import Scorer

__all__ = ["Certainty", "How", "Narrowing", "Scorer", "WideLabel", "narrow_labels"]
