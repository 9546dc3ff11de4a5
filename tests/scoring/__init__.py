"""Tests of evalspan.scoring."""
