"""A whole relay played on this machine with no account: model server, repository, script."""
