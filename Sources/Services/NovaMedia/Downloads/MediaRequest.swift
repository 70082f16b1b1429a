import NovaCore

/// Requests the bytes of one URL, as often as necessary, with one deadline for all requests.
struct MediaRequest: Sendable {
  let client: APIClient
  let url: String
  /// What is known about the file from elsewhere; nil if nothing is.
  let expected: ExpectedFile?
  private var options: CallOptions
  /// The time limit of the whole download.
  private let timeout: Duration?

  init(_ service: MediaService, url: String, expected: ExpectedFile? = nil) {
    client = service.client
    self.url = url
    self.expected = expected
    var options = service.options
    timeout = options.timeout
    if let timeout {
      let end = service.client.clock.now.advanced(by: timeout)
      options.deadline = min(end, options.deadline ?? end)
      // From now on, it would limit each request.
      options.timeout = nil
    }
    // After another user signs in, the download must not continue for them.
    options.caller = options.caller ?? OperationCaller()
    self.options = options
  }

  /// Binds all requests to the current caller, and returns the owner of the bytes.
  mutating func identify() async -> PartOwner {
    guard let place = try? client.place(of: url, for: MediaService.downloadBytes.descriptor) else { return .unknown }
    guard place.isOnGateway else { return .all }
    // If the caller cannot be determined, the request throws the error.
    guard let identity = try? await client.identity(for: options) else { return .unknown }
    options.caller = OperationCaller(identity)
    return PartOwner(identity)
  }

  /// The resolved URL.
  ///
  /// - Throws: ``APIError`` if nothing can be sent to it.
  func place() throws -> HTTPURL {
    try client.place(of: url, for: MediaService.downloadBytes.descriptor).url
  }

  /// Requests the rest of a file, or all of it.
  ///
  /// - Parameters:
  ///   - continuation: the state of the existing bytes. Sends its validator, so that the server sends the whole file if
  ///     it has changed.
  ///   - wantsWhole: whether to request the whole file, because the server's ranges are useless.
  /// - Returns: the response, and how to use it.
  /// - Throws: ``APIError``.
  func answer(
    _ continuation: Continuation, wantsWhole: Bool = false
  ) async throws -> (verdict: Continuation.Verdict, response: APIResponse<HTTPBody>) {
    var (headers, continuation): (HTTPHeaders, Continuation) = ([:], continuation)
    if !wantsWhole, continuation.position > 0, let validator = continuation.known?.validator {
      headers["Range"] = "bytes=\(continuation.position)-"
      headers["If-Range"] = validator.text
      continuation.isRange = true
    }
    let response: APIResponse<HTTPBody>
    do {
      response = try await client.get(
        url, headers: headers, for: MediaService.downloadBytes.descriptor, options: options)
    } catch let error as APIError { throw explained(error) }
    let verdict = continuation.verdict(
      status: response.status, headers: response.headers, length: response.value.length,
      landing: MediaLanding(response.redirects))
    if case .body(let head, _) = verdict,
      let problem = expected?.problem(contentType: head.contentType, byteCount: head.total)
    {
      return (.contradiction(problem), response)
    }
    return (verdict, response)
  }

  /// The error for a response that is unusable.
  static func failure(_ problem: String, _ response: APIResponse<HTTPBody>) -> APIError {
    APIError(
      .invalidResponse, "cannot download", reason: problem, rpc: MediaService.downloadBytes.descriptor,
      response: response)
  }

  /// Adds the limit of the whole download to a timeout, if that limit has passed: the request had only the remaining
  /// time.
  private func explained(_ error: APIError) -> APIError {
    guard let timeout, let deadline = options.deadline, error.transport?.kind == .totalTimeout,
      client.clock.now >= deadline, let place = try? place().origin.place
    else { return error }
    var error = error
    error.restate("the download from \(place) did not finish within \(timeout.formatted)")
    return error
  }

  /// Waits before the next request after a body ended early.
  ///
  /// - Parameters:
  ///   - failures: the number of consecutive requests without new bytes, including this one.
  ///   - progress: when the last new byte arrived.
  /// - Throws: the error, if the policy or the deadline allows no further request.
  func wait(after error: APIError, failures: Int, since progress: ContinuousClock.Instant) async throws {
    do {
      try await client.waitToContinue(
        after: explained(error), failures: failures, since: progress, for: MediaService.downloadBytes.descriptor,
        options: options)
    } catch is CancellationError {
      throw APIError.ofCancellation
    }
  }
}

/// A response body with bytes of a file.
struct MediaBody: Sendable {
  var head: MediaHead
  let bytes: Continuation.Bytes
  /// The digest of this body only (`Content-Digest`).
  let digest: [UInt8]?
  let chunks: HTTPBody

  init(_ response: APIResponse<HTTPBody>, head: MediaHead, _ bytes: Continuation.Bytes) {
    (self.head, self.bytes) = (head, bytes)
    digest = DigestField.sha256("Content-Digest", in: response.headers)
    chunks = response.value
  }
}
