import NovaCore
import NovaOffline
import NovaSDK

extension CommandContext {
  /// The outbox of the signed-in user; nil if nothing has ever waited. Creates no files.
  ///
  /// - Throws: ``Failure`` if nobody is signed in.
  func outbox() async throws -> Outbox? {
    guard let stored, stored.directory.hasOutbox else { return nil }
    let (user, token) = try await nova.client.account()
    guard user != nil || token != nil else {
      throw Failure(
        "not signed in at \(place): the outbox has the changes of each user apart",
        hint: "Sign in with `\(configuration.signInCommand())`.", .notAllowed)
    }
    let outbox = try stored.store.outbox
    await outbox.load()
    return outbox
  }

  /// The entry with an ID.
  ///
  /// - Throws: ``Failure`` if there is none.
  func entry(_ id: Int64, in outbox: Outbox?) async throws -> OutboxEntry {
    if let entry = try await outbox?.entries.first(where: { $0.id == id }) { return entry }
    throw Failure(
      "not found: change \(id) in the outbox",
      hint: "It may have been sent. List what waits with `nova outbox list`.", .notFound)
  }

  /// - Throws: ``Failure`` in offline mode.
  func checkSending() throws {
    guard configuration.isOffline else { return }
    throw Failure(
      "cannot send: offline mode is on",
      hint: "Leave out --offline, and turn offline mode off with NOVA_OFFLINE=0 or in APIConfig.json.", .noConnection)
  }

  /// Sends all that waits, and reports it.
  ///
  /// - Throws: ``Failure`` if a change is refused, or still waits.
  func flush(_ outbox: Outbox?, as format: OutputFormat) async throws {
    let summary = await outbox?.flush() ?? OutboxSummary()
    try Task.checkCancellation()
    try DeliveryReport(summary).write(to: self, as: format)
    if let problem = outbox?.state.problem { Diagnostics.warning(problem) }
    if let failure = failure(after: summary) { throw failure }
    let earlier = summary.dead - summary.refused
    if earlier > 0, format == .table { Diagnostics.note("\(Self.changes(earlier)) refused earlier: nova outbox list") }
  }

  private static func changes(_ count: Int) -> String {
    CountText.phrase(count, one: "change was", many: "changes were", isCompact: false)
  }

  /// Why not all was sent; nil if all was.
  private func failure(after summary: OutboxSummary) -> Failure? {
    let status = summary.lastFailure.map { ExitStatus.of(APIError($0.code, $0.message)) } ?? .failed
    let reason = summary.lastFailure.map { ": \($0.message)" } ?? ""
    if summary.refused > 0 {
      return Failure(
        "\(Self.changes(summary.refused)) refused\(reason)",
        hint: "See `nova outbox list`; then send again with `nova outbox retry`, or drop with `nova outbox discard`.",
        status)
    }
    guard summary.waiting > 0 else { return nil }
    switch summary.pause {
    case .offline:
      return Failure(
        "cannot reach the gateway\(reason)", hint: "Run `nova outbox flush` again when it can be reached.",
        .noConnection)
    case .signedOut:
      return Failure("the gateway does not accept the session\(reason)", hint: configuration.signInAdvice, .notAllowed)
    case .rateLimited: return Failure("the gateway asks to wait\(reason)", hint: Self.laterAdvice, .failed)
    case .anotherProcess:
      return Failure("another program is sending the changes", hint: Self.laterAdvice, .failed)
    case nil:
      guard summary.lastFailure != nil else {
        return Failure(
          "what still waits needs a change that was refused",
          hint: "Send that one again with `nova outbox retry`, or drop it with `nova outbox discard <id> --cascade`.",
          .failed)
      }
      return Failure("not all was sent\(reason)", hint: Self.laterAdvice, status)
    }
  }

  private static let laterAdvice = "Run `nova outbox flush` again later."
}

/// What became of the changes that waited.
struct DeliveryReport {
  static let descriptor = MessageDescriptor(
    "DeliveryReport",
    fields: [
      FieldDescriptor("sent_count", number: 1, kind: .int64), FieldDescriptor("refused_count", number: 2, kind: .int64),
      FieldDescriptor("waiting_count", number: 3, kind: .int64),
    ])

  private let summary: OutboxSummary

  init(_ summary: OutboxSummary) { self.summary = summary }

  func write(to context: CommandContext, as format: OutputFormat) throws {
    switch format {
    case .table, .ids:
      let sent = CountText.phrase(summary.sent, one: "change", many: "changes", isCompact: false)
      let refused = summary.refused > 0 ? ", \(CountText.full(summary.refused)) refused" : ""
      let waiting = summary.waiting > 0 ? ", \(CountText.full(summary.waiting)) still waiting" : ""
      Diagnostics.confirmation("sent \(sent)\(refused)\(waiting)")
    case .json: try context.output.writeLine(json: PrettyJSON.spread(json))
    case .ndjson: try context.output.writeLine(json: json.jsonUTF8)
    }
    try context.output.flush()
  }

  private var json: JSONValue {
    func number(_ count: Int) -> JSONValue { .number(String(count)) }
    return .members(
      ("sent_count", number(summary.sent)), ("refused_count", number(summary.refused)),
      ("waiting_count", number(summary.waiting)))
  }
}
