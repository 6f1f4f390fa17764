"""The structured response as a JSON schema that a grammar can be made of: each text and array is bounded."""

from typing import Any

ACTIONS = ("retrieve", "mutate", "navigate")
SUCCESS = "SUCCESS"
FAILURES = (
    "NOT_FOUND_ERROR",
    "ACTION_NOT_ALLOWED_ERROR",
    "PERMISSION_DENIED_ERROR",
    "DATA_VALIDATION_ERROR",
    "UNKNOWN_ERROR",
)
MOST_RESULTS = 3
"""Small models, who alone are held to a form, fill whatever room they have."""
LONGEST_RESULT = 60
LONGEST_REASON = 100


def _variant(actions: tuple[str, ...], statuses: tuple[str, ...], results: dict[str, Any]) -> dict[str, Any]:
    failed = SUCCESS not in statuses
    return {
        "type": "object",
        "properties": {
            "action": {"enum": list(actions)},
            "status": {"enum": list(statuses)},
            "results": results,
            "error_details": {"type": "string", "maxLength": LONGEST_REASON} if failed else {"type": "null"},
        },
        "required": ["action", "status", "results", "error_details"],
        "additionalProperties": False,
    }


RESULTS: dict[str, Any] = {
    "type": "array",
    "items": {"anyOf": [{"type": "string", "maxLength": LONGEST_RESULT}, {"type": "number"}]},
    "minItems": 1,
    "maxItems": MOST_RESULTS,
}
RESPONSE_FORM: dict[str, Any] = {
    "anyOf": [
        _variant(("retrieve",), (SUCCESS,), RESULTS),
        _variant(("mutate", "navigate"), (SUCCESS,), {"type": "null"}),
        _variant(ACTIONS, FAILURES, {"type": "null"}),
    ]
}
"""What `core.response` accepts, said without conditions, which grammars have not."""
