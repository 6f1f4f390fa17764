// All state is here; the server is told after each change.
const seed = {password: "swordfish", items: [{id: 1, title: "Buy tea – Earl Grey ☕", done: false}, {id: 2, title: "Call the bank", done: false}]};
const variant = location.hostname.split(".")[0]; // some applications do what others do not
let state = JSON.parse(localStorage.getItem("todo")) || seed;

let save = () => {
  localStorage.setItem("todo", JSON.stringify(state));
  fetch("/api/state", {method: "PUT", headers: {"Content-Type": "application/json"}, body: JSON.stringify(state)});
};

function show() {
  document.getElementById("list").replaceChildren(...state.items.map((item) => {
    const row = document.createElement("li");
    const box = Object.assign(document.createElement("input"), {type: "checkbox", checked: item.done, id: `item-${item.id}`});
    box.onchange = () => {
      item.done = box.checked;
      save();
      if (variant === "reloading") location.reload();
    };
    row.append(box, item.title);
    return row;
  }));
}

document.getElementById("add").onsubmit = (event) => {
  event.preventDefault();
  state.items.push({id: state.items.length + 1, title: document.getElementById("title").value, done: false});
  save();
  show();
};
new EventSource("/api/events").onmessage = () => { localStorage.removeItem("todo"); state = structuredClone(seed); save(); show(); };
if (variant === "polling") setInterval(() => fetch("/api/state").then((answer) => answer.json()), 15);
if (variant === "stamped") state.opened = Math.random();
if (variant === "slow") {
  const now = save;
  save = () => setTimeout(now, 700);
}
show();
save();
