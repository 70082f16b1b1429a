/* The clock, the snapshots, the counts, and the reset. */

let isFrozen = false;

function utc(seconds) { return new Date(seconds * 1000).toISOString().replace("T", " ").slice(0, 19) + " UTC"; }

/** 90061 as "1 d 1 h 1 min 1 s". */
function duration(seconds) {
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]].map(([unit, name]) => {
    const count = Math.floor(seconds / unit);
    seconds -= count * unit;
    return count ? count.toLocaleString("en") + " " + name : "";
  });
  return parts.filter(Boolean).join(" ");
}

/** What is special about the clock: "(1 d ahead)", "(frozen)"; empty if it shows the system's time. */
function clockNote(state) {
  if (state.clock_frozen) return "(frozen)";
  const offset = state.clock_offset_seconds;
  return offset ? "(" + duration(Math.abs(offset)) + (offset > 0 ? " ahead)" : " behind)") : "";
}

function showState(state) {
  isFrozen = state.clock_frozen;
  byId("seed").textContent = state.seed;
  byId("data-set").textContent = state.data_set;
  byId("clock").textContent = byId("clock-now").textContent = utc(state.now);
  byId("offset").textContent = byId("clock-offset").textContent = clockNote(state);
  byId("freeze").textContent = isFrozen ? "Continue" : "Freeze";
  byId("counts").replaceChildren(...Object.entries(state.counts).flatMap(([name, count]) =>
    [element("dt", name), element("dd", count.toLocaleString("en"))]));
}

function showSnapshots(answer) {
  if (!isNew("snapshots", answer)) return;
  redraw(byId("snapshots"), answer.snapshots.map(each => {
    const item = element("li");
    const text = element("span");
    text.append(element("b", each.name, "name"), element("span", " " + each.time, "faint"));
    item.append(text, button("Restore", () => act("restored " + each.name, () => ask("restore", "POST", { name: each.name })), "Restore " + each.name));
    return item;
  }));
}

/** Changes the clock, and shows what that means for tokens. */
async function changeClock(text, change) {
  let notes = [];
  const work = async () => { notes = (await ask("clock", "POST", change)).notes; };
  if (await act(text, work)) showMessage([text].concat(notes).join("; "));
}

for (const each of document.querySelectorAll("[data-advance]")) {
  const seconds = Number(each.dataset.advance);
  each.onclick = () => changeClock(seconds > 0 ? "clock advanced" : "clock moved back", { advance_seconds: seconds });
}
byId("freeze").onclick = () => changeClock(isFrozen ? "clock continued" : "clock frozen", { frozen: !isFrozen });
byId("clock-form").onsubmit = event => {
  event.preventDefault();
  const target = Date.parse(byId("clock-target").value + "Z") / 1000;
  if (Number.isNaN(target)) return showMessage("enter a date and a time", true);
  changeClock("clock set", { now: Math.floor(target) });
};
byId("snapshot-form").onsubmit = event => {
  event.preventDefault();
  act("snapshot saved", () => ask("snapshot", "POST", { name: byId("snapshot-name").value }));
};
byId("reset").onclick = async () => {
  const text = "Reset the data and the clock, and remove all faults and stubs?";
  if (await confirmed(text, "Reset")) act("reset", () => ask("reset", "POST", {}));
};
