"""`evalspan set diff`: what differs between two versions."""

from evalspan.labels.difference import SetDifference, set_difference
from evalspan.workflows.set_references import SetReference, find_set
from evalspan.workflows.stores import StoreOrAddress


def diff_sets(old: SetReference, new: SetReference, *, store: StoreOrAddress = None) -> SetDifference:
    """Each is NAME, NAME@VERSION, or a set file; they need not be of one set.

    Raises BadInput for a file with faults, NotFound, StoreError where one is not a file.
    """
    return set_difference(find_set(old, store).eval_set, find_set(new, store).eval_set)
