"""What the target is told: words only, no file is touched here."""
