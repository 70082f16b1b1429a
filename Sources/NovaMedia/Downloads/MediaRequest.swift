import NovaCore

/// Requests for the bytes of one URL, as often as it takes, with one deadline over all of them.
struct MediaRequest: Sendable {
  let client: APIClient
  let url: String
  /// What is known of the file from elsewhere; nil for nothing.
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
      // From here on it would bound each request.
      options.timeout = nil
    }
    // A sign-in must not continue what began for another user.
    options.caller = options.caller ?? OperationCaller()
    self.options = options
  }

  /// Makes all requests those of the present caller, and returns for whom the bytes are.
  mutating func identify() async -> PartOwner {
    guard let place = try? client.place(of: url, for: MediaService.downloadBytes.descriptor) else { return .unknown }
    guard place.isOnGateway else { return .all }
    // If the caller cannot be found out, the request has the error.
    guard let identity = try? await client.identity(for: options) else { return .unknown }
    options.caller = OperationCaller(identity)
    return PartOwner(identity)
  }

  /// Where the URL leads.
  ///
  /// - Throws: ``APIError`` if nothing can be sent there.
  func place() throws -> HTTPURL {
    try client.place(of: url, for: MediaService.downloadBytes.descriptor).url
  }

  /// What a server sends for a file of which some bytes are there.
  enum Answer: Sendable {
    /// Bytes; see ``MediaBody/start``.
    case body(MediaBody)
    /// The file ends at the position.
    case complete
    /// The file is another one than before.
    case changed
    /// The server does not send the range that was requested, or not what proves that it is one of the same file.
    case unclear
    /// The server contradicts what it reported before.
    case contradiction(APIError)
  }

  /// Requests the rest of a file, or all of it.
  ///
  /// - Parameters:
  ///   - continuation: what is there already. The validator is sent along, so that the server sends the whole file if it has
  ///     changed.
  ///   - wantsWhole: whether the whole file is requested, because the server's ranges are of no use.
  /// - Throws: ``APIError``.
  func answer(_ continuation: Continuation, wantsWhole: Bool = false) async throws -> Answer {
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
    switch verdict {
    case .next(let head, let bytes), .other(let head, let bytes):
      if let problem = expected?.problem(contentType: head.contentType, byteCount: head.total) {
        return .contradiction(failure(problem, response))
      }
      var isSame = false
      if case .next = verdict { isSame = true }
      return .body(MediaBody(response, head: head, bytes, isSame: isSame))
    case .complete: return .complete
    case .changed: return .changed
    case .unclear: return .unclear
    case .contradiction(let before, let now):
      return .contradiction(
        failure(Continuation.contradiction(before: before, now: now), response))
    case .replacement(let replacement): return .contradiction(failure(replacement.description, response))
    case .unusable(let problem): throw failure(problem.description, response)
    }
  }

  private func failure(_ problem: String, _ response: APIResponse<HTTPBody>) -> APIError {
    APIError(
      .invalidResponse, "cannot download: \(problem)", rpc: MediaService.downloadBytes.descriptor, response: response)
  }

  /// The error with the limit of the whole download, if that has passed: a request has only what was left of it.
  private func explained(_ error: APIError) -> APIError {
    guard let timeout, let deadline = options.deadline, error.transport?.kind == .totalTimeout,
      client.clock.now >= deadline, let place = try? place().origin.place
    else { return error }
    var error = error
    error.message = "the download from \(place) did not finish within \(timeout.formatted)"
    return error
  }

  /// Waits before the next request after a body that broke off.
  ///
  /// - Parameters:
  ///   - failures: how many requests in a row have brought nothing new, this one included.
  ///   - progress: when the last new byte came.
  /// - Throws: the error, if the policy or the deadline allows no other request.
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

/// The body of a response with bytes of a file.
struct MediaBody: Sendable {
  var head: MediaHead
  /// The place of the first byte in the file.
  let start: Int
  /// The place behind the last byte, if it is known.
  let end: Int?
  /// Whether the server sent a range.
  let isPart: Bool
  /// Whether it is of the file of which bytes are there.
  let isSame: Bool
  /// The digest of this body alone (`Content-Digest`).
  let digest: [UInt8]?
  let chunks: HTTPBody

  init(_ response: APIResponse<HTTPBody>, head: MediaHead, _ bytes: Continuation.Bytes, isSame: Bool) {
    self.head = head
    (start, end, isPart) = (bytes.start, bytes.end, bytes.isPart)
    self.isSame = isSame
    digest = DigestField.sha256("Content-Digest", in: response.headers)
    chunks = response.value
  }
}
