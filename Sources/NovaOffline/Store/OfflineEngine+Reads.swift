import NovaCore

/// What makes two reads equal, so that one request serves both.
struct ReadFlightKey: Hashable, Sendable {
  let identity: Identity
  /// The client that sends the request.
  let client: ObjectIdentifier?
  let rpc: String
  let request: [UInt8]
  let timeout: Duration?
  /// How many writes had ended.
  let writes: Int
}

extension OfflineEngine {
  /// Answers a read as its policy says.
  func read(_ rule: ReadRule, _ call: StoredCall, _ part: OfflinePart, by send: @escaping CallStore.Send) async throws
    -> APIResponse<any ProtoMessage>
  {
    try checkArguments(call)
    let policy = part.isOfflineMode ? .cacheOnly : call.options.cache ?? options.policy
    switch policy {
    case .networkOnly:
      return try await joined(rule, call, part, by: send)
    case .cacheOnly:
      let answer: APIResponse<any ProtoMessage>?
      do { answer = try await stored(rule, call) } catch let error as APIError {
        throw error
      } catch {
        throw APIError(.failedPrecondition, "the store cannot be read: \(error)", rpc: call.rpc.id)
      }
      if let answer { return answer }
      throw APIError(.notFound, Self.missing(part), rpc: call.rpc.id)
    case .cacheFirst(let maxAge):
      if let stored = try? await stored(rule, call),
        stored.isYounger(than: maxAge ?? rule.timeToLive)
      {
        return stored
      }
      return try await networkFirst(rule, call, part, within: nil, by: send)
    case .networkFirst(let timeout):
      return try await networkFirst(rule, call, part, within: timeout, by: send)
    }
  }

  /// The answer of the gateway, which is not asked while it is known to be away.
  private func networkFirst(
    _ rule: ReadRule, _ call: StoredCall, _ part: OfflinePart, within timeout: Duration?,
    by send: @escaping CallStore.Send
  ) async throws -> APIResponse<any ProtoMessage> {
    if !part.connectivity.isOnline, let stored = try? await stored(rule, call) {
      part.connectivity.ask()
      return stored
    }
    return try await fetchedOrStored(rule, call, part, within: timeout, by: send)
  }

  private static func missing(_ part: OfflinePart) -> String {
    part.isOfflineMode
      ? "offline mode is on and the answer is not stored: turn it off with NOVA_OFFLINE=0 or in APIConfig.json"
      : "the answer is not stored: call once with another cache policy while the gateway can be reached"
  }

  /// Refuses arguments as a client without a store does.
  func checkArguments(_ call: StoredCall) throws {
    if call.options.checksArguments { try RequestRules.check(call.request, of: call.rpc) }
  }

  // MARK: Stored

  private func stored(_ rule: ReadRule, _ call: StoredCall) async throws -> APIResponse<
    any ProtoMessage
  >? {
    guard let answer = try await cache.answer(rule, call.request, identity: call.identity) else { return nil }
    return Self.response(answer.value, to: call, from: .cache(age: answer.age))
  }

  /// A response without a call.
  static func response(
    _ value: any ProtoMessage, to call: StoredCall, from source: ResponseSource
  ) -> APIResponse<any ProtoMessage> {
    let report = CallReport(rpc: call.rpc.id, requestID: "", duration: .zero, failure: nil, attempts: [])
    var response = APIResponse(value: value, report: report)
    response.source = source
    return response
  }

  // MARK: From the gateway

  /// The answer of the gateway; the stored one if it cannot be reached.
  ///
  /// - Parameter timeout: after which the stored answer is returned as well; nil for none. The gateway's is stored when
  ///   it comes.
  private func fetchedOrStored(
    _ rule: ReadRule, _ call: StoredCall, _ part: OfflinePart, within timeout: Duration?,
    by send: @escaping CallStore.Send
  ) async throws -> APIResponse<any ProtoMessage> {
    do {
      // Without a stored answer, the gateway has all the time of the call.
      guard let timeout, let _ = try? await stored(rule, call) else {
        return try await joined(rule, call, part, by: send)
      }
      return try await joined(rule, call, part, within: timeout, by: send)
    } catch let error as APIError {
      guard error.meansUnreachable, let stored = try? await stored(rule, call) else { throw error }
      return stored
    }
  }

  /// The answer of the gateway if it comes in time, and else the stored one, if there is one by now.
  private func joined(
    _ rule: ReadRule, _ call: StoredCall, _ part: OfflinePart, within timeout: Duration,
    by send: @escaping CallStore.Send
  ) async throws -> APIResponse<any ProtoMessage> {
    let request = Task { try await joined(rule, call, part, by: send) }
    do {
      return try await Race.run(until: clock.now.advanced(by: timeout), clock, timeUp: SlowGateway()) {
        try await withTaskCancellationHandler {
          try await request.value
        } onCancel: {
        }
      }
    } catch is SlowGateway {
      if let stored = try? await stored(rule, call) { return stored }
      return try await withTaskCancellationHandler {
        try await request.value
      } onCancel: {
        request.cancel()
      }
    } catch is CancellationError {
      request.cancel()
      throw APIError(.cancelled, "the task was cancelled", rpc: call.rpc.id)
    }
  }

  private struct SlowGateway: Error {}

  /// Makes one request for all equal reads that wait at the same time.
  private func joined(
    _ rule: ReadRule, _ call: StoredCall, _ part: OfflinePart, by send: @escaping CallStore.Send
  ) async throws -> APIResponse<any ProtoMessage> {
    let options = call.options
    // Headers, ids, and deadlines are a caller's own.
    guard options.headers == [:], options.requestID == nil, options.deadline == nil, options.retry == nil,
      let request = try? call.request.jsonUTF8(.request)
    else { return try await fetch(rule, call, part, by: send) }
    let key = ReadFlightKey(
      identity: call.identity, client: call.client.map { ObjectIdentifier($0) }, rpc: call.rpc.id, request: request,
      timeout: options.timeout, writes: endedWrites.withLock { $0 })
    let flight = flights.withLock { flights in
      if let flight = flights[key] { return flight }
      // The request belongs to the call that comes first, and to its trace.
      let flight = SingleFlight<APIResponse<any ProtoMessage>>(inheritsTaskLocals: true)
      flights[key] = flight
      return flight
    }
    do {
      return try await flight.join { [self] in
        defer { flights.withLock { $0[key] = nil } }
        return try await fetch(rule, call, part, by: send)
      }
    } catch is CancellationError {
      throw APIError(.cancelled, "the task was cancelled", rpc: call.rpc.id)
    }
  }

  private func fetch(
    _ rule: ReadRule, _ call: StoredCall, _ part: OfflinePart, by send: CallStore.Send
  ) async throws -> APIResponse<any ProtoMessage> {
    let (identity, start) = (call.identity, await cache.start(identity: call.identity))
    var response = try await noting(part) { try await send(call) }
    // Warnings mean that the answer is not what was asked for.
    guard response.report.warnings.isEmpty else { return response }
    if call.rpc.requiresAuthentication { await outbox.accept(identity, from: part.caller(of: call.options)) }
    // A cache that cannot be written, for example because the disk is full, must not fail the call.
    if let shown = try? await cache.learn(rule, call.request, response.value, since: start, identity: identity) {
      response.value = shown
    }
    return response
  }

  /// Makes a call, and learns from it whether the gateway can be reached.
  func noting(
    _ part: OfflinePart, _ call: () async throws -> APIResponse<any ProtoMessage>
  ) async throws -> APIResponse<any ProtoMessage> {
    do {
      let response = try await call()
      part.connectivity.noteResponse()
      return response
    } catch let error as APIError {
      part.connectivity.note(error)
      throw error
    }
  }
}

extension APIResponse {
  fileprivate func isYounger(than limit: Duration) -> Bool {
    if case .cache(let age?) = source { age <= limit } else { false }
  }
}
