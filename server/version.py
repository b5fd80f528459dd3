"""The only place with the version number: pyproject.toml reads it here, and `highnoon --version` prints it."""

VERSION = "0.1.0"
