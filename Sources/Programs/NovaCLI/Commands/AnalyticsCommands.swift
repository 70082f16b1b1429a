import ArgumentParser
import NovaAnalytics
import NovaCore
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
      : try options.shape(TrackingStatus.descriptor, id: "directory")
    try await CommandContext.run(options) { context in
      let (tracker, directory) = try context.tracker()
      guard events else { return try context.show(await tracker.status.json(directory), in: shape) }
      let records = try await tracker.waitingEvents(limit: 1000).map { try $0.jsonValue() }
      try await context.list(records, in: shape, key: "events", counting: ("event", "events"))
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
    try options.check(FlushResult.descriptor)
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
      // What cannot be read cannot be sent, and nothing of it is among the counts.
      let problem = status.storageProblem.map { problem in
        Failure(
          "cannot send all events: \(problem)",
          hint: status.isStorageUnusable ? "Correct that, then run `nova analytics flush` again." : nil, .failed)
      }
      if status.isStorageUnusable, outcome.sentCount == 0, let problem { throw problem }
      try FlushResult(outcome).write(to: context, as: options.format)
      warn(about: outcome)
      if let error = outcome.error { throw error }
      if let problem { throw problem }
    }
  }

  private func warn(about outcome: SendOutcome) {
    if outcome.uncountedCount > 0 {
      let events = CountText.phrase(outcome.uncountedCount, one: "event", many: "events", isCompact: false)
      Diagnostics.warning(
        "the gateway did not count \(events) that had been sent before: it recorded them then, or not at all")
    }
    if outcome.unreadableCount > 0 {
      let events = CountText.phrase(outcome.unreadableCount, one: "event", many: "events", isCompact: false)
      Diagnostics.warning("\(events) could not be read, and cannot be sent")
    }
  }
}

/// What was sent.
private struct FlushResult {
  static let descriptor = MessageDescriptor(
    "FlushResult",
    fields: [
      FieldDescriptor("sent_count", number: 1, kind: .int64),
      FieldDescriptor("rejected_count", number: 2, kind: .int64),
    ])

  private let sent: Int
  private let rejected: Int
  /// Those of other callers, which stay.
  private let held: Int

  init(_ outcome: SendOutcome) {
    (sent, rejected, held) = (outcome.sentCount, outcome.rejectedCount, outcome.heldCount)
  }

  func write(to context: CommandContext, as format: OutputFormat) throws {
    let record = JSONValue.members(
      ("sent_count", .number(String(sent))), ("rejected_count", .number(String(rejected))))
    switch format {
    case .table, .ids:
      let events = CountText.phrase(sent, one: "event", many: "events", isCompact: false)
      var text = "sent \(events)\(rejected > 0 ? ", \(CountText.full(rejected)) rejected" : "")"
      if held > 0 { text += "; \(CountText.full(held)) of other users wait until these track or flush again" }
      Diagnostics.confirmation(text)
    case .json: try context.output.writeLine(json: PrettyJSON.spread(record))
    case .ndjson: try context.output.writeLine(json: record.jsonUTF8)
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
      let events = CountText.phrase(count, one: "event", many: "events", isCompact: false)
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
  fileprivate static let descriptor = MessageDescriptor(
    "TrackingStatus",
    fields: [
      ("directory", FieldKind.string), ("opted_out", .bool), ("waiting_count", .int64), ("oldest_at", .unixSeconds),
      ("sent_count", .int64), ("lost_count", .int64), ("rejected_count", .int64), ("dropped_property_count", .int64),
      ("anonymous_id", .string), ("storage_problem", .string),
    ].enumerated().map { FieldDescriptor($1.0, number: $0 + 1, kind: $1.1) })

  fileprivate func json(_ directory: String) -> JSONValue {
    func number(_ count: Int) -> JSONValue { .number(String(count)) }
    return .members(
      ("directory", .string(directory)), ("opted_out", .bool(isOptedOut)), ("waiting_count", number(waitingCount)),
      ("oldest_at", oldestEventTime.map { number(Int(max(0, min($0, 1e15)))) } ?? .null),
      ("sent_count", number(sentCount)), ("lost_count", number(lostCount)), ("rejected_count", number(rejectedCount)),
      ("dropped_property_count", number(droppedPropertyCount)),
      ("anonymous_id", anonymousID.isEmpty ? .null : .string(anonymousID)),
      ("storage_problem", storageProblem.map { .string($0) } ?? .null))
  }
}
