/* The search in requests. */

let words = [];

/** Everything that the search looks at, in lower case. */
function searchText(entry) {
  const parts = [entry.method, entry.path, entry.rpc, entry.status, entry.request_id, entry.fault, entry.stub,
    entry.origin, entry.unmatched && "unmatched\n" + entry.unmatched, entry.refusal && "refused: " + entry.refusal,
    entry.request_body, entry.response_body];
  return parts.filter(each => each !== null && each !== undefined).join("\n").toLowerCase();
}

/** Whether a request has every word. `404` and `5xx` are also statuses. */
function isFound(entry) {
  return words.every(word => /^[2-5]xx$/.test(word) ? String(entry.status)[0] === word[0] : entry.text.includes(word));
}

/** Lists the requests that nothing was prepared for. */
byId("unmatched").onclick = () => {
  byId("search").value = "unmatched";
  byId("search").oninput();
  byId("search").focus();
};

let announcement;
byId("search").oninput = () => {
  words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  list.shown = log.entries.filter(isFound);
  byId("box").scrollTop = 0;
  drawList();
  // Announced once after typing, and never for new requests.
  clearTimeout(announcement);
  announcement = setTimeout(() => { if (words.length) showMessage(numberOf(list.shown.length, "request", "requests") + " found"); }, 600);
};
