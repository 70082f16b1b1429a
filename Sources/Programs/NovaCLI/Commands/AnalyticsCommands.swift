import ArgumentParser
import NovaSDK
import NovaTracking

struct AnalyticsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analytics", abstract: "Show, send, or turn off the events that apps record.",
    subcommands: [AnalyticsShow.self, AnalyticsFlush.self, AnalyticsOff.self, AnalyticsOn.self])
}

struct AnalyticsShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show how many events are queued, and what happened to the others.",
    usage: "nova analytics show [--events] [<options>]",
    discussion: """
      Sends nothing. Shows the events for the current gateway that programs on this machine store in the default \
      directory. `nova` itself records none.
      """)
  static let columns = ["sequence", "id", "name", "user_id", "session_id"]

  @Flag(help: "List the oldest 1,000 queued events, oldest first.") var events = false
  @OptionGroup var options: RecordListOptions

  func run() async throws {
    let shape =
      events
      ? try options.shape(AnalyticsEvent.self, columns: Self.columns)
      : try options.shape(TrackingStatus.fields.descriptor, id: "directory")
    try await CommandContext.run(options) { context in
      let (tracker, directory) = try context.tracker()
      if events {
        let records = try await tracker.waitingEvents(limit: 1000).map { try $0.jsonValue() }
        try await context.list(records, in: shape, key: "events", counting: ("event", "events"))
      } else {
        try context.show(TrackingStatus.fields.json((directory, await tracker.status)), in: shape)
      }
    }
  }
}

struct AnalyticsFlush: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flush", abstract: "Send the queued events.", usage: "nova analytics flush [<options>]",
    discussion: """
      Requires a session or a token. Sends the events of its user, and those recorded before a sign-in. Events of \
      other users, and events that cannot be sent, stay queued.
      """)

  @OptionGroup var options: ResultOptions

  func run() async throws {
    try options.check(Self.fields.descriptor)
    try await CommandContext.run(options) { context in
      let (tracker, _) = try context.tracker()
      tracker.use(context.client)
      guard let outcome = await tracker.sendAll() else {
        throw Failure("cannot send the events: it is not known who is signed in", .failed)
      }
      if outcome.isBusy {
        throw Failure(
          "cannot send the events: another program is sending them",
          hint: "See what is left with `nova analytics show`.", .failed)
      }
      let status = await tracker.status
      // Events that cannot be read are not sent, and not counted.
      let problem = status.storageProblem.map { problem in
        Failure(
          "cannot send all events: \(problem)",
          hint: status.isStorageUnusable ? "Correct that, then run `nova analytics flush` again." : nil, .failed)
      }
      if status.isStorageUnusable, outcome.sentCount == 0, let problem { throw problem }
      try context.report(Self.fields.json(outcome), as: options.format, sentence: sentence(outcome))
      warn(about: outcome)
      if let error = outcome.error { throw error }
      if let problem { throw problem }
    }
  }

  private static let fields = RecordFields<SendOutcome>(
    "FlushResult",
    [
      ("sent_count", .int64, { .integer($0.sentCount) }), ("rejected_count", .int64, { .integer($0.rejectedCount) }),
    ])

  private func sentence(_ outcome: SendOutcome) -> String {
    var text = "sent \(CountText.phrase(outcome.sentCount, one: "event", many: "events"))"
    if outcome.rejectedCount > 0 { text += ", \(CountText.full(outcome.rejectedCount)) rejected" }
    // Events of other users stay queued.
    guard outcome.heldCount > 0 else { return text }
    return "\(text); \(CountText.full(outcome.heldCount)) of other users wait until these track or flush again"
  }

  private func warn(about outcome: SendOutcome) {
    if outcome.uncountedCount > 0 {
      let events = CountText.phrase(outcome.uncountedCount, one: "event", many: "events")
      Diagnostics.warning(
        "the gateway did not count \(events) that had been sent before: it recorded them then, or not at all")
    }
    if outcome.unreadableCount > 0 {
      let events = CountText.phrase(outcome.unreadableCount, one: "event", many: "events")
      Diagnostics.warning("\(events) could not be read, and cannot be sent")
    }
  }
}

struct AnalyticsOff: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Stop recording events, and delete the queued ones.",
    usage: "nova analytics off [--yes] [<options>]",
    discussion: """
      Applies to the programs of this user that store events for the current gateway in the default directory, until \
      `nova analytics on`.
      """)

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let confirmation = try confirmation.confirmation(to: "turn off analytics and delete the events that wait")
    try await CommandContext.run(connection) { context in
      let (tracker, directory) = try context.tracker()
      try confirmation.obtain()
      let count = await tracker.status.waitingCount
      try await context.changing { try await tracker.optOut() }
      let events = CountText.phrase(count, one: "event", many: "events")
      Diagnostics.confirmation("analytics are off in \(directory); deleted \(events)")
    }
  }
}

struct AnalyticsOn: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "on", abstract: "Record events again.", usage: "nova analytics on [<options>]",
    discussion: "Running programs notice it when they restart.")

  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let (tracker, directory) = try context.tracker()
      try await context.changing { try await tracker.optIn() }
      Diagnostics.confirmation("analytics are on in \(directory)")
    }
  }
}

extension CommandContext {
  /// The tracker of the gateway in use.
  ///
  /// - Throws: ``Failure`` if there is no directory for it.
  fileprivate func tracker() throws -> (tracker: EventTracker, directory: String) {
    guard let directory = EventTracker.directory(for: configuration) else {
      throw Failure(
        "\(UserDirectories.problem("XDG_STATE_HOME")), so there is no place for events",
        hint: "Set NOVA_STATE_DIRECTORY to the path of a directory.", .failed)
    }
    return (EventTracker(directory: directory), directory)
  }

  fileprivate func changing(_ body: () async throws -> Void) async throws {
    do { try await body() } catch let error as TrackingError { throw Failure("\(error)", .failed) }
  }
}

extension TrackingStatus {
  /// The fields in tables and JSON.
  fileprivate static let fields = RecordFields<(directory: String, status: TrackingStatus)>(
    "TrackingStatus",
    [
      ("directory", .string, { .string($0.directory) }), ("opted_out", .bool, { .bool($0.status.isOptedOut) }),
      ("waiting_count", .int64, { .integer($0.status.waitingCount) }),
      ("oldest_at", .unixSeconds, { $0.status.oldestEventTime.map { .integer(Int(max(0, min($0, 1e15)))) } ?? .null }),
      ("sent_count", .int64, { .integer($0.status.sentCount) }),
      ("lost_count", .int64, { .integer($0.status.lostCount) }),
      ("rejected_count", .int64, { .integer($0.status.rejectedCount) }),
      ("dropped_property_count", .int64, { .integer($0.status.droppedPropertyCount) }),
      ("anonymous_id", .string, { $0.status.anonymousID.isEmpty ? .null : .string($0.status.anonymousID) }),
      ("storage_problem", .string, { $0.status.storageProblem.map(JSONValue.string) ?? .null }),
    ])
}
