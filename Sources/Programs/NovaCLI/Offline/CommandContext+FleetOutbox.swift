import Logging
import NovaFleet
import NovaOffline
import NovaSDK

// The commands of an outbox in an application's database.
extension CommandContext {
  /// All changes, or only so many that memory stays small.
  func entries(of outbox: FleetOutbox) async throws -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    while entries.count < 100_000 {
      let page = try await outbox.entries(after: entries.last?.id ?? 0)
      entries += page
      if page.isEmpty { return entries }
    }
    Diagnostics.warning("only the first \(CountText.full(entries.count)) changes are listed")
    return entries
  }

  /// A replica for the changes of the signed-in user: only theirs can be sent with what this program knows.
  ///
  /// - Parameter warns: whether failures that are tried again are logged, also without --verbose.
  /// - Throws: ``Failure`` if nobody is signed in.
  func replica(of outbox: FleetOutbox, warns: Bool = false) async throws -> FleetOutboxReplica {
    try checkSending()
    let identity = try await client.identity()
    guard !identity.isAnonymous else {
      throw Failure(
        "not signed in at \(place): changes are sent with the session of their user",
        hint: "Sign in with `\(configuration.signInCommand())`.", .notAllowed)
    }
    let token = configuration.token
    let sessions = token == nil ? try nova.sessions : nil
    var logger = Self.logger(configuration, verbose: isLogging)
    if warns, !isLogging, !Diagnostics.isQuiet { logger.logLevel = .warning }
    return FleetOutboxReplica(outbox, client: client, listener: outbox.client, only: identity, logger: logger) { _ in
      if let token { return token }
      return try await sessions?.accessToken()
    }
  }

  /// Sends the changes of the signed-in user that are due, and reports what happened to them.
  ///
  /// - Throws: ``Failure`` if changes are refused or still wait.
  func flush(_ outbox: FleetOutbox, as format: OutputFormat) async throws {
    let replica = try await replica(of: outbox)
    let identity = try await client.identity()
    let before = Set(try await outbox.entries(of: identity, onlyDead: true, limit: 100_000).map(\.id))
    try await replica.drain()
    try Task.checkCancellation()
    let rest = try await outbox.entries(of: identity, limit: 100_000)
    let dead = rest.filter { $0.state == .dead }
    try finish(Self.flushed(replica.delivered, rest, refused: dead.filter { !before.contains($0.id) }), nil, as: format)
  }

  /// - Parameters:
  ///   - rest: the user's changes that are still in the outbox.
  ///   - refused: those of them that were refused just now.
  private static func flushed(_ sent: Int, _ rest: [OutboxEntry], refused: [OutboxEntry]) -> OutboxFlushReport {
    let waiting = rest.filter { $0.state != .dead }
    var flush = OutboxFlushReport()
    flush.summary = OutboxSummary(
      sent: sent, refused: refused.count, waiting: waiting.count, dead: rest.count - waiting.count)
    flush.failure = refused.last?.failure ?? waiting.lazy.compactMap(\.failure).first
    if [.networkError, .timeout].contains(flush.failure?.code) { flush.summary.pause = .offline }
    if flush.failure?.code == .unauthorized { flush.summary.pause = .signedOut }
    flush.blocked = waiting.count { $0.state != .waiting }
    return flush
  }
}
