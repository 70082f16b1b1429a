import NovaAuth
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

/// A read, and what it takes to answer it.
struct OfflineRead: Sendable {
  let rule: ReadRule
  let call: StoredCall
  /// What the store has for the client.
  let part: OfflinePart
  let send: CallStore.Send
}

extension OfflineEngine {
  /// Answers a read as its policy says.
  func answer(_ read: OfflineRead) async throws -> APIResponse<any ProtoMessage> {
    let (call, part) = (read.call, read.part)
    try checkArguments(call)
    let policy = part.isOfflineMode ? .cacheOnly : call.options.cache ?? options.policy
    switch policy {
    case .networkOnly:
      return try await joined(read)
    case .cacheOnly:
      let answer: APIResponse<any ProtoMessage>?
      do { answer = try await stored(read) } catch let error as APIError {
        throw error
      } catch {
        throw APIError(.failedPrecondition, "the store cannot be read: \(error)", rpc: call.rpc.id)
      }
      if let answer { return answer }
      throw APIError(.notFound, Self.missing(part), rpc: call.rpc.id)
    case .cacheFirst(let maxAge):
      if let stored = try? await stored(read), stored.isYounger(than: maxAge ?? read.rule.timeToLive) { return stored }
      return try await networkFirst(read, within: nil)
    case .networkFirst(let timeout):
      return try await networkFirst(read, within: timeout)
    }
  }

  /// The answer of the gateway, which is not asked while it is known to be away.
  private func networkFirst(_ read: OfflineRead, within timeout: Duration?) async throws -> APIResponse<
    any ProtoMessage
  > {
    let connectivity = read.part.connectivity
    if !connectivity.isOnline, let stored = try? await stored(read) {
      connectivity.ask()
      return stored
    }
    return try await fetchedOrStored(read, within: timeout)
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

  private func stored(_ read: OfflineRead) async throws -> APIResponse<any ProtoMessage>? {
    let call = read.call
    guard let answer = try await cache.answer(read.rule, call.request, identity: call.identity) else { return nil }
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
    _ read: OfflineRead, within timeout: Duration?
  ) async throws -> APIResponse<any ProtoMessage> {
    do {
      // Without a stored answer, the gateway has all the time of the call.
      guard let timeout, let _ = try? await stored(read) else { return try await joined(read) }
      return try await joined(read, within: timeout)
    } catch let error as APIError {
      guard error.meansUnreachable, let stored = try? await stored(read) else { throw error }
      return stored
    }
  }

  /// The answer of the gateway if it comes in time, and else the stored one, if there is one by now.
  private func joined(_ read: OfflineRead, within timeout: Duration) async throws -> APIResponse<any ProtoMessage> {
    let request = Task { try await joined(read) }
    do {
      return try await Race.run(until: clock.now.advanced(by: timeout), clock, timeUp: SlowGateway()) {
        try await withTaskCancellationHandler {
          try await request.value
        } onCancel: {
        }
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

  /// Makes one request for all equal reads that wait at the same time.
  private func joined(_ read: OfflineRead) async throws -> APIResponse<any ProtoMessage> {
    let (call, options) = (read.call, read.call.options)
    // Headers, ids, and deadlines are a caller's own.
    guard options.headers == [:], options.requestID == nil, options.deadline == nil, options.retry == nil,
      let request = try? call.request.jsonUTF8(.request)
    else { return try await fetch(read) }
    let key = ReadFlightKey(
      identity: call.identity, client: call.client.map { ObjectIdentifier($0) }, rpc: call.rpc.id, request: request,
      timeout: options.timeout, writes: endedWrites.withLock { $0 })
    do {
      return try await flights.join(key) { [self] in try await fetch(read) }
    } catch is CancellationError {
      throw APIError(.cancelled, "the task was cancelled", rpc: call.rpc.id)
    }
  }

  private func fetch(_ read: OfflineRead) async throws -> APIResponse<any ProtoMessage> {
    let (call, part) = (read.call, read.part)
    let start = await cache.start(identity: call.identity)
    var response = try await noting(part, for: call.identity) { try await read.send(call) }
    // Warnings mean that the answer is not what was asked for.
    guard response.report.warnings.isEmpty else { return response }
    if call.rpc.requiresAuthentication { await outbox.accept(call.identity, from: part.caller(of: call.options)) }
    // A cache that cannot be written, for example because the disk is full, must not fail the call.
    if let shown = try? await cache.learn(response.value, to: call, read.rule, since: start) { response.value = shown }
    return response
  }

  /// Makes a call of an identity, and learns from it whether the gateway can be reached, and what time it is there.
  func noting(
    _ part: OfflinePart, for identity: Identity, _ call: () async throws -> APIResponse<any ProtoMessage>
  ) async throws -> APIResponse<any ProtoMessage> {
    do {
      let response = try await call()
      part.connectivity.noteResponse()
      note(serverTime: response.headers.serverTime, of: identity.gateway)
      return response
    } catch let error as APIError {
      part.connectivity.note(error)
      note(serverTime: error.serverTime, of: identity.gateway)
      throw error
    }
  }

  private func note(serverTime: Int64?, of gateway: String) {
    guard let reading = ClockReading(serverTime, at: clock.unixTime) else { return }
    serverClocks.withLock { $0[gateway, default: SessionClock()].note(reading, isDecisive: false) }
  }

  /// The time of a gateway's clock, in Unix seconds, as far as its responses have shown.
  func serverTime(of gateway: String) -> Double {
    let time = clock.unixTime
    return serverClocks.withLock { $0[gateway]?.time(at: time) } ?? time
  }
}

extension APIResponse {
  fileprivate func isYounger(than limit: Duration) -> Bool {
    if case .cache(let age?) = source { age <= limit } else { false }
  }
}
