"""Passages and chunks found in one text: readings, likeness, order, gaps."""
