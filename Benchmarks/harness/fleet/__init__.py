"""Machines of a fleet as processes, on servers of their own: for Benchmarks/fleet, and for the section of the page."""
