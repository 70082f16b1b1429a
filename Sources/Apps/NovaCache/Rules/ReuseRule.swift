import NovaCore

/// How to answer a request for which there is a stored response.
enum Reuse: Sendable, Equatable {
  /// Return the stored response.
  case serve
  /// Return the stored response, and ask the server for a newer one in the background.
  case serveAndRevalidate
  /// Ask the server whether the stored response is current.
  case validate
}

/// Decides whether a stored response answers a request (RFC 9111, 4 and 5.2; RFC 5861; RFC 8246).
struct ReuseRule: Sendable {
  private let request: CacheControl
  private let response: CacheControl
  private let redirects: [StoredRedirect]
  private let freshness: Freshness
  private let hasPragma: Bool

  /// - Parameter now: in seconds since 1970.
  init(_ request: HTTPHeaders, _ head: StoredHead, at now: Double) {
    self.request = CacheControl(request)
    response = CacheControl(head.headers)
    redirects = head.redirects
    freshness = Freshness(head, at: now)
    // HTTP/1.0 clients have no other directive.
    hasPragma =
      request["Cache-Control"] == nil
      && FieldList.elements("Pragma", in: request).contains { $0.equalsIgnoringASCIICase("no-cache") }
  }

  var decision: Reuse {
    if isValidatedAlways || requiresValidation { return .validate }
    if let most = request.seconds("max-age"), !isImmutable, most == 0 || freshness.age > Double(most) {
      return .validate
    }
    if let least = request.largestSeconds("min-fresh"), -freshness.staleness < Double(least) { return .validate }
    if freshness.isFresh { return .serve }
    if isNeverStale { return .validate }
    if isStaleAccepted { return .serve }
    return isStaleAllowed(for: "stale-while-revalidate") ? .serveAndRevalidate : .validate
  }

  /// A kind of server failure.
  enum Failure: Sendable {
    /// The server was not reached. Any stored response is better than none.
    case disconnection
    /// The server reports a failure, or sends something that cannot be the file. People prefer an old image to none.
    case ofFile
    /// The server reports a failure of something other than a file.
    case status
  }

  /// Whether the stored response can replace a failure of the server.
  func replaces(_ failure: Failure) -> Bool {
    if isValidatedAlways || requiresValidation || isNeverStale { return false }
    if request.contains("max-age") || request.contains("min-fresh") { return false }
    switch failure {
    case .disconnection: return true
    // With the directive, the server decides for how long.
    case .ofFile where !response.contains("stale-if-error"): return true
    case .ofFile, .status: break
    }
    let accepted = request.seconds("stale-if-error").map { freshness.staleness <= Double($0) } ?? false
    return accepted || isStaleAllowed(for: "stale-if-error")
  }

  /// Whether the response, or a redirect to it, must always be validated before use.
  private var isValidatedAlways: Bool {
    response.requiresValidation || redirects.contains(where: \.requiresValidation)
  }

  /// Whether the response must not be used when stale.
  private var isNeverStale: Bool {
    response.contains("must-revalidate") || redirects.contains { CacheControl($0.headers).contains("must-revalidate") }
  }

  private var requiresValidation: Bool { request.contains("no-cache") || hasPragma }

  /// Whether a reload, which sends `max-age=0`, would return the same response.
  private var isImmutable: Bool {
    response.contains("immutable") && redirects.isEmpty && freshness.isFresh && request.seconds("max-age") == 0
  }

  /// Whether the caller accepts a response of this staleness.
  private var isStaleAccepted: Bool {
    guard request.contains("max-stale") else { return false }
    return request.containsWithoutValue("max-stale")
      || freshness.staleness <= Double(request.seconds("max-stale") ?? 0)
  }

  /// Whether the server allows a response of this staleness.
  private func isStaleAllowed(for directive: String) -> Bool {
    let isAllowed = { (control: CacheControl) in
      control.seconds(directive).map { freshness.staleness <= Double($0) } ?? false
    }
    return isAllowed(response) && redirects.allSatisfy { isAllowed(CacheControl($0.headers)) }
  }
}
