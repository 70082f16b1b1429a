public import NovaCore
import NovaEvents
import NovaMedia
import NovaRegistry

// One call, from top to bottom:
//
//   answer    the door: receives the body; calls over gRPC have their own, `answer(_: MessageCall)`
//   faulted   applies the call's fault, and logs the call: in MockBackend.swift
//   stubbed   responds with a stub, if one matches
//   sourced   responds from a gateway or a recording, if the backend has such a source: in CallResponder.swift
//   handle    finds the route, decodes the message, and checks rules, caller, and idempotency key
//   apply     makes the change: `MockEngine.apply`, which calls the RPC's handler
//
// `respond(to:)` starts at the stub. Handshakes of WebSocket connections pass `faulted`, too: `answerEventHandshake`.

extension MockBackend {
  // MARK: The door

  /// Responds to a request like a server, applying ``faults`` or the fault in the request's `Nova-Fault` header.
  ///
  /// - Parameters:
  ///   - request: the request. Only the path and query of its URL matter. Its limits end waits and hanging calls.
  ///   - clock: the clock for waits. Default: the system's.
  /// - Returns: the response. The body of a stored file is a region of the file.
  /// - Throws: ``TransportError`` if a fault prevents a response; `CancellationError`.
  public nonisolated(nonsending) func answer(
    _ request: consuming HTTPRequest, clock: any CallClock = ContinuousClock()
  ) async throws -> HTTPResponse {
    // A source decides first what becomes of the bytes.
    if source != nil { return try await answer(request, chunk: nil, clock: clock) }
    let chunk = incomingChunk(request)
    if let chunk {
      limitBandwidth(of: chunk, request, clock: clock)
      for try await piece in request.body { try await chunk.receive(piece, clock: clock) }
      request.body = .empty
    } else if request.body.bytes == nil {
      request.body = try await request.body.collected(upTo: IncomingCall.largestBody)
    }
    return try await answer(request, chunk: chunk, clock: clock)
  }

  /// Responds to a request whose body has arrived, or the bytes of an upload in place of a body.
  package nonisolated(nonsending) func answer(
    _ request: consuming HTTPRequest, chunk: IncomingChunk?, clock: any CallClock = ContinuousClock()
  ) async throws -> HTTPResponse {
    try await faulted(IncomingCall(request, handlesHead: source != nil, chunk: chunk, clock: clock)) { call in
      if call.fault.outcome == .corrupt { call.chunk?.damage() }
      var response = try await stubbed(&call)
      call.fault.damage(&response, of: call)
      return response
    }
  }

  /// Responds to a request immediately: without faults, and without the delays of stubs. Only the path and query of its
  /// URL matter. The body of a stored file is a region of the file. A request body that is not in memory is refused with
  /// the status 400: ``answer(_:clock:)`` and ``MockTransport`` read files and streams. A call whose response is a stream
  /// is refused, too.
  public func respond(to request: HTTPRequest) -> HTTPResponse {
    guard request.body.bytes != nil else {
      return MockFailure.invalid("the body is not in memory: use MockBackend.answer or MockTransport")
        .response
    }
    let chunk = incomingChunk(request)
    chunk?.append(request.body.inMemory)
    var call = IncomingCall(request, chunk: chunk, clock: ContinuousClock())
    let stub = matchingStub(call)
    call.stub = stub?.id
    let response = stub?.response(to: request) ?? handle(&call, mayStream: false).response
    log.record(call, response)
    return response
  }

  /// Makes a request that prepares others: without faults and stubs, and without an entry in the log. Returns once the
  /// journal has stored its change durably.
  func respondUnseen(to request: HTTPRequest) async throws -> HTTPResponse {
    let chunk = incomingChunk(request)
    chunk?.append(request.body.inMemory)
    var call = IncomingCall(request, chunk: chunk, clock: ContinuousClock())
    let (response, position) = handle(&call, mayStream: false)
    try await waitUntilDurable(position)
    return response
  }

  // MARK: Stub

  /// Responds with a stub, or handles the call, and returns once the journal has stored its change durably.
  nonisolated(nonsending) func stubbed(_ call: inout IncomingCall) async throws -> HTTPResponse {
    // A stub compares the message, which may still be arriving.
    if let rpc = call.rpc, hasStub(for: rpc) { try await call.collectBody() }
    if let stub = matchingStub(call) {
      call.stub = stub.id
      try await call.wait(for: stub.delay)
      return stub.response(to: call.request)
    }
    if let response = try await sourced(&call) { return response }
    let (response, position) = handle(&call, mayStream: true)
    guard let position else { return response }
    do throws(MockFailure) {
      try await waitUntilDurable(position)
      return response
    } catch {
      (call.failure, call.reply, call.isEncoded) = (error, nil, false)
      return error.response
    }
  }

  // MARK: Handle

  /// Handles a call, and returns the position of its change in the journal; nil without a change.
  ///
  /// - Parameter mayStream: whether the response may be a stream; otherwise such calls are refused.
  private func handle(_ call: inout IncomingCall, mayStream: Bool) -> (response: HTTPResponse, position: Int64?) {
    var response: HTTPResponse
    var position: Int64?
    do {
      switch call.route {
      case .api(.unknownPath): throw MockFailure(.notFound, "no RPC has the path \(call.path.shortened(to: 100))")
      case .api(.wrongMethod(let allowed)):
        // The server handles HEAD like GET.
        let names = allowed.map(\.rawValue) + (allowed.contains(.get) ? ["HEAD"] : [])
        response = .wrongMethod(names.joined(separator: ", "))
      case .file(.uploadBytes) where call.request.method == .put:
        (response, position) = try storeChunk(call)
      case .file(let file): response = try self.file(file, for: call.request)
      case .api(.rpc(let rpc, let variables)) where rpc.isServerStreaming:
        response = try stream(call, of: rpc, variables: variables, mayStream: mayStream)
        call.isEncoded = call.original != nil
      case .api(.rpc(let rpc, let variables)):
        let applied = try apply(call, of: rpc, variables: variables)
        position = applied.position
        response = try call.response(to: rpc, try applied.result.get(), meanings)
      }
    } catch {
      response = HTTPResponse(failure: error)
      call.failure = error as? MockFailure
    }
    noteUnknownRoute(&call)
    if let id = call.requestID { response.headers["X-Request-ID"] = id }
    return (response, position)
  }

  /// Remembers a call that the contract does not have. Browsers ask every server for an icon, and for leave.
  private func noteUnknownRoute(_ call: inout IncomingCall) {
    guard call.unmatched == nil, call.path != "/favicon.ico", call.request.method.rawValue != "OPTIONS" else { return }
    let name = "\(call.request.method) \(call.path)"
    switch call.route {
    case .api(.unknownPath): noteUnmatched(&call, "unexpected request \(name): no RPC has this path")
    case .api(.wrongMethod(let allowed)):
      let methods = allowed.map(\.rawValue).joined(separator: ", ")
      noteUnmatched(&call, "unexpected request \(name): the RPC with this path has the method \(methods)")
    case .api(.rpc), .file: break
    }
  }

  /// Applies what a call asks for, unless it was already applied with its `Idempotency-Key`.
  private func apply(
    _ call: IncomingCall, of rpc: RPCDescriptor, variables: [String: String]
  ) throws -> MockEngine.Applied {
    let headers = call.request.headers
    let message: any ProtoMessage
    do {
      message = try self.message(of: call, rpc, variables: variables)
    } catch {
      // To a caller without a valid token, what is wrong with the message does not matter.
      _ = try withState { try $0.caller(headers, of: rpc) }
      throw error
    }
    return try withEngine { engine in
      engine.state.caller = try engine.state.caller(headers, of: rpc)
      guard rpc.effect != .noSideEffects else { return try engine.apply(MockChange(engine.state, .rpc(rpc, message))) }
      let (message, passwordKey) = try engine.state.withoutPassword(message)
      let key = headers["Idempotency-Key"]
      if let key {
        let id = try IdempotencyKeys.ID(caller: engine.state.caller, rpc: rpc.id, key: key)
        let known = try engine.state.idempotencyKeys.answer(
          for: id, request: message, secret: passwordKey, now: engine.state.now)
        if let known { return MockEngine.Applied(result: .success(.response(known)), position: engine.position) }
      }
      return try engine.apply(
        MockChange(engine.state, .rpc(rpc, message), idempotencyKey: key, passwordKey: passwordKey))
    }
  }

  /// Stores the bytes of an upload, and returns the position of the change in the journal.
  private func storeChunk(_ call: IncomingCall) throws -> (response: HTTPResponse, position: Int64?) {
    guard let chunk = call.chunk else { throw MockFailure(.internalError, "the bytes were not received") }
    // Outside of the lock, because it can wait for the disk.
    chunk.finish()
    return try withEngine { engine in
      engine.state.caller = try engine.state.caller(call.request.headers, of: MediaRPC.startUpload.descriptor)
      return (try engine.store(chunk, call.request.headers, isJournaled: true), engine.position)
    }
  }

  /// Responds to a call of a server-streaming RPC.
  private func stream(
    _ call: IncomingCall, of rpc: RPCDescriptor, variables: [String: String], mayStream: Bool
  ) throws -> HTTPResponse {
    guard let request = try message(of: call, rpc, variables: variables) as? StreamEventsRequest else {
      throw MockFailure(.unimplemented, "the mock backend has no behaviour for \(rpc.id) yet")
    }
    guard mayStream else {
      throw MockFailure.invalid("the response of \(rpc.id) is a stream: use MockBackend.answer or MockTransport")
    }
    return try streamEvents(request, of: call)
  }

  /// Returns the request message of a call, if it follows the contract's rules.
  private func message(
    of call: IncomingCall, _ rpc: RPCDescriptor, variables: [String: String]
  ) throws -> any ProtoMessage {
    let message = try call.message(of: rpc, variables: variables)
    // A query may leave a number out; the server then chooses.
    let isAbsent = rpc.http.hasBody ? nil : { (field: FieldDescriptor) in !call.names(field) }
    if let (field, problem) = RequestRules.violation(in: message, optional: isAbsent) {
      throw MockFailure.invalid(field: field.name, problem)
    }
    return message
  }

  // MARK: Refusals by the head

  /// Whether the path, the method, and the token of a request suffice to refuse it, whatever its body is.
  package func refusesHead(of request: HTTPRequest) -> Bool {
    if source != nil { return false }
    return switch CallRoute(request.method, path: request.url.path) {
    case .api(.unknownPath), .api(.wrongMethod): true
    case .file: false
    // A stub requires no token.
    case .api(.rpc(let rpc, _)):
      !hasStub(for: rpc) && (try? withState { _ = try $0.caller(request.headers, of: rpc) }) == nil
    }
  }
}
