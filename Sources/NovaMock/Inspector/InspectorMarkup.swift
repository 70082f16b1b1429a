/// The HTML of the inspector page: a header, and one panel for each tab.
enum InspectorMarkup {
  static let all = header + "<main>" + [requests, live, faults, stubs, data, state].joined() + "</main>" + dialogs

  private static let header = """
    <header>
      <h1>nova serve</h1>
      <span id="connection" class="faint">connecting…</span>
      <span>seed <b id="seed">–</b></span>
      <span>data set <b id="data-set">–</b></span>
      <span>clock <b id="clock">–</b> <span id="offset" class="faint"></span></span>
    </header>
    <nav role="tablist" aria-label="Parts of the inspector">
      <button role="tab" id="tab-requests" aria-controls="requests">Requests</button>
      <button role="tab" id="tab-live" aria-controls="live">Events</button>
      <button role="tab" id="tab-faults" aria-controls="faults">Faults <span id="fault-count"></span></button>
      <button role="tab" id="tab-stubs" aria-controls="stubs">Stubs <span id="stub-count"></span></button>
      <button role="tab" id="tab-data" aria-controls="data">Data</button>
      <button role="tab" id="tab-state" aria-controls="state">State</button>
    </nav>
    <div id="message" role="status" class="faint"></div>
    """

  private static let requests = """
    <section role="tabpanel" id="requests" aria-labelledby="tab-requests">
      <div id="tools" class="row">
        <input type="search" id="search" placeholder="Search RPC, path, status (404, 5xx), bodies" aria-label="Search requests" aria-keyshortcuts="/">
        <button id="pause" aria-pressed="false">Pause</button>
        <button id="clear">Clear</button>
        <button id="export">Export HAR</button>
        <button id="help" aria-keyshortcuts="?">Shortcuts</button>
        <span id="shown" class="faint"></span>
        <span id="lost" class="warn" role="status"></span>
      </div>
      <div id="table">
        <div class="line head" id="head" aria-hidden="true"><span class="time">Time</span><span>Request</span><span class="number">Status</span><span class="number">Time, ms</span><span class="number size">Size</span><span class="tag">Fault or stub</span></div>
        <div id="box" tabindex="-1"><div id="space" role="listbox" aria-label="Requests, newest first"></div>
          <p id="empty" class="faint">No requests yet. Try <code id="try"></code></p>
        </div>
      </div>
      <section id="details" class="card" aria-label="Request" tabindex="-1" hidden></section>
    </section>
    """

  private static let live = """
    <section role="tabpanel" id="live" aria-labelledby="tab-live">
      <div class="row">
        <input type="search" id="live-filter" list="live-topics" placeholder="Topic, type, id, or text" aria-label="Filter events">
        <button id="live-pause" aria-pressed="false">Pause</button>
        <button id="live-clear">Clear</button>
        <span id="live-state" class="bad">connecting…</span>
        <span id="live-streams" class="faint"></span>
        <span id="live-shown" class="faint"></span>
        <span id="live-waiting" class="warn"></span>
      </div>
      <ul id="live-list" class="card" aria-label="Events, newest first"></ul>
      <p id="live-empty" class="faint">No events yet. They come when users, posts, and uploads change.</p>
      <datalist id="live-topics"></datalist>
    </section>
    """

  private static let faults = """
    <section role="tabpanel" id="faults" aria-labelledby="tab-faults"><div class="columns">
      <form id="fault-form" class="card" aria-label="Add a fault">
        <h2>Add a fault</h2>
        <label class="field"><span>Kind</span><select id="fault-kind" aria-describedby="fault-help"></select></label>
        <p id="fault-help" class="faint"></p>
        <div class="fields" id="fault-parameters"></div>
        <div class="fields">
          <label class="field"><span>RPC or service; empty: all</span><input id="fault-target" list="targets"></label>
          <label class="field"><span>Number of calls; empty: all</span><input id="fault-times" type="number" min="1" max="1000000"></label>
          <label class="field"><span>Probability, 0 to 1</span><input id="fault-probability" type="number" min="0" max="1" step="any" placeholder="1"></label>
        </div>
        <label class="field"><span>Rule; you can edit it</span><input id="fault"></label>
        <button class="main">Add fault</button>
      </form>
      <div class="card"><h2>Faults</h2><ul id="fault-list"></ul>
        <div class="row"><button id="remove-faults">Remove all faults</button></div></div>
    </div><datalist id="targets"></datalist></section>
    """

  private static let stubs = """
    <section role="tabpanel" id="stubs" aria-labelledby="tab-stubs"><div class="columns">
      <form id="stub-form" class="card" aria-label="Add a stub">
        <h2>Add a stub</h2>
        <p class="faint">A stub responds to an RPC in place of the backend, until you remove it or reset the server.</p>
        <label class="field"><span>RPC</span><select id="stub-rpc"></select></label>
        <label class="field"><span>Fields that the request must have, as JSON; empty: any request</span><textarea id="stub-request" rows="4" spellcheck="false" aria-describedby="stub-fields"></textarea></label>
        <p id="stub-fields" class="faint"></p>
        <div class="fields">
          <label class="field"><span>Status</span><input id="stub-status" type="number" min="200" max="599"></label>
          <label class="field"><span>Delay, in milliseconds</span><input id="stub-delay" type="number" min="0" max="10000" placeholder="0"></label>
        </div>
        <label class="field"><span>Response body, as JSON; empty: the default</span><textarea id="stub-body" rows="9" spellcheck="false"></textarea></label>
        <p><label><input type="checkbox" id="stub-invalid"> Allow a body that does not match the contract</label></p>
        <button class="main">Add stub</button>
      </form>
      <div class="card"><h2>Stubs</h2><ul id="stub-list"></ul>
        <div class="row"><button id="remove-stubs">Remove all stubs</button></div></div>
    </div></section>
    """

  private static let data = """
    <section role="tabpanel" id="data" aria-labelledby="tab-data"><div class="columns">
      <div class="card"><h2>Users</h2>
        <form id="user-form" class="row"><input type="search" id="user-search" placeholder="Name or id" aria-label="Search users"><button>Find</button></form>
        <p id="user-total" class="faint"></p><ul id="user-list"></ul><div class="row"><button id="more-users">More</button></div></div>
      <div class="card"><h2>Posts</h2>
        <form id="post-form" class="row"><input type="search" id="post-search" placeholder="Text or id" aria-label="Search posts"><input id="post-author" class="wide" placeholder="Author's id" aria-label="Author's id"><button>Find</button></form>
        <p id="post-total" class="faint"></p><ul id="post-list"></ul><div class="row"><button id="more-posts">More</button></div></div>
      <div class="card"><h2>Analytics events</h2>
        <form id="event-form" class="row"><input type="search" id="event-search" placeholder="Name, id, user, session, or property" aria-label="Search analytics events"><button>Find</button></form>
        <p id="event-total" class="faint"></p><ul id="event-list"></ul><div class="row"><button id="more-events">More</button></div></div>
    </div></section>
    """

  private static let state = """
    <section role="tabpanel" id="state" aria-labelledby="tab-state"><div class="columns">
      <div class="card"><h2>Clock</h2>
        <p><b id="clock-now">–</b> <span id="clock-offset" class="faint"></span></p>
        <div class="row"><button data-advance="60">+1 min</button><button data-advance="3600">+1 h</button><button data-advance="86400">+1 day</button></div>
        <form id="clock-form" class="row"><label>Set to (UTC) <input type="datetime-local" id="clock-target" step="1"></label><button>Set</button></form>
        <p class="faint">The clock only moves forward. Reset restores it.</p></div>
      <div class="card"><h2>Snapshots</h2>
        <form id="snapshot-form" class="row"><input id="snapshot-name" class="wide" value="snapshot" aria-label="Name of the snapshot"><button>Save snapshot</button></form>
        <ul id="snapshots"></ul></div>
      <div class="card"><h2>Records</h2><dl id="counts"></dl></div>
      <div class="card"><h2>Reset</h2><p>Restores the data and the clock, and removes all faults and stubs. Snapshots and requests stay.</p>
        <button id="reset" class="main">Reset…</button></div>
    </div></section>
    """

  private static let dialogs = """
    <dialog id="shortcuts" aria-labelledby="shortcuts-title"><h2 id="shortcuts-title">Shortcuts</h2><dl>
      <dt><kbd>/</kbd></dt><dd>search requests</dd><dt><kbd>?</kbd></dt><dd>show this list</dd>
      <dt><kbd>↑</kbd> <kbd>↓</kbd></dt><dd>previous or next request, or tab with <kbd>←</kbd> <kbd>→</kbd></dd>
      <dt><kbd>Page Up</kbd> <kbd>Page Down</kbd> <kbd>Home</kbd> <kbd>End</kbd></dt><dd>move further in the list</dd>
      <dt><kbd>Enter</kbd></dt><dd>open the request</dd><dt><kbd>Esc</kbd></dt><dd>close the request, a dialog, or empty the search</dd></dl>
      <form method="dialog" class="row"><button>Close</button></form></dialog>
    <dialog id="question" aria-labelledby="question-text"><p id="question-text"></p>
      <form method="dialog" class="row"><button id="question-yes" class="main" value="yes"></button><button value="no">Cancel</button></form></dialog>
    <dialog id="editor" aria-labelledby="editor-title"><h2 id="editor-title"></h2>
      <form id="editor-form"><div id="editor-fields"></div><p id="editor-problem" class="bad" role="alert"></p>
      <div class="row"><button class="main">Save</button><button type="button" id="editor-cancel">Cancel</button></div></form></dialog>
    <dialog id="copy" aria-labelledby="copy-title"><h2 id="copy-title">Copy this text</h2>
      <textarea id="copy-text" rows="8" readonly aria-labelledby="copy-title"></textarea>
      <form method="dialog" class="row"><button>Close</button></form></dialog>
    """
}
