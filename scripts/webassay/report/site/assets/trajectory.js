"use strict";
/* One trajectory: what the agent saw and did, what came of it, and what each judge made of it. */
const data = window.TRAJECTORY;
const around = window.TASKS;
const steps = data.steps || [];
const frames = data.frames || [];
const TABS = ["step", "network", "state", "verdicts", "attempts", "files"];
const KINDS = { left_click: 1, click: 1, double_click: 1, right_click: 1, triple_click: 1, type: 2, input_text: 2, key: 2, keypress: 2, scroll: 3, hscroll: 3, visit_url: 4, goto: 4, web_search: 4, history_back: 4, terminate: 5 };
const view = { step: 1, tab: "step", frame: "before" };
const events = data.network ? data.network.events : [];
const deciding = new Map();
for (const verdict of data.verdicts || [])
  for (const check of verdict.assertions)
    if (check.request !== null) deciding.set(check.request, { check, verdict });

const text = (value) => {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string") return value;
  const short = JSON.stringify(value);
  return short.length < 60 ? short : JSON.stringify(value, null, 1);
};
const hue = (action) => `k${KINDS[action] || 0}`;
const amount = (bytes) => (bytes === null ? "–" : bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
const chip = (state) => h("span", { class: `chip ${state}` }, `${MARKS[state] || ""} ${state}`);
const byId = (id) => document.getElementById(id);

/* ---- the page ---- */

function header() {
  const { task, run } = data;
  const place = around.tasks.indexOf(task.id);
  const to = (id, label, key) => (id ? h("a", { href: `${id}.html`, title: key, rel: label }, label) : null);
  return h(
    "header",
    {},
    h("p", { class: "crumbs" }, h("a", { href: "../../tasks.html" }, "Tasks"), " › ", run.label, " › ", h("b", {}, task.id), " ", to(around.tasks[place - 1], "previous", "["), " ", to(around.tasks[place + 1], "next", "]")),
    h("h1", {}, task.intent),
    h("p", { class: "meta" }, [task.sites.join(" + "), `template ${task.template}`, task.difficulty, data.outcome].filter(Boolean).join(" · ")),
    h("p", { class: "chips" }, (data.verdicts || []).map((verdict) => h("a", { href: "#tab=verdicts" }, `${verdict.judge} `, chip(verdict.state)))),
    around.runs.length > 1 &&
      h("p", { class: "meta" }, "The same task by ", around.runs.map((other) => (other.slug === run.slug ? h("b", {}, `${other.label} `) : h("a", { href: `../${other.slug}/${task.id}.html` }, `${other.label} `)))),
    data.reason && h("p", { class: "warn" }, data.reason),
    (data.problems || []).map((problem) => h("p", { class: "warn", role: "alert" }, problem)),
  );
}

function stage() {
  return h(
    "section",
    { class: "stage", "aria-label": "Screenshots" },
    h("div", { class: "frame" }, h("img", { id: "shot", alt: "" }), h("svg", { id: "overlay", "aria-hidden": "true" }), h("p", { id: "noshot", class: "empty" })),
    h(
      "div",
      { class: "player" },
      h("button", { type: "button", id: "back", "aria-label": "Previous step", click: () => go(view.step - 1) }, "‹"),
      h("input", { id: "slider", type: "range", min: 1, max: Math.max(steps.length, 1), value: 1, "aria-label": "Step", input: (event) => go(Number(event.target.value)) }),
      h("button", { type: "button", id: "forth", "aria-label": "Next step", click: () => go(view.step + 1) }, "›"),
      h("output", { id: "where", for: "slider" }),
      h("span", { class: "sides", role: "group", "aria-label": "Screenshot before or after the action" }, ["before", "after"].map((side) => h("button", { type: "button", id: `side-${side}`, click: () => turn(side) }, side))),
    ),
    h("ol", { class: "strip", id: "strip", "aria-label": "Film strip" }, steps.map(thumbnail)),
  );
}

function thumbnail(step, number) {
  const frame = frames[step.after ?? step.before ?? -1];
  return h(
    "li",
    {},
    h("button", { type: "button", class: hue(step.action), "aria-label": `Step ${number + 1}: ${step.action}`, click: () => go(number + 1) }, frame && frame.ok ? h("img", { src: frame.src, loading: "lazy", alt: "" }) : null, h("span", {}, `${number + 1} ${step.action}`)),
  );
}

function tabs() {
  const counts = { network: events.length, state: (data.state && data.state.changes && data.state.changes.length) || 0, verdicts: (data.verdicts || []).length, attempts: (data.attempts || []).length, files: (data.files || []).length };
  return h(
    "section",
    { class: "tabs" },
    h(
      "div",
      { role: "tablist", "aria-label": "Evidence" },
      TABS.map((name) => h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", click: () => open(name), keydown: roam }, counts[name] === undefined ? name : `${name} ${counts[name]}`)),
    ),
    h("div", { id: "panel", role: "tabpanel", tabindex: 0 }),
  );
}

function roam(event) {
  const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!move) return;
  event.stopPropagation();
  event.preventDefault();
  open(TABS[(TABS.indexOf(view.tab) + move + TABS.length) % TABS.length]);
  byId(`tab-${view.tab}`).focus();
}

/* ---- where one is ---- */

function go(step) {
  view.step = Math.min(Math.max(step, 1), Math.max(steps.length, 1));
  const now = steps[view.step - 1];
  view.frame = now && now.before !== null ? "before" : "after";
  draw();
}

function turn(side) {
  view.frame = side;
  draw();
}

function open(tab, event) {
  view.tab = tab;
  draw(event);
}

function draw(event) {
  keep({ step: view.step, tab: view.tab === "step" ? "" : view.tab, event });
  const step = steps[view.step - 1];
  byId("where").textContent = steps.length ? `${view.step} / ${steps.length}` : "no steps";
  byId("slider").value = view.step;
  byId("back").disabled = view.step <= 1;
  byId("forth").disabled = view.step >= steps.length;
  screenshot(step);
  [...byId("strip").children].forEach((item, number) => item.firstChild.toggleAttribute("aria-current", number + 1 === view.step));
  const current = byId("strip").children[view.step - 1];
  if (current) current.parentNode.scrollLeft = current.offsetLeft - current.parentNode.clientWidth / 2;
  for (const name of TABS) {
    const tab = byId(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === view.tab));
    tab.tabIndex = name === view.tab ? 0 : -1;
  }
  const panel = byId("panel");
  panel.setAttribute("aria-labelledby", `tab-${view.tab}`);
  panel.replaceChildren(...[PANELS[view.tab](step)].flat(Infinity).filter(Boolean));
  const row = event !== undefined && event !== null && byId(event);
  if (row) {
    row.classList.add("here");
    row.scrollIntoView({ block: "center" });
  }
}

/* ---- the screenshot, and the action over it ---- */

function screenshot(step) {
  const image = byId("shot");
  const frame = step && frames[step[view.frame] ?? -1];
  for (const side of ["before", "after"]) {
    const button = byId(`side-${side}`);
    button.disabled = !step || step[side] === null;
    button.setAttribute("aria-pressed", String(view.frame === side));
  }
  byId("overlay").replaceChildren();
  const why = !step ? "There are no steps." : !frame ? `There is no screenshot ${view.frame} this step.` : !frame.ok ? `${frame.name} is not a picture, or is gone.` : "";
  byId("noshot").textContent = why;
  image.hidden = Boolean(why);
  if (why) return;
  image.alt = `Screenshot ${view.frame} step ${view.step}: ${step.action}`;
  image.onload = () => overlay(step, image);
  image.onerror = () => {
    byId("noshot").textContent = `${frame.name} cannot be shown.`;
    image.hidden = true;
  };
  if (image.getAttribute("src") !== frame.src) image.setAttribute("src", frame.src);
  else if (image.complete) overlay(step, image);
}

function overlay(step, image) {
  const svg = byId("overlay");
  const [width, height] = step.space || [image.naturalWidth, image.naturalHeight];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("class", hue(step.action));
  svg.replaceChildren();
  if (view.frame !== "before") return;
  const unit = width / 100;
  step.marks.forEach(([x, y], number) => {
    if (number) svg.append(h("line", { x1: step.marks[number - 1][0], y1: step.marks[number - 1][1], x2: x, y2: y, "stroke-width": unit / 3 }));
    svg.append(h("circle", { class: "ring", cx: x, cy: y, r: 1.6 * unit, "stroke-width": unit / 3 }), h("circle", { class: "dot", cx: x, cy: y, r: unit / 4 }));
  });
  const typed = step.arguments.text;
  if (typeof typed === "string" && step.marks.length)
    svg.append(h("text", { x: step.marks[0][0] + 2.2 * unit, y: step.marks[0][1] - unit, "font-size": 1.6 * unit }, typed.slice(0, 60)));
}

/* ---- panels ---- */

const PANELS = { step: stepPanel, network: networkPanel, state: statePanel, verdicts: verdictsPanel, attempts: attemptsPanel, files: filesPanel };

function stepPanel(step) {
  if (!step) return h("p", { class: "empty" }, "The agent made no step.");
  const own = events.filter((event) => event.step === view.step);
  return [
    h("h2", {}, `Step ${view.step}: `, h("span", { class: `action ${hue(step.action)}` }, step.action)),
    step.thoughts && h("blockquote", {}, step.thoughts),
    h("dl", { class: "facts" }, Object.entries(step.arguments).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", { class: hue(step.action) }, text(value))))),
    step.url && h("p", { class: "meta" }, "At ", h("code", {}, step.url)),
    step.time && h("p", { class: "meta" }, step.time),
    own.length ? [h("h3", {}, `${own.length} requests during this step`), requests(own)] : null,
    view.step === steps.length && data.answer ? [h("h3", {}, "Final answer"), h("pre", {}, data.answer)] : null,
  ];
}

function requests(rows) {
  return h(
    "div",
    { class: "wide" },
    h(
      "table",
      { class: "numbers requests" },
      h("thead", {}, h("tr", {}, ["#", "request", "status", "step", "kind", "size", "ms"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rows.map(request)),
    ),
  );
}

function request(event) {
  const decided = deciding.get(event.i);
  const step = event.step && h("button", { type: "button", class: "plain", click: () => go(event.step) }, String(event.step));
  const about = [h("b", {}, `${event.method} `), h("code", {}, event.url), event.post && h("details", {}, h("summary", {}, "sent"), h("pre", {}, event.post))];
  const mark = decided && h("button", { type: "button", class: `chip ${decided.check.passed ? "passed" : "failed"}`, click: () => open("verdicts", `check-${decided.verdict.eval_hash}-${decided.check.name}`) }, `decided ${decided.check.name}`);
  return h("tr", { id: `event-${event.i}`, class: decided ? "decided" : null }, h("td", {}, String(event.i)), h("td", {}, about, mark), h("td", { class: event.status >= 400 ? "bad" : null }, text(event.status)), h("td", {}, step || "–"), h("td", {}, event.kind || "–"), h("td", {}, amount(event.size)), h("td", {}, text(event.ms)));
}

function networkPanel() {
  const { problem, left_out: more } = data.network || { problem: "", left_out: 0 };
  return [problem && h("p", { class: "empty" }, problem), more ? h("p", { class: "note" }, `${more} more requests are in the recording (files).`) : null, events.length ? requests(events) : null];
}

function statePanel() {
  const state = data.state || { problem: "There is no record of the sites' state." };
  if (state.problem) return h("p", { class: "empty" }, state.problem);
  const probes = Object.keys({ ...state.before, ...state.after });
  return [
    h("h2", {}, "What changed in the database"),
    state.changes === null ? h("p", { class: "empty" }, "This environment's database was not compared.") : null,
    state.changes && !state.changes.length ? h("p", { class: "empty" }, "Nothing changed.") : null,
    state.changes && state.changes.length ? changes(state.changes) : null,
    state.left_out ? h("p", { class: "note" }, `${state.left_out} more changes are in state.json.`) : null,
    probes.length ? h("h2", {}, "Probes") : null,
    probes.map((name) => h("div", { class: "probe", id: `state-after.${name}` }, h("h3", {}, name), h("div", { class: "pair" }, h("div", {}, h("p", { class: "meta" }, "before"), h("pre", {}, lines(state.before[name]))), h("div", {}, h("p", { class: "meta" }, "after"), h("pre", {}, lines(state.after[name])))))),
  ];
}

const lines = (rows) => (rows ? rows.map((row) => JSON.stringify(row)).join("\n") || "(no rows)" : "–");

function changes(rows) {
  const body = rows.flatMap((change) => {
    const names = Object.keys({ ...change.before, ...change.after });
    return names.map((name, number) => h("tr", { class: `op ${change.op}` }, number ? h("td", { colspan: 3 }) : [h("td", {}, change.table), h("td", {}, change.op), h("td", {}, text(change.key))], h("th", { scope: "row" }, name), h("td", {}, text((change.before || {})[name])), h("td", {}, text((change.after || {})[name]))));
  });
  return h("div", { class: "wide", id: "state-changes" }, h("table", { class: "numbers" }, h("thead", {}, h("tr", {}, ["table", "change", "key", "column", "before", "after"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, body)));
}

function verdictsPanel() {
  const given = data.verdicts || [];
  return given.length ? h("div", { class: "judges" }, given.map(verdict)) : h("p", { class: "empty" }, "Nobody has judged this yet.");
}

function verdict(each) {
  return h(
    "article",
    {},
    h("h2", {}, each.judge, " ", chip(each.state)),
    h("p", { class: "meta" }, [each.eval_hash, each.attribution ? `fault: ${each.attribution}` : "", each.version].filter(Boolean).join(" · ")),
    each.reason && h("p", {}, each.reason),
    each.assertions.length ? h("ol", { class: "checks" }, each.assertions.map((check) => assertion(check, each))) : null,
    each.rubric && each.rubric.length ? rubric(each.rubric) : null,
    each.words ? h("details", {}, h("summary", {}, "The judge's own words"), h("pre", {}, each.words)) : null,
    each.replies && each.replies.length ? h("details", {}, h("summary", {}, `${each.replies.length} stored replies, ${spent(each.usage)}`), h("pre", {}, each.replies.join("\n"))) : null,
    each.settings ? h("details", {}, h("summary", {}, "Settings"), h("pre", {}, JSON.stringify(each.settings, null, 1))) : null,
  );
}

const spent = (usage) => {
  const sum = (name) => Object.values(usage).reduce((total, each) => total + each[name], 0);
  return `${sum("prompt_tokens")} tokens in, ${sum("completion_tokens")} out`;
};

function assertion(check, each) {
  const to = (label, where) => h("button", { type: "button", class: "plain", click: where }, label);
  const cited = [
    check.request !== null && to(check.evidence, () => open("network", `event-${check.request}`)),
    check.state !== null && to(check.evidence, () => open("state", check.state.startsWith("changes") ? "state-changes" : `state-${check.state}`)),
    check.request === null && check.state === null && check.evidence ? h("span", {}, check.evidence) : null,
    check.screenshots.map((number) => to(`screenshot ${number}`, () => shotOf(number))),
  ];
  const row = (name, value) => (value === null || value === undefined ? null : h("div", {}, h("dt", {}, name), h("dd", {}, h("pre", {}, text(value)))));
  return h(
    "li",
    { id: `check-${each.eval_hash}-${check.name}`, class: check.passed ? "ok" : "bad" },
    h("b", {}, check.passed ? "✓ " : "✗ ", check.name),
    check.fault ? h("span", { class: "meta" }, ` fault: ${check.fault}`) : null,
    check.reason ? h("p", {}, check.reason) : null,
    h("details", check.passed ? {} : { open: true }, h("summary", {}, "expected and actual"), h("dl", { class: "facts" }, row("expected", check.expected), row("actual", check.actual), row("normalised", check.normalized)), cited.flat().some(Boolean) && h("p", { class: "meta" }, "decided by ", cited)),
  );
}

/** Judges count screenshots from 1. */
function shotOf(number) {
  const found = steps.findIndex((step) => step.after === number - 1);
  view.step = Math.max(found, 0) + 1;
  view.frame = found < 0 ? "before" : "after";
  view.tab = "step";
  draw();
}

function rubric(items) {
  const head = ["criterion", "points", "why", "evidence"];
  const row = (item) =>
    h("tr", { class: item.met === false || item.met === "false" ? "off" : null }, h("th", { scope: "row" }, text(item.criterion), item.condition ? h("small", {}, ` only if ${text(item.condition)}${item.met === false ? " (not so)" : ""}`) : null), h("td", {}, `${text(item.earned)} of ${text(item.most)}`), h("td", {}, text(item.why)), h("td", {}, text(item.evidence)));
  return h("div", { class: "wide" }, h("table", { class: "numbers" }, h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, items.map(row))));
}

function attemptsPanel() {
  const before = data.attempts || [];
  return [
    before.length ? before.map((each) => h("article", {}, h("h2", {}, `Attempt ${each.number}: `, chip(each.outcome || "aborted")), h("p", {}, each.reason), files(each.files))) : h("p", { class: "empty" }, "There was no attempt before this one."),
    data.surroundings && h("h2", {}, "Surroundings of this attempt"),
    data.surroundings && h("dl", { class: "facts" }, Object.entries(data.surroundings).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
  ];
}

function filesPanel() {
  return data.files && data.files.length ? files(data.files) : h("p", { class: "empty" }, "There are no files.");
}

function files(list) {
  return h("ul", { class: "files" }, list.map((file) => h("li", {}, file.href ? h("a", { href: file.href }, file.name) : h("span", { title: "A browser might run it: open it from its folder" }, file.name), " ", h("span", { class: "meta" }, amount(file.size)))));
}

/* ---- keys ---- */

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(input|select|textarea)$/i.test(event.target.tagName)) return;
  const place = around.tasks.indexOf(data.task.id);
  const neighbour = { "[": around.tasks[place - 1], "]": around.tasks[place + 1] }[event.key];
  const act = { ArrowLeft: () => go(view.step - 1), ArrowRight: () => go(view.step + 1), Home: () => go(1), End: () => go(steps.length), b: () => turn(view.frame === "before" ? "after" : "before") }[event.key];
  if (neighbour) location.href = `${neighbour}.html`;
  else if (act) act();
  else if (TABS[Number(event.key) - 1]) open(TABS[Number(event.key) - 1]);
  else return;
  event.preventDefault();
});

function load() {
  const given = settings();
  view.tab = TABS.includes(given.tab) ? given.tab : "step";
  const wanted = Math.trunc(Number(given.step)) || view.step;
  view.step = Math.min(Math.max(wanted, 1), Math.max(steps.length, 1));
  const now = steps[view.step - 1];
  view.frame = now && now.before !== null ? "before" : "after";
  draw(given.event && (/^\d+$/.test(given.event) ? `event-${given.event}` : given.event));
}

byId("trajectory").replaceChildren(header(), h("div", { class: "split" }, stage(), tabs()), h("p", { class: "note keys" }, "Keys: ← → steps, Home End, b before/after, 1–6 tabs, [ ] tasks"));
addEventListener("hashchange", load);
load();
if (!data.outcome || data.verdicts.some((verdict) => verdict.state === "waiting")) live();
