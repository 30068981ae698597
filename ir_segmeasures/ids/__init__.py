"""Segment ids: made of columns, of tables of extents, of judged segments, and turned into those of documents."""
