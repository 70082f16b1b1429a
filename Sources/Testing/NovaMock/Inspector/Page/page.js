/* Elements, messages, tabs, and dialogs. */

const byId = id => document.getElementById(id);

/** Creates an element; text is always inserted as text. */
function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function button(text, action, label) {
  const made = element("button", text);
  made.type = "button";
  made.onclick = action;
  if (label) made.setAttribute("aria-label", label);
  return made;
}

/** A labeled control, for forms. */
function field(label, control) {
  const made = element("label", undefined, "field");
  made.append(element("span", label), control);
  return made;
}

/** Changes text only if it is new: screen readers announce each change of a live region. */
function setText(parent, text) { if (parent.textContent !== text) parent.textContent = text; }

function showMessage(text, isBad) {
  byId("message").textContent = text;
  byId("message").className = isBad ? "bad" : "faint";
}

const drawn = {};
/** Whether a part of the page must be redrawn: replacing a button while it is pressed would lose the click. */
function isNew(part, value) {
  const text = JSON.stringify(value);
  if (drawn[part] === text) return false;
  drawn[part] = text;
  return true;
}

/** Redraws a part of the page, and keeps the focus on the control with the same label. */
function redraw(parent, children) {
  const focus = parent.contains(document.activeElement) ? document.activeElement : null;
  const label = focus && (focus.getAttribute("aria-label") || focus.textContent);
  parent.replaceChildren(...children);
  if (!focus) return;
  const controls = [...parent.querySelectorAll("button")];
  const next = controls.find(each => (each.getAttribute("aria-label") || each.textContent) === label) || controls[0];
  if (next) return next.focus();
  focusPanel(parent);
}

/** Where nothing is left to focus: the first control of the panel, which adds something. */
function focusPanel(part) { part.closest("[role=tabpanel]")?.querySelector("select, input, textarea")?.focus(); }

function disable(control, isDisabled) {
  if (isDisabled && document.activeElement === control) focusPanel(control);
  control.disabled = isDisabled;
}

function numberOf(count, one, many) { return count.toLocaleString("en") + " " + (count === 1 ? one : many); }

// Tabs.
const tabs = [...document.querySelectorAll("[role=tab]")];

function showTab(name) {
  for (const tab of tabs) {
    const isShown = tab.id === "tab-" + name;
    tab.setAttribute("aria-selected", isShown);
    tab.tabIndex = isShown ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !isShown;
  }
  document.dispatchEvent(new CustomEvent("tab", { detail: name }));
}

tabs.forEach((tab, index) => {
  tab.onclick = () => showTab(tab.getAttribute("aria-controls"));
  tab.onkeydown = event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1
      : step ? (index + step + tabs.length) % tabs.length : null;
    if (next === null) return;
    event.preventDefault();
    tabs[next].focus();
    tabs[next].click();
  };
});

/** Asks before something is lost. */
function confirmed(text, action) {
  const dialog = byId("question");
  byId("question-text").textContent = text;
  byId("question-yes").textContent = action;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise(resolve => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

/** Copies text; shows it where a browser does not allow that, which is anywhere but on localhost without TLS. */
async function copy(text, name) {
  try {
    await navigator.clipboard.writeText(text);
    showMessage(name + " copied");
  } catch {
    byId("copy-text").value = text;
    byId("copy").showModal();
    byId("copy-text").select();
  }
}
