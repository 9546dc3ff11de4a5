"""The command line: one file per command group; errors become messages and exit codes here, once."""

from evalspan.cli.main import main

__all__ = ["main"]
