/* The events as they happen, newest first. */

const live = { state: "connecting…", rows: [], waiting: [], last: null, isPaused: false, source: null, retry: null, filter: "", words: [] };
const liveLimit = 200;

/** Connects: behind the last event if there is one, so that nothing is shown twice or left out. */
function openLive() {
  closeLive();
  const start = live.last === null ? "last=" + liveLimit : "after=" + encodeURIComponent(live.last);
  const source = live.source = new EventSource("/_nova/event-stream?" + start);
  source.onopen = () => showLiveState("live");
  source.onmessage = message => {
    live.last = message.lastEventId;
    takeEvent(message.data);
  };
  source.addEventListener("reset", () => {
    Object.assign(live, { last: null, rows: [], waiting: [] });
    byId("live-list").replaceChildren();
    drawLive();
    showMessage("the server has lost its events: the list begins anew");
    openLive();
  });
  source.onerror = () => {
    showLiveState("connecting…");
    // The browser connects again by itself, unless the server refused.
    if (source.readyState === EventSource.CLOSED) live.retry = setTimeout(openLive, 2000);
  };
}

function closeLive() {
  clearTimeout(live.retry);
  live.source?.close();
  live.source = null;
  showLiveState("connecting…");
}

function showLiveState(text) {
  if (text) live.state = text;
  const isLive = live.state === "live";
  setText(byId("live-state"), isLive && live.isPaused ? "paused" : live.state);
  byId("live-state").className = isLive && !live.isPaused ? "good" : "bad";
}

function showStreams(answer) { setText(byId("live-streams"), numberOf(answer.streams, "open stream", "open streams")); }

function takeEvent(data) {
  const queue = live.isPaused ? live.waiting : live.rows;
  const event = JSON.parse(data);
  const entry = { event, data, topics: event.topics.map(each => each.toLowerCase()) };
  entry.text = [data.toLowerCase(), ...entry.topics].join("\n");
  queue.unshift(entry);
  if (queue === live.rows) byId("live-list").prepend(entry.item = liveItem(entry));
  if (queue.length > liveLimit) queue.pop().item?.remove();
  drawLive();
}

function drawLive() {
  const shown = live.rows.filter(each => !each.item.hidden).length;
  byId("live-shown").textContent = live.words.length
    ? shown + " of " + numberOf(live.rows.length, "event", "events") : numberOf(live.rows.length, "event", "events");
  byId("live-waiting").textContent = live.waiting.length
    ? (live.waiting.length < liveLimit ? "" : "the latest ") + numberOf(live.waiting.length, "event waits", "events wait") : "";
  byId("live-empty").hidden = live.rows.length > 0;
}

/** Whether an event has the filter as its topic, or every word of it. `post:` is any topic of that kind. */
function isFoundLive(entry) {
  return entry.topics.includes(live.filter) || live.words.every(word => /^(user|post|me):/.test(word)
    ? entry.topics.some(each => word.endsWith(":") ? each.startsWith(word) : each === word) : entry.text.includes(word));
}

/** The time of day; times that no calendar has are shown as numbers. */
function timeOfDay(seconds) {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().slice(-13, -5);
}

/** What an event contains besides what its row shows. */
function liveData(data) {
  const rest = members(data).filter(([name, value]) =>
    !["id", "type", "topics", "created_at"].includes(name) && !['""', "{}", "null"].includes(value));
  return rest.map(each => each.join("=")).join(" ").slice(0, 500);
}

/** The id of an event. What differs from event to event is its end, behind the last colon: that is never cut off. */
function positionOf(id) {
  const [made, colon] = [element("span", undefined, "position faint"), id.lastIndexOf(":")];
  made.title = id;
  made.append(element("span", id.slice(0, colon + 1), "epoch"), element("span", id.slice(colon + 1), "offset"));
  return made;
}

function liveItem(entry) {
  const [item, details, summary] = [element("li"), element("details"), element("summary")];
  const event = entry.event;
  summary.append(element("span", timeOfDay(event.created_at), "faint"), element("b", event.type),
    element("span", event.topics.join(" "), "topics"), positionOf(event.id),
    element("code", liveData(entry.data), "data faint"));
  details.append(summary);
  details.ontoggle = () => { if (details.open && details.children.length === 1) details.append(liveDetails(entry)); };
  item.append(details);
  item.hidden = !isFoundLive(entry);
  return item;
}

/** The whole event, once it is asked for. */
function liveDetails(entry) {
  const [more, topics] = [element("div", undefined, "more"), element("div", undefined, "row")];
  topics.append(...entry.event.topics.map(each => button(each, () => filterLive(each), "Show only " + each)));
  more.append(topics, element("pre", indented(entry.data)));
  return more;
}

function filterLive(text) {
  byId("live-filter").value = text;
  live.filter = text.trim().toLowerCase();
  live.words = live.filter.split(/\s+/).filter(Boolean);
  for (const each of live.rows) each.item.hidden = !isFoundLive(each);
  drawLive();
}

byId("live-filter").oninput = () => filterLive(byId("live-filter").value);
byId("live-filter").onfocus = () => {
  const topics = [...new Set(live.rows.flatMap(each => each.event.topics))].sort().slice(0, 100);
  byId("live-topics").replaceChildren(...topics.map(each => new Option(each)));
};
byId("live-clear").onclick = () => {
  Object.assign(live, { rows: [], waiting: [] });
  byId("live-list").replaceChildren();
  drawLive();
  showMessage("events removed from this page");
};
byId("live-pause").onclick = () => {
  live.isPaused = !live.isPaused;
  byId("live-pause").setAttribute("aria-pressed", live.isPaused);
  showMessage(live.isPaused ? "paused: new events wait" : "");
  if (!live.isPaused) for (const each of live.waiting.splice(0).reverse()) takeEvent(each.data);
  showLiveState();
  drawLive();
};
