"""From packages to disk: plan, apply, verify, remove."""
