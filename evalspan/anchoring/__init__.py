"""Where is this passage now?"""

from evalspan.anchoring.align import relocate
from evalspan.anchoring.anchor import Anchor, Match, Status, make_anchor
from evalspan.anchoring.locate import locate
from evalspan.anchoring.sequence import locate_chunks, place_exact

__all__ = ["Anchor", "Match", "Status", "locate", "locate_chunks", "make_anchor", "place_exact", "relocate"]
