"""The files that setup puts into a project."""
