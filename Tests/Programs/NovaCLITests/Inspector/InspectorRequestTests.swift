import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// The list of requests and their details.
@Suite(.hangLimit, .serialized, .sharedBrowser) struct InspectorRequestTests {
  @Test(arguments: Inspector.widths) func requestsAreShownNewestFirstAsText(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let browser = inspector.browser
      #expect(try await browser.isTrue("!document.getElementById('empty').hidden"))
      try await inspector.isFollowing("<img src=x onerror=alert(1)>", headers: ["Authorization": "Bearer nope-nope"])
      try await inspector.send(.get, "/nowhere%3Cscript%3E?q=%E2%80%AE")
      // The page finds new requests by itself.
      try await browser.wait(for: "document.querySelectorAll('.request').length === 2")
      #expect(try await browser.text(".request:first-child .name").contains("/nowhere"))
      try await browser.click(".request:last-child")
      try await inspector.wait(for: "document.querySelector('#details pre')?.textContent.includes('<img src=x')")
      #expect(try await browser.text("#details .headers").contains("Bearer ****"))
      #expect(try await browser.isTrue("document.querySelectorAll('img, main script').length === 0"))
      #expect(try await browser.isTrue("document.documentElement.scrollWidth <= innerWidth"))
      try await browser.press("\u{E00C}")
      try await inspector.wait(for: "document.getElementById('details').hidden")
      try await inspector.expectNoProblems()
    }
  }

  @Test(arguments: Inspector.widths) func searchLooksEverywhere(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let browser = inspector.browser
      for user in ["ann", "needle-in-a-body", "bob"] { try await inspector.isFollowing(user) }
      try await inspector.send(.get, "/nowhere")
      try await inspector.wait(for: "log.entries.length === 4")
      for (words, count) in [
        ("needle", 1), ("graph.IsFollowing", 3), ("4xx", 1), ("404", 1), ("nowhere get", 1), ("is_following false", 3),
        ("graph ann", 1), ("no such words", 0), ("", 4),
      ] {
        // Typing nothing does not count as typing.
        try await browser.type(words.isEmpty ? "x" : words, into: "#search")
        if words.isEmpty { try await browser.press("\u{E00C}") }
        try await inspector.wait(for: "document.querySelectorAll('.request').length === \(count)")
      }
    }
  }

  @Test(arguments: Inspector.widths) func clearingIsForGoodAndPauseLosesNothing(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let browser = inspector.browser
      try await inspector.isFollowing("a")
      try await inspector.wait(for: "log.entries.length === 1")
      try await browser.click("#clear")
      try await inspector.waitForMessage("cleared")
      try await inspector.wait(for: "document.querySelectorAll('.request').length === 0")
      try await inspector.open("/_nova/")
      #expect(try await browser.isTrue("log.entries.length === 0 && log.last === 1"))
      try await browser.click("#pause")
      for user in ["b", "c"] { try await inspector.isFollowing(user) }
      try await inspector.wait(for: "document.getElementById('connection').textContent === 'paused'")
      #expect(try await browser.isTrue("log.entries.length === 0"))
      try await browser.click("#pause")
      try await inspector.wait(for: "log.entries.length === 2 && log.lost === 0")
      // What the server no longer stores is counted, and a restarted server begins again.
      let lost =
        "(() => { takePage({ log: log.id, first: 30, last: 30, cleared: 0, requests: [] }); drawList(); return byId('lost').textContent; })()"
      #expect(try await browser.value(lost)?.stringValue?.hasPrefix("26 requests were lost") == true)
      try await inspector.run("log.id = 'another'")
      try await inspector.waitForMessage("the server was restarted")
      try await inspector.wait(for: "log.entries.length === 2 && log.lost === 0")
      // Another client clears.
      try await inspector.send(.delete, "/_nova/requests")
      try await inspector.wait(for: "log.entries.length === 0")
    }
  }

  @Test func linksSurviveAReloadAndReportWhatIsGone() async throws {
    try await Inspector.with { inspector in
      let browser = inspector.browser
      for user in ["a", "b"] { try await inspector.isFollowing(user) }
      try await inspector.wait(for: "log.entries.length === 2")
      try await browser.click(".request:last-child")
      try await inspector.wait(for: "/^#request=[0-9a-f]+-1$/.test(location.hash)")
      let hash = try #require(try await browser.value("location.hash")?.stringValue)
      try await inspector.open("/_nova/\(hash)")
      try await inspector.wait(for: "document.querySelector('#details dd')?.textContent === '1'")
      try await inspector.send(.delete, "/_nova/requests")
      for (link, text) in [
        (hash, "no longer stored"), ("#request=1", "no longer stored"), ("#request=abc-1", "was restarted"),
      ] {
        try await inspector.open("/_nova/\(link)")
        try await inspector.wait(
          for: "document.querySelector('#details [role=alert]')?.textContent.includes('\(text)')")
      }
    }
  }

  @Test func longBodiesAreShownInFullOnRequest() async throws {
    try await Inspector.with { inspector in
      let browser = inspector.browser
      let text = String(repeating: "\u{202E}<b>", count: 20_000)
      try await inspector.isFollowing(text)
      try await inspector.send(.post, "/api/v1/graph/is-following", body: String(repeating: "x", count: 5 << 20))
      try await inspector.send(.post, "/api/v1/graph/is-following", body: "\u{0}\u{1}\u{fffd}")
      try await inspector.wait(for: "log.entries.length === 3")
      try await inspector.showDetails(1)
      try await inspector.wait(for: "document.querySelector('#details pre')?.textContent.length === 50000")
      try await browser.click("#details pre + button")
      try await inspector.wait(for: "document.querySelector('#details pre').textContent.length > 80000")
      #expect(try await browser.isTrue("document.querySelectorAll('#details pre b').length === 0"))
      for (number, shown) in [(2, "5242880 bytes, not kept"), (3, "5 bytes, not shown")] {
        try await inspector.showDetails(number)
        try await inspector.wait(for: "document.querySelector('#details pre')?.textContent === '\(shown)'")
        try await browser.click("#details button")
        try await inspector.waitForMessage("no command: the request body has")
      }
      try await inspector.expectNoProblems()
    }
  }

  @Test func clearingWhilePausedRemovesTheShownRows() async throws {
    try await Inspector.with { inspector in
      let browser = inspector.browser
      try await inspector.isFollowing("a")
      try await inspector.wait(for: "log.entries.length === 1")
      try await browser.click("#pause")
      try await browser.click("#clear")
      try await inspector.waitForMessage("requests cleared")
      try await inspector.wait(for: "log.entries.length === 0 && !document.querySelector('.request')")
      try await inspector.isFollowing("b")
      try await browser.click("#pause")
      try await inspector.wait(for: "log.entries.length === 1 && log.lost === 0")
    }
  }

  @Test func numbersInTextStayExact() async throws {
    try await Inspector.with { inspector in
      let browser = inspector.browser
      let text = #"{"a":9007199254740993,"b":[],"c":{"d":[1.0,"x,{\"}"]}}"#
      let indented = #"""
        {
          "a": 9007199254740993,
          "b": [],
          "c": {
            "d": [
              1.0,
              "x,{\"}"
            ]
          }
        }
        """#
      try await inspector.run("window.text = String.raw`\(text)`")
      let lines = try await browser.value("indented(text)")
      #expect(lines == .string(indented))
      let members = try await browser.value("members(text).map(each => each.join(' ')).join(';')")
      #expect(members == .string(#"a 9007199254740993;b [];c {"d":[1.0,"x,{\"}"]}"#))
    }
  }

  @Test func theRootLeadsToTheInspector() async throws {
    try await Inspector.with { inspector in
      try await inspector.open("/")
      #expect(try await inspector.browser.value("location.pathname")?.stringValue == "/_nova/")
    }
  }

  @Test func ofTenThousandRequestsOnlyVisibleRowsExist() async throws {
    try await Inspector.with { inspector in
      let browser = inspector.browser
      for number in 0..<8 { try await inspector.isFollowing("user-\(number)") }
      try await inspector.wait(for: "log.entries.length === 8")
      try await browser.click("#pause")
      try await inspector.wait(for: "byId('connection').textContent === 'paused'")
      // The server drops the oldest at ten thousand, as RequestLogTests shows.
      try await inspector.run(
        "const requests = [...Array(10000).keys()].map(each => ({ ...log.entries[each % 8], number: each + 9 })); "
          + "takePage({ log: log.id, first: 9, last: 10008, cleared: 0, requests }); drawList();")
      #expect(try await browser.isTrue("log.entries.length === 10000 && list.shown.length === 10000 && log.lost === 0"))
      let scroll = "[...Array(100).keys()].forEach(each => { byId('box').scrollTop = each * 3000; drawList(); })"
      for (work, most) in [
        ("", 59), (scroll, 59), ("byId('search').value = 'user-3 5xx'; byId('search').oninput()", 0),
      ] {
        try await inspector.run(work)
        let rows = try await browser.value("document.querySelectorAll('.request').length")
        #expect(rows?.integerValue.map { $0 <= most } == true, "\(String(describing: rows)) rows after: \(work)")
      }
      try await inspector.run(
        "byId('search').value = ''; byId('search').oninput(); byId('box').scrollTop = 1e9; drawList()")
      #expect(try await browser.isTrue("document.querySelector('.request:last-child').dataset.number === '9'"))
    }
  }
}
