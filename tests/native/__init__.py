"""Tests of machine code, which the extra `native` makes: collected only when this folder is asked for by name."""
