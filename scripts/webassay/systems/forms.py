"""Filling a form with values that its fields accept and nobody asked for."""

import random
from functools import partial

import msgspec

from webassay.systems.walk import Walk

FORMS = "form:visible"
FIELDS = ":is(input, textarea, select):enabled:visible"
SUBMIT = ":is(button:not([type=button]), input[type=submit], input[type=image]):enabled:visible"
DESCRIBE = """fields => fields.map(field => ({
  kind: field.tagName === 'INPUT' ? field.type : field.tagName.toLowerCase(),
  name: field.name,
  choices: [...(field.options || [])].map(option => option.value).filter(Boolean),
}))"""

PEOPLE = ("Ada Winter", "Bruno Marsh", "Carla Stone", "Dmitri Vale", "Elsa Quill", "Farid Moss")
SENTENCES = (
    "Arrived on time and works as described.",
    "Please let me know when this is available again.",
    "I would not buy it a second time.",
    "Could somebody have a look at this today?",
    "Exactly what we were looking for.",
)
WORDS = ("tent", "lamp", "garden", "order", "delivery", "kitchen", "return", "invoice", "blue", "notebook")


class Field(msgspec.Struct, frozen=True):
    kind: str
    """The type of an input, else the name of the element."""
    name: str
    choices: list[str]


def fill_form(walk: Walk, form: str) -> None:
    """Fill its visible fields in turn and send it; one that cannot be filled is left as it is."""
    for number, field in enumerate(fields_of(walk, form)):
        selector = f"{form} >> {FIELDS} >> nth={number}"
        if field.kind in ("checkbox", "radio"):
            if walk.rng.random() < 0.5:
                walk.click(selector)
        elif field.kind == "select" and field.choices:
            walk.act(partial(walk.session.select, selector, walk.rng.choice(field.choices)))
        elif (value := plausible(field, walk.rng)) is not None:
            walk.act(partial(walk.session.type, selector, value))
    walk.click(f"{form} >> {SUBMIT} >> nth=0")


def fields_of(walk: Walk, form: str) -> list[Field]:
    found: list[object] = []
    walk.attempt(lambda: found.extend(walk.session.page.locator(form).locator(FIELDS).evaluate_all(DESCRIBE)))
    return msgspec.convert(found, list[Field])


def plausible(field: Field, rng: random.Random) -> str | None:
    """By the field's type, then by its name; None for what takes no text."""
    person = rng.choice(PEOPLE)
    by_kind = {
        "email": f"{person.lower().replace(' ', '.')}@example.com",
        "password": f"{rng.choice(WORDS)}-{rng.randint(1000, 9999)}",
        "number": str(rng.randint(1, 5)),
        "date": f"2024-0{rng.randint(1, 9)}-{rng.randint(10, 28)}",
        "tel": f"01632 960{rng.randint(100, 999)}",
        "url": "http://example.com/",
        "textarea": rng.choice(SENTENCES),
        "search": rng.choice(WORDS),
        "text": person if "name" in field.name else rng.choice(WORDS),
    }
    return by_kind.get(field.kind)
