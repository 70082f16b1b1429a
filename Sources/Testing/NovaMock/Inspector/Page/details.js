/* One request with everything that is known about it. */

const details = { number: null, request: null };
const longestText = 50000;

function link(number) { return "#request=" + log.id + "-" + number; }

/** Shows a request: the stored headers and bodies come from the server. */
async function showDetails(number, takesFocus = true) {
  details.number = number;
  history.replaceState(null, "", link(number));
  drawList();
  try {
    const request = await ask("requests/" + number);
    if (details.number === number) fillDetails(request, takesFocus);
  } catch (error) {
    if (details.number === number) fillGone(error instanceof TypeError ? reason(error) : "Request " + number + " is gone: " + error.message, takesFocus);
  }
}

function openDetails(children, takesFocus) {
  const pane = byId("details");
  pane.replaceChildren(...children);
  pane.hidden = false;
  pane.scrollTop = 0;
  byId("requests").classList.add("open");
  setBackground(narrow.matches);
  if (takesFocus) pane.focus({ preventScroll: true });
  drawList();
}

/** Behind the details on a narrow screen, nothing can have the focus. */
function setBackground(isInert) {
  for (const part of [document.querySelector("header"), document.querySelector("nav"), byId("tools"), byId("table")]) part.inert = isInert;
  document.body.classList.toggle("covered", isInert);
}
narrow.onchange = () => { setBackground(narrow.matches && !byId("details").hidden); drawList(); };

function closeDetails() {
  const number = details.number;
  Object.assign(details, { number: null, request: null });
  byId("details").hidden = true;
  byId("requests").classList.remove("open");
  setBackground(false);
  history.replaceState(null, "", location.pathname);
  drawList();
  if (number !== null && placeOf(number) >= 0) setActive(number); else byId("search").focus();
}

function fillGone(text, takesFocus) {
  const row = element("div", undefined, "row");
  row.append(button("Close", closeDetails));
  const problem = element("p", text, "bad");
  problem.setAttribute("role", "alert");
  openDetails([row, problem], takesFocus);
}

function fillDetails(request, takesFocus) {
  details.request = request;
  const title = element("h2");
  title.append(element("span", request.status === null ? "no response" : request.status, statusClass(request.status)), " ",
    element("span", request.rpc || request.method + " " + request.path, "name"));
  openDetails([tools(request), title, facts(request),
    ...(request.unmatched ? [element("h3", "Unmatched"), element("pre", request.unmatched)] : []),
    element("h3", "Request headers"), headerList(request.request_headers), element("h3", "Request body"), ...bodyText(request.request_body),
    element("h3", "Response headers"), headerList(request.response_headers), element("h3", "Response body"), ...bodyText(request.response_body),
  ], takesFocus);
}

function tools(request) {
  const row = element("div", undefined, "row");
  const command = (make, name) => () => { try { copy(make(request), name); } catch (error) { showMessage(error.message, true); } };
  row.append(button("Copy as curl", command(curlCommand, "curl command")), button("Copy as nova call", command(novaCommand, "nova command")),
    button("Copy link", () => copy(location.origin + "/_nova/" + link(request.number), "link")));
  if (request.rpc) {
    const stub = button("Stub this", () => stubRequest(request));
    stub.disabled = !request.request_headers;
    if (stub.disabled) stub.title = "the server no longer stores the headers and the bodies";
    row.append(stub);
  }
  row.append(button("Close", closeDetails));
  return row;
}

function facts(request) {
  const rows = element("dl");
  const add = (name, value) => { if (value !== null && value !== "") rows.append(element("dt", name), element("dd", value)); };
  add("Number", request.number);
  add("Time", request.time);
  add("Request", request.method + " " + request.path);
  add("Duration", request.duration_ms.toFixed(1) + " ms");
  add("Request id", request.request_id);
  add("Fault", request.fault);
  add("Stub", request.stub);
  add("Refused", request.refusal);
  add("Response from", request.origin);
  add("Size", size(request.request_size) + " sent, " + size(request.response_size) + " received");
  return rows;
}

function headerList(headers) {
  if (headers === null) return element("p", "no longer stored", "faint");
  if (!headers.length) return element("p", "none", "faint");
  const rows = element("dl", undefined, "headers");
  for (const { name, value } of headers) rows.append(element("dt", name), element("dd", value));
  return rows;
}

/** The start of a long text, and a button for the rest. */
function bodyText(body) {
  if (body === null) return [element("p", "empty", "faint")];
  let text = body;
  try { text = indented(body); } catch { /* not JSON: shown as it is */ }
  const shown = element("pre", text.slice(0, longestText));
  shown.tabIndex = 0;
  if (text.length <= longestText) return [shown];
  const rest = button("Show all " + text.length.toLocaleString("en") + " characters", () => {
    shown.textContent = text;
    rest.remove();
    shown.focus();
  });
  return [shown, rest];
}

/** Opens the request of the address, `#request=<log>-<number>`. */
function openLink() {
  const match = /^#request=(?:([0-9a-f]+)-)?([0-9]+)$/.exec(location.hash);
  if (!match) return;
  const number = Number(match[2]);
  if (match[1] && match[1] !== log.id) {
    details.number = number;
    fillGone("Request " + number + " is gone: the server was restarted since", true);
  } else {
    list.active = number;
    showDetails(number);
  }
}
addEventListener("hashchange", () => { showTab("requests"); openLink(); });
