"""Readers and writers of files share these modules."""
