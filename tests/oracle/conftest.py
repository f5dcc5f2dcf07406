"""Without OpenSpiel there is nothing to compare with: then these tests are not collected. `.ci/run` has it."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("pyspiel") else ["test_oracle.py"]
