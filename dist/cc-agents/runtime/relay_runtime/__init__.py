"""The relay protocol as a program: bundled in every package, standard library only, Python 3.9 and newer."""
