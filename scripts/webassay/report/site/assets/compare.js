"use strict";
/* Two runs beside each other: which tasks flipped, and from which step on the agents did other things. */
const { states, judges, runs, tasks } = window.MATRIX;
const form = document.getElementById("filters");
const field = (name) => form.elements[name];
const NAMES = ["a", "b", "judge", "show"];

for (const name of ["a", "b"]) runs.forEach((run, number) => field(name).append(option(number, run.label)));
judges.forEach((judge, number) => field("judge").append(option(number, judge)));

function load() {
  const given = settings();
  field("b").selectedIndex = Math.min(1, runs.length - 1);
  for (const name of NAMES) if (name in given) field(name).value = given[name];
  for (const name of NAMES) if (field(name).selectedIndex < 0) field(name).selectedIndex = 0;
  show();
}

function show() {
  const [a, b, judge] = ["a", "b", "judge"].map((name) => Number(field(name).value));
  const both = tasks.filter((task) => task.cells[a] && task.cells[b] && task.cells[a][0][judge] !== null && task.cells[b][0][judge] !== null);
  const pairs = both.map((task) => ({ task, first: states[task.cells[a][0][judge]], second: states[task.cells[b][0][judge]] }));
  const kinds = {
    flips: ({ first, second }) => (first === "passed") !== (second === "passed"),
    gained: ({ first, second }) => first !== "passed" && second === "passed",
    lost: ({ first, second }) => first === "passed" && second !== "passed",
    all: () => true,
  };
  const found = pairs.filter(kinds[field("show").value]);
  const count = (kind) => pairs.filter(kinds[kind]).length;
  document.getElementById("count").textContent =
    `${both.length} tasks in both; only ${runs[a].label} passes ${count("lost")}, only ${runs[b].label} passes ${count("gained")}`;
  cross(pairs, a, b);
  list(found, a, b);
  const none = document.getElementById("none");
  none.hidden = found.length > 0;
  none.textContent = both.length ? "No task of this kind." : "These runs have no task that this judge judged in both.";
  keep(Object.fromEntries(NAMES.map((name) => [name, field(name).value])));
}

/** States of the first by states of the second. */
function cross(pairs, a, b) {
  const used = states.filter((state) => pairs.some(({ first, second }) => first === state || second === state));
  const cell = (first, second) => pairs.filter((pair) => pair.first === first && pair.second === second).length;
  document.getElementById("cross").replaceChildren(
    h("caption", {}, `Rows: ${runs[a].label}; columns: ${runs[b].label}`),
    h("thead", {}, h("tr", {}, h("td", {}), used.map((state) => h("th", { scope: "col" }, state)))),
    h("tbody", {}, used.map((first) => h("tr", {}, h("th", { scope: "row" }, first), used.map((second) => h("td", {}, String(cell(first, second))))))),
  );
}

function list(found, a, b) {
  document.getElementById("flips").replaceChildren(
    h("thead", {}, h("tr", {}, ["Task", runs[a].label, runs[b].label, "They part at"].map((text) => h("th", { scope: "col" }, text)))),
    h(
      "tbody",
      {},
      found.map(({ task, first, second }) => {
        const step = parting(task.cells[a][3], task.cells[b][3]);
        return h(
          "tr",
          {},
          h("th", { scope: "row" }, h("b", {}, task.id), h("span", { class: "intent" }, task.intent)),
          h("td", {}, attempt(task, a, first, step)),
          h("td", {}, attempt(task, b, second, step)),
          h("td", {}, step === null ? "the same steps" : `step ${step}`),
        );
      }),
    ),
  );
}

function attempt(task, number, state, step) {
  const [, reason, steps] = task.cells[number];
  const last = steps ? Math.min(step || 1, steps) : 1;
  const href = `t/${runs[number].slug}/${task.id}.html#step=${last}`;
  return [h("a", { href }, h("i", { class: `cell ${state}` }, MARKS[state]), ` ${state}`), reason ? h("span", { class: "intent" }, reason) : null];
}

/** The first step that differs; four letters stand for each. */
function parting(first, second) {
  if (first === second) return null;
  let step = 0;
  while (first.slice(4 * step, 4 * step + 4) === second.slice(4 * step, 4 * step + 4)) step += 1;
  return step + 1;
}

form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", load);
if (runs.length) load();
