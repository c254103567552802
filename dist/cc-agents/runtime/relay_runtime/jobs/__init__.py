"""Runs asked for by a text header, outside of a relay."""
