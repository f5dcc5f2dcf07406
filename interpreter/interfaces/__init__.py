"""Where people meet it: the command line, the terminal, the full screen."""
