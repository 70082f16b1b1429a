import NovaCore
import NovaEvents

extension ContractScenario {
  static let eventSurvey = ContractScenario(survey: "events", "Live events.", for: ["event"]) { survey, me in
    try await survey.checkEvents(of: me)
  }
}

extension SurveyRun {
  /// Lists events, and reads the beginning of a stream.
  fileprivate mutating func checkEvents(of user: String) async throws {
    let topics = ["user:\(user)"]
    let now = try await valid(EventRPC.listEvents, .init(topics: topics), as: "the position now")
    if let position = now?.nextAfter, !position.isEmpty {
      try await valid(EventRPC.listEvents, .init(topics: topics, after: position, limit: 3), as: "after it")
    }
    try await refused(
      EventRPC.listEvents, .init(topics: ["everything"]), as: "an unknown topic", with: .invalidArgument)
    // A stream cannot be replayed.
    if isForFixtures { return }
    try await valid(EventRPC.streamEvents, .init(topics: topics), as: "a stream")
    try await refused(
      EventRPC.streamEvents, .init(topics: ["everything"]), as: "an unknown topic", with: .invalidArgument)
  }
}
