import NovaAuth
import NovaCore

extension CheckRun {
  var isReadOnly: Bool { check.options.isReadOnly }

  /// Sends a request that the contract lets succeed, and looks at the answer. With an RPC's first request come those
  /// that follow from it: other pages, and requests that the contract refuses.
  ///
  /// - Parameters:
  ///   - nothing: whether the right answer is that there is no such thing.
  ///   - invalidFirst: whether requests that are refused go first: for deletions, after which nothing is there to refuse.
  /// - Returns: the response as the SDK reads it; nil where it cannot.
  @discardableResult
  mutating func valid<Request, Response>(
    _ rpc: RPC<Request, Response>, _ message: Request, _ name: String, nothing: Bool = false,
    invalidFirst: Bool = false
  ) async throws -> Response? {
    let descriptor = rpc.descriptor
    if isReadOnly, descriptor.effect != .noSideEffects { return nil }
    let isFirst = !recorder.wasCalled(descriptor.id)
    if isFirst, invalidFirst { try await sendInvalid(descriptor, message) }
    let expectation: Expectation = nothing ? .nothing : .success
    let answer = try await send(
      descriptor, name, try await request(descriptor, message), message: message, expectation)
    if let answer, isClosedRegistration(descriptor, answer.status) { return nil }
    if isFirst {
      try await sendPages(descriptor, message)
      if !invalidFirst { try await sendInvalid(descriptor, message) }
    }
    guard let answer, answer.isSuccess else { return nil }
    return try? HTTPTranscoder.response(Response.self, answer.body, descriptor.http)
  }

  /// Sends a request that the contract refuses.
  mutating func refused<Request, Response>(
    _ rpc: RPC<Request, Response>, _ message: Request, _ name: String, _ refusal: Refusal
  ) async throws {
    let descriptor = rpc.descriptor
    guard check.options.sendsInvalidRequests, !isReadOnly || descriptor.effect == .noSideEffects else { return }
    _ = try await send(
      descriptor, name, try await request(descriptor, message), message: message, .failure(refusal))
  }

  /// Says why an RPC is not checked, unless it was.
  mutating func skip<Request, Response>(_ rpc: RPC<Request, Response>, _ reason: String) {
    guard !recorder.wasCalled(rpc.descriptor.id), !isReadOnly || rpc.descriptor.effect == .noSideEffects else {
      return
    }
    recorder.skip(rpc.descriptor.id, reason)
  }

  /// The same for several.
  mutating func skip(_ rpcs: [RPCDescriptor], _ reason: String) {
    for rpc in rpcs where !recorder.wasCalled(rpc.id) && (!isReadOnly || rpc.effect == .noSideEffects) {
      recorder.skip(rpc.id, reason)
    }
  }

  /// Sends a request and holds the answer against what is expected.
  @discardableResult
  mutating func send(
    _ rpc: RPCDescriptor, _ name: String, _ request: HTTPRequest, message: (any ProtoMessage)?,
    _ expectation: Expectation
  ) async throws -> HTTPResponse? {
    guard let response = try await exchange(rpc, name, request) else { return nil }
    if case .failure = expectation {} else { recorder.answered(rpc, response.status) }
    if case .success = expectation, isClosedRegistration(rpc, response.status) {
      recorder.skip(rpc.id, "no account can be opened here (\(response.status))")
      return response
    }
    if response.status == 401 || response.status == 403 {
      switch expectation {
      case .success, .nothing:
        recorder.refuse(rpc.id, response.status)
        return response
      // Servers may ask who it is before they look at what it is.
      case .failure(let refusal) where !refusal.statuses.contains(response.status) && recorder.isRefused(rpc.id):
        return response
      case .failure: break
      }
    }
    let check = AnswerCheck(registry: check.registry, rpc: rpc, request: message, expectation: expectation)
    for finding in check.findings(recorder.masked(response)) { recorder.note(finding, rpc.id, name) }
    return response
  }

  /// Whether the gateway allows no registration. With a token, the check continues without it.
  private func isClosedRegistration(_ rpc: RPCDescriptor, _ status: Int) -> Bool {
    guard check.tokens != nil, rpc.id == AuthRPC.register.descriptor.id else { return false }
    return status == 401 || status == 403 || Recorder.absence.contains(status)
  }

  /// A message as the SDK sends it.
  func request(_ rpc: RPCDescriptor, _ message: any ProtoMessage) async throws -> HTTPRequest {
    let parts = try HTTPTranscoder.request(message, binding(rpc))
    return try await request(rpc, rpc.http.method, parts.target, parts.body)
  }

  /// The HTTP binding of an RPC's requests for this gateway.
  func binding(_ rpc: RPCDescriptor) -> HTTPBinding { rpc.http.writing(check.options.requestNames[rpc.service]) }

  /// A request with the headers that the SDK sends.
  func request(
    _ rpc: RPCDescriptor, _ method: HTTPMethod, _ target: String, _ body: [UInt8]
  ) async throws -> HTTPRequest {
    let id = check.makeID()
    var headers: HTTPHeaders = ["Accept": "application/json", "X-Request-ID": id]
    if rpc.http.hasBody || !body.isEmpty { headers["Content-Type"] = "application/json" }
    if rpc.effect != .noSideEffects { headers["Idempotency-Key"] = id }
    let url = check.baseURL(rpc.service) + target
    if rpc.requiresAuthentication, let token = try await token(), BaseURL.isSafeForTokens(url) {
      headers["Authorization"] = "Bearer \(token.secretValue)"
    }
    return HTTPRequest(method: method, url: url, headers: headers, body: body, limits: check.options.limits)
  }

  /// The token that requests carry: of the account that the check opened, or else the one it was given.
  func token() async throws -> AccessToken? {
    if let ownToken { return ownToken }
    guard let tokens = check.tokens else { return nil }
    do {
      return try await tokens.accessToken()
    } catch let error as APIError {
      throw StoppedCheck(reason: error.code == .unauthorized ? .noToken(error.message) : .noConnection(error.message))
    }
  }
}
