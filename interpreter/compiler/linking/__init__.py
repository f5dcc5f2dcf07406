"""From generated text to a program: the text is run, and its functions get their places."""

from interpreter.compiler.linking.linker import link, requirements

__all__ = ["link", "requirements"]
