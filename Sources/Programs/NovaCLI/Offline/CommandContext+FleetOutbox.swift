import Logging
import NovaFleet
import NovaOffline
import NovaSDK

// The commands of an outbox in an application's database.
extension CommandContext {
  /// All changes, or only so many that memory stays small; reports those that cannot be read.
  func entries(of outbox: FleetOutbox) async throws -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    var unreadable: [StoredEntry] = []
    var last: OutboxEntry.ID = 0
    while true {
      let page = try await outbox.page(after: last)
      guard let end = page.last else { break }
      if entries.count + unreadable.count >= 100_000 {
        Diagnostics.warning("only the changes up to #\(last) are listed")
        break
      }
      entries += page.entries
      unreadable += page.unreadable
      last = end
    }
    warn(aboutUnreadable: unreadable)
    return entries
  }

  private func warn(aboutUnreadable entries: [StoredEntry]) {
    guard !entries.isEmpty else { return }
    let some = entries.prefix(5).map { entry in
      "#\(entry.id) (\(entry.rpc.printable(to: 60))\(entry.isDead ? ", refused" : ""))"
    }
    let names = some + (entries.count > 5 ? ["others"] : [])
    let (subject, object) = entries.count == 1 ? ("change", "it") : ("changes", "them")
    Diagnostics.warning(
      "not listed: \(subject) \(names.conjunction) of another version, or with a request that does not match the "
        + "contract; show, edit, or discard \(object) by ID")
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
    let earlier = try await outbox.page(of: identity, onlyDead: true, limit: 100_000)
    let before = Set(earlier.entries.map(\.id) + earlier.unreadable.map(\.id))
    try await replica.drain()
    try Task.checkCancellation()
    let rest = try await outbox.page(of: identity, limit: 100_000)
    var flush = Self.flushed(replica.delivered, rest, refusedBefore: before)
    var holder: String?
    if rest.entries.contains(where: { $0.state == .waiting }), let lease = try await outbox.lease(of: identity),
      lease.owner != FleetOutboxOptions().owner
    {
      flush.summary.pause = .anotherProcess
      holder =
        "another replica, \(lease.owner.printable(to: 80)), delivers the changes of this user; its lease ends in "
        + "\(Int(lease.seconds.rounded(.up))) s unless it renews it"
    }
    try finish(flush, nil, entries: rest.entries, holder: holder, as: format)
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
  ///   - before: those of them that had been refused earlier.
  private static func flushed(
    _ sent: Int, _ rest: FleetOutbox.Page, refusedBefore before: Set<OutboxEntry.ID>
  ) -> OutboxFlushReport {
    let waiting = rest.entries.filter { $0.state != .dead }
    let refused = rest.entries.filter { $0.state == .dead && !before.contains($0.id) }
    let unread = rest.unreadable.filter { $0.isDead && !before.contains($0.id) }
    let waitingCount = waiting.count + rest.unreadable.count { !$0.isDead }
    var flush = OutboxFlushReport()
    flush.summary = OutboxSummary(
      sent: sent, refused: refused.count + unread.count, waiting: waitingCount,
      dead: rest.entries.count + rest.unreadable.count - waitingCount)
    let reason = unread.last?.failure.map { OutboxFailure(APIError.Code(rawValue: $0.code), $0.message) }
    flush.failure = refused.last?.failure ?? reason ?? waiting.lazy.compactMap(\.failure).first
    if [.networkError, .timeout].contains(flush.failure?.code) { flush.summary.pause = .offline }
    if flush.failure?.code == .unauthorized { flush.summary.pause = .signedOut }
    flush.blocked = waiting.count { $0.state != .waiting }
    return flush
  }
}
