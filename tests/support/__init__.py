"""What tests share: worlds to build, clients to find, processes to run."""
