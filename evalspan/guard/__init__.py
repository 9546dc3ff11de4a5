"""Is this eval set fit for this index?"""

from evalspan.guard.facts import CorpusFacts, MappingFacts, SetFacts
from evalspan.guard.verdict import Finding, Kind, Verdict, judge

__all__ = ["CorpusFacts", "Finding", "Kind", "MappingFacts", "SetFacts", "Verdict", "judge"]
