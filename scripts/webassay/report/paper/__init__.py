"""The tables and figures of the WebArena Verified paper, from what is public, and a ledger of how far that goes."""
