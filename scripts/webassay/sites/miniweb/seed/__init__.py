"""What is in the site on its first day, the same on every machine."""
