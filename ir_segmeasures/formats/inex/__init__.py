"""The files of INEX."""
