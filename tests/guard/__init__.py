"""Tests of evalspan.guard."""
