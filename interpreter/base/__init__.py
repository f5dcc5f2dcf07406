"""What everything stands on: messages with places, the files that come with the program, signs, arithmetic."""
