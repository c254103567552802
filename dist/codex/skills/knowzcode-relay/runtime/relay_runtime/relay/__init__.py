"""What the verbs do to a relay. Each module is one operation or one rule of it."""
