"""From tables to what the function of a measure is given, one query at a time."""
