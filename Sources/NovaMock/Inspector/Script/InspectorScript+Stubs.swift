extension InspectorScript {
  /// The form and the list of stubs.
  static let stubs = #"""
    function stubRPC() { return contract.rpcs.find(each => each.rpc === byId("stub-rpc").value); }

    /** Prepares the form for an RPC: its fields, and a response with defaults. */
    function showStubRPC() {
      const rpc = stubRPC();
      byId("stub-fields").textContent = rpc.summary + " Fields: " + (rpc.request_fields.join(", ") || "none") + ".";
      byId("stub-request").value = "";
      byId("stub-status").value = rpc.status;
      byId("stub-body").value = rpc.status === 204 ? "" : JSON.stringify(rpc.response, null, 2);
    }

    /** Prepares the form with a request and its response. */
    function stubRequest(request) {
      closeDetails();
      showTab("stubs");
      byId("stub-rpc").value = request.rpc;
      showStubRPC();
      byId("stub-request").value = JSON.stringify(request.message || {}, null, 2);
      if (request.status !== null) byId("stub-status").value = request.status;
      if (request.response_body !== null) {
        try { byId("stub-body").value = JSON.stringify(JSON.parse(request.response_body), null, 2); } catch { byId("stub-body").value = ""; }
      }
      byId("stub-body").focus();
    }

    /** The JSON of a text field; undefined if it is empty. */
    function fieldJSON(id, name) {
      const text = byId(id).value.trim();
      if (!text) return undefined;
      try { return JSON.parse(text); } catch (error) {
        byId(id).focus();
        throw new Error(name + " is not JSON: " + error.message);
      }
    }

    function showStubs(answer) {
      byId("stub-count").textContent = answer.stubs.length ? "(" + answer.stubs.length + ")" : "";
      if (!isNew("stubs", answer)) return;
      byId("remove-stubs").disabled = !answer.stubs.length;
      redraw(byId("stub-list"), answer.stubs.length ? answer.stubs.toReversed().map(stubItem) : [element("li", "none", "faint")]);
    }

    function stubItem(stub) {
      const item = element("li");
      const text = element("span");
      const matcher = JSON.stringify(stub.request);
      text.append(element("b", stub.rpc), " ", element("code", matcher === "{}" ? "any request" : matcher), " → ",
        element("span", stub.status, statusClass(stub.status)), stub.delay_ms ? " after " + stub.delay_ms + " ms" : "",
        element("span", " · " + stub.id + " · " + numberOf(stub.hits, "call", "calls"), "faint"));
      item.append(text, button("Remove", () => act("stub removed", () => ask("stubs/" + stub.id, "DELETE")), "Remove " + stub.id));
      return item;
    }

    byId("stub-rpc").onchange = showStubRPC;
    byId("remove-stubs").onclick = () => act("stubs removed", () => ask("stubs", "DELETE"));
    byId("stub-form").onsubmit = event => {
      event.preventDefault();
      act("stub added", () => ask("stubs", "POST", {
        rpc: byId("stub-rpc").value, request: fieldJSON("stub-request", "the request"), status: Number(byId("stub-status").value),
        body: fieldJSON("stub-body", "the body"), delay_ms: Number(byId("stub-delay").value) || 0,
        allow_invalid: byId("stub-invalid").checked }));
    };
    """#
}
