"""`python -m interpreter` is the program `houserules`."""

from __future__ import annotations

from interpreter.interfaces.cli import main

if __name__ == "__main__":
    main()
