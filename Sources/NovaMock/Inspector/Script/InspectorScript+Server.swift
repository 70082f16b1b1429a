extension InspectorScript {
  /// Requests to the admin API.
  static let server = #"""
    /** Calls the admin API, and returns the JSON of its response. */
    async function ask(path, method = "GET", body) {
      const answer = await fetch("/_nova/" + path, {
        method, headers: body === undefined ? {} : { "Content-Type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body) });
      const text = await answer.text();
      const json = text ? JSON.parse(text) : null;
      if (!answer.ok) throw new Error(json && json.message || "HTTP " + answer.status);
      return json;
    }

    /** Runs the action of a control, and shows the outcome. Returns whether it succeeded. */
    async function act(text, work) {
      try {
        await work();
        await refresh();
        showMessage(text);
        return true;
      } catch (error) {
        showMessage(reason(error), true);
        return false;
      }
    }

    /** A failed connection is a TypeError of fetch. */
    function reason(error) { return error instanceof TypeError ? "the server does not respond" : error.message; }
    """#
}
