"""The sites in the box: a shop, its staff dashboard, a forum, a wiki and a help desk; resettable."""

VERSION = 2
"""Raise it when pages change: they are part of the benchmark, and so of every path."""

SHOP = "shop.localhost"
ADMIN = "admin.localhost"
FORUM = "forum.localhost"
WIKI = "wiki.localhost"
DESK = "desk.localhost"
HOSTS = (SHOP, ADMIN, FORUM, WIKI, DESK)

CUSTOMER = ("emma.lopez@example.com", "miniweb-customer")
"""E-mail address and password; every other customer has the same password."""
STAFF = ("admin@example.com", "miniweb-staff")
