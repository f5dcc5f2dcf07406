"""What expressions mean by the reference, beside what the compiler makes of them."""
