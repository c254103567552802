"""Whether a target can work here: program, login, sandboxes, and what it means when it cannot."""
