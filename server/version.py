"""The one place where the version stands: pyproject.toml reads it here, and `highnoon --version` tells it."""

VERSION = "0.1.0"
