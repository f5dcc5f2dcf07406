"""What people read of a match: sentences for one reader, from what that reader knows."""
