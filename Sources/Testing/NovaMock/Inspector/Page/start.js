/* Keys, the first request, and then one each second. */

let refreshing = Promise.resolve();
/** Reads and shows everything, once an earlier refresh has ended: no older answer replaces a newer one. */
function refresh() { return refreshing = refreshing.then(readAll); }

async function readAll() {
  try {
    const [state, faults, scenario, stubs, snapshots, latest] = await Promise.all(
      [ask("state"), ask("faults"), ask("scenario"), ask("stubs"), ask("snapshots"), ask("events?limit=1"), readLog()]);
    showState(state);
    showStreams(latest);
    showFaults(faults);
    showScenario(scenario);
    showStubs(stubs);
    showSnapshots(snapshots);
    await readCoverage();
    showConnection("live");
  } catch (error) { showConnection(reason(error)); }
}

function showConnection(text) {
  byId("connection").textContent = log.isPaused && text === "live" ? "paused" : text;
  byId("connection").className = text === "live" ? "good" : "bad";
}

/** Whether a key is for the list of requests although something else has the focus, or nothing. */
function leadsIntoList(event) {
  if (byId("requests").hidden || byId("table").inert) return false;
  if (event.target === document.body) return true;
  const isMove = ["ArrowUp", "ArrowDown", "PageUp", "PageDown"].includes(event.key);
  return isMove && event.target.matches("button") && !byId("details").contains(event.target);
}

document.addEventListener("keydown", event => {
  if (document.querySelector("dialog[open]")) return;
  const isText = event.target.matches("input, textarea, select");
  if (event.key === "Escape") {
    if (event.target === byId("search") && byId("search").value) {
      byId("search").value = "";
      byId("search").oninput();
    } else if (!byId("details").hidden) closeDetails();
    else if (isText) event.target.blur();
  } else if (isText || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  } else if (event.key === "/") {
    if (!byId("details").hidden && narrow.matches) closeDetails();
    showTab("requests");
    byId("search").focus();
    byId("search").select();
  } else if (event.key === "?") byId("shortcuts").showModal();
  else {
    if (leadsIntoList(event)) moveInList(event);
    return;
  }
  event.preventDefault();
});
byId("help").onclick = () => byId("shortcuts").showModal();
byId("try").textContent = "nova followers mock-user-id --base-url " + location.origin;

(async function start() {
  showTab("requests");
  try { showContract(await ask("contract")); } catch (error) { showConnection(reason(error)); return setTimeout(() => location.reload(), 2000); }
  await refresh();
  openLink();
  if (!document.hidden) openLive();
  (async function poll() {
    if (!document.hidden) await refresh();
    setTimeout(poll, 1000);
  })();
})();
document.addEventListener("visibilitychange", () => {
  // Browsers open few connections to a server: pages that nobody sees leave theirs to others.
  if (document.hidden) return closeLive();
  refresh();
  openLive();
});
