"""How much a server takes: `python -m tests.load` plays many tables at once and tells what it costs."""
