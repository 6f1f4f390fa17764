"""Words of an answer, split as NLTK's `word_tokenize` splits them, for the harness's rule about one-character answers.

NLTK cuts a text into sentences first, by a model that is fetched at run time. For a character alone that could matter
only where a period follows it in the middle of a text; answers are in lower case by then, and after a number the model
sees no end of a sentence before a word in lower case. So the text is taken as one sentence.
"""

import re

STANDING_ALONE = re.compile(r"""[«»“”‘’„"?!*;@#$%&()\[\]{}<>\u2012-\u2015]|`+|\.{2,}|--|''""")
SEPARATOR = re.compile(r"[:,](?!\d)")
"""Of words, but not of digits: `1,000` and `9:30` are one token each."""
FINAL_PERIOD = re.compile(r"""(?<!\.)\.(?=[\])}>"'»”’\s]*$)""")
OPENING_QUOTE = re.compile(r"(?<!\w)'(?=\w)(?!(?:re|ve|ll|m|t|s|d|n)\b)")
SHORT_CLITIC = re.compile(r"(?<=[^'\s])'[smd]?(?=\s|$)")
LONG_CLITIC = re.compile(r"(?<=[^'\s])('ll|'re|'ve|n't)(?=\s|$)")


def words(text: str) -> list[str]:
    """Of a text in lower case; contractions such as `gonna`, which hold no character alone, stay whole."""
    for pattern, split in (
        (OPENING_QUOTE, "' "),
        (FINAL_PERIOD, " . "),
        (STANDING_ALONE, r" \g<0> "),
        (SEPARATOR, r" \g<0> "),
        (SHORT_CLITIC, r" \g<0> "),
        (LONG_CLITIC, r" \g<0> "),
    ):
        text = pattern.sub(split, text)
    return text.split()
