"""Tests of evalspan.text."""
