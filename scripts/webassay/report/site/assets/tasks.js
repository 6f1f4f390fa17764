"use strict";
/* The matrix of tasks and runs, filtered by what the address says. */
const { states, judges, runs, tasks } = window.MATRIX;
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
if (judges.length < 2) field("disagree").closest("label").hidden = true;

const several = new Set(tasks.map((task) => task.benchmark)).size > 1;
table.append(
  h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Task"), runs.map((run) => h("th", { scope: "col" }, h("span", {}, run.label))))),
);
const body = h("tbody", {});
const rows = tasks.map((task) => {
  const where = [several ? task.benchmark : "", task.sites.join(" + "), task.template, task.difficulty].filter(Boolean).join(" · ");
  const row = h(
    "tr",
    {},
    h("th", { scope: "row" }, h("b", {}, task.id), h("span", { class: "intent" }, task.intent), h("small", {}, where)),
    task.cells.map((cell, number) => h("td", {}, cell && attempt(task, runs[number], cell))),
  );
  body.append(row);
  return { row, task, words: `${task.id} ${task.intent}`.toLowerCase() };
});
table.append(body);

/** All judges' marks, in their order; the link leads to the evidence. */
function attempt(task, run, [given, reason]) {
  const told = given.map((state, judge) => (state === null ? null : `${judges[judge]}: ${states[state]}`)).filter(Boolean);
  const marks = given.map((state) => (state === null ? null : h("i", { class: `cell ${states[state]}` }, MARKS[states[state]])));
  const label = `${task.id}, ${run.label}: ${told.join(", ")}`;
  return h("a", { href: `t/${run.slug}/${task.id}.html`, title: `${told.join("\n")}${reason ? "\n" + reason : ""}`, "aria-label": label }, marks);
}

function wanted() {
  const values = {};
  for (const name of ["run", "judge", "state", "site", "template", "difficulty"]) values[name] = field(name).value;
  return { ...values, q: field("q").value.trim(), disagree: field("disagree").checked ? "1" : "" };
}

/** Whether a cell is one of those asked for. */
function fits(cell, number, want) {
  if (!cell || (want.run !== "" && number !== Number(want.run))) return false;
  const given = cell[0];
  if (want.disagree && new Set(given.filter((state) => state !== null)).size < 2) return false;
  return want.state === "" || given[Number(want.judge || 0)] === states.indexOf(want.state);
}

function show() {
  const want = wanted();
  const words = want.q.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  let attempts = 0;
  for (const { row, task, words: text } of rows) {
    const here =
      (want.site === "" || task.sites.includes(want.site)) &&
      (want.template === "" || task.template === want.template) &&
      (want.difficulty === "" || task.difficulty === want.difficulty) &&
      words.every((word) => text.includes(word));
    const found = here ? task.cells.filter((cell, number) => fits(cell, number, want)).length : 0;
    row.hidden = found === 0;
    shown += found > 0;
    attempts += found;
  }
  document.getElementById("count").textContent = `${shown} of ${tasks.length} tasks, ${attempts} attempts`;
  document.getElementById("none").hidden = shown > 0;
  keep({ ...want, judge: want.judge === "0" ? "" : want.judge });
}

function load() {
  const given = settings();
  form.reset();
  for (const name of ["run", "judge", "state", "site", "template", "difficulty", "q"]) if (name in given) field(name).value = given[name];
  field("disagree").checked = given.disagree === "1";
  if (field("judge").selectedIndex < 0) field("judge").selectedIndex = 0;
  show();
}

form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(show));
document.getElementById("clear").addEventListener("click", () => form.reset());
addEventListener("hashchange", load);
load();
