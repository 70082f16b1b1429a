import NovaCore

/// A read, and a write, of a client with a store.
typealias OfflineRead = OfflineCall<ReadRule>
typealias OfflineWrite = OfflineCall<WriteRule>

/// A call with its rule, and what it takes to make it.
struct OfflineCall<Rule: Sendable>: Sendable {
  let rule: Rule
  var call: StoredCall
  /// What the store has for the client.
  let part: OfflinePart
  let send: CallStore.Send
}

/// Answers reads from the store or from the gateway, by their policies.
///
/// A read that asks the gateway first notes what is known now (`OfflineCache.start`), sends the request, and stores the
/// answer. Equal reads share one request, unless a write has ended in between. While the gateway cannot be reached, the
/// stored answer is returned instead of the failure.
final class ReadPath: Sendable {
  /// What makes two reads equal, so that one request serves both.
  private struct FlightKey: Hashable, Sendable {
    let identity: Identity
    /// The client that sends the request.
    let client: ObjectIdentifier?
    let rpc: String
    let request: [UInt8]
    let timeout: Duration?
    /// How many writes had ended.
    let writes: Int
  }

  private let cache: OfflineCache
  private let outbox: OutboxEngine
  /// The policy of calls that have none.
  private let policy: CachePolicy
  private let clock: any CallClock
  /// The request belongs to the first call, and to its trace.
  private let flights = SingleFlight<FlightKey, APIResponse<any ProtoMessage>>(owner: .firstTask)
  private let endedWrites = Locked(0)

  init(cache: OfflineCache, outbox: OutboxEngine, policy: CachePolicy, clock: any CallClock) {
    (self.cache, self.outbox, self.policy, self.clock) = (cache, outbox, policy, clock)
  }

  /// A write has ended: later reads do not share a request that was sent before.
  func noteEndedWrite() { endedWrites.withLock { $0 += 1 } }

  /// Answers a read.
  func respond(to read: OfflineRead) async throws -> APIResponse<any ProtoMessage> {
    let (call, part) = (read.call, read.part)
    try call.checkArguments()
    switch part.isOfflineMode ? .cacheOnly : call.options.cache ?? policy {
    case .networkOnly:
      return try await joined(read)
    case .cacheOnly:
      let answer: APIResponse<any ProtoMessage>?
      do { answer = try await stored(read) } catch let error as APIError {
        throw error
      } catch {
        throw APIError(.failedPrecondition, "the store cannot be read", reason: "\(error)", rpc: call.rpc.id)
      }
      if let answer { return answer }
      let reason =
        part.isOfflineMode
        ? "offline mode is on and the answer is not stored: turn it off with NOVA_OFFLINE=0 or in APIConfig.json"
        : "the answer is not stored: call once with another cache policy while the gateway can be reached"
      throw APIError(.notFound, reason, rpc: call.rpc.id)
    case .cacheFirst(let maxAge):
      if let stored = try? await stored(read), stored.isYounger(than: maxAge ?? read.rule.timeToLive) { return stored }
      return try await networkFirst(read, within: nil)
    case .networkFirst(let timeout):
      return try await networkFirst(read, within: timeout)
    }
  }

  private func stored(_ read: OfflineRead) async throws -> APIResponse<any ProtoMessage>? {
    let call = read.call
    guard let answer = try await cache.answer(read.rule, call.request, identity: call.identity) else { return nil }
    return APIResponse(answer.value, to: call, from: .cache(age: answer.age))
  }

  // MARK: From the gateway

  /// The answer of the gateway, or the stored one while the gateway cannot be reached.
  ///
  /// - Parameter timeout: after which the stored answer is returned as well; nil for none. The gateway's is stored when
  ///   it arrives.
  private func networkFirst(
    _ read: OfflineRead, within timeout: Duration?
  ) async throws -> APIResponse<any ProtoMessage> {
    let connectivity = read.part.connectivity
    if !connectivity.isOnline, let stored = try? await stored(read) {
      connectivity.ask()
      return stored
    }
    do {
      // Without a stored answer, the gateway has all the time of the call.
      guard let timeout, let _ = try? await stored(read) else { return try await joined(read) }
      return try await joined(read, within: timeout)
    } catch let error as APIError {
      guard error.meansUnreachable, let stored = try? await stored(read) else { throw error }
      return stored
    }
  }

  /// The answer of the gateway if it arrives in time, otherwise the stored one, if there is one by then.
  private func joined(_ read: OfflineRead, within timeout: Duration) async throws -> APIResponse<any ProtoMessage> {
    let request = Task { try await joined(read) }
    do {
      // The end of this wait does not cancel the request, whose answer is stored when it arrives.
      return try await Race.run(until: clock.now.advanced(by: timeout), clock, timeUp: SlowGateway()) {
        try await request.value
      }
    } catch is SlowGateway {
      if let stored = try? await stored(read) { return stored }
      return try await withTaskCancellationHandler {
        try await request.value
      } onCancel: {
        request.cancel()
      }
    } catch is CancellationError {
      request.cancel()
      throw APIError(.cancelled, "the task was cancelled", rpc: read.call.rpc.id)
    }
  }

  private struct SlowGateway: Error {}

  /// Sends one request for all equal reads that wait at the same time.
  private func joined(_ read: OfflineRead) async throws -> APIResponse<any ProtoMessage> {
    let (call, options) = (read.call, read.call.options)
    // A call with headers, an id, a deadline, or a retry policy of its own has a request of its own.
    guard options.headers == [:], options.requestID == nil, options.deadline == nil, options.retry == nil,
      let request = try? call.request.jsonUTF8(.request)
    else { return try await fetch(read) }
    let key = FlightKey(
      identity: call.identity, client: call.client.map { ObjectIdentifier($0) }, rpc: call.rpc.id, request: request,
      timeout: options.timeout, writes: endedWrites.withLock { $0 })
    do {
      return try await flights.join(key) { [self] in try await fetch(read) }
    } catch is CancellationError {
      throw APIError(.cancelled, "the task was cancelled", rpc: call.rpc.id)
    }
  }

  /// Sends a request, and stores its answer.
  private func fetch(_ read: OfflineRead) async throws -> APIResponse<any ProtoMessage> {
    let (call, part) = (read.call, read.part)
    let start = await cache.start(identity: call.identity)
    var response = try await part.noting(call.identity) { try await read.send(call) }
    // Warnings mean that the answer is about something else than the request.
    guard response.report.warnings.isEmpty else { return response }
    if call.rpc.requiresAuthentication { await outbox.accept(call.identity, from: part.caller(of: call.options)) }
    // A cache that cannot be written, for example because the disk is full, must not fail the call.
    if let shown = try? await cache.store(response.value, to: call, by: read.rule, since: start) {
      response.value = shown
    }
    return response
  }
}

extension APIResponse {
  fileprivate func isYounger(than limit: Duration) -> Bool {
    if case .cache(let age?) = source { age <= limit } else { false }
  }
}

extension APIResponse<any ProtoMessage> {
  /// A response without a request to the gateway.
  init(_ value: any ProtoMessage, to call: StoredCall, from source: ResponseSource) {
    let report = CallReport(rpc: call.rpc.id, requestID: "", duration: .zero, failure: nil, attempts: [])
    self.init(value: value, report: report)
    self.source = source
  }
}

extension StoredCall {
  /// Refuses arguments as a client without a store does.
  func checkArguments() throws {
    if options.checksArguments { try RequestRules.check(request, of: rpc) }
  }
}
