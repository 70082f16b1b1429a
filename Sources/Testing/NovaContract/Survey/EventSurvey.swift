import NovaCore
import NovaEvents
import NovaUsers

extension SurveyRun {
  /// Lists events, and reads the beginning of a stream.
  mutating func checkEvents(_ user: String) async throws {
    let topics = ["user:\(user)"]
    let now = try await valid(EventRPC.listEvents, .init(topics: topics), as: "the position now")
    if let position = now?.nextAfter, !position.isEmpty {
      try await valid(EventRPC.listEvents, .init(topics: topics, after: position, limit: 3), as: "after it")
      try await checkHistory(topics, after: position)
    }
    try await refused(
      EventRPC.listEvents, .init(topics: ["everything"]), as: "an unknown topic", with: .invalidArgument)
    // A stream cannot be replayed.
    if isForFixtures { return }
    try await valid(EventRPC.streamEvents, .init(topics: topics), as: "a stream")
    try await refused(
      EventRPC.streamEvents, .init(topics: ["everything"]), as: "an unknown topic", with: .invalidArgument)
  }

  /// Lists the event of a change, and what follows it.
  private mutating func checkHistory(_ topics: [String], after position: String) async throws {
    guard let account = writer, topics == ["user:\(account.id)"], !isForFixtures else { return }
    let change = UpdateUserProfileRequest(userId: account.id, bio: "A check of the contract, changed.")
    guard try await prepare(UserRPC.updateUserProfile, change, as: "a change to list") != nil else { return }
    let page = try await valid(
      EventRPC.listEvents, .init(topics: topics, after: position, limit: 3), as: "after it, and a change",
      showing: "the event of the change"
    ) { !$0.events.isEmpty || !$0.isComplete }
    guard let last = page?.events.last?.id, !last.isEmpty else { return }
    let name = "after the event of the change"
    let rest = try await valid(EventRPC.listEvents, .init(topics: topics, after: last, limit: 3), as: name)
    guard rest?.events.contains(where: { $0.id == last }) == true else { return }
    reportLast(
      Finding(
        .inconsistent, .breaking, at: "after", expected: "what follows the event", found: "the event itself again"),
      of: EventRPC.listEvents.descriptor, as: name)
  }
}
