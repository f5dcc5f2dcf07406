"""Settings for all tests: how much hypothesis tries, and always the same where CI is set."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_ALWAYS = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
settings.register_profile("local", **_ALWAYS)
settings.register_profile("ci", derandomize=True, print_blob=True, **_ALWAYS)
settings.register_profile("thorough", max_examples=1_000, **_ALWAYS)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "local"))
