"""Re-exports the functions for exact chances, which programs for earlier versions import from this module."""

from server.equity.equity import Equity, equities

__all__ = ["Equity", "equities"]
