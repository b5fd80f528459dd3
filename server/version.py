"""The one place where the version stands: pyproject.toml reads it here, and `highnoon --version` prints it."""

VERSION = "0.1.0"
