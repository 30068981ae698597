"""What readers and writers of files share."""
