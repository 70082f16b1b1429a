import NovaAnalytics
import NovaCore

extension ContractScenario {
  static let analytics = [eventsCountOnce, eventRules]

  private static let eventsCountOnce = ContractScenario(
    "analytics.once", summary: "An analytics event counts once, however often it is sent."
  ) { run in
    let ada = try await run.user("ada")
    let events = (0..<3).map { run.event("once-\($0)", of: ada) }
    await run.record("two events, one of them twice", [events[0], events[1], events[0]], as: ada, accepts: 2)
    await run.record("the same again", [events[0], events[1]], as: ada, accepts: 0)
    await run.record("one of them and a new one", [events[1], events[2]], as: ada, accepts: 1)
    var changed = events[2]
    changed.name = "post_closed"
    await run.record("its id with another name", [changed], as: ada, accepts: 0)
    await run.record("none", [], as: ada, accepts: 0)
  }

  private static let eventRules = ContractScenario(
    "analytics.rules", summary: "A bad analytics event is rejected alone, and more than 500 events are refused."
  ) { run in
    let ada = try await run.user("ada")
    for (index, rule) in EventRule.all.enumerated() {
      let (good, after) = (run.event("good-\(index)", of: ada), run.event("after-\(index)", of: ada))
      var bad = run.event("bad-\(index)", of: ada)
      rule.violate(&bad)
      await run.record(rule.name, [good, bad, after], as: ada, accepts: 2, rejects: [bad.id])
    }
    var largest = run.event("largest", of: ada)
    largest.name = String(repeating: "n", count: 64)
    let (key, value) = (String(repeating: "k", count: 62), String(repeating: "é", count: 1000))
    largest.properties = Dictionary(uniqueKeysWithValues: (10..<60).map { ("\($0)\(key)", value) })
    await run.record("the longest name and properties", [largest], as: ada, accepts: 1)
    var anonymous = run.event("anonymous", of: ada)
    (anonymous.userId, anonymous.anonymousId) = (nil, "\(run.prefix)-anonymous")
    await run.record("before the user signs in", [anonymous], as: ada, accepts: 1)

    let many = (0...500).map { run.event("many-\($0)", of: ada) }
    await run.step("501 events", fails: .invalidArgument) {
      try await ada.unchecked.analytics.recordEvents(.init(events: many))
    }
    await run.record("500 events, of which none was recorded", Array(many.dropLast()), as: ada, accepts: 500)
  }
}

/// A rule for analytics events, and how to break it.
private struct EventRule {
  let name: String
  let violate: @Sendable (inout AnalyticsEvent) -> Void

  static let all = [
    EventRule(name: "no id") { $0.id = "" },
    EventRule(name: "no session") { $0.sessionId = "" },
    EventRule(name: "neither a user nor an anonymous id") { $0.userId = nil },
    EventRule(name: "no name") { $0.name = "" },
    EventRule(name: "a name of 65 characters") { $0.name = String(repeating: "n", count: 65) },
    EventRule(name: "a name with capitals") { $0.name = "PostOpened" },
    EventRule(name: "a name with a hyphen") { $0.name = "post-opened" },
    EventRule(name: "51 properties") { event in
      event.properties = Dictionary(uniqueKeysWithValues: (0..<51).map { ("key_\($0)", "") })
    },
    EventRule(name: "a key of 65 characters") { $0.properties = [String(repeating: "k", count: 65): ""] },
    EventRule(name: "a value of 1,001 characters") { $0.properties = ["key": String(repeating: "v", count: 1001)] },
  ]
}

extension ScenarioRun {
  /// A valid event with an id that no other run uses.
  fileprivate func event(_ id: String, of user: ContractUser) -> AnalyticsEvent {
    AnalyticsEvent(
      id: "\(prefix)-\(id)", name: "post_opened", userId: user.id, sessionId: "\(prefix)-session",
      occurredAtMs: user.account.createdAt * 1000, properties: ["post_id": "post-1"])
  }

  /// Records events, of which the backend must reject those with the given ids and no others.
  ///
  /// Reasons are the server's own words, so they are not compared; but each rejected event has one.
  fileprivate func record(
    _ name: String, _ events: [AnalyticsEvent], as user: ContractUser, accepts count: Int, rejects ids: [String] = []
  ) async {
    await step(name) {
      var response = try await user.analytics.recordEvents(.init(events: events))
      for index in response.rejected.indices {
        response.rejected[index].reason = response.rejected[index].reason.isEmpty ? "none" : "given"
      }
      return response
    }.expect { $0.acceptedCount == count && $0.rejected == ids.map { RejectedEvent(id: $0, reason: "given") } }
  }
}
