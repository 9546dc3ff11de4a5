"""Is this eval set fit for this index?"""

from evalspan.guard.verdict import CorpusFacts, Finding, Kind, MappingFacts, SetFacts, Verdict, judge

__all__ = ["CorpusFacts", "Finding", "Kind", "MappingFacts", "SetFacts", "Verdict", "judge"]
