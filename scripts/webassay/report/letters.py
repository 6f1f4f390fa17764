"""Names come from anybody's file: what a font or LaTeX has no letter for stands as its code point."""

import unicodedata
from collections.abc import Container

_BESIDE_ASCII = (
    "¡£§«»¿–—‘’‚“”„‰‹›"
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ"
    "ĂăĄąĆćČčĎďĐđĘęĚěĞğİıĹĺĽľŁłŃńŇňŊŋŐőŒœŔŕŘřŚśŞşŠšŢţŤťŮůŰűŸŹźŻżŽž"
)
T1 = frozenset(map(ord, _BESIDE_ASCII)) | frozenset(range(0x20, 0x7F))
"""What pdfLaTeX sets of UTF-8 with its font encoding T1, whatever its year."""


def spelled(text: str, known: Container[int]) -> str:
    """`known`: code points."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(letter if ord(letter) in known else f"U+{ord(letter):04X}" for letter in composed)
