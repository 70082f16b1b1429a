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

  /// Whether the service refused a refresh token: 401 with `{"code":16,…}`, or with a code in `{"error":{"code":…}}`
  /// that ends a session. The gRPC status 16 in the header fields counts with any HTTP status, because proxies don't
  /// send it.
  var isRefusedToken: Bool {
    guard httpStatus == 401 || form == .grpcFields, isOfService else { return false }
    return grpcStatus == .unauthenticated
      || form == .nova && grpcStatus == nil && Self.codesOfEndings.contains(server?.code.uppercased() ?? "")
  }

  /// The codes that end a session. Similar codes concern another token, such as a proxy's: `CSRF_TOKEN_INVALID`.
  private static let codesOfEndings: Set<String> = {
    let states = ["EXPIRED", "INVALID", "REVOKED", "REUSED", "UNKNOWN", "NOT_FOUND"]
    let subjects = ["REFRESH_TOKEN", "SESSION", "TOKEN"]
    let others = [
      "UNAUTHENTICATED", "UNAUTHORIZED", "INVALID_REFRESH_TOKEN", "INVALID_SESSION", "INVALID_TOKEN", "INVALID_GRANT",
    ]
    return Set(subjects.flatMap { subject in states.map { "\(subject)_\($0)" } } + others)
  }()

  /// The failure of a refresh that does not end the session. Never `unauthorized`, which requires a new sign-in.
  ///
  /// Calls that wait for the refresh fail with this error under their own names, so its message names the refresh.
  func keepingSession() -> APIError {
    var error = self
    error.isOfRefresh = true
    guard hasResponse else { return error }
    var refresh: [String] = []
    if let rpc { refresh.append(rpc) }
    if let requestID { refresh.append("request \(requestID.printable(to: 80))") }
    let place = refresh.isEmpty ? "" : " (\(refresh.joined(separator: ", ")))"
    return error.withoutSignIn(
      "the session was not refreshed", reason: "\(reasonForKeeping)\(place)",
      advice: "you stay signed in, try again later")
  }

  /// Whether there was a response, even one that does not follow the contract, or is not HTTP.
  private var hasResponse: Bool {
    httpStatus != nil || code == .invalidResponse || code == .decodingError || code == .unauthorized
  }

  private var reasonForKeeping: String {
    guard let httpStatus else { return message }
    if code == .unauthorized, isOfService {
      return "the response with HTTP \(httpStatus) does not end the session"
    }
    // The message describes what is missing in a response with a success status.
    if isOfService || (200..<300).contains(httpStatus) && code != .unauthorized { return message }
    return "the response with HTTP \(httpStatus) is not in the service's form, so it may come from a proxy"
  }

  /// The failure of a sign-in or sign-out that was refused by something other than the service.
  func notOfService(_ what: String) -> APIError {
    guard code == .unauthorized, !isOfService, let httpStatus else { return self }
    return withoutSignIn(
      "\(what) failed",
      reason: "the response with HTTP \(httpStatus) is not in the service's form, so it may come from a proxy",
      advice: "check the base URL and any proxies, then try again")
  }

  /// The codes that a call must not get from a refresh, because they would refer to the call's own record or argument.
  private static let codesOfRecords: Set<Code> = [
    .notFound, .conflict, .invalidArgument, .failedPrecondition, .unimplemented,
  ]

  private func withoutSignIn(_ subject: String, reason: String, advice: String) -> APIError {
    var error = self
    error.restate(subject, reason: reason, advice: advice)
    if let httpStatus, code == .unauthorized {
      error.code = httpStatus == 401 || httpStatus < 400 ? .invalidResponse : .of(httpStatus: httpStatus)
    }
    if isOfRefresh, Self.codesOfRecords.contains(error.code) || error.code == .permissionDenied && !isOfService {
      error.code = .invalidResponse
    }
    return error
  }
}
