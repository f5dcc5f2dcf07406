"""`python -m tests.fuzz --cases 20000`: rulesets that strangers might send are tried, and what is wrong is told.

With `--of FOLDER` the interpreter of another checkout is tried.
"""

from __future__ import annotations

import sys
from pathlib import Path

if "--of" in sys.argv:
    sys.path.insert(0, str(Path(sys.argv[sys.argv.index("--of") + 1]).resolve()))
sys.path.insert(1, str(Path(__file__).parent.parent))  # tests import their helpers by their own names

from fuzz.running import main

if __name__ == "__main__":
    sys.exit(main())
