/* The export of requests as an HTTP Archive (HAR 1.2). */

function archivedHeaders(headers) { return (headers || []).map(({ name, value }) => ({ name, value })); }
function headerValue(headers, name) { return ((headers || []).find(each => each.name.toLowerCase() === name) || { value: "" }).value; }

function archivedQuery(path) {
  const place = path.indexOf("?");
  return place < 0 ? [] : [...new URLSearchParams(path.slice(place + 1))].map(([name, value]) => ({ name, value }));
}

/** Whether the text is the body itself, and not its size. Bodies that are shown are JSON. */
function isBody(text) {
  if (text === null) return false;
  try { JSON.parse(text); return true; } catch { return false; }
}

function archivedRequest(entry) {
  const request = {
    method: entry.method, url: location.origin + entry.path, httpVersion: "HTTP/1.1", cookies: [],
    headers: archivedHeaders(entry.request_headers), queryString: archivedQuery(entry.path), headersSize: -1,
    bodySize: entry.request_size };
  if (entry.request_body !== null) {
    request.postData = { mimeType: headerValue(entry.request_headers, "content-type"), params: [] };
    if (isBody(entry.request_body)) request.postData.text = entry.request_body;
  }
  return request;
}

function archivedResponse(entry) {
  const content = { size: entry.response_size, mimeType: headerValue(entry.response_headers, "content-type") };
  if (isBody(entry.response_body)) content.text = entry.response_body;
  return {
    status: entry.status || 0, statusText: "", httpVersion: "HTTP/1.1", cookies: [],
    headers: archivedHeaders(entry.response_headers), content, redirectURL: headerValue(entry.response_headers, "location"),
    headersSize: -1, bodySize: entry.status === null ? -1 : entry.response_size };
}

function archived(entry) {
  const notes = ["secrets are masked", entry.rpc, entry.fault && "fault: " + entry.fault, entry.stub && "stub: " + entry.stub,
    entry.refusal && "refused: " + entry.refusal,
    !entry.complete && "bodies are incomplete"];
  return {
    startedDateTime: entry.time, time: entry.duration_ms, request: archivedRequest(entry), response: archivedResponse(entry),
    cache: {}, timings: { send: 0, wait: entry.duration_ms, receive: 0 }, comment: notes.filter(Boolean).join("; ") };
}

/** Reads the shown requests with their headers and bodies, and saves them as a file. */
async function exportArchive() {
  const shown = new Set(list.shown.map(each => each.number));
  if (!shown.size) throw new Error("nothing to export: no request is shown");
  const newest = list.shown.at(-1).number;
  const entries = [];
  for (let after = list.shown[0].number - 1; after < newest;) {
    const page = await ask("requests?full=true&limit=200&after=" + after);
    if (page.log !== log.id || !page.requests.length) break;
    for (const entry of page.requests) if (shown.has(entry.number)) entries.push(archived(entry));
    after = page.requests.at(-1).number;
    showMessage("exporting: " + entries.length.toLocaleString("en") + " of " + shown.size.toLocaleString("en"));
  }
  const har = { log: { version: "1.2", creator: { name: "nova serve", version: contract.version }, pages: [], entries } };
  const file = element("a");
  file.href = URL.createObjectURL(new Blob([JSON.stringify(har, null, 1)], { type: "application/json" }));
  file.download = "nova-requests.har";
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 10000);
  const missing = shown.size - entries.length;
  return numberOf(entries.length, "request", "requests") + " exported" + (missing ? "; " + missing.toLocaleString("en") + " are no longer stored" : "");
}

byId("export").onclick = async () => {
  try { showMessage(await exportArchive()); } catch (error) { showMessage(reason(error), true); }
};
