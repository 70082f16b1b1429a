import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// The faults, stubs, data, and state of the inspector.
@Suite(.hangLimit, .serialized, .sharedBrowser) struct InspectorFormTests {
  @Test(arguments: Inspector.widths) func faultsArePickedAndRemoved(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let browser = inspector.browser
      try await inspector.showTab("faults")
      // Every kind gives a rule that the server accepts.
      let count = try await browser.value("contract.fault_kinds.length")?.integerValue ?? 0
      #expect(count >= 8)
      for kind in 0..<count {
        try await inspector.run("byId('fault-kind').value = \(kind); byId('fault-kind').onchange()")
        #expect(try await !browser.text("#fault-help").isEmpty)
        try await browser.click("#fault-form button")
        try await inspector.wait(for: "rules.length === \(kind + 1)")
      }
      try await browser.click("#remove-faults")
      try await inspector.wait(for: "rules.length === 0")
      try await inspector.run("byId('fault-kind').value = 0; byId('fault-kind').onchange()")
      try await browser.type("graph.IsFollowing", into: "#fault-target")
      try await browser.type("1", into: "#fault-times")
      #expect(try await browser.value("byId('fault').value")?.stringValue == "graph.IsFollowing=503x1")
      try await browser.click("#fault-form button")
      try await inspector.wait(
        for: "document.querySelector('#fault-list code')?.textContent === 'graph.IsFollowing=503x1'")
      try await inspector.isFollowing("a")
      try await inspector.wait(
        for: "document.querySelector('#fault-list .faint')?.textContent.includes('1 call, 0 left')")
      try await browser.click("#fault-list button")
      try await inspector.wait(for: "rules.length === 0")
      try await browser.type("nonsense", into: "#fault")
      try await browser.click("#fault-form button")
      try await inspector.waitForMessage("invalid fault rule")
      try await inspector.expectNoProblems()
    }
  }

  @Test(arguments: Inspector.widths) func answersAreStubbed(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let browser = inspector.browser
      try await inspector.isFollowing("ann")
      try await inspector.openStubForm(forRequest: 1)
      #expect(try await browser.value("byId('stub-request').value")?.stringValue?.contains("\"ann\"") == true)
      try await inspector.run("byId('stub-body').value = '{\"is_folowing\":true}'")
      try await browser.click("#stub-form button")
      try await inspector.waitForMessage("did you mean is_following?")
      try await inspector.run("byId('stub-body').value = '{'")
      try await browser.click("#stub-form button")
      try await inspector.waitForMessage("is not JSON")
      try await inspector.run("byId('stub-body').value = '{\"is_following\":true}'")
      try await browser.click("#stub-form button")
      try await inspector.wait(for: "document.querySelectorAll('#stub-list button').length === 1")
      let body = #"{"follower_id":"ann","followee_id":"b"}"#
      #expect(try await inspector.send(.post, "/api/v1/graph/is-following", body: body)?["is_following"] == .bool(true))
      try await inspector.wait(for: "byId('stub-list').textContent.includes('1 call')")
      try await browser.click("#stub-list button")
      try await inspector.wait(for: "byId('stub-list').textContent === 'none'")
      #expect(
        try await inspector.send(.post, "/api/v1/graph/is-following", body: body)?["is_following"] == .bool(false))
      try await inspector.expectNoProblems()
    }
  }

  @Test func secretsAreLeftOutOfStubs() async throws {
    try await Inspector.with { inspector in
      let browser = inspector.browser
      try await inspector.send(
        .post, "/api/v1/auth/login", body: #"{"email":"bruce@nova.social","password":"mock-password"}"#)
      try await inspector.run("byId('stub-delay').value = '9'; byId('stub-invalid').checked = true")
      try await inspector.openStubForm(forRequest: 1)
      let request = try await browser.value("byId('stub-request').value")?.stringValue
      #expect(request == "{\n  \"email\": \"bruce@nova.social\"\n}")
      try await inspector.waitForMessage("left out of the request, because it is secret: password")
      try await inspector.waitForMessage("the body contains ****")
      #expect(try await browser.isTrue("byId('stub-delay').value === '' && !byId('stub-invalid').checked"))
      // After the last one is removed, the focus stays in the panel.
      try await inspector.send(.post, "/_nova/stubs", body: #"{"rpc":"graph.IsMuted"}"#)
      try await inspector.wait(for: "document.querySelectorAll('#stub-list button').length === 1")
      try await inspector.run("document.querySelector('#stub-list button').focus()")
      try await browser.click("#stub-list button")
      try await inspector.wait(
        for: "byId('stub-list').textContent === 'none' && document.activeElement.id === 'stub-rpc'")
    }
  }

  @Test(arguments: Inspector.widths) func usersAndPostsAreChanged(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let browser = inspector.browser
      try await inspector.showTab("data")
      try await inspector.wait(for: "users.items.length === 50 && posts.items.length === 50")
      try await browser.click("#more-users")
      try await inspector.wait(for: "users.items.length === 100")
      try await browser.type("mock-user-id", into: "#user-search")
      try await browser.click("#user-form button")
      try await inspector.wait(for: "users.items.length === 1")
      try await browser.click("#user-list button")
      try await browser.type("<b>bold</b>", into: "#editor [name=bio]")
      try await browser.click("#editor-form button")
      try await inspector.waitForMessage("saved")
      #expect(
        try await inspector.send(.get, "/_nova/users?search=mock-user-id")?["users"]?.elements?.first?["bio"]?
          .stringValue == "<b>bold</b>")
      try await inspector.wait(for: "users.items.length === 1 && users.items[0].bio === '<b>bold</b>'")
      try await browser.type("post-7", into: "#post-search")
      try await browser.click("#post-form button")
      try await inspector.wait(for: "posts.items.length === 1")
      try await browser.click("#post-list button:last-child")
      try await browser.click("#question button[value=no]")
      try await browser.click("#post-list button:last-child")
      try await browser.click("#question-yes")
      try await inspector.waitForMessage("post-7 deleted")
      try await inspector.wait(for: "posts.items.length === 0")
      try await inspector.expectNoProblems()
    }
  }

  @Test(arguments: Inspector.widths) func analyticsEventsAreFound(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let browser = inspector.browser
      for (id, name) in [("1", "app_opened"), ("2", "post_opened")] {
        _ = try await inspector.send(
          .post, "/api/v1/analytics/record",
          body: #"""
            {"events":[{"id":"event-\#(id)","name":"\#(name)","anonymous_id":"<b>a</b>","session_id":"s",
              "occurred_at_ms":1764583200000,"properties":{"post_id":"<i>post-7</i>"}}]}
            """#)
      }
      try await inspector.showTab("data")
      try await inspector.wait(for: "events.items.length === 2 && events.items[0].id === 'event-2'")
      try await browser.type("app_opened", into: "#event-search")
      try await browser.click("#event-form button")
      try await inspector.wait(
        for: "events.items.length === 1 && byId('event-list').textContent.includes('post_id=<i>post-7</i>')")
      try await inspector.wait(for: "byId('event-total').textContent === '1 of 1 event'")
      try await inspector.expectNoProblems()
    }
  }

  @Test(arguments: Inspector.widths) func theScenarioIsShownStartedAndStopped(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let browser = inspector.browser
      try await inspector.showTab("faults")
      try await inspector.wait(for: "byId('scenario-name').textContent === 'none' && byId('scenario-stop').disabled")
      let file =
        #"{"name":"<b>n</b>","steps":[{"from":0,"faults":"social=503"},{"at":"1h","do":"sign out","note":"x"}]}"#
      try await inspector.run("byId('scenario-text').value = '\(file)'")
      try await browser.click("#scenario-start")
      try await inspector.wait(for: "byId('scenario-name').textContent === '<b>n</b>'")
      let steps = try await browser.text("#scenario-steps")
      #expect(steps.contains("from 0s on running") && steps.contains("at 1h waiting: x"), "\(steps)")
      try await browser.click("#scenario-stop")
      try await inspector.wait(for: "byId('scenario-name').textContent === 'none'")
      try await browser.click("#scenario-restart")
      try await inspector.wait(for: "byId('scenario-name').textContent === '<b>n</b>'")
      try await inspector.expectNoProblems()
    }
  }

  @Test(arguments: Inspector.widths) func theStateIsShownAndChanged(width: Int) async throws {
    try await Inspector.with(width: width) { inspector in
      let browser = inspector.browser
      try await inspector.showTab("state")
      try await browser.click("#snapshot-form button")
      try await inspector.wait(for: "document.querySelector('#snapshots button') !== null")
      let counts = try await browser.text("#counts")
      try await inspector.send(.post, "/api/v1/graph/follow", body: #"{"follower_id":"a","followee_id":"b"}"#)
      try await inspector.wait(for: "byId('counts').textContent !== '\(counts)'")
      try await browser.click("#snapshots button")
      try await inspector.waitForMessage("restored")
      #expect(try await browser.text("#counts") == counts)
      try await browser.click("[data-advance='86400']")
      try await inspector.wait(for: "byId('offset').textContent === '(1 d ahead)'")
      try await inspector.run("byId('clock-target').value = '2001-01-01T00:00:00'")
      try await browser.click("#clock-form button")
      try await inspector.waitForMessage("not valid yet")
      try await inspector.wait(for: "byId('clock').textContent.startsWith('2001-01-01 00:0')")
      try await browser.click("#freeze")
      try await inspector.wait(for: "byId('offset').textContent === '(frozen)'")
      #expect(try await browser.text("#freeze") == "Continue")
      try await browser.click("#freeze")
      try await inspector.wait(for: "byId('offset').textContent.endsWith(' behind)')")
      try await inspector.run("byId('clock-target').value = '2101-01-01T00:00:00'")
      try await browser.click("#clock-form button")
      try await inspector.wait(for: "byId('clock').textContent.startsWith('2101-01-01 00:0')")
      try await browser.click("#reset")
      try await browser.click("#question button[value=no]")
      #expect(try await browser.isTrue("byId('offset').textContent !== ''"))
      try await browser.click("#reset")
      try await browser.press("\u{E00C}")
      try await browser.click("#reset")
      try await browser.click("#question-yes")
      try await inspector.wait(for: "byId('offset').textContent === ''")
      try await inspector.expectNoProblems()
    }
  }
}
