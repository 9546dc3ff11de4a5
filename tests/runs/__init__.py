"""Tests of evalspan.runs."""
