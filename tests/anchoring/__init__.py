"""Tests of evalspan.anchoring."""
