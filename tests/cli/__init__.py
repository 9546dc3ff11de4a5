"""Tests of evalspan.cli: the command as a person meets it."""
