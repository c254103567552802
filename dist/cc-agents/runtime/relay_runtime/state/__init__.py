"""A relay on disk: `state.md` for everybody, `relay.json` for us."""
