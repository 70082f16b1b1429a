/* The requests as the server has them. */

const log = { id: null, last: 0, lost: 0, unmatched: 0, isPaused: false, entries: [] };

/** Reads what is new, page by page. The number of the last request is the cursor, so a lost connection loses nothing. */
async function readLog() {
  while (!log.isPaused) {
    const page = await ask("requests?limit=500&after=" + log.last);
    if (log.isPaused) return;
    if (log.id !== page.log) {
      const isRestart = log.id !== null;
      forgetLog(page.log);
      if (isRestart) showMessage("the server was restarted: its earlier requests are gone");
      if (isRestart) continue;
    }
    takePage(page);
    if (log.last >= page.last) return;
  }
}

function forgetLog(id) {
  Object.assign(log, { id, last: 0, lost: 0, unmatched: 0, entries: [] });
  list.shown = [];
}

function takePage(page) {
  const missed = page.first - 1 - Math.max(log.last, page.cleared);
  if (log.last > 0 && missed > 0) log.lost += missed;
  if (log.entries.length && log.entries[0].number < page.first) {
    log.entries = log.entries.filter(each => each.number >= page.first);
    list.shown = list.shown.filter(each => each.number >= page.first);
  }
  if (page.cleared >= log.last) log.lost = 0;
  for (const entry of page.requests) entry.text = searchText(entry);
  log.entries = log.entries.concat(page.requests);
  log.unmatched = log.entries.filter(each => each.unmatched).length;
  log.last = page.requests.length ? page.requests.at(-1).number : Math.max(log.last, page.last);
  addToList(page.requests.filter(isFound));
}

byId("clear").onclick = () => act("requests cleared", async () => {
  const page = await ask("requests", "DELETE");
  await refreshing;
  if (page.log === log.id) takePage(page);
});
byId("pause").onclick = () => {
  log.isPaused = !log.isPaused;
  byId("pause").setAttribute("aria-pressed", log.isPaused);
  showMessage(log.isPaused ? "paused: new requests wait" : "");
  refresh();
};
