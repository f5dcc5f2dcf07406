"""A ruleset as text becomes a typed model: read, shaped, laid over one another, parsed, checked."""
