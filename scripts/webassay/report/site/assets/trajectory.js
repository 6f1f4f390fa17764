"use strict";
/* One trajectory: what the agent saw and did, what came of it, and what each judge made of it. */
const FILE = decodeURIComponent(location.pathname.split("/").pop()).replace(/html$/, "js");
const data = window.TRAJECTORY || lacking(FILE, { task: { id: "", intent: "", sites: [], template: "" }, run: { label: "" }, outcome: "unknown", verdicts: [] });
const around = window.TASKS || { tasks: [], runs: [] };
const steps = data.steps || [];
const frames = data.frames || [];
const TABS = ["step", "network", "state", "verdicts", "attempts", "files"];
const KINDS = { left_click: 1, click: 1, double_click: 1, right_click: 1, triple_click: 1, type: 2, input_text: 2, key: 2, keypress: 2, scroll: 3, hscroll: 3, visit_url: 4, goto: 4, web_search: 4, history_back: 4, terminate: 5 };
const view = { step: 1, tab: "step", frame: "before" };
const events = data.network ? data.network.events : [];
const deciding = new Map();
for (const verdict of data.verdicts || [])
  for (const check of verdict.assertions)
    if (check.request !== null) deciding.set(check.request, [...(deciding.get(check.request) || []), { check, verdict }]);

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
const pre = (label, words) => h("pre", { tabindex: 0, role: "group", "aria-label": label }, words);
const wide = (label, table, id) => h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label, id }, table);
const facts = (pairs) => h("dl", { class: "facts" }, pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));

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
    h("p", { class: "meta" }, [task.sites.join(" + "), `template ${task.template}`, task.difficulty, task.account && `as ${task.account}`, data.outcome, data.times && data.times.duration !== null && `${data.times.duration.toFixed(1)} s`, spent(data.usage)].filter(Boolean).join(" · ")),
    task.start_urls && task.start_urls.length ? h("p", { class: "meta" }, "Begins at ", task.start_urls.map((url) => [h("code", {}, url), " "])) : null,
    h("p", { class: "chips" }, (data.verdicts || []).map((verdict) => h("a", { href: "#tab=verdicts" }, `${verdict.judge} `, chip(verdict.state)))),
    around.runs.length > 1 &&
      h("p", { class: "meta" }, "The same task by ", around.runs.map((other) => (other.slug === run.slug ? [h("b", {}, other.label), " "] : [h("a", { href: `../${other.slug}/${task.id}.html` }, other.label), " "]))),
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
  [...byId("strip").children].forEach((item, number) => mark(item.firstChild, number + 1 === view.step));
  const current = byId("strip").children[view.step - 1];
  if (current) current.parentNode.scrollLeft = current.offsetLeft - current.parentNode.clientWidth / 2;
  for (const name of TABS) {
    const tab = byId(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === view.tab));
    tab.tabIndex = name === view.tab ? 0 : -1;
  }
  const panel = byId("panel");
  const inside = panel.contains(document.activeElement) && document.activeElement !== panel;
  panel.setAttribute("aria-labelledby", `tab-${view.tab}`);
  panel.replaceChildren(...[PANELS[view.tab](step)].flat(Infinity).filter(Boolean));
  const row = event ? byId(event) || byId(event.replace(/\[\d+\]$/, "")) : null;
  if (row) {
    row.classList.add("here");
    if (row.tabIndex < 0) row.tabIndex = -1;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "center" });
  } else if (inside) panel.focus({ preventScroll: true });
}

function mark(button, current) {
  if (current) button.setAttribute("aria-current", "step");
  else button.removeAttribute("aria-current");
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
    view.step === steps.length && data.answer ? [h("h3", {}, "Final answer"), pre("Final answer", data.answer)] : null,
  ];
}

function requests(rows) {
  return wide(
    "Requests",
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
  const about = [h("b", {}, `${event.method} `), h("code", {}, event.url), event.post && h("details", {}, h("summary", {}, "sent"), pre("What was sent", event.post))];
  const marks = (decided || []).map(({ check, verdict: { judge, eval_hash: key } }) => h("button", { type: "button", class: `chip ${check.passed ? "passed" : "failed"}`, click: () => open("verdicts", `check-${key}-${check.name}`) }, `${MARKS[check.passed ? "passed" : "failed"]} decided ${check.name} (${judge})`));
  return h("tr", { id: `event-${event.i}`, class: decided ? "decided" : null }, h("td", {}, String(event.i)), h("td", {}, about, marks), h("td", { class: event.status >= 400 ? "bad" : null }, text(event.status)), h("td", {}, step || "–"), h("td", {}, event.kind || "–"), h("td", {}, amount(event.size)), h("td", {}, text(event.ms)));
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
    probes.map((name) => h("div", { class: "probe" }, h("h3", {}, name), h("div", { class: "pair" }, ["before", "after"].map((when) => h("div", {}, h("p", { class: "meta" }, when), probed(when, name, state[when][name])))))),
    state.more ? h("p", { class: "note" }, `${state.more} more rows are in state.json (files).`) : null,
  ];
}

/** A probe's rows, each under the name that a check cites it by. */
function probed(when, name, rows) {
  const id = `state-${when}.${name}`;
  if (!rows || !rows.length) return h("p", { class: "meta", id }, rows ? "(no rows)" : "–");
  return h("ol", { class: "rows", id, start: 0 }, rows.map((row, number) => h("li", { id: `${id}[${number}]` }, h("code", {}, JSON.stringify(row)))));
}

function changes(rows) {
  const body = rows.flatMap((change, place) => {
    const names = Object.keys({ ...change.before, ...change.after });
    return names.map((name, number) => h("tr", { class: `op ${change.op}`, id: number ? null : `state-changes[${place}]` }, number ? h("td", { colspan: 3 }) : [h("td", {}, change.table), h("td", {}, change.op), h("td", {}, text(change.key))], h("th", { scope: "row" }, name), h("td", {}, text((change.before || {})[name])), h("td", {}, text((change.after || {})[name]))));
  });
  return wide("Changes", h("table", { class: "numbers" }, h("thead", {}, h("tr", {}, ["table", "change", "key", "column", "before", "after"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, body)), "state-changes");
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
    h("p", { class: "meta" }, [typeof each.score === "number" ? `score ${each.score}` : "no score", each.eval_hash, each.attribution ? `fault: ${each.attribution}` : "", each.version].filter(Boolean).join(" · ")),
    each.reason && h("p", {}, each.reason),
    each.assertions.length ? h("ol", { class: "checks" }, each.assertions.map((check) => assertion(check, each))) : null,
    each.rubric && each.rubric.length ? rubric(each.rubric) : null,
    each.words ? h("details", {}, h("summary", {}, "The judge's own words"), pre("The judge's own words", each.words)) : null,
    each.replies && each.replies.length ? h("details", {}, h("summary", {}, `${each.replies.length} stored replies, ${spent(each.usage)}`), pre("Stored replies", each.replies.join("\n"))) : null,
    each.settings ? h("details", {}, h("summary", {}, "Settings"), pre("Settings", JSON.stringify(each.settings, null, 1))) : null,
  );
}

const moment = (seconds) => {
  const date = new Date(1000 * seconds);
  return Number.isNaN(date.getTime()) ? text(seconds) : date.toISOString();
};

/** Tokens of all components; nothing where nobody counted. */
function spent(usage) {
  if (!usage || !Object.keys(usage).length) return "";
  const sum = (name) => Object.values(usage).reduce((total, each) => total + each[name], 0).toLocaleString("en");
  return `${sum("prompt_tokens")} tokens in, ${sum("completion_tokens")} out, ${sum("num_calls")} calls`;
}

/** Where a check says it looked: a request, a row, another file, or a screenshot. */
function cited(check) {
  const to = (label, where) => h("button", { type: "button", class: "plain", click: where }, label);
  const file = (data.files || []).find((one) => one.href && one.name === check.evidence.split("#")[0]);
  if (check.request !== null) return to(check.evidence, () => open("network", `event-${check.request}`));
  if (check.state !== null) return to(check.evidence, () => open("state", `state-${check.state}`));
  if (check.screenshots.length) return check.screenshots.map((number) => to(`screenshot ${number}`, () => shotOf(number)));
  return check.evidence && (file ? h("a", { href: file.href }, check.evidence) : h("span", {}, check.evidence));
}

function assertion(check, each) {
  const none = (value) => value === null || value === undefined;
  const compared = !none(check.expected) || !none(check.actual);
  const row = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, pre(name, none(value) ? "null (nothing)" : text(value))));
  return h(
    "li",
    { id: `check-${each.eval_hash}-${check.name}`, class: check.passed ? "ok" : "bad" },
    h("b", {}, check.passed ? "✓ " : "✗ ", check.name),
    check.fault ? h("span", { class: "meta" }, ` fault: ${check.fault}`) : null,
    check.reason ? h("p", {}, check.reason) : null,
    compared && h("details", check.passed ? {} : { open: true }, h("summary", {}, "expected and actual"), h("dl", { class: "facts" }, row("expected", check.expected), row("actual", check.actual), !none(check.normalized) && row("normalised", check.normalized))),
    check.evidence && h("p", { class: "meta" }, "decided by ", cited(check)),
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
    h("tr", { class: item.met === false || item.met === "false" ? "off" : null }, h("th", { scope: "row" }, text(item.criterion), item.condition ? h("small", {}, ` only if ${text(item.condition)}${item.met === false ? " (not so)" : ""}`) : null), h("td", {}, `${text(item.earned)} of ${text(item.most)}`), h("td", {}, text(item.why)), h("td", {}, item.shots.length ? item.shots.map((number) => h("button", { type: "button", class: "plain", click: () => shotOf(number) }, `screenshot ${number}`)) : text(item.evidence)));
  return wide("Rubric", h("table", { class: "numbers" }, h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, items.map(row))));
}

function attemptsPanel() {
  const before = data.attempts || [];
  return [
    before.length ? before.map((each) => h("article", { class: "attempt" }, h("h2", {}, `Attempt ${each.number}: `, chip(each.outcome || "aborted")), h("p", {}, each.reason), files(each.files))) : h("p", { class: "empty" }, "There was no attempt before this one."),
    data.surroundings && h("h2", {}, "Surroundings of this attempt"),
    data.surroundings && facts(Object.entries(data.surroundings)),
    data.usage && Object.keys(data.usage).length ? [h("h2", {}, "What its models took"), facts(Object.entries(data.usage).map(([name, each]) => [name, spent({ name: each })]))] : null,
    data.times && facts([["began", moment(data.times.start_time)], ["ended", moment(data.times.end_time)]]),
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
if (!data.outcome || data.verdicts.some((each) => each.state === "waiting")) live();
