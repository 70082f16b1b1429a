import NovaCore
import NovaTestSupport
import Testing

/// Web pages on other ports than `nova serve`, and behind a proxy, in a real browser: the page of
/// docs/use-from-other-languages.md as it is there.
@Suite(.hangLimit, .serialized, .sharedBrowser) struct WebPageTests {
  private static let expected = """
    signed in as mock-user-id
    2 of 245 posts
    posted: Hello from a web page
    uploaded: bytes of a file
    liked: 1
    done

    """

  private static var html: String {
    get throws { try #require(try GuidePage("docs/use-from-other-languages.md").blocks("html").first) }
  }

  private let browser: Browser

  init() throws { browser = try #require(SharedBrowser.current, "the suite has no .sharedBrowser") }

  /// What the page has written once it is done.
  private func log(of url: String) async throws -> String {
    try await browser.open(url)
    let log = "document.getElementById('log').textContent"
    try await browser.wait(for: #"/^(done|failed)/m.test(\#(log))"#, update: "0")
    return try await browser.text("#log")
  }

  @Test(arguments: [
    (["--allow-origin", "http://localhost:*"], "localhost"),
    (["--allow-origin", "http://unused.test", "--allow-origin", "http://127.0.0.1:{}"], "127.0.0.1"),
  ])
  func aPageOnAnotherPortDoesEverything(options: [String], host: String) async throws {
    let page = try NginxPage(Self.html)
    defer { page.stop() }
    let serve = try await Serve(options.map { $0.replacing("{}", with: "\(page.port)") })
    defer { withExtendedLifetime(serve) {} }
    try await browser.withTab {
      let text = try await log(of: "http://\(host):\(page.port)/?gateway=\(serve.url)")
      #expect(text == Self.expected)
    }
    #expect(serve.run.errors.isEmpty, "\(serve.run.errors)")
  }

  @Test(arguments: [NginxPage.Host.kept, .replaced]) func aPageBehindAProxyNeedsNoOption(host: NginxPage.Host)
    async throws
  {
    try await withServe { url, run in
      let page = try NginxPage(Self.html, proxyTo: url, host: host)
      defer { page.stop() }
      try await browser.withTab {
        let own = "http://localhost:\(page.port)"
        let text = try await log(of: "\(own)/?gateway=\(own)")
        #expect(text == Self.expected, "\(run.errors)")
      }
      // A page elsewhere does not get through the proxy.
      let other = try NginxPage(Self.html)
      defer { other.stop() }
      try await browser.withTab {
        let text = try await log(of: "http://localhost:\(other.port)/?gateway=http://localhost:\(page.port)")
        #expect(text == "failed: Failed to fetch\n")
      }
      #expect(run.errors.contains("--allow-origin http://localhost:\(other.port)"), "\(run.errors)")
    }
  }

  @Test func aRefusedPageIsShownInTheInspector() async throws {
    let page = try NginxPage(Self.html)
    defer { page.stop() }
    try await Inspector.with { inspector in
      let origin = "http://localhost:\(page.port)"
      #expect(try await log(of: "\(origin)/?gateway=\(inspector.url)") == "failed: Failed to fetch\n")
      try await inspector.open("/_nova/")
      try await inspector.wait(for: "log.entries.length === 1")
      #expect(try await browser.text(".request .name") == "OPTIONS /api/v1/auth/login")
      #expect(try await browser.text(".request .tag") == "refused")
      try await browser.type("refused allow-origin", into: "#search")
      try await inspector.wait(for: "document.querySelectorAll('.request').length === 1")
      try await inspector.showDetails(1)
      let facts = try await browser.text("#details dl")
      #expect(facts.contains("--allow-origin \(origin)"), "\(facts)")
      #expect(try await inspector.send(.get, "/_nova/state")?["request_count"]?.integerValue == 0)
      try await inspector.expectNoProblems()
    }
  }

  /// What the page gets over WebSocket: `open`, then an event; `failed` if there is no connection.
  private func socketEvent(_ url: String) async throws -> String? {
    let socket = url.replacing("http://", with: "ws://") + "/api/v1/events/ws"
    return try await browser.value(
      """
      (done => {
        const socket = new WebSocket("\(socket)", "nova.events.v1");
        socket.onopen = () => socket.send(JSON.stringify({ subscribe: ["post:post-1"] }));
        socket.onerror = () => done("failed");
        socket.onmessage = ({ data }) => {
          const message = JSON.parse(data);
          if (message.event) { socket.close(); return done(message.event.type); }
          fetch("\(url)/api/v1/social/like", { method: "POST", headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ user_id: "user-0042", post_id: "post-1" }) }).catch(() => done("no call"));
        };
      })(arguments[0])
      """, isAsync: true)?.stringValue
  }

  @Test func pagesReceiveEventsOverWebSocketIfTheyMay() async throws {
    let page = try NginxPage("<title>empty</title>")
    defer { page.stop() }
    let origin = "http://localhost:\(page.port)"
    try await withServe("--allow-origin", origin) { url, _ in
      try await browser.withTab {
        try await browser.open(origin)
        #expect(try await socketEvent(url) == "like.created")
        try await browser.open("http://127.0.0.1:\(page.port)")
        #expect(try await socketEvent(url) == "failed")
      }
    }
  }

  @Test func pagesNeverUseTheAdminAPI() async throws {
    let page = try NginxPage("<title>empty</title>")
    defer { page.stop() }
    try await withServe("--allow-origin", "http://localhost:*") { url, run in
      try await browser.withTab {
        try await browser.open("http://localhost:\(page.port)")
        for path in ["state", "requests", "reset"] {
          let request = #"fetch("\#(url)/_nova/\#(path)", { method: "\#(path == "reset" ? "POST" : "GET")" })"#
          #expect(try await browser.value("\(request).then(() => 'read', () => 'refused')")?.stringValue == "refused")
        }
      }
      #expect(run.errors.contains("cannot use the admin API"), "\(run.errors)")
    }
  }
}
