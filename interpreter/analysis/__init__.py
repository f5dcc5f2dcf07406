"""What many matches tell of a ruleset: simulation, and an audit of what can go wrong in play."""
