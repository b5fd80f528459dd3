"""The program's version number, written only here: pyproject.toml reads it, and `highnoon --version` prints it."""

VERSION = "0.2.0"
