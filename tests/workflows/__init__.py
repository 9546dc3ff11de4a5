"""Tests of evalspan.workflows: what a command does, as a Python call."""
