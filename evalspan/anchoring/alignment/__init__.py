"""Two versions of a text, aligned, and one passage carried across."""
