import NovaCore
import NovaTestSupport
import Testing

/// The live events of the inspector.
@Suite(.hangLimit, .serialized, .sharedBrowser) struct InspectorEventTests {
  private static let rows = "[...document.querySelectorAll('#live-list > li')]"
  private static let types =
    "\(rows).filter(each => !each.hidden).map(each => each.querySelector('b').textContent).join()"

  private func emit(_ type: String, _ rest: String = "", in inspector: Inspector) async throws {
    try await inspector.send(.post, "/_nova/events", body: #"{"type":"\#(type)"\#(rest)}"#)
  }

  /// Opens the tab, once its stream is open.
  private func show(_ inspector: Inspector) async throws {
    try await inspector.showTab("live")
    try await inspector.wait(for: "byId('live-state').textContent === 'live'")
  }

  private func waitForTypes(_ inspector: Inspector, _ types: String) async throws {
    try await inspector.wait(for: "\(Self.types) === '\(types)'")
  }

  @Test(arguments: Inspector.widths) func eventsComeNewestFirst(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let browser = inspector.browser
      try await emit("test.before", in: inspector)
      try await show(inspector)
      try await inspector.send(.post, "/api/v1/graph/follow", body: #"{"follower_id":"ann","followee_id":"bob"}"#)
      try await emit("like.created", #","post_id":"post-1","counts":{"like_count":9007199254740993}"#, in: inspector)
      try await waitForTypes(inspector, "like.created,follow.created,test.before")
      #expect(try await browser.text("#live-list .topics") == "post:post-1")
      #expect(try await browser.text("#live-list li:nth-child(2) .topics").contains("user:ann user:bob"))
      #expect(try await browser.text("#live-list .data").contains("9007199254740993"))
      #expect(try await browser.text("#live-shown") == "3 events")
      try await browser.click("#live-list summary")
      try await inspector.wait(for: #"document.querySelector('#live-list pre')?.textContent.includes('"topics": [')"#)
      try await browser.click("#live-list .more button")
      try await waitForTypes(inspector, "like.created")
      #expect(try await browser.value("byId('live-filter').value")?.stringValue == "post:post-1")
      try await inspector.expectNoProblems()
    }
  }

  /// The number of an event is its end, and what tells it from others.
  @Test(arguments: Inspector.widths) func numbersOfEventsAreNotCutOff(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let browser = inspector.browser
      try await inspector.run(
        "showTab('live'); takeEvent(JSON.stringify({ topics: ['post:1'], id: 'an-epoch-with-a-very-long-name-that-fits-nowhere:123456789', type: 'test.long' }))"
      )
      try await inspector.wait(for: "live.rows.length === 1")
      #expect(try await browser.text("#live-list .position").hasSuffix(":123456789"))
      let offset = "document.querySelector('#live-list .offset')"
      #expect(try await browser.isTrue("\(offset).scrollWidth <= \(offset).clientWidth || \(offset).clientWidth === 0"))
      let inside = """
        (() => { const [part, whole] = [\(offset).getBoundingClientRect(), document.querySelector('#live-list .position').getBoundingClientRect()];
        return part.width > 0 && part.left >= whole.left - 1 && part.right <= whole.right + 1; })()
        """
      #expect(try await browser.value(inside) == .bool(true))
      #expect(
        try await browser.value("document.querySelector('#live-list .position').title")?.stringValue?.hasSuffix(
          ":123456789") == true)
    }
  }

  @Test func eventsAreFiltered() async throws {
    try await Inspector.with { inspector in
      let browser = inspector.browser
      try await show(inspector)
      try await emit("test.a", #","topics":["post:1"]"#, in: inspector)
      try await emit("test.b", #","topics":["post:12"],"text":"Needle""#, in: inspector)
      try await emit("test.c", #","topics":["user:post 1"]"#, in: inspector)
      try await waitForTypes(inspector, "test.c,test.b,test.a")
      for (filter, types) in [
        ("post:1", "test.a"), ("POST:", "test.b,test.a"), ("needle", "test.b"), ("test.c", "test.c"),
        ("user:post 1", "test.c"), ("post: needle", "test.b"), ("nothing", ""), ("", "test.c,test.b,test.a"),
      ] {
        try await inspector.run("byId('live-filter').value = '\(filter)'; byId('live-filter').oninput()")
        #expect(try await browser.value(Self.types)?.stringValue == types, "\(filter)")
      }
      try await inspector.run("byId('live-filter').value = 'post:12'; byId('live-filter').oninput()")
      #expect(try await browser.text("#live-shown") == "1 of 3 events")
      // New ones, too.
      try await emit("test.d", #","topics":["post:1"]"#, in: inspector)
      try await emit("test.e", #","topics":["post:12"]"#, in: inspector)
      try await waitForTypes(inspector, "test.e,test.b")
      try await inspector.run("byId('live-filter').focus()")
      #expect(try await browser.value("byId('live-topics').options[0].value")?.stringValue == "post:1")
    }
  }

  @Test func pausedEventsWait() async throws {
    try await Inspector.with { inspector in
      let browser = inspector.browser
      try await show(inspector)
      try await browser.click("#live-pause")
      #expect(try await browser.text("#live-state") == "paused")
      for number in 1...3 { try await emit("test.\(number)", in: inspector) }
      try await inspector.wait(for: "byId('live-waiting').textContent === '3 events wait'")
      #expect(try await browser.isTrue("\(Self.rows).length === 0"))
      try await browser.click("#live-pause")
      try await waitForTypes(inspector, "test.3,test.2,test.1")
      #expect(try await browser.isTrue("byId('live-waiting').textContent === '' && live.waiting.length === 0"))
      try await browser.click("#live-clear")
      try await inspector.waitForMessage("events removed from this page")
      #expect(try await browser.isTrue("\(Self.rows).length === 0 && !byId('live-empty').hidden"))
      // A page that was hidden continues where it was: what was cleared does not come back.
      try await inspector.run("closeLive()")
      try await emit("test.4", in: inspector)
      try await inspector.run("openLive()")
      try await waitForTypes(inspector, "test.4")
    }
  }

  @Test func hostileTextStaysText() async throws {
    try await Inspector.with { inspector in
      let browser = inspector.browser
      let markup = "<img/src=x/onerror=problems.push(1)>"
      try await show(inspector)
      try await emit(
        markup,
        #","actor_id":"\#(markup)","text":"</pre><script>problems.push(2)</script>\u202e","topics":["post:\#(markup)"]"#,
        in: inspector)
      try await emit("test.time", #","created_at":9223372036854775807"#, in: inspector)
      try await emit("test.long", #","text":"\#(String(repeating: "long ", count: 4000))""#, in: inspector)
      try await inspector.wait(for: "live.rows.length === 3")
      #expect(try await browser.text("#live-list li:nth-child(3) b") == markup)
      #expect(try await browser.text("#live-list li:nth-child(2) .faint") == "9223372036854776000")
      for row in 1...3 { try await browser.click("#live-list li:nth-child(\(row)) summary") }
      try await inspector.wait(for: "document.querySelectorAll('#live-list pre').length === 3")
      let made = "document.querySelectorAll('#live-list img, #live-list script, #live-topics img').length"
      #expect(try await browser.value(made) == .number("0"))
      #expect(try await browser.isTrue("document.documentElement.scrollWidth <= innerWidth"))
      try await inspector.run("byId('live-filter').focus()")
      try await inspector.expectNoProblems()
    }
  }

  @Test func theLatestTwoHundredAreShown() async throws {
    try await Inspector.with { inspector in
      let browser = inspector.browser
      for number in 1...230 { try await emit("test.\(number)", in: inspector) }
      try await inspector.open("/_nova/")
      try await show(inspector)
      try await inspector.wait(for: "live.rows.length === 200 && live.rows[0].event.type === 'test.230'")
      try await browser.click("#live-pause")
      for number in 231...240 { try await emit("test.\(number)", in: inspector) }
      try await inspector.wait(for: "live.waiting.length === 10")
      try await browser.click("#live-pause")
      let last = "live.rows[0].event.type + live.rows[199].event.type"
      #expect(try await browser.value(last)?.stringValue == "test.240test.41")
      #expect(try await browser.isTrue("\(Self.rows).length === 200"))
    }
  }

  @Test func lostConnectionsAndHistoriesAreHandled() async throws {
    try await Inspector.with { inspector in
      try await show(inspector)
      try await inspector.send(.patch, "/_nova/events", body: #"{"retry_ms":0}"#)
      try await emit("test.1", in: inspector)
      try await waitForTypes(inspector, "test.1")
      try await inspector.run("window.opened = 0; live.source.addEventListener('open', () => opened++)")
      try await inspector.send(.delete, "/_nova/streams")
      try await emit("test.2", in: inspector)
      try await inspector.wait(for: "opened === 1")
      try await waitForTypes(inspector, "test.2,test.1")
      try await inspector.send(.post, "/_nova/epoch")
      try await emit("test.3", in: inspector)
      try await inspector.waitForMessage("the server has lost its events")
      try await waitForTypes(inspector, "test.3")
      try await inspector.wait(for: "byId('live-state').textContent === 'live'")
    }
  }

  @Test func openStreamsAreCounted() async throws {
    try await Inspector.with { inspector in
      try await show(inspector)
      try await inspector.wait(for: "byId('live-streams').textContent === '0 open streams'")
      let watch = try ProgramRun(["watch", "user:mock-user-id", "--base-url", inspector.url])
      try await inspector.wait(for: "byId('live-streams').textContent === '1 open stream'")
      watch.signal(15)
      #expect(try await watch.result().status == 143)
      try await inspector.wait(for: "byId('live-streams').textContent === '0 open streams'")
    }
  }
}
