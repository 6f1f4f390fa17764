"use strict";
for (const button of document.querySelectorAll("button.copy")) {
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copies).content.textContent;
    const done = await copied(text);
    const before = button.textContent;
    button.textContent = done ? "copied" : "not allowed here: use the file";
    setTimeout(() => (button.textContent = before), 1500);
  });
}

/** The clipboard's own way, or the old one where a file's page may not use it. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea", { "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
