"""What runs: positions, lawful moves, playing, the machine of stages, what each player sees, and what is told."""
