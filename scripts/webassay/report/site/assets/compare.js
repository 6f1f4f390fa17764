"use strict";
/* Two runs beside each other: which tasks flipped, and from which step on the agents did other things. */
const { states, judges, runs, tasks } = window.MATRIX || lacking("data.js", { states: [], judges: [], runs: [], tasks: [] });
const form = document.getElementById("filters");
const field = (name) => form.elements[name];
const NAMES = ["a", "b", "judge", "show"];
const TOLD = { a: "run", b: "run", judge: "judge", show: "choice" };

for (const name of ["a", "b"]) runs.forEach((run, number) => field(name).append(option(number, run.label)));
judges.forEach((judge, number) => field("judge").append(option(number, judge)));

function load() {
  const given = settings();
  field("b").selectedIndex = Math.min(1, runs.length - 1);
  for (const name of NAMES) if (name in given) field(name).value = given[name];
  const unknown = NAMES.filter((name) => field(name).selectedIndex < 0);
  for (const name of unknown) field(name).selectedIndex = 0;
  if (unknown.length) lost(unknown.map((name) => `No such ${TOLD[name]}: ${given[name]}.`).join(" "));
  else show();
}

/** Nothing is compared, and why. */
function lost(why) {
  for (const id of ["cross", "flips"]) document.getElementById(id).replaceChildren();
  document.getElementById("count").textContent = "";
  document.getElementById("none").textContent = why;
  document.getElementById("none").hidden = false;
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
  list(found, a, b, judge);
  const none = document.getElementById("none");
  none.hidden = found.length > 0 && a !== b;
  none.textContent = a === b ? "This is one run beside itself: choose another as the second." : both.length ? "No task of this kind." : "These runs have no task that this judge judged in both.";
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

function list(found, a, b, judge) {
  document.getElementById("flips").replaceChildren(
    h("thead", {}, h("tr", {}, ["Task", runs[a].label, runs[b].label, "They part at"].map((text) => h("th", { scope: "col" }, text)))),
    h(
      "tbody",
      {},
      found.map(({ task, first, second }) => {
        const [step, words] = parting(task.cells[a], task.cells[b]);
        return h(
          "tr",
          {},
          h("th", { scope: "row" }, h("b", {}, task.id), h("span", { class: "intent" }, task.intent)),
          h("td", {}, attempt(task, a, first, step, judge)),
          h("td", {}, attempt(task, b, second, step, judge)),
          h("td", {}, words),
        );
      }),
    ),
  );
}

function attempt(task, number, state, step, judge) {
  const [, why, steps] = task.cells[number];
  const reason = why[judge] && why[judge][1];
  const last = steps ? Math.min(step || 1, steps) : 1;
  const href = `t/${runs[number].slug}/${task.id}.html#step=${last}`;
  return [h("a", { href }, h("i", { class: `cell ${state}` }, MARKS[state]), ` ${state}`), reason ? h("span", { class: "intent" }, reason) : null];
}

/** The first step that differs, and that in words; four letters stand for each of the first steps. */
function parting([, , one, first], [, , other, second]) {
  if (one === null || other === null) return [null, "no steps to compare"];
  let step = 0;
  while (step < Math.max(one, other) && 4 * step < first.length && first.slice(4 * step, 4 * step + 4) === second.slice(4 * step, 4 * step + 4)) step += 1;
  if (first !== second) return [step + 1, `step ${step + 1}`];
  if (one === other && one === step) return [null, "the same steps"];
  return [null, `not in the first ${step} steps, and no more are compared; there are ${one} and ${other}`];
}

form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", load);
if (runs.length) load();
else lost("No run has listed its tasks yet: webassay run makes some, and webassay view shows them as they end.");
