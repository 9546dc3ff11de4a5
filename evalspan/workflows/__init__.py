"""What a command does, as a Python call."""
