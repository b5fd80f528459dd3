"""The address at which programs written for earlier versions import exact chances."""

from server.equity.equity import Equity, equities

__all__ = ["Equity", "equities"]
