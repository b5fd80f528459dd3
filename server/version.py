"""The only place that holds the version: pyproject.toml reads it here, and `highnoon --version` prints it."""

VERSION = "0.1.0"
