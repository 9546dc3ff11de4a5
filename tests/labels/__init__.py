"""Tests of evalspan.labels."""
