"""The harness's comparisons of texts: equal, contained, and the guard for answers of one character."""

from webassay.judges.webarena.tokens import words

OR = " |OR| "


def clean(text: str) -> str:
    """Stripped, without one pair of quotes, in lower case."""
    text = text.strip()
    if text[:1] == text[-1:] in ("'", '"'):
        text = text[1:-1]  # of a lone quote nothing is left
    return text.lower()


def is_equal(wanted: str, given: str) -> bool:
    return clean(wanted) == clean(given)


def includes(given: str, wanted: str, *, alone: bool = False) -> bool:
    """Anywhere in the text, also within a word; a single wanted character that is `alone` must be a word."""
    wanted, given = clean(wanted), clean(given)
    if alone and len(wanted) == 1 and len(words(wanted)) == 1:
        return wanted in words(given)
    return wanted in given


def includes_any(given: str, alternatives: str) -> bool:
    """On pages one wanted text may name several; a character is found within words here."""
    return any(includes(given, wanted) for wanted in alternatives.split(OR))
