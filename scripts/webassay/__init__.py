"""webassay: evaluate web agents so that the numbers can be trusted and made again."""

__version__ = "0.1.0"
