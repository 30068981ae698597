"""Windows of time in what models of video write."""
