"""Runs that are made of judgements, and the order in which measures should put them."""
