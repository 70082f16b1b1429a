/* How much of the contract the requests of this run tried. */

let coverage = null;

/** Reads the coverage while its tab is shown: it is larger than all else that is read each second. */
async function readCoverage() {
  if (byId("coverage").hidden) return;
  coverage = await ask("coverage");
  showCoverage();
}

function showCoverage() {
  if (!coverage) return;
  setText(byId("coverage-percent"), coverage.percent + "%");
  const kinds = Object.entries(coverage.kinds).map(([name, each]) => each.tried + " of " + each.total + " " + (name === "status" ? "statuses" : name + "s"));
  setText(byId("coverage-total"), kinds.join(", "));
  const text = byId("coverage-search").value.trim().toLowerCase();
  const onlyMissing = byId("coverage-missing").checked;
  if (!isNew("coverage", [coverage, text, onlyMissing])) return;
  const items = coverage.rpcs.map(rpc => coverageItem(rpc, text, onlyMissing)).filter(Boolean);
  byId("coverage-list").replaceChildren(...items);
  byId("coverage-list").hidden = !items.length;
  byId("coverage-empty").hidden = items.length > 0;
}

/** One RPC; null if nothing of it is shown. */
function coverageItem(rpc, text, onlyMissing) {
  const matches = rpc.rpc.toLowerCase().includes(text);
  const points = rpc.points.filter(each => (!onlyMissing || !each.count) && (matches || coverageName(each).toLowerCase().includes(text)));
  if (!points.length) return null;
  const tried = rpc.points.filter(each => each.count).length;
  const item = element("li");
  const head = element("div");
  head.append(element("b", rpc.rpc), element("span", " " + tried + " of " + rpc.points.length + " tried", rpc.called ? "faint" : "warn"));
  const list = element("div");
  for (const point of points) {
    const count = point.count ? " ×" + point.count.toLocaleString("en") : "";
    list.append(element("code", coverageName(point) + count, point.count ? "good" : "faint"), " ");
  }
  item.append(head, list);
  return item;
}

function coverageName(point) {
  const name = point.kind === "status" ? "status " + point.status
    : point.kind === "field" ? point.field : (point.field ? point.field + ": " : "") + point.constraint;
  return name + " (" + point.way + ")";
}

byId("coverage-search").oninput = showCoverage;
byId("coverage-missing").onchange = showCoverage;
byId("coverage-clear").onclick = async () => {
  if (await confirmed("Forget what was tried so far?", "Count again")) act("coverage starts again", () => ask("coverage", "DELETE"));
};
document.addEventListener("tab", event => {
  if (event.detail === "coverage") readCoverage().catch(error => showMessage(reason(error), true));
});
