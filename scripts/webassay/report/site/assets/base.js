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
      if (stamp !== null && now !== stamp) location.reload();
      stamp = now;
    } catch {
      /* the server has ended: what is shown stays */
    }
  }, 2000);
}
