"""Exports the functions for exact chances. Programs that were written for earlier versions import them from here."""

from server.equity.equity import Equity, equities

__all__ = ["Equity", "equities"]
