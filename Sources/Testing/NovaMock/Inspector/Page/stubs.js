/* The form and the list of stubs. */

function stubRPC() { return contract.rpcs.find(each => each.rpc === byId("stub-rpc").value); }

/** Prepares the form for an RPC: its fields, and a response with defaults. */
function showStubRPC() {
  const rpc = stubRPC();
  byId("stub-fields").textContent = rpc.summary + " Fields: " + (rpc.request_fields.join(", ") || "none") + ".";
  byId("stub-request").value = "";
  byId("stub-status").value = rpc.status;
  byId("stub-body").value = rpc.status === 204 ? "" : JSON.stringify(rpc.response, null, 2);
}

/** Prepares the form with a request and its response. The values of secrets are not known. */
function stubRequest(request) {
  closeDetails();
  showTab("stubs");
  byId("stub-rpc").value = request.rpc;
  showStubRPC();
  const all = members(request.message || "{}");
  const known = all.filter(([, value]) => !value.includes(mask));
  byId("stub-request").value = known.length ? indented("{" + known.map(([name, value]) => JSON.stringify(name) + ":" + value).join(",") + "}") : "";
  byId("stub-delay").value = "";
  byId("stub-invalid").checked = false;
  if (request.status !== null) byId("stub-status").value = request.status;
  if (request.response_body !== null) {
    try { byId("stub-body").value = indented(request.response_body); } catch { byId("stub-body").value = ""; }
  } else byId("stub-body").value = "";
  const warnings = [];
  if (known.length < all.length) warnings.push("left out of the request, because it is secret: " + all.filter(each => !known.includes(each)).map(([name]) => name).join(", "));
  if (byId("stub-body").value.includes(mask)) warnings.push("the body contains " + mask + " in place of secrets: enter values");
  if (warnings.length) showMessage(warnings.join("; "), true);
  byId("stub-body").focus();
}

/** A member with the JSON of a text field; none if that is empty. */
function fieldMember(member, id, name) {
  const text = byId(id).value.trim();
  if (!text) return [];
  try {
    JSON.parse(text);
    return [JSON.stringify(member) + ":" + text];
  } catch (error) {
    byId(id).focus();
    throw new Error(name + " is not JSON: " + error.message);
  }
}

function showStubs(answer) {
  byId("stub-count").textContent = answer.stubs.length ? "(" + answer.stubs.length + ")" : "";
  if (!isNew("stubs", answer)) return;
  disable(byId("remove-stubs"), !answer.stubs.length);
  redraw(byId("stub-list"), answer.stubs.length ? answer.stubs.toReversed().map(stubItem) : [element("li", "none", "faint")]);
}

function stubItem(stub) {
  const item = element("li");
  const text = element("span");
  const matcher = JSON.stringify(stub.request);
  text.append(element("b", stub.rpc), " ", element("code", stub.request === null ? "a large matcher" : matcher === "{}" ? "any request" : matcher), " → ",
    element("span", stub.status, statusClass(stub.status)), stub.delay_ms ? " after " + stub.delay_ms + " ms" : "",
    element("span", " · " + stub.id + " · " + numberOf(stub.hits, "call", "calls"), "faint"));
  item.append(text, button("Remove", () => act("stub removed", () => ask("stubs/" + stub.id, "DELETE")), "Remove " + stub.id));
  return item;
}

byId("stub-rpc").onchange = showStubRPC;
byId("remove-stubs").onclick = () => act("stubs removed", () => ask("stubs", "DELETE"));
byId("stub-form").onsubmit = event => {
  event.preventDefault();
  act("stub added", async () => {
    const rest = JSON.stringify({
      rpc: byId("stub-rpc").value, status: Number(byId("stub-status").value), delay_ms: Number(byId("stub-delay").value) || 0,
      allow_invalid: byId("stub-invalid").checked });
    const fields = [...fieldMember("request", "stub-request", "the request"), ...fieldMember("body", "stub-body", "the body")];
    await ask("stubs", "POST", "{" + [rest.slice(1, -1), ...fields].join(",") + "}");
    byId("stub-delay").value = "";
    byId("stub-invalid").checked = false;
  });
};
