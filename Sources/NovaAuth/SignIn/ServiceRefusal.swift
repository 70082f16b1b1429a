import NovaCore

// Only the service can end a session. Proxies, captive portals and load balancers also respond with 401, and must not
// sign the user out.
extension APIError {
  /// Whether the response is the service's own: in one of the contract's two forms, with the matching HTTP status.
  var isOfService: Bool {
    guard form != nil, let httpStatus else { return false }
    guard let grpcStatus else { return true }
    return grpcStatus.httpStatus == httpStatus || (200..<300).contains(httpStatus)
  }

  /// Whether the service refused a refresh token: 401 with `{"code":16,…}`, or with a matching code in
  /// `{"error":{"code":…}}`.
  var isRefusedToken: Bool {
    guard httpStatus == 401, isOfService else { return false }
    return grpcStatus == .unauthenticated || form == .nova && grpcStatus == nil && Self.refuses(server?.code ?? "")
  }

  /// `UNAUTHENTICATED`, `UNAUTHORIZED`, or a token or session that is no longer valid: `REFRESH_TOKEN_EXPIRED`.
  private static func refuses(_ code: String) -> Bool {
    let words = Set(code.uppercased().split(separator: "_").map(String.init))
    if !words.isDisjoint(with: ["UNAUTHENTICATED", "UNAUTHORIZED"]) { return true }
    return !words.isDisjoint(with: ["TOKEN", "SESSION"])
      && !words.isDisjoint(with: ["EXPIRED", "INVALID", "REVOKED", "REUSED", "UNKNOWN"])
  }

  /// The same failure where it does not end the session: never `unauthorized`, which asks for a new sign-in.
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

  /// The failure of a sign-in or sign-out that was refused by something other than the service.
  func notOfService(_ what: String) -> APIError {
    guard code == .unauthorized, !isOfService, let httpStatus else { return self }
    return withoutSignIn(
      "\(what) failed: the answer with HTTP \(httpStatus) is not in the service's form, so it may come from a proxy; "
        + "check the base URL and any proxies, then try again")
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
