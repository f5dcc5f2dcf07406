"""What a caller uses: load and validate rulesets, make games, play many at once, read records again."""
