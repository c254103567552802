"""The user's git repository: what it is, what changed in it, and the few things we do to it."""
