"""How pages, forms, addresses and interfaces write a text: the site that repeats does, and the test looks for all."""

import html
import json
from base64 import b64encode
from urllib.parse import quote, quote_plus


def spellings(text: str) -> set[str]:
    in_json, in_address = json.dumps(text)[1:-1], quote(text, safe="")
    in_script = in_json.replace("/", "\\/").replace("&", "\\u0026").replace("<", "\\u003C")
    return {
        *(text, in_json, in_script, json.dumps(in_json)[1:-1], html.escape(text), html.escape(in_json)),
        "".join(char if char.isalnum() else f"&#{ord(char)};" for char in text),
        *(quote(text), in_address, quote_plus(text), in_address.lower(), quote(in_address, safe="")),
        quote(text, safe="!'()*-._~"),
    }


def packed(text: str) -> list[str]:
    """In base64, which looks otherwise by where it begins; without what its neighbours decide."""
    plain = text.encode()
    return [b64encode(b"x" * before + plain).decode()[4 if before else 0 : -4] for before in range(3)]
