"use strict";
/* The matrix of tasks and runs, filtered by what the address says. */
const { states, judges, runs, tasks, failures } = window.MATRIX || lacking("data.js", { states: [], judges: [], runs: [], tasks: [], failures: [] });
const CHOICES = ["run", "judge", "state", "failure", "site", "template", "difficulty"];
const GROUPS = { scored: ["passed", "failed"], ungraded: ["ungraded", "aborted"] };
/* As tables count them: of the ungraded some are aborted. */
const DELAY = 150;
const AT_ONCE = 80;
/* Rows that are drawn before one scrolls: a table of thousands of marks would make each filter wait. */
let unknown = [];
const form = document.getElementById("filters");
const field = (name) => form.elements[name];
const table = document.getElementById("matrix");

runs.forEach((run, number) => field("run").append(option(number, run.label)));
judges.forEach((judge, number) => field("judge").append(option(number, judge)));
for (const [name, values] of Object.entries({
  site: tasks.flatMap((task) => task.sites),
  template: tasks.map((task) => task.template),
  difficulty: tasks.map((task) => task.difficulty).filter(Boolean),
})) {
  const known = [...new Set(values)].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  field(name).append(...known.map((value) => option(value)));
}
field("failure").append(...failures.map((value) => option(value)));
if (judges.length < 2) field("disagree").closest("label").hidden = true;
if (judges.length > 1) document.getElementById("order").textContent = `Marks of each attempt, from the left: ${judges.join(", ")}`;
for (const cell of document.querySelectorAll(".legend .cell")) cell.textContent = MARKS[cell.classList[1]];

const several = new Set(tasks.map((task) => task.benchmark)).size > 1;
table.style.setProperty("--runs", runs.length);
table.style.setProperty("--marks", judges.length);
table.append(
  h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Task"), runs.map((run) => h("th", { scope: "col" }, h("span", {}, run.label))))),
);
const body = h("tbody", {});
table.append(body);
const box = table.parentNode;
const rows = tasks.map((task) => ({ task, words: `${task.id} ${task.intent}`.toLowerCase(), row: null, places: null }));
let found = [];

/** A task's row, made when it is first seen. */
function drawn(each) {
  if (each.row) return each.row;
  const { task } = each;
  const where = [several ? task.benchmark : "", task.sites.join(" + "), task.template, task.difficulty].filter(Boolean).join(" · ");
  each.places = task.cells.map((cell, number) => h("td", {}, cell && attempt(task, runs[number], cell)));
  each.row = h("tr", {}, h("th", { scope: "row" }, h("b", {}, task.id), h("span", { class: "intent" }, task.intent), h("small", {}, where)), each.places);
  return each.row;
}

/** The next of the rows that fit: as many as one scrolls to. */
function more(count) {
  const next = found.slice(body.children.length, body.children.length + count);
  body.append(...next.map(({ each }) => drawn(each)));
  for (const { each, dimmed } of next) each.places.forEach((place, number) => place.classList.toggle("unfit", dimmed[number]));
  const rest = document.getElementById("rest");
  rest.hidden = body.children.length >= found.length;
  rest.textContent = `Draw all ${found.length} rows`;
}

/** All judges' marks, in their order; the link leads to the evidence. */
function attempt(task, run, [given, why]) {
  const reason = (judge) => (why[judge] && why[judge][1] ? ` (${why[judge][1]})` : "");
  const told = given.map((state, judge) => (state === null ? null : `${judges[judge]}: ${states[state]}`));
  const reasons = told.map((words, judge) => words && words + reason(judge)).filter(Boolean);
  const marks = given.map((state) => (state === null ? null : h("i", { class: `cell ${states[state]}` }, MARKS[states[state]])));
  const label = `${task.id}, ${run.label}: ${told.filter(Boolean).join(", ")}`;
  return h("a", { href: `t/${run.slug}/${task.id}.html`, title: reasons.join("\n"), "aria-label": label }, marks);
}

function wanted() {
  const values = {};
  for (const name of CHOICES) values[name] = field(name).value;
  return { ...values, q: field("q").value.trim(), disagree: field("disagree").checked ? "1" : "" };
}

/** Whether a cell is one of those asked for. */
function fits(cell, number, want) {
  if (!cell || (want.run !== "" && number !== Number(want.run))) return false;
  const [given, why] = cell;
  const judge = Number(want.judge || 0);
  if (want.failure && !(why[judge] && failures[why[judge][0]] === want.failure)) return false;
  if (want.disagree && new Set(given.filter((state) => state !== null)).size < 2) return false;
  return want.state === "" || (GROUPS[want.state] || [want.state]).includes(states[given[judge]]);
}

function show() {
  const want = wanted();
  const words = want.q.toLowerCase().split(/\s+/).filter(Boolean);
  let attempts = 0;
  const picks = ["run", "state", "failure", "disagree"].some((name) => want[name]);
  found = [];
  for (const each of rows) {
    const { task, words: text } = each;
    const here =
      unknown.length === 0 &&
      (want.site === "" || task.sites.includes(want.site)) &&
      (want.template === "" || task.template === want.template) &&
      (want.difficulty === "" || task.difficulty === want.difficulty) &&
      words.every((word) => text.includes(word));
    const fit = here ? task.cells.map((cell, number) => fits(cell, number, want)) : [];
    const count = fit.filter(Boolean).length;
    if (count) found.push({ each, dimmed: fit.map((one) => picks && !one) });
    attempts += count;
  }
  const shown = found.length;
  body.replaceChildren();
  box.scrollTop = 0;
  more(AT_ONCE);
  document.getElementById("count").textContent = `${shown} of ${tasks.length} tasks, ${attempts} attempts`;
  document.getElementById("none").hidden = shown > 0;
  document.getElementById("clear").hidden = tasks.length === 0;
  document.getElementById("why").textContent = nothing();
  if (!unknown.length) keep({ ...want, judge: want.judge === "0" ? "" : want.judge });
}

function nothing() {
  if (unknown.length) return `${unknown.map(([name, value]) => `No such ${name}: ${value}.`).join(" ")} An older address, or one of another report?`;
  if (!tasks.length) return "No run has listed its tasks yet: webassay run makes some, and webassay view shows them as they end.";
  return "No task fits these filters.";
}

function load() {
  const given = settings();
  clearTimeout(soon);
  form.reset();
  clearTimeout(soon);
  for (const name of [...CHOICES, "q"]) if (name in given) field(name).value = given[name];
  field("disagree").checked = given.disagree === "1";
  unknown = CHOICES.filter((name) => given[name] && field(name).selectedIndex < 0).map((name) => [name, given[name]]);
  for (const [name] of unknown) field(name).selectedIndex = 0;
  show();
}

let soon = 0;
/** Whatever is chosen by hand is known; words are waited for. */
function changed(event) {
  unknown = [];
  clearTimeout(soon);
  if (event.type === "input" && event.target !== field("q")) show();
  else soon = setTimeout(show, event.type === "input" ? DELAY : 0);
}

box.addEventListener("scroll", () => {
  if (box.scrollTop + box.clientHeight > box.scrollHeight - 1000) more(AT_ONCE);
});
document.getElementById("rest").addEventListener("click", () => more(tasks.length));
form.addEventListener("input", changed);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", changed);
document.getElementById("clear").addEventListener("click", () => form.reset());
addEventListener("hashchange", load);
load();
