/* The clock, the snapshots, the counts, and the reset. */

let clockNow = 0;

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

function showState(state) {
  clockNow = state.now;
  byId("seed").textContent = state.seed;
  byId("data-set").textContent = state.data_set;
  byId("clock").textContent = byId("clock-now").textContent = utc(state.now);
  const offset = state.clock_offset_seconds ? duration(state.clock_offset_seconds) + " ahead" : "";
  byId("offset").textContent = byId("clock-offset").textContent = offset && "(" + offset + ")";
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

function advance(seconds) { return act("clock advanced", () => ask("clock", "POST", { advance_seconds: seconds })); }

for (const each of document.querySelectorAll("[data-advance]")) each.onclick = () => advance(Number(each.dataset.advance));
byId("clock-form").onsubmit = event => {
  event.preventDefault();
  const target = Date.parse(byId("clock-target").value + "Z") / 1000;
  if (Number.isNaN(target)) return showMessage("enter a date and a time", true);
  if (target < clockNow) return showMessage("the clock only moves forward; reset restores it", true);
  advance(Math.floor(target - clockNow));
};
byId("snapshot-form").onsubmit = event => {
  event.preventDefault();
  act("snapshot saved", () => ask("snapshot", "POST", { name: byId("snapshot-name").value }));
};
byId("reset").onclick = async () => {
  const text = "Reset the data and the clock, and remove all faults and stubs?";
  if (await confirmed(text, "Reset")) act("reset", () => ask("reset", "POST", {}));
};
