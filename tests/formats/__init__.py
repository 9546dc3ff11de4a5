"""Tests of evalspan.formats."""
