"""`python -m evalspan`."""

from evalspan.cli import main

if __name__ == "__main__":
    main()
