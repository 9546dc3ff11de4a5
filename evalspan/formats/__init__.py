"""Foreign files are read and written here, and nowhere else: one module a format."""
