import NovaCore

/// Requests for the bytes of one URL, as often as it takes, with one deadline over all of them.
struct MediaRequest: Sendable {
  let client: APIClient
  let url: String
  private var options: CallOptions
  /// The time limit of the whole download.
  private let timeout: Duration?

  init(_ service: MediaService, url: String) {
    client = service.client
    self.url = url
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

  /// What a server sends from a position on.
  enum Answer: Sendable {
    /// The bytes from the position on, or from the beginning; see ``MediaBody/range``.
    case body(MediaBody)
    /// The file ends at the position.
    case complete
    /// The file is another one than before, or has no such position.
    case changed
  }

  /// Requests the bytes from a position on.
  ///
  /// - Parameters:
  ///   - known: what is known about the bytes before the position. Its validator is sent along, so that the server sends the
  ///     whole file if it has changed.
  ///   - needsDigest: whether an equal validator does not suffice to continue.
  /// - Throws: ``APIError``.
  func answer(from position: Int, of known: MediaHead?, needsDigest: Bool = false) async throws -> Answer {
    var headers: HTTPHeaders = [:]
    let validator = position > 0 ? known?.validator : nil
    if let validator {
      headers["Range"] = "bytes=\(position)-"
      headers["If-Range"] = validator.text
    }
    let response: APIResponse<HTTPBody>
    do {
      response = try await client.get(
        url, headers: headers, for: MediaService.downloadBytes.descriptor, options: options)
    } catch let error as APIError { throw explained(error) }
    if let encoding = response.headers["Content-Encoding"], !encoding.equalsIgnoringASCIICase("identity") {
      throw failure(
        "the server compresses the file (\(encoding.printable(to: 20))), although none was asked for", response)
    }
    switch response.status {
    case 200, 203: return .body(MediaBody(response))
    case 206 where validator != nil:
      return try part(response, from: position, of: known, needsDigest: needsDigest)
    case 416 where ContentRange(response.headers["Content-Range"])?.total == position:
      // A server that does not read If-Range may have another file of the same size.
      let present = MediaHead(response.headers, total: nil)
      return known.map { present.mayBeOfSameFile(as: $0, needsDigest: needsDigest) } == true ? .complete : .changed
    case 416: return .changed
    default: throw failure("expected the bytes of a file, got status \(response.status)", response)
    }
  }

  private func part(
    _ response: APIResponse<HTTPBody>, from position: Int, of known: MediaHead?, needsDigest: Bool
  ) throws -> Answer {
    guard let range = ContentRange(response.headers["Content-Range"]), let bytes = range.bytes,
      bytes.lowerBound == position
    else { throw failure("the server sends other bytes than those from \(position) on", response) }
    let head = MediaHead(response.headers, total: range.total ?? known?.total)
    // A server that does not read If-Range sends a part of whatever the file is now.
    if let known, !head.mayBeOfSameFile(as: known, needsDigest: needsDigest) { return .changed }
    if let total = range.total, let before = known?.total, total != before {
      throw failure("the server reports a size of \(total) bytes after one of \(before)", response)
    }
    if let length = response.value.length, length != bytes.count {
      throw failure("the server sends \(length) bytes as the range of \(bytes.count)", response)
    }
    return .body(MediaBody(response, range: bytes, head: head))
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
  var start: Int
  /// The place behind the last byte, if it is known.
  var end: Int?
  /// Whether the server sent a range.
  var isPart = false
  /// The digest of this body alone (`Content-Digest`).
  var digest: [UInt8]?
  var chunks: HTTPBody

  /// A body with the whole file.
  init(_ response: APIResponse<HTTPBody>) {
    head = MediaHead(response.headers, total: response.value.length)
    start = 0
    end = response.value.length
    digest = DigestField.sha256(response.headers["Content-Digest"])
    chunks = response.value
  }

  /// A body with a part of it.
  init(_ response: APIResponse<HTTPBody>, range: Range<Int>, head: MediaHead) {
    self.init(response)
    self.head = head
    isPart = true
    (start, end) = (range.lowerBound, range.upperBound)
  }
}
