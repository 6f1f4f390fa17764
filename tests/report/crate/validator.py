"""What the package roc-validator says of a crate; runs in an environment of its own, with one context and no network.

    python validator.py CRATE CONTEXT PROFILE …

The context is that of RO-Crate 1.2, of which tests keep the terms that bundles use.
"""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

from rocrate_validator import services
from rocrate_validator.models import Severity, ValidationSettings
from rocrate_validator.utils.http import HttpRequester

CONTEXT = "https://w3id.org/ro/crate/1.2/context"


def get(self: HttpRequester, url: str, *_: object, **__: object) -> SimpleNamespace:
    if url != CONTEXT:
        raise OSError(f"no network: {url}")
    known = json.loads(Path(sys.argv[2]).read_text())
    return SimpleNamespace(status_code=200, headers={"Content-Type": "application/ld+json"}, json=lambda: known)


HttpRequester.get = get
found = {}
for profile in sys.argv[3:]:
    settings = ValidationSettings(
        rocrate_uri=sys.argv[1],
        profile_identifier=profile,
        requirement_severity=Severity.RECOMMENDED,
        disable_inherited_profiles_issue_reporting=True,
    )
    issues = services.validate(settings).get_issues()
    found[profile] = [[each.severity.name, each.message, str(each.violatingEntity)] for each in issues]
print(json.dumps(found))
