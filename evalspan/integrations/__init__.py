"""Harnesses: the pytest plugin, and what eval frameworks need to ask a set that belongs to their index."""
