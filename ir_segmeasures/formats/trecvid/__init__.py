"""The files of TRECVID and of the Video Browser Showdown."""
