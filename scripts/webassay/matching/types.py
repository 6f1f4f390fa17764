"""Every type of value by the name that schemas have for it."""

from webassay.matching.address import ADDRESS, FULL_ADDRESS
from webassay.matching.base64_text import BASE64
from webassay.matching.boolean import BOOLEAN
from webassay.matching.coordinates import COORDINATES
from webassay.matching.currency import CURRENCY
from webassay.matching.date import DATE
from webassay.matching.distance import DISTANCE
from webassay.matching.duration import DURATION
from webassay.matching.json_text import JSON
from webassay.matching.location_name import LOCATION_NAME
from webassay.matching.markdown import MARKDOWN
from webassay.matching.month import MONTH
from webassay.matching.null import NULL
from webassay.matching.number import INTEGER, NUMBER
from webassay.matching.string import STRING
from webassay.matching.string_list import STRING_LIST
from webassay.matching.text import TEXT
from webassay.matching.url import URL
from webassay.matching.value import ValueType

_ALL = (
    *(STRING, TEXT, NUMBER, INTEGER, BOOLEAN, NULL),
    *(CURRENCY, DATE, MONTH, DURATION, DISTANCE),
    *(COORDINATES, LOCATION_NAME, ADDRESS, FULL_ADDRESS, URL),
    *(JSON, MARKDOWN, BASE64, STRING_LIST),
)
TYPES: dict[str, ValueType] = {kind.name: kind for kind in _ALL}
