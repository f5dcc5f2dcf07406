"""What validating a ruleset takes, in a process of its own."""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

from interpreter import validate


def measured(text: str, *overlays: str) -> tuple[float, int, str]:
    """Seconds of the processor, the most memory in MB of the whole process, and the first error if there is one.

    overlays: what is laid on it, in order.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.yaml"
        path.write_text(text, encoding="utf-8")
        laid = [path.with_name(f"laid{at}.yaml") for at in range(len(overlays))]
        for file, overlay in zip(laid, overlays, strict=True):
            file.write_text(overlay, encoding="utf-8")
        before = time.process_time()
        found = [str(d) for d in validate(path, laid) if d.severity == "error"]
        taken = time.process_time() - before
    return taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, found[0] if found else ""
