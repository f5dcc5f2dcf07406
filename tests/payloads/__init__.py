"""Texts that would like to be more than texts, in every place where a text or a name can stand."""
