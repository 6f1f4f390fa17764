import os
import socket

import requests


def verify(server_url: str) -> tuple[bool, str]:
    """Tells all it knows, and tries to tell it elsewhere."""
    print(os.environ)
    try:
        socket.create_connection(("127.0.0.1", 9), timeout=1)
        told = "reached another port"
    except PermissionError:
        told = "confined"
    state = requests.get(f"{server_url}/api/state", timeout=5).json()
    added = any(item["title"] == "Water the plants" for item in state["items"])
    return added, f"{told} {sorted(os.environ)} {state['password']}"
