"""What Tools/package makes of the two programs: archives, packages, and what describes them."""
