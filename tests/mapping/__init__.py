"""Tests of evalspan.mapping."""
