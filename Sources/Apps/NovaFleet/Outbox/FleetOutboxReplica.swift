import CoreMetrics
public import Logging
public import NovaCore
package import NovaOffline
public import NovaPostgreSQL

/// Delivers the writes of an outbox in PostgreSQL, together with any number of other replicas.
///
/// ```swift
/// let replica = FleetOutboxReplica(outbox, client: nova.client, sessions: fleet, listener: direct)
/// await replica.run()
/// ```
///
/// A replica leases subjects, which are users at a gateway, delivers the writes of each in order, and gives the lease
/// back. If it is killed, another one takes over when its leases end; if it was only stopped, what it does afterwards
/// changes nothing. Each write takes effect once, because it is sent under one `Idempotency-Key` until the gateway has
/// accepted or refused it.
public final class FleetOutboxReplica: Sendable {
  /// Returns a valid token of an identity; nil if its user is signed out, so that its writes wait.
  public typealias Tokens = @Sendable (Identity) async throws -> AccessToken?
  typealias Sessions = @Sendable (Identity) throws -> any TokenProvider

  private let outbox: FleetOutbox
  private let client: APIClient
  private let listener: (any PostgreSQLClient)?
  private let options: FleetOutboxOptions
  private let only: Identity?
  private let tokens: Tokens
  private let sessions: Sessions?
  private let logger: Logger
  private let environment: OutboxEnvironment
  private let clock: DatabaseClock
  private let connectivity: Connectivity
  private let leases: OutboxLeases
  private let table: OutboxTable
  private let batches: OutboxBatches
  private let metrics = FleetOutboxMetrics()
  private let signal = WakeSignal()
  private let held: HeldSubjects
  private let reports: ReplicaReports
  private let upkeep: ReplicaUpkeep

  /// Creates a replica that does nothing until ``run()``.
  ///
  /// - Parameters:
  ///   - outbox: the outbox, whose client may use a pooler in transaction mode.
  ///   - client: the client that sends the writes to its gateway, and only to that.
  ///   - listener: a client with a direct connection, not through a pooler in transaction mode, for notifications. Default:
  ///     nil, so that new writes are found by polling.
  ///   - options: how it delivers.
  ///   - only: the only identity whose writes are sent. Default: nil, for all of the client's gateway.
  ///   - logger: for writes that are refused, and for a gateway or database that cannot be reached. Default:
  ///     `NovaSDK.outbox`.
  ///   - tokens: returns the token of an identity, before each call.
  public convenience init(
    _ outbox: FleetOutbox, client: APIClient, listener: (any PostgreSQLClient)? = nil,
    options: FleetOutboxOptions = FleetOutboxOptions(), only: Identity? = nil, logger: Logger? = nil,
    tokens: @escaping Tokens
  ) {
    self.init(
      outbox, client: client, listener: listener, options: options, only: only, logger: logger,
      clock: ContinuousClock(), step: { _ in }, tokens: tokens)
  }

  /// Creates a replica that sends the writes of users with their shared sessions. A token that the gateway refuses is
  /// replaced, and the write is sent again at once. It does nothing until ``run()``.
  ///
  /// - Parameters:
  ///   - sessions: the sessions of the users.
  ///   - handle: the handle of an identity's session. Default: the user's ID.
  public convenience init(
    _ outbox: FleetOutbox, client: APIClient, sessions: FleetSessions, listener: (any PostgreSQLClient)? = nil,
    options: FleetOutboxOptions = FleetOutboxOptions(), only: Identity? = nil, logger: Logger? = nil,
    handle: @escaping @Sendable (Identity) -> String = { $0.user ?? "" }
  ) {
    self.init(
      outbox, client: client, listener: listener, options: options, only: only, logger: logger,
      clock: ContinuousClock(), step: { _ in }, sessions: { try sessions.sessions(of: handle($0)) }
    ) { try await sessions.sessions(of: handle($0)).accessToken() }
  }

  package convenience init(
    _ outbox: FleetOutbox, client: APIClient, listener: (any PostgreSQLClient)?, options: FleetOutboxOptions,
    only: Identity? = nil, logger: Logger? = nil, clock: any CallClock, step: @escaping @Sendable (OutboxStep) -> Void,
    tokens: @escaping Tokens
  ) {
    self.init(
      outbox, client: client, listener: listener, options: options, only: only, logger: logger, clock: clock,
      step: step, sessions: nil, tokens: tokens)
  }

  private init(
    _ outbox: FleetOutbox, client: APIClient, listener: (any PostgreSQLClient)?, options: FleetOutboxOptions,
    only: Identity?, logger: Logger?, clock: any CallClock, step: @escaping @Sendable (OutboxStep) -> Void,
    sessions: Sessions?, tokens: @escaping Tokens
  ) {
    var options = options
    options.lease = max(.seconds(1), options.lease)
    options.window = min(max(1, options.window), 4096)
    options.maximumSubjects = max(1, options.maximumSubjects)
    (self.outbox, self.client, self.listener, self.options) = (outbox, client, listener, options)
    (self.only, self.tokens, self.sessions) = (only, tokens, sessions)
    self.logger = logger ?? Logger(label: "NovaSDK.outbox")
    reports = ReplicaReports(self.logger)
    self.clock = DatabaseClock(clock)
    environment = OutboxEnvironment(clock: self.clock, step: step)
    // A server has no battery to save.
    connectivity = Connectivity(
      isAlwaysOffline: client.configuration.isOffline, longestWait: .seconds(10), clock: clock)
    leases = OutboxLeases(
      client: outbox.database, schema: outbox.schema.schema, owner: options.owner,
      duration: options.lease / .seconds(1), gateway: client.gateway, only: only?.subject)
    table = OutboxTable(
      client: outbox.database, schema: outbox.schema.schema, keepsDelivered: options.keepsDelivered > .zero)
    held = HeldSubjects(clock: self.clock, leaseDuration: options.lease)
    batches = OutboxBatches(table, leases, window: options.window, limit: max(1, options.batch)) { [held, clock] in
      guard held.count > 8 else { return }
      try? await clock.sleep(until: clock.now.advanced(by: .milliseconds(3)), tolerance: nil)
    }
    upkeep = ReplicaUpkeep(
      outbox: outbox, leases: leases, held: held, options: options, metrics: metrics, logger: self.logger,
      environment: environment, signal: signal)
  }

  /// How many writes this replica has delivered since it was created.
  public var delivered: Int { reports.delivered }

  /// How many writes have become dead letters in this replica since it was created.
  public var refused: Int { reports.refused }

  // MARK: Running

  /// Delivers until the task is cancelled: then finishes the calls in progress, gives the leases back, and returns. While
  /// the database or the gateway cannot be reached, it tries again; it logs when that begins, and when it ends.
  public func run() async {
    connectivity.use { [client] in try await client.reach(timeout: .seconds(10)) }
    await withDiscardingTaskGroup { group in
      group.addTask { await self.upkeep.renewRepeatedly() }
      group.addTask { await self.upkeep.maintainRepeatedly() }
      group.addTask { await self.followConnection() }
      if let listener { group.addTask { await self.upkeep.listen(on: listener) } }
      await self.claimRepeatedly()
      group.cancelAll()
    }
    connectivity.stop()
  }

  /// Delivers what is due now, and returns when nothing more can be sent.
  ///
  /// - Throws: errors of the database.
  public func drain() async throws {
    connectivity.use { [client] in try await client.reach(timeout: .seconds(10)) }
    let renewal = Task { [upkeep] in await upkeep.renewRepeatedly() }
    defer { renewal.cancel() }
    while !Task.isCancelled {
      let found = try await claimOnce()
      if found == 0, held.count == 0 { break }
      if found == 0 { await signal.wait(until: clock.now.advanced(by: .milliseconds(100)), clock) }
      if !connectivity.isOnline { break }
    }
    await rest()
  }

  private func claimRepeatedly() async {
    var failures = 0
    let pacing = Pacing(Backoff(base: .milliseconds(200), factor: 2, maximum: .seconds(5)), floor: .milliseconds(100))
    while !Task.isCancelled {
      let start = clock.now
      do {
        // A task of its own: a statement that is cancelled may have leased subjects nevertheless.
        let found = try await Task { try await claimOnce() }.value
        failures = 0
        // Together with what arrives or ends in the next milliseconds.
        let pause = found > 0 ? Duration.milliseconds(5) : options.pollInterval
        let end = start.advanced(by: .milliseconds(5))
        if found > 0 { try? await clock.sleep(until: end, tolerance: nil) }
        if found == 0 { await signal.wait(until: clock.now.advanced(by: upkeep.jittered(pause)), clock) }
        if found == 0, clock.now < end { try? await clock.sleep(until: end, tolerance: nil) }
      } catch {
        failures += 1
        metrics.failures.increment()
        reports.databaseFailed(error)
        let wait = pacing.wait(after: failures, random: environment.random())
        try? await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil)
      }
    }
    await rest()
  }

  /// Waits until no delivery is in progress, and the leases are given back.
  private func rest() async {
    // A task of its own: the caller's is cancelled by now.
    await Task { [held] in await held.endAll() }.value
  }

  /// Reads arrivals, and begins to deliver subjects that are due.
  ///
  /// - Returns: how many arrivals and subjects were found.
  private func claimOnce() async throws -> Int {
    guard connectivity.isOnline else { return 0 }
    try await outbox.database.learnDefault()
    let arrivals = try await leases.absorb()
    let free = options.maximumSubjects - held.count
    guard free > 0 else { return 0 }
    let start = clock.now
    let (claimed, time) = try await leases.claim(free)
    reports.databaseWorks()
    if let time { clock.note(time) }
    for lease in claimed { begin(lease, at: start) }
    return claimed.isEmpty ? (arrivals >= 1000 ? 1 : 0) : claimed.count
  }

  // MARK: Subjects

  /// - Parameter start: when the lease was asked for.
  private func begin(_ lease: OutboxLease, at start: ContinuousClock.Instant) {
    if lease.isTakenOver {
      metrics.takenOver.increment()
      logger.info("took over the writes of a subject whose lease had ended")
    }
    held.begin(lease, at: start) { await self.deliver(lease) }
  }

  private func deliver(_ lease: OutboxLease) async {
    var release = OutboxRelease(lease: lease, dueIn: 0, rest: 0)
    do {
      if let identity = Identity(storedText: lease.subject) {
        release = try await burst(lease, identity).run()
      } else {
        release.dueIn = 3600
      }
      await releaseFinally(release)
    } catch let error as FleetOutboxError where error.kind == .leaseLost {
      metrics.lost.increment()
      logger.info("a lease ended before the writes of its subject were delivered")
    } catch {
      metrics.failures.increment()
      // A lost connection is reported once, when the next lease is asked for.
      let isLost = (error as? PostgreSQLError)?.kind == .connection
      logger.log(
        level: isLost ? .debug : .warning, "the writes of a subject could not be delivered: \(error); trying again")
      release.dueIn = 1
      await releaseFinally(release)
    }
    held.end(lease)
    signal.wake()
  }

  private func releaseFinally(_ release: OutboxRelease) async {
    // If this fails, the lease ends by itself.
    do { try await batches.release(release) } catch { metrics.failures.increment() }
  }

  private func burst(_ lease: OutboxLease, _ identity: Identity) -> SubjectBurst {
    let caller = ReplicaCaller(
      client: client, identityOfLease: identity, tokens: tokens, sessions: sessions, connectivity: connectivity
    ) { [reports] in reports.callFailed($0) }
    let store = SubjectStore(lease: lease, batches: batches, check: { [held] in try held.check(lease) }) {
      [reports, metrics, clock] entry in
      reports.noteDelivery()
      metrics.delivered.increment()
      metrics.lag.recordSeconds(max(0, clock.unixTime - entry.createdAt))
    }
    return SubjectBurst(
      lease: lease, identity: identity, store: store, caller: caller, environment: environment, table: table,
      options: options, metrics: metrics
    ) { [reports, metrics] entry, failure in
      reports.refused("\(entry.rpc) #\(entry.id)", because: failure)
      metrics.refused.increment()
    } noteSignedOut: { [reports, only] failure in
      // A replica of many users always has some that are signed out.
      reports.signedOut(identity, because: failure, matters: only != nil)
    }
  }

  private func followConnection() async {
    var wasOnline = true
    for await isOnline in connectivity.changes where isOnline != wasOnline {
      wasOnline = isOnline
      reports.connectionChanged(to: client.gateway, isOnline: isOnline, isOfflineMode: client.configuration.isOffline)
      if isOnline { signal.wake() }
    }
  }
}
