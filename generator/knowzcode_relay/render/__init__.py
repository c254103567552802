"""From templates to packages, and from packages to dist/."""
