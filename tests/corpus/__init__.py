"""Tests of evalspan.corpus."""
