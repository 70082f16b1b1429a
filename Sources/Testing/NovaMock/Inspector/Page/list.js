/* The list of requests, newest first, of which only the visible rows exist. */

const list = { shown: [], active: null, rows: new Map() };
const narrow = matchMedia("(max-width: 700px)");

function rowHeight() { return narrow.matches ? 46 : 34; }
/** The request at a place, 0 for the newest. */
function requestAt(place) { return list.shown[list.shown.length - 1 - place]; }

function placeOf(number) {
  let [low, high] = [0, list.shown.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list.shown[middle].number < number) low = middle + 1; else high = middle;
  }
  return low < list.shown.length && list.shown[low].number === number ? list.shown.length - 1 - low : -1;
}

/** Adds new requests on top, and keeps what is in view if the list is scrolled. */
function addToList(entries) {
  const box = byId("box");
  const top = box.scrollTop;
  list.shown = list.shown.concat(entries);
  drawList();
  if (top > 0 && entries.length) {
    box.scrollTop = top + entries.length * rowHeight();
    drawList();
  }
}

function drawList() {
  const [box, space, height] = [byId("box"), byId("space"), rowHeight()];
  byId("head").style.paddingRight = 10 + box.offsetWidth - box.clientWidth + "px";
  space.style.height = list.shown.length * height + "px";
  byId("shown").textContent = words.length
    ? list.shown.length.toLocaleString("en") + " of " + numberOf(log.entries.length, "request", "requests")
    : numberOf(log.entries.length, "request", "requests");
  setText(byId("lost"), log.lost ? numberOf(log.lost, "request was", "requests were") + " lost: the server stores the last 10,000" : "");
  byId("unmatched").hidden = log.unmatched === 0;
  setText(byId("unmatched"), numberOf(log.unmatched, "unmatched request", "unmatched requests"));
  byId("empty").hidden = log.entries.length > 0;
  let active = list.active === null ? -1 : placeOf(list.active);
  if (active < 0 && list.shown.length) active = 0;
  const first = Math.max(0, Math.floor(box.scrollTop / height) - 8);
  const end = Math.min(list.shown.length, Math.ceil((box.scrollTop + box.clientHeight) / height) + 8);
  const places = [];
  for (let place = first; place < end; place++) places.push(place);
  // The row with the focus always exists.
  if (active >= 0 && active < first) places.unshift(active);
  if (active >= end) places.push(active);
  drawRows(places, active, height);
}

function drawRows(places, active, height) {
  const needed = new Set(places.map(place => requestAt(place).number));
  for (const [number, row] of list.rows) {
    if (needed.has(number)) continue;
    if (row === document.activeElement) byId("box").focus({ preventScroll: true });
    row.remove();
    list.rows.delete(number);
  }
  let next = byId("space").firstChild;
  for (const place of places) {
    const entry = requestAt(place);
    let row = list.rows.get(entry.number);
    if (!row) list.rows.set(entry.number, row = makeRow(entry));
    if (row === next) next = next.nextSibling; else byId("space").insertBefore(row, next);
    row.style.top = place * height + "px";
    row.tabIndex = place === active ? 0 : -1;
    row.setAttribute("aria-posinset", place + 1);
    row.setAttribute("aria-setsize", list.shown.length);
    row.setAttribute("aria-selected", details.number === entry.number);
  }
}

function statusClass(status) { return status === null ? "bad" : status < 300 ? "good" : status < 500 ? "warn" : "bad"; }

function makeRow(entry) {
  const row = element("div", undefined, "line request");
  const name = entry.rpc || entry.method + " " + entry.path;
  const tag = [entry.unmatched && "unmatched", entry.fault, entry.stub, entry.origin, entry.refusal && "refused"]
    .filter(Boolean).join(", ");
  row.setAttribute("role", "option");
  row.dataset.number = entry.number;
  row.append(element("span", entry.time.slice(11, 23), "time faint"), element("span", name, "name"),
    element("span", entry.status === null ? "–" : entry.status, "number " + statusClass(entry.status)),
    element("span", entry.duration_ms.toFixed(1), "number"), element("span", size(entry.response_size), "number size faint"),
    element("span", tag, "tag warn"));
  row.setAttribute("aria-label", [name, entry.status === null ? "no response" : "status " + entry.status,
    entry.duration_ms.toFixed(1) + " ms", tag, entry.time.slice(11, 19)].filter(Boolean).join(", "));
  row.onclick = () => { setActive(entry.number); showDetails(entry.number); };
  return row;
}

function size(bytes) {
  return bytes < 1000 ? bytes + " B" : bytes < 1e6 ? (bytes / 1e3).toFixed(1) + " kB" : (bytes / 1e6).toFixed(1) + " MB";
}

/** Moves the focus to a request, and scrolls to it. */
function setActive(number) {
  list.active = number;
  const [box, height, place] = [byId("box"), rowHeight(), placeOf(number)];
  if (place < 0) return;
  if (place * height < box.scrollTop) box.scrollTop = place * height;
  if ((place + 1) * height > box.scrollTop + box.clientHeight) box.scrollTop = (place + 1) * height - box.clientHeight;
  drawList();
  list.rows.get(number).focus({ preventScroll: true });
}

byId("box").onscroll = drawList;
new ResizeObserver(drawList).observe(byId("box"));
/** Moves through the requests, or opens one; false for other keys. */
function moveInList(event) {
  if (!list.shown.length || event.ctrlKey || event.metaKey || event.altKey) return false;
  const page = Math.max(1, Math.floor(byId("box").clientHeight / rowHeight()) - 1);
  const last = list.shown.length - 1;
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last - 1, End: last + 1 }[event.key];
  // Without a request and without the focus, a key leads into the list.
  const isOutside = list.active === null && !byId("box").contains(document.activeElement);
  const place = isOutside ? -Math.sign(step ?? 0) : Math.max(0, list.active === null ? 0 : placeOf(list.active));
  if (step !== undefined) {
    setActive(requestAt(Math.min(last, Math.max(0, place + step))).number);
    if (details.number !== null && !narrow.matches) showDetails(list.active, false);
  } else if ((event.key === "Enter" || event.key === " ") && !isOutside) {
    setActive(requestAt(place).number);
    showDetails(list.active);
  } else return false;
  event.preventDefault();
  return true;
}
byId("box").onkeydown = event => { if (moveInList(event)) event.stopPropagation(); };
