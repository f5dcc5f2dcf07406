"""Tests of what optional extras bring: collected only when this folder is asked for by name, as `.ci/run` does."""
