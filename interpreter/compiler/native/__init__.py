"""The native lane: the Python of a game and of the machine below it, as LLVM IR for random play in bulk."""
