"""Tests of evalspan.migrator."""
