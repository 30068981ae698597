"""Quotes and chunks without offsets located in the texts that they come from."""
