/// The inspector page of `/_nova/`: live requests, contents, clock, and faults of the backend. One document without
/// external resources, which calls the admin API and inserts responses as text only.
package enum InspectorPage {
  package static let html = #"""
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:">
    <title>nova serve</title>
    <link rel="icon" href="data:,">
    <style>
    :root { color-scheme: light dark; --line: #d7dae0; --faint: #667085; --back: #f6f7f9; --card: #fff; --good: #18794e;
      --bad: #b42318; --warn: #8a5a00; --accent: #3451b2; font: 14px/1.45 system-ui, sans-serif; }
    @media (prefers-color-scheme: dark) { :root { --line: #333843; --faint: #98a2b3; --back: #14161b; --card: #1c1f26;
      --good: #4cc38a; --bad: #ff8a7a; --warn: #f0b429; --accent: #9eb1ff; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--back); }
    header { display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: baseline; padding: 12px 20px; background: var(--card);
      border-bottom: 1px solid var(--line); }
    h1 { font-size: 16px; margin: 0; }
    h2 { font-size: 13px; margin: 0 0 8px; color: var(--faint); font-weight: 600; }
    main { display: grid; grid-template-columns: minmax(0, 1fr) 300px; gap: 16px; padding: 16px 20px; align-items: start; }
    @media (max-width: 900px) { main { grid-template-columns: minmax(0, 1fr); } }
    section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px; margin-bottom: 16px; }
    table { width: 100%; border-collapse: collapse; table-layout: fixed; }
    th { text-align: left; font-weight: 600; color: var(--faint); font-size: 12px; }
    th, td { padding: 4px 6px; border-bottom: 1px solid var(--line); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    tbody tr.call { cursor: pointer; }
    tbody tr.call:hover, tbody tr.call:focus { background: var(--back); outline: none; }
    td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
    .time { width: 108px; } .status { width: 64px; } .took { width: 84px; } .fault { width: 110px; }
    .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); } .faint { color: var(--faint); }
    pre { margin: 0; padding: 8px; background: var(--back); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere;
      max-height: 320px; overflow: auto; font: 12px/1.5 ui-monospace, monospace; }
    .bodies { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
    tr.detail td { white-space: normal; }
    button, input { font: inherit; padding: 4px 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--card); color: inherit; }
    button { cursor: pointer; } button:hover { border-color: var(--accent); }
    .row { display: flex; flex-wrap: wrap; gap: 6px; margin-bottom: 8px; } .row input { flex: 1; min-width: 0; }
    dl { display: grid; grid-template-columns: 1fr auto; gap: 2px 12px; margin: 0; } dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
    ul { list-style: none; margin: 0; padding: 0; } li { display: flex; justify-content: space-between; gap: 8px; align-items: baseline; padding: 2px 0; }
    code { font: 12px ui-monospace, monospace; overflow-wrap: anywhere; }
    #message { min-height: 1.4em; }
    </style>
    </head>
    <body>
    <header>
      <h1>nova serve</h1>
      <span>seed <b id="seed">–</b></span>
      <span>data set <b id="data-set">–</b></span>
      <span>clock <b id="clock">–</b> <span id="offset" class="faint"></span></span>
      <span><b id="request-count">0</b> requests</span>
      <span id="message" role="status" class="faint"></span>
    </header>
    <main>
      <section aria-label="Requests">
        <div class="row">
          <input id="filter" placeholder="Filter by RPC, path, status or request id" aria-label="Filter">
          <button id="pause" aria-pressed="false">Pause</button>
          <button id="clear">Clear</button>
        </div>
        <table>
          <thead><tr><th class="time">Time</th><th>RPC</th><th class="status number">Status</th><th class="took number">ms</th><th class="fault">Fault</th></tr></thead>
          <tbody id="requests"></tbody>
        </table>
        <p id="empty" class="faint">No requests yet. Try <code id="try"></code></p>
      </section>
      <div>
        <section>
          <h2>State</h2>
          <div class="row"><button id="reset">Reset</button></div>
          <div class="row"><input id="snapshot-name" value="snapshot" aria-label="Name of the snapshot"><button id="snapshot">Snapshot</button></div>
          <ul id="snapshots"></ul>
        </section>
        <section>
          <h2>Clock</h2>
          <div class="row"><button data-advance="60">+1 min</button><button data-advance="3600">+1 h</button><button data-advance="86400">+1 day</button></div>
        </section>
        <section>
          <h2>Faults</h2>
          <form id="fault-form" class="row"><input id="fault" placeholder="social.CreateLike=503x2" aria-label="Fault rule"><button>Add</button></form>
          <ul id="faults"></ul>
        </section>
        <section>
          <h2>Data</h2>
          <dl id="counts"></dl>
        </section>
      </div>
    </main>
    <script>
    "use strict";
    const byId = id => document.getElementById(id);
    const element = (name, text, className) => {
      const made = document.createElement(name);
      if (text !== undefined) made.textContent = text;
      if (className) made.className = className;
      return made;
    };
    const kept = 500;
    const shown = {};
    let last = 0, paused = false, rules = [], requests = [];

    async function ask(path, method = "GET", body) {
      const answer = await fetch("/_nova/" + path, {
        method, headers: body === undefined ? {} : { "Content-Type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body) });
      const json = await answer.json();
      if (!answer.ok) throw new Error(json.message || "HTTP " + answer.status);
      return json;
    }

    function showMessage(text, isBad) {
      byId("message").textContent = text;
      byId("message").className = isBad ? "bad" : "faint";
    }

    /** Whether a part of the page must be redrawn: replacing a button while it is pressed would lose the click. */
    function isNew(part, value) {
      const text = JSON.stringify(value);
      if (shown[part] === text) return false;
      shown[part] = text;
      return true;
    }

    /** Runs the action of a button, and shows the outcome. */
    async function act(text, work) {
      try { await work(); showMessage(text); } catch (error) { showMessage(error.message, true); }
      await refresh();
    }

    function showState(state) {
      byId("seed").textContent = state.seed;
      byId("data-set").textContent = state.data_set;
      byId("clock").textContent = new Date(state.now * 1000).toISOString().replace("T", " ").slice(0, 19) + " UTC";
      byId("offset").textContent = state.clock_offset_seconds ? "(+" + state.clock_offset_seconds + " s)" : "";
      byId("request-count").textContent = state.request_count;
      byId("counts").replaceChildren(...Object.entries(state.counts).flatMap(([name, count]) =>
        [element("dt", name), element("dd", count.toLocaleString("en"))]));
    }

    function showFaults(answer) {
      if (!isNew("faults", answer)) return;
      rules = answer.rules.map(each => each.rule);
      byId("faults").replaceChildren(...answer.rules.map((each, index) => {
        const item = element("li");
        const left = each.remaining === null || each.remaining === undefined ? "" : ", " + each.remaining + " left";
        const text = element("span");
        text.append(element("code", each.rule), element("span", " " + each.hits + " hits" + left, "faint"));
        const button = element("button", "Remove");
        button.onclick = () => act("fault removed", () =>
          ask("faults", "PUT", { rules: rules.filter((_, other) => other !== index) }));
        item.append(text, button);
        return item;
      }));
      if (!rules.length) byId("faults").append(element("li", "none", "faint"));
    }

    function showSnapshots(answer) {
      if (!isNew("snapshots", answer)) return;
      byId("snapshots").replaceChildren(...answer.snapshots.map(each => {
        const item = element("li");
        const button = element("button", "Restore");
        button.onclick = () => act("restored " + each.name, () => ask("restore", "POST", { name: each.name }));
        item.append(element("span", each.name), button);
        return item;
      }));
    }

    function pretty(body) {
      if (!body) return "(empty)";
      try { return JSON.stringify(JSON.parse(body), null, 2); } catch { return body; }
    }

    function detail(request) {
      const row = element("tr", undefined, "detail"), cell = element("td");
      cell.colSpan = 5;
      cell.append(element("p", request.method + " " + request.path + " · request " + (request.request_id || "without an id"), "faint"));
      const bodies = element("div", undefined, "bodies");
      bodies.append(element("pre", pretty(request.request_body)), element("pre", pretty(request.response_body)));
      cell.append(bodies);
      row.append(cell);
      return row;
    }

    function row(request) {
      const made = element("tr", undefined, "call");
      made.tabIndex = 0;
      made.dataset.number = request.number;
      const kind = request.status < 300 ? "good" : request.status < 500 ? "warn" : "bad";
      made.append(
        element("td", request.time.slice(11, 23)), element("td", request.rpc || request.method + " " + request.path),
        element("td", request.status || "–", "number " + kind), element("td", request.duration_ms.toFixed(1), "number"),
        element("td", request.fault || "", "warn"));
      made.title = request.method + " " + request.path;
      const toggle = () => {
        const next = made.nextElementSibling;
        if (next && next.className === "detail") next.remove(); else made.after(detail(request));
      };
      made.onclick = toggle;
      made.onkeydown = event => { if (event.key === "Enter") toggle(); };
      return made;
    }

    function matches(request) {
      const words = byId("filter").value.toLowerCase().trim();
      const text = [request.rpc, request.path, request.status, request.request_id, request.method].join(" ").toLowerCase();
      return !words || text.includes(words);
    }

    function add(more) {
      requests = requests.concat(more).slice(-kept);
      for (const request of more.slice(-kept)) if (matches(request)) byId("requests").prepend(row(request));
      while (byId("requests").childElementCount > 2 * kept) byId("requests").lastElementChild.remove();
      byId("empty").hidden = requests.length > 0;
    }

    function redraw() {
      byId("requests").replaceChildren(...requests.filter(matches).reverse().map(row));
      byId("empty").hidden = requests.length > 0;
    }

    async function refresh() {
      try {
        const [state, faults, snapshots, more] = await Promise.all([
          ask("state"), ask("faults"), ask("snapshots"), ask("requests?limit=200&after=" + last)]);
        showState(state); showFaults(faults); showSnapshots(snapshots);
        // A restarted server counts from the start.
        if (more.last < last) { last = 0; return; }
        if (!paused) { add(more.requests); last = more.requests.length ? more.requests.at(-1).number : more.last; }
        if (byId("message").textContent === "the server does not respond") showMessage("");
      } catch (error) {
        showMessage(error instanceof TypeError ? "the server does not respond" : error.message, true);
      }
    }

    byId("try").textContent = "nova followers mock-user-id --base-url " + location.origin;
    byId("filter").oninput = redraw;
    byId("clear").onclick = () => { requests = []; redraw(); };
    byId("pause").onclick = () => {
      paused = !paused;
      byId("pause").textContent = paused ? "Resume" : "Pause";
      byId("pause").setAttribute("aria-pressed", paused);
    };
    byId("reset").onclick = () => act("reset", () => ask("reset", "POST", {}));
    byId("snapshot").onclick = () => act("snapshot taken", () => ask("snapshot", "POST", { name: byId("snapshot-name").value }));
    for (const button of document.querySelectorAll("[data-advance]"))
      button.onclick = () => act("clock advanced", () => ask("clock", "POST", { advance_seconds: Number(button.dataset.advance) }));
    byId("fault-form").onsubmit = event => {
      event.preventDefault();
      const rule = byId("fault").value.trim();
      if (rule) act("fault added", async () => {
        await ask("faults", "PUT", { rules: rules.concat(rule) });
        byId("fault").value = "";
      });
    };
    (async function poll() { await refresh(); setTimeout(poll, 1000); })();
    </script>
    </body>
    </html>
    """#
}
