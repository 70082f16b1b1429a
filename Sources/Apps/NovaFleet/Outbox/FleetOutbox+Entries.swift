public import NovaCore
public import NovaOffline
import NovaPostgreSQL

// What people do with writes.
extension FleetOutbox {
  /// Sends a refused write again, or a waiting one at once. A write that may already have taken effect is done again by
  /// that, if the gateway has forgotten its key.
  ///
  /// - Throws: ``FleetOutboxError``: `notFound`; `failedPrecondition` for a write that waits for a refused one. Errors
  ///   of the client.
  public func retry(_ id: OutboxEntry.ID) async throws {
    // Also a write that this version cannot read.
    let stored = try await stored(of: nil, onlyDead: false, after: id - 1, limit: 1).filter { $0.id == id }
    if case .blocked(let other) = try await resolved(stored).first?.state {
      throw FleetOutboxError(
        .failedPrecondition, "#\(id) waits for #\(other), which was refused",
        advice: "retry, edit or discard #\(other)")
    }
    if try await requeue([id]) == 0 { throw Self.notFound(id) }
  }

  /// Sends all refused writes again.
  ///
  /// - Parameter identity: whose; nil for everyone's.
  /// - Returns: how many.
  /// - Throws: errors of the client.
  @discardableResult public func retryAll(of identity: Identity? = nil) async throws -> Int {
    var (count, last) = (0, Int64(0))
    while true {
      let dead = try await stored(of: identity, onlyDead: true, after: last, limit: 1000)
      guard let end = dead.last?.id else { break }
      count += Int(try await requeue(dead.map(\.id)))
      last = end
    }
    return count
  }

  private func requeue(_ ids: [Int64]) async throws -> Int64 {
    try await database.query("SELECT \(name).outbox_requeue($1::bigint[]) AS count", [.integers(ids)]).first?
      .value("count", as: Int64.self) ?? 0
  }

  /// Replaces the request of a refused write, or of one that was never sent, and sends it.
  ///
  /// - Parameter request: of the same type.
  /// - Throws: `APIError` `invalidArgument`; ``FleetOutboxError``: `notFound`; `failedPrecondition` for a write that may
  ///   be at the gateway. Errors of the client.
  public func edit(_ id: OutboxEntry.ID, to request: any ProtoMessage) async throws {
    // Also a request that cannot be read.
    let rpc = try await rpc(of: id)
    try Outbox.check(request, of: rpc)
    let rows = try await database.query(
      """
      WITH changed AS (
        UPDATE \(name).outbox_entries SET request = $2::jsonb, key = $3::text, state = 'waiting', attempts = 0,
          first_attempt_at = NULL, last_attempt_at = NULL, next_attempt_at = NULL, ended_at = NULL,
          failure_code = NULL, failure_message = NULL
        WHERE id = $1::bigint AND (state = 'dead' OR state = 'waiting' AND first_attempt_at IS NULL) RETURNING subject
      ), woken AS (
        INSERT INTO \(name).outbox_arrivals (subject) SELECT subject FROM changed
      )
      SELECT count(*) AS count FROM changed
      """, [.integer(id), .text(try StoredEntry.text(request)), .text(RequestID.random())])
    guard try rows.first?.value("count", as: Int64.self) == 1 else {
      throw FleetOutboxError(
        .failedPrecondition,
        "\(rpc.id) #\(id) may have reached the gateway already; wait until it is delivered or refused")
    }
  }

  /// The call of a write that is not delivered.
  ///
  /// - Throws: ``FleetOutboxError``: `notFound`; `failedPrecondition` if this version of the SDK does not have the call.
  package func rpc(of id: OutboxEntry.ID) async throws -> RPCDescriptor {
    guard let call = try await stored(id).call else { throw Self.unreadable(id) }
    return call
  }

  /// Forgets a write. One that is being sent may take effect nevertheless.
  ///
  /// - Parameter cascade: whether the writes about what it creates are forgotten as well. Default: false; if there are
  ///   any, nothing is forgotten.
  /// - Returns: the IDs of the forgotten writes, the one with the ID first.
  /// - Throws: ``FleetOutboxError``: `notFound`; `failedPrecondition` if there are such writes. Errors of the client.
  @discardableResult
  public func discard(_ id: OutboxEntry.ID, cascade: Bool = false) async throws -> [OutboxEntry.ID] {
    let stored = try await stored(id)
    var ids = [id]
    if let entry = stored.entry(), entry.newID != nil {
      let all = try await entries(of: entry.identity, after: id - 1, limit: 100_000)
      // As they are in the list, where what comes before this entry counts.
      let later = Set(OutboxQueue(all).dependents(of: entry).map(\.id))
      let dependents = all.filter { later.contains($0.id) }
      guard dependents.isEmpty || cascade else {
        throw FleetOutboxError(
          .failedPrecondition,
          "\(entry) creates what \(dependents.map(\.description).conjunction) \(dependents.count == 1 ? "needs" : "need")",
          advice: "discard \(dependents.count == 1 ? "it" : "them") first, or all with cascade")
      }
      ids += dependents.map(\.id)
    }
    _ = try await database.query(
      """
      WITH gone AS (
        DELETE FROM \(name).outbox_entries WHERE id = ANY ($1::bigint[]) AND state <> 'delivered' RETURNING subject
      )
      INSERT INTO \(name).outbox_arrivals (subject) SELECT DISTINCT subject FROM gone
      """, [.integers(ids)])
    return ids
  }

  /// Lets replicas look at an identity's writes at once, for example after its user has signed in again.
  ///
  /// - Throws: errors of the client.
  public func wake(_ identity: Identity) async throws {
    _ = try await database.query("SELECT \(name).outbox_wake($1::text)", [.text(identity.subject)])
  }

  /// Removes delivered and refused writes, and IDs of records, that are old enough.
  func removeOld(delivered: Duration, refused: Duration?) async throws {
    try await remove("state = 'delivered'", after: delivered)
    if let refused { try await remove("state = 'dead'", after: refused) }
    _ = try await database.query(
      """
      DELETE FROM \(name).outbox_ids i WHERE at < now() - interval '30 days'
        AND NOT EXISTS (SELECT FROM \(name).outbox_entries e WHERE e.subject = i.subject AND e.state = 'waiting')
        AND NOT EXISTS (SELECT FROM \(name).outbox_entries e WHERE e.subject = i.subject AND e.state = 'dead')
      """, [])
  }

  /// In small batches, so that no statement takes long.
  private func remove(_ condition: String, after age: Duration) async throws {
    while !Task.isCancelled {
      let rows = try await database.query(
        """
        WITH gone AS (
          DELETE FROM \(name).outbox_entries WHERE id IN (
            SELECT id FROM \(name).outbox_entries
            WHERE \(condition) AND ended_at < now() - $1::float8 * interval '1 second'
            LIMIT 1000 FOR UPDATE SKIP LOCKED)
          RETURNING 1
        )
        SELECT count(*) AS count FROM gone
        """, [.double(age / .seconds(1))])
      if try rows.first?.value("count", as: Int64.self) ?? 0 < 1000 { return }
    }
  }
}
