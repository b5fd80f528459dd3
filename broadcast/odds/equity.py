"""Exports the functions for exact chances. Programs for earlier versions of High Noon import these functions from
here.
"""

from server.equity.equity import Equity, equities

__all__ = ["Equity", "equities"]
