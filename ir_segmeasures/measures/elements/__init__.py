"""Measures of judged elements: INEX 2002 to 2005."""
