"""A page as text: an outline of what can be seen, in which everything that can be acted on has a number.

What stands in frames and shadow trees is not looked into.
"""

import re
from collections import Counter
from functools import cached_property

import msgspec
from playwright.sync_api import Page

READ_SECONDS = 10.0
MOST_LINES = 3000
MOST_NODES = 50_000
LONGEST_LABEL = 80
LONGEST_TEXT = 400

OUTLINE = """(limits) => {
  const SKIPPED = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'SVG', 'IFRAME', 'OBJECT'])
  const ROLES = new Set(['button', 'link', 'tab', 'menuitem', 'checkbox', 'radio', 'option', 'switch', 'combobox',
    'textbox', 'searchbox', 'spinbutton'])
  const KINDS = {A: 'link', BUTTON: 'button', TEXTAREA: 'textbox', SELECT: 'combobox', SUMMARY: 'button'}
  const INPUTS = {submit: 'button', button: 'button', image: 'button', reset: 'button', checkbox: 'checkbox',
    radio: 'radio'}
  const lines = []
  let nodes = 0, text = ''
  const plain = (given, most) => String(given ?? '').replace(/\\s+/g, ' ').trim().slice(0, most)
  const roleOf = element => {
    const given = element.getAttribute('role')
    if (ROLES.has(given)) return given
    if (element.tagName === 'A') return element.hasAttribute('href') ? 'link' : ''
    if (element.tagName === 'INPUT') return element.type === 'hidden' ? '' : INPUTS[element.type] || 'textbox'
    return element.isContentEditable ? 'textbox' : KINDS[element.tagName] || ''
  }
  const nameOf = element => {
    const ids = (element.getAttribute('aria-labelledby') || '').split(/\\s+/)
    const by = ids.map(id => id && document.getElementById(id))
    const labels = [...(element.labels || [])]
    const picture = element.querySelector('img[alt]')
    const button = element.tagName === 'INPUT' && INPUTS[element.type] === 'button'
    const field = ['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName)
    const found = [element.getAttribute('aria-label'), by.filter(Boolean).map(one => one.innerText).join(' '),
      labels.map(one => one.innerText).join(' '), button ? element.value : '', field ? '' : element.innerText,
      element.getAttribute('placeholder'), element.getAttribute('alt'), element.getAttribute('title'),
      picture && picture.alt, element.getAttribute('name')]
    return found.map(one => plain(one, limits.label)).find(Boolean) || ''
  }
  const stateOf = element => {
    const said = []
    if (element.tagName === 'SELECT') {
      const options = [...element.options].slice(0, 30).map(one => plain(one.label, 40))
      said.push('options: ' + options.join('; '), 'chosen: ' + plain(element.selectedOptions[0]?.label, 40))
    } else if (element.type === 'checkbox' || element.type === 'radio') said.push(element.checked ? 'on' : 'off')
    else if (element.type !== 'password' && typeof element.value === 'string' && roleOf(element) === 'textbox')
      said.push('holds: ' + JSON.stringify(plain(element.value, 100)))
    if (element.disabled) said.push('disabled')
    return said.join(', ')
  }
  const pathOf = element => {
    const steps = []
    for (let one = element; one && one !== document.documentElement; one = one.parentElement)
      steps.unshift(`:nth-child(${[...one.parentElement.children].indexOf(one) + 1})`)
    return ['html', ...steps].join(' > ')
  }
  const bottom = element => Math.round(element.getBoundingClientRect().bottom)
  const flush = element => {
    if (plain(text)) lines.push({text: plain(text, limits.text), bottom: bottom(element), path: ''})
    text = ''
  }
  const walk = element => {
    for (const node of element.childNodes) {
      if (++nodes > limits.nodes || lines.length >= limits.lines) return
      if (node.nodeType === 3) { text += node.data; continue }
      if (node.nodeType !== 1 || SKIPPED.has(node.tagName.toUpperCase())) continue
      const style = getComputedStyle(node)
      if (style.display === 'none' || node.getAttribute('aria-hidden') === 'true') continue
      const shown = style.visibility === 'visible' && (style.display === 'contents' || node.getClientRects().length)
      const role = shown ? roleOf(node) : ''
      const inline = style.display.startsWith('inline') || style.display === 'contents'
      if (role) {
        flush(element)
        lines.push({role, name: nameOf(node), state: stateOf(node), path: pathOf(node), bottom: bottom(node)})
        continue
      }
      if (!inline && style.display !== 'table-cell') flush(element)
      if (/^H[1-6]$/.test(node.tagName)) text += '# '
      if (style.display === 'table-cell' && plain(text)) text += ' | '
      if (node.tagName === 'IMG' && node.alt) text += ` (picture: ${plain(node.alt, limits.label)}) `
      if (shown || style.visibility !== 'visible' || node.children.length) walk(node)
      text += ' '
      if (!inline && style.display !== 'table-cell') flush(node)
    }
  }
  if (document.body) { walk(document.body); flush(document.body) }
  return {url: location.href, title: plain(document.title, limits.label), lines}
}"""


class Line(msgspec.Struct, frozen=True):
    """Of the outline: a text, or an element with a role and the path that leads to it."""

    bottom: int
    """Below the upper edge of the window, in pixels; what is negative has been scrolled away."""
    path: str
    text: str = ""
    role: str = ""
    name: str = ""
    state: str = ""


class Element(msgspec.Struct, frozen=True):
    number: int
    role: str
    name: str
    path: str


class View(msgspec.Struct, frozen=True, dict=True):
    """What the model is shown of a page, and what its words about elements mean."""

    url: str
    title: str
    lines: tuple[str, ...]
    elements: tuple[Element, ...]

    @cached_property
    def references(self) -> dict[str, Element]:
        """A label for each, with its number where two have the same: small models copy labels, and no numbers."""
        count = Counter(one.name for one in self.elements)
        named = ((one if count[one.name] == 1 and one.name else None, one) for one in self.elements)
        return {(one.name if alone else f"{one.name or one.role} [{one.number}]"): one for alone, one in named}

    def find(self, reference: int | str) -> Element | None:
        """By number, by `[number]` after or without a label, or by a label that is one element's alone."""
        word = str(reference).strip()
        if match := re.fullmatch(r"(?:.*\[)?(\d{1,6})\]?", word, re.DOTALL):
            found = [one for one in self.elements if one.number == int(match[1])]
            if found:
                return found[0]
        same = [one for one in self.elements if one.name.casefold() == word.strip("\"'").casefold()]
        return same[0] if len(same) == 1 and word else None


def look(page: Page, most_characters: int, most_elements: int) -> View:
    """The page as it stands; too long a one from the window's upper edge on."""
    limits = {"label": LONGEST_LABEL, "text": LONGEST_TEXT, "lines": MOST_LINES, "nodes": MOST_NODES}
    # unlike `evaluate`, this one comes back from a page that hangs
    found = page.wait_for_function(OUTLINE, arg=limits, timeout=READ_SECONDS * 1000).json_value()
    lines = msgspec.convert(found["lines"], list[Line])
    if sum(len(_shown(line, 0)) + 1 for line in lines) > most_characters:
        lines = [line for line in lines if line.bottom >= 0]
    return View(found["url"], found["title"], *_cut(lines, most_characters, most_elements))


def _cut(lines: list[Line], most_characters: int, most_elements: int) -> tuple[tuple[str, ...], tuple[Element, ...]]:
    shown: list[str] = []
    elements: list[Element] = []
    for line in lines:
        text = _shown(line, len(elements) + 1)
        most_characters -= len(text) + 1
        if most_characters < 0 or (line.path and len(elements) >= most_elements):
            shown.append("(the page goes on; scroll down to see more)")
            break
        shown.append(text)
        if line.path:
            elements.append(Element(len(elements) + 1, line.role, line.name, line.path))
    return tuple(shown), tuple(elements)


def _shown(line: Line, number: int) -> str:
    if not line.path:
        return line.text
    return f'[{number}] {line.role} "{line.name}"' + (f" ({line.state})" if line.state else "")
