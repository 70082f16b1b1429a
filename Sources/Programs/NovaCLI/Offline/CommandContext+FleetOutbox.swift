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
  /// - Parameter warns: whether refused changes, and what cannot be reached, are logged, also without --verbose.
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
    if warns, !isLogging, !Diagnostics.isQuiet { logger.logLevel = .notice }
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
    var flush = Self.flushed(replica.delivered, rest, refused: dead.filter { !before.contains($0.id) })
    var holder: String?
    if rest.contains(where: { $0.state == .waiting }), let lease = try await outbox.lease(of: identity),
      lease.owner != FleetOutboxOptions().owner
    {
      flush.summary.pause = .anotherProcess
      holder =
        "another replica, \(lease.owner.printable(to: 80)), delivers the changes of this user; its lease ends in "
        + "\(Int(lease.seconds.rounded(.up))) s unless it renews it"
    }
    try finish(flush, nil, entries: rest, holder: holder, as: format)
  }

  /// Reports which changes no replica of this configuration's gateway sends.
  func noteOtherGateways(in entries: [OutboxEntry]) {
    let count = entries.count { $0.state != .dead && $0.identity.gateway != client.gateway }
    guard count > 0 else { return }
    Diagnostics.note(
      "\(CountText.phrase(count, one: "change is", many: "changes are")) for another gateway than \(client.gateway): "
        + "a replica sends only those with exactly its base URL")
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
