"""One process of a target, from its start to its exit marker: run, watched, read and ended."""
