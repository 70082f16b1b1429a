import NovaCore

/// A request to the cache.
struct CacheCall: Sendable {
  let request: HTTPRequest
  /// The URL and the caller.
  let key: CacheKey
  /// When the caller stops waiting; nil for never.
  var deadline: ContinuousClock.Instant?
  /// When the request was sent, see `CacheStore.isCurrent`.
  var mark = 0
  /// With which the response may be published, see `CacheStore.takeShared`; nil not to publish it.
  var epoch: String?
  /// The kind of content: it determines which responses can replace a stored one.
  var content = Content.any
  /// Sends a request to the server.
  let send: @Sendable (HTTPRequest) async throws -> HTTPResponse

  /// What the responses to a call contain.
  enum Content: Sendable {
    /// Anything, for example the response of an RPC.
    case any
    /// Files, which must pass the rules for downloads.
    case file
  }

  /// Whether the response may depend on a secret other than the caller's token, such as a cookie.
  var hasOtherSecrets: Bool {
    SecretRedactor.secretHeaders(request).contains { !$0.name.equalsIgnoringASCIICase("Authorization") }
  }

  /// Whether concurrent calls for the same resource can use the response to this request.
  var isShareable: Bool {
    !request.streamsResponse && request.headers["Range"] == nil
      && Preconditions(request.headers).isEmpty && !hasOtherSecrets
  }

  /// The same call after a wait: limits its request to the remaining time.
  ///
  /// - Throws: `TransportError` if no time remains.
  func withTimeLeft(at now: ContinuousClock.Instant) throws -> CacheCall {
    guard let deadline else { return self }
    guard now < deadline else { throw TransportError.deadlinePassed }
    var request = request
    request.limits.totalTimeout = min(request.limits.totalTimeout, now.duration(to: deadline))
    return with(request)
  }

  /// The call for work in the background, for which its caller does not wait: for the whole response.
  var withoutCaller: CacheCall {
    var request = request
    request.streamsResponse = false
    request.headers["Range"] = nil
    var call = with(request)
    call.deadline = nil
    return call
  }

  /// The same call with another request.
  func with(_ request: HTTPRequest) -> CacheCall {
    CacheCall(request: request, key: key, deadline: deadline, epoch: epoch, content: content, send: send)
  }
}

/// A response and its source.
struct CacheAnswer: Sendable {
  var response: HTTPResponse
  var source: CachedMedia.Source
  /// The age in seconds.
  var age: Double
  /// Whether it is a stored response that replaces a failure of the server.
  var replacesFailure = false
}

extension CacheAnswer {
  /// Creates the answer for a response that just arrived.
  init(_ response: HTTPResponse) { self.init(response: response, source: .network, age: 0) }
}
