"""Which calls of the host run unasked."""
