"""Eval sets in the forms of other tools: one module a format, all read into one form and written from it."""
