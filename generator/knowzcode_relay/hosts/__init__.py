"""Where packages go, one module per host; what each must offer is in base."""
