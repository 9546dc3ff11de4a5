"""Tests of evalspan.store, each on SQLite and on PostgreSQL."""
