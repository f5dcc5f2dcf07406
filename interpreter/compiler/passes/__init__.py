"""What is done with the core before it is printed: each pass takes a function's body and gives another."""
