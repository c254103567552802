"""The JSON that a host sends: plan and feedback, checked with one sentence per mistake."""
