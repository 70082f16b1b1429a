import NovaCapture
import NovaCore
import NovaEvents
import NovaMedia
import NovaRegistry

extension MockBackend {
  /// Performs a call, and returns its position in the journal.
  ///
  /// - Parameter clock: the clock of a streamed response; nil refuses such calls.
  func perform(_ call: IncomingCall, clock: (any CallClock)?) -> (HTTPResponse, journaledAt: Int64?) {
    var (response, position) = outcome(of: call, clock: clock)
    if let id = call.requestID { response.headers["X-Request-ID"] = id }
    return (response, position)
  }

  private func outcome(of call: IncomingCall, clock: (any CallClock)?) -> (HTTPResponse, Int64?) {
    switch call.route {
    case .api(.unknownPath):
      return (MockFailure(.notFound, "no RPC has the path \(call.path.shortened(to: 100))").response, nil)
    case .api(.wrongMethod(let allowed)):
      // The server handles HEAD like GET.
      let names = allowed.map(\.rawValue) + (allowed.contains(.get) ? ["HEAD"] : [])
      return (MockFailure.wrongMethod(names.joined(separator: ", ")), nil)
    case .file(.uploadBytes(let id)) where call.request.method == .put: return storeChunk(call, id)
    case .file(let file): return (self.file(file, call.request), nil)
    case .api(.rpc(let rpc, let variables)):
      if rpc.isServerStreaming { return (stream(call, of: rpc, variables: variables, clock: clock), nil) }
      let (result, position) = answer(call, of: rpc, variables: variables)
      do {
        switch try result.get() {
        case .response(let response): return (response, position)
        case .message(let message): return (try Self.response(message, rpc, meanings), position)
        }
      } catch {
        return (Self.response(to: error), position)
      }
    }
  }

  private typealias Performed = (Result<MockEngine.Outcome, any Error>, Int64?)

  private func answer(_ call: IncomingCall, of rpc: RPCDescriptor, variables: [String: String]) -> Performed {
    do {
      let message = try message(of: call, rpc, variables: variables)
      if rpc.effect != .noSideEffects { return try change(rpc, with: message, headers: call.request.headers) }
      let headers = call.request.headers
      let outcome = try withEngine { engine in
        engine.state.caller = try caller(headers, of: rpc, engine.state)
        let change = MockChange(engine.state, .rpc(rpc, message))
        return try engine.perform(change)
      }
      return (.success(outcome), nil)
    } catch {
      return (.failure(error), nil)
    }
  }

  /// The message of a call. To a caller without a valid token, what is wrong with the message does not matter.
  private func message(
    of call: IncomingCall, _ rpc: RPCDescriptor, variables: [String: String]
  ) throws -> any ProtoMessage {
    do {
      return try checkedMessage(call, of: rpc, variables: variables)
    } catch {
      _ = try withState { try caller(call.request.headers, of: rpc, $0) }
      throw error
    }
  }

  /// Responds to a call of a server-streaming RPC.
  private func stream(
    _ call: IncomingCall, of rpc: RPCDescriptor, variables: [String: String], clock: (any CallClock)?
  ) -> HTTPResponse {
    do {
      guard let request = try checkedMessage(call, of: rpc, variables: variables) as? StreamEventsRequest else {
        throw MockFailure(.unimplemented, "the mock backend has no behaviour for \(rpc.id) yet")
      }
      guard let clock else {
        throw MockFailure(
          .invalidArgument, "the response of \(rpc.id) is a stream: use MockBackend.answer or MockTransport")
      }
      return streamEvents(call, request, clock: clock)
    } catch {
      return Self.response(to: error)
    }
  }

  /// Returns the request message of a call, if it follows the contract's rules.
  private func checkedMessage(
    _ call: IncomingCall, of rpc: RPCDescriptor, variables: [String: String]
  ) throws -> any ProtoMessage {
    let http = rpc.http
    let message = try HTTPTranscoder.message(
      rpc.requestType, http, variables: variables, query: call.query, body: call.request.body.inMemory)
    // A query may leave a number out; the server then chooses.
    let isAbsent = http.hasBody ? nil : { (field: FieldDescriptor) in !call.names(field) }
    if let (field, problem) = RequestRules.violation(in: message, optional: isAbsent) {
      throw MockFailure(.invalidArgument, "\(field.name) \(problem)")
    }
    return message
  }

  /// Performs a call that changes something, unless it was already performed with its key.
  private func change(_ rpc: RPCDescriptor, with message: any ProtoMessage, headers: HTTPHeaders) throws -> Performed {
    try withEngine { engine in
      engine.state.caller = try caller(headers, of: rpc, engine.state)
      let (message, passwordKey) = try engine.state.withoutPassword(message)
      let key = headers["Idempotency-Key"]
      if let key {
        let id = try IdempotencyKeys.ID(caller: engine.state.caller, rpc: rpc.id, key: key)
        let known = try engine.state.idempotencyKeys.answer(
          for: id, request: message, secret: passwordKey, now: engine.state.now)
        if let known { return (.success(.response(known)), engine.position) }
      }
      return try engine.performJournaled(
        MockChange(engine.state, .rpc(rpc, message), idempotencyKey: key, passwordKey: passwordKey))
    }
  }

  /// Returns the user whose access token a request carries.
  func caller(
    _ headers: HTTPHeaders, of rpc: RPCDescriptor, _ state: MockState
  ) throws(MockFailure) -> String? {
    if let caller = try state.caller(headers, of: rpc) { return caller }
    guard requiresTokens, rpc.requiresAuthentication else { return nil }
    throw MockFailure(.unauthenticated, "missing access token: \(rpc.id) requires one; sign in first")
  }

  static func response(
    _ answer: any ProtoMessage, _ rpc: RPCDescriptor, _ meanings: MockMeanings
  ) throws -> HTTPResponse {
    let http = rpc.http
    var body = try HTTPTranscoder.body(of: answer, http)
    if meanings != .off, rpc.service == CaptureRPC.createSomething.descriptor.service, !body.isEmpty {
      body = try JSONValue(jsonUTF8: body).withNulls(of: Something.descriptor).jsonUTF8
    }
    var headers = HTTPHeaders()
    // With the request's id.
    headers.reserveCapacity(2)
    if !body.isEmpty { headers["Content-Type"] = "application/json" }
    return HTTPResponse(status: http.successStatus, headers: headers, body: body)
  }

  static func response(to error: any Error) -> HTTPResponse {
    switch error {
    case let failure as MockFailure: failure.response
    case let error as ProtoJSONError: MockFailure(.invalidArgument, "\(error)").response
    default: MockFailure(.internalError, "\(error)").response
    }
  }

  /// Runs `body` with the engine at the current time.
  func withEngine<Result: Sendable>(_ body: (inout MockEngine) throws -> Result) rethrows -> Result {
    var waiters: [EventLog.Waiter] = []
    defer { if !waiters.isEmpty { resume(waiters) } }
    return try engine.withLock { engine in
      engine.state.now = now() + engine.state.clockOffset
      engine.state.caller = nil
      engine.state.mediaLimit = mediaLimit
      engine.state.meanings = meanings
      let before = (engine.replacements, engine.state.clockOffset)
      // Published at once: the body may read events.
      if engine.state.writeDueMeanings() { waiters = engine.publishEffects(since: before) }
      defer {
        if engine.state.clockOffset != before.1 {
          engine.state.now = now() + engine.state.clockOffset
          _ = engine.state.writeDueMeanings()
        }
        waiters += engine.publishEffects(since: before)
      }
      return try body(&engine)
    }
  }

  func withState<Result: Sendable>(_ body: (MockState) throws -> Result) rethrows -> Result {
    try withEngine { try body($0.state) }
  }
}

extension MockEngine {
  /// Publishes what changes have caused, and returns the subscribers to wake outside of the lock.
  fileprivate mutating func publishEffects(since before: (replacements: Int, clockOffset: Int64)) -> [EventLog.Waiter] {
    if state.effects.isEmpty, before == (replacements, state.clockOffset) { return [] }
    let effects = state.effects
    state.effects = MockEffects()
    // Positions of another state mean nothing.
    if replacements != before.replacements { return events.beginEpoch() + events.setClockOffset(state.clockOffset) }
    var waiters = events.append(effects.events)
    if !effects.revokedUsers.isEmpty { waiters += events.recheck(effects.revokedUsers) }
    if state.clockOffset != before.clockOffset { waiters += events.setClockOffset(state.clockOffset) }
    return waiters
  }

  /// Journals a change and then makes it. A failed call can change something, too: it counts wrong passwords.
  mutating func performJournaled(
    _ change: MockChange
  ) throws -> (Result<Outcome, any Error>, Int64?) {
    try journalize(change)
    let result = Result { try perform(change) }
    return (result, position)
  }
}
