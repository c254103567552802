"""One module per target; what each must offer is in base."""
