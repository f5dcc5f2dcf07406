"""What people read of a match."""
