"""Whether a ruleset says what it should: scenarios, what they assert and cover, and mutations of the rules."""
