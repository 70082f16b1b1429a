"""Runs the benchmarks, and writes their page. See Benchmarks/run."""
