import NovaCore

// Only the service decides about a session. What stands between it and us (a proxy, a captive portal, a load balancer)
// answers with 401 as well, and must not sign anybody out.
extension APIError {
  /// Whether the service itself answered: in one of the contract's two forms, under the HTTP status that belongs to it.
  var isOfService: Bool {
    guard form != nil, let httpStatus else { return false }
    guard let grpcStatus else { return true }
    return grpcStatus.httpStatus == httpStatus || (200..<300).contains(httpStatus)
  }

  /// Whether the service refused a refresh token: 401 with `{"code":16,…}`, or with `{"error":{"code":…}}` whose code says
  /// so.
  var isRefusedToken: Bool {
    guard httpStatus == 401, isOfService else { return false }
    return grpcStatus == .unauthenticated || form == .nova && grpcStatus == nil && Self.refuses(server?.code ?? "")
  }

  /// `UNAUTHENTICATED`, `UNAUTHORIZED`, or a token or session that is not valid any more: `REFRESH_TOKEN_EXPIRED`.
  private static func refuses(_ code: String) -> Bool {
    let words = Set(code.uppercased().split(separator: "_").map(String.init))
    if !words.isDisjoint(with: ["UNAUTHENTICATED", "UNAUTHORIZED"]) { return true }
    return !words.isDisjoint(with: ["TOKEN", "SESSION"])
      && !words.isDisjoint(with: ["EXPIRED", "INVALID", "REVOKED", "REUSED", "UNKNOWN"])
  }

  /// The same failure for somebody whose session it does not end: never `unauthorized`, which asks for a new sign-in.
  func keepingSession() -> APIError {
    guard let httpStatus, httpStatus >= 400 || code == .unauthorized else { return self }
    let reason =
      switch (isOfService, code) {
      case (false, _): "the answer with HTTP \(httpStatus) is not in the service's form, so it may come from a proxy"
      case (true, .unauthorized): "the answer with HTTP \(httpStatus) does not say that the session is over"
      case (true, _): message
      }
    return withoutSignIn("the session was not refreshed: \(reason); you stay signed in, try again later")
  }

  /// The failure of a sign-in or sign-out that something else than the service refused.
  func notOfService(_ what: String) -> APIError {
    guard code == .unauthorized, !isOfService, let httpStatus else { return self }
    return withoutSignIn(
      "\(what) failed: the answer with HTTP \(httpStatus) is not in the service's form, so it may come from a proxy; "
        + "check the base URL and what stands between, then try again")
  }

  private func withoutSignIn(_ message: String) -> APIError {
    var error = self
    error.message = message
    if let httpStatus, code == .unauthorized {
      error.code = httpStatus == 401 || httpStatus < 400 ? .invalidResponse : .of(httpStatus: httpStatus)
    }
    return error
  }
}
