"use strict";
/* What all pages share. Text only ever becomes text: nothing here parses HTML. */

/** An element with attributes and children; functions are listeners, strings are text. */
function h(tag, attributes, ...children) {
  const svg = h.svg.has(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}
h.svg = new Set(["svg", "circle", "line", "rect", "path", "text", "g"]);

/** The address behind `#`, as names and values. */
function settings() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/** Keeps the address in step without adding to the history. */
function keep(values) {
  const given = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const text = new URLSearchParams(given).toString();
  history.replaceState(null, "", location.pathname + location.search + (text ? "#" + text : ""));
}

function option(value, text) {
  return h("option", { value }, text === undefined ? value : text);
}

/** Says what is missing beside the page, and gives what it can be drawn with all the same. */
function lacking(file, empty) {
  const told = `${file} is missing beside this page, or cannot be read. The command that made the report makes it again; while a run goes on, so does webassay view.`;
  addEventListener("DOMContentLoaded", () => document.getElementById("main").prepend(h("p", { class: "warn", role: "alert" }, told)));
  return empty;
}

const MARKS = { passed: "✓", failed: "✗", auto_zero: "0", ungraded: "?", aborted: "!", waiting: "…" };

function remember(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name);
    localStorage.setItem(name, value);
  } catch {
    /* a browser that keeps nothing for files */
  }
  return null;
}

/** What is kept while a page is loaded again, and gone with its tab. */
const PLACE = `place ${location.pathname}`;
const BOXES = ".wide, #panel, #strip";
const SPOTS = "a[href], button, input, select, summary, [tabindex]";

/** What an element is known by after the page was drawn again. */
const spot = (one) => [one.tagName, one.id, one.name || "", one.getAttribute("href") || one.textContent.slice(0, 40)].join(" ");

function leave() {
  const all = (what, about) => [...document.querySelectorAll(what)].map(about);
  const here = document.activeElement;
  const place = {
    at: [scrollX, scrollY],
    boxes: all(BOXES, (box) => [box.scrollLeft, box.scrollTop]),
    open: all("details", (one) => one.open),
    focus: here && here !== document.body ? spot(here) : "",
    cursor: here && here.type === "search" ? here.selectionStart : null,
  };
  try {
    sessionStorage.setItem(PLACE, JSON.stringify(place));
  } catch {
    /* a browser that keeps nothing */
  }
  location.reload();
}

function goBack() {
  let place = null;
  try {
    place = JSON.parse(sessionStorage.getItem(PLACE));
    sessionStorage.removeItem(PLACE);
  } catch {
    /* as above */
  }
  if (!place) return;
  [...document.querySelectorAll("details")].forEach((one, number) => (one.open = place.open[number] ?? one.open));
  const focus = place.focus && [...document.querySelectorAll(SPOTS)].find((one) => spot(one) === place.focus);
  if (focus) focus.focus({ preventScroll: true });
  if (focus && place.cursor !== null) focus.setSelectionRange(place.cursor, place.cursor);
  [...document.querySelectorAll(BOXES)].forEach((box, number) => scrolled(box, ...(place.boxes[number] || [0, 0])));
  scrollTo(...place.at);
}

/** As far down as it was, in a box that draws more as one scrolls. */
function scrolled(box, left, top) {
  let before = -1;
  for (box.scrollTo(left, top); box.scrollTop < top - 1 && box.scrollHeight > before; box.scrollTo(left, top)) {
    before = box.scrollHeight;
    box.dispatchEvent(new Event("scroll"));
  }
}

function theme(choice) {
  const dark = choice ? choice === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const button = document.getElementById("theme");
  if (button) button.textContent = dark ? "Light" : "Dark";
}
theme(remember("theme"));

addEventListener("DOMContentLoaded", () => {
  theme(remember("theme"));
  document.getElementById("theme").addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    remember("theme", next);
    theme(next);
  });
  goBack();
  if ("live" in document.body.dataset) live();
});

/** Served by `webassay view`: the page is loaded again when something has ended, where it stood. */
function live() {
  if (location.protocol === "file:") return;
  let stamp = null;
  setInterval(async () => {
    try {
      const answer = await fetch(document.body.dataset.root + "stamp.txt", { cache: "no-store" });
      if (!answer.ok) return;
      const now = await answer.text();
      if (stamp !== null && now !== stamp) leave();
      stamp = now;
    } catch {
      /* the server has ended: what is shown stays */
    }
  }, 2000);
}
