"""Programs written for earlier versions import exact chances from this module."""

from server.equity.equity import Equity, equities

__all__ = ["Equity", "equities"]
