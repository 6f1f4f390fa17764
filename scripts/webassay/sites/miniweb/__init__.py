"""The site in the box: a django-oscar shop and its staff dashboard, seeded, resettable, with a clock of its own."""

VERSION = 1
"""Raise it when pages change: they are part of the benchmark, and so of every path."""

SHOP = "shop.localhost"
ADMIN = "admin.localhost"

CUSTOMER = ("emma.lopez@example.com", "miniweb-customer")
"""E-mail address and password; every other customer has the same password."""
STAFF = ("admin@example.com", "miniweb-staff")
