"""Texts, transcripts and XML cut into segments."""
