"""Runs `highnoon` commands in the process of the tests. A new process for each command would be slower."""

import pytest

from server.__main__ import main

Capture = pytest.CaptureFixture[str]


def output_of(capsys: Capture, *words: object) -> str:
    """Runs a command, which must succeed. Returns what it prints."""
    capsys.readouterr()
    assert main([str(word) for word in words]) == 0
    return capsys.readouterr().out


def error_of(capsys: Capture, *words: object) -> str:
    """Runs a command, which must fail with status 1. Returns what it prints to standard error."""
    capsys.readouterr()
    assert main([str(word) for word in words]) == 1
    return capsys.readouterr().err
