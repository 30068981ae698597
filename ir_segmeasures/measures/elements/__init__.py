"""The measures of judged elements: INEX 2002 to 2005."""
