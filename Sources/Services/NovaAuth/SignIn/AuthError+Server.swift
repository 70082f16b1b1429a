import NovaCore

// Maps the server's refusals to reasons. The server's own code (`EMAIL_TAKEN`) takes precedence; without one, the words
// of its message decide where the contract has one status for two reasons.
extension AuthError {
  /// Returns the error of a refused login; nil if the user cannot fix it.
  static func ofLogin(_ error: APIError) -> AuthError? {
    guard error.isOfService else { return nil }
    let reason = ServerReason(error)
    switch error.code {
    case .unauthorized: return AuthError(wrongCredentials, underlying: error)
    case .permissionDenied:
      if reason.mentions("CONFIRM", "VERIF") { return AuthError(confirmationPending, underlying: error) }
      // A 403 without the contract's form may come from a proxy, and does not mean that the account is locked.
      guard reason.mentions("LOCK") || reason.isPlainStatus else { return nil }
      return AuthError(accountLocked, underlying: error)
    default: return nil
    }
  }

  /// Returns the error of a refused registration; nil if the user cannot fix it.
  static func ofRegistration(_ error: APIError) -> AuthError? {
    guard error.isOfService else { return nil }
    let reason = ServerReason(error)
    switch error.code {
    case .conflict where error.grpcStatus != .aborted:
      // "A user with this e-mail address exists" mentions a user, and is about the e-mail address.
      if reason.mentions("USERNAME", "USER_NAME", "USER NAME"), !reason.mentions("MAIL") {
        return AuthError(usernameTaken, underlying: error)
      }
      return AuthError(reason.mentions("MAIL") ? emailTaken : emailOrUsernameTaken, underlying: error)
    case .invalidArgument:
      if reason.code.contains("EMAIL") { return AuthError(invalidEmail, underlying: error) }
      if reason.code.contains("PASSWORD") { return AuthError(weakPassword, underlying: error) }
      if reason.code.contains("USERNAME") { return AuthError(invalidUsername, underlying: error) }
      return nil
    default: return nil
    }
  }
}

/// The server's code and message, in capitals.
private struct ServerReason {
  let code: String
  let message: String
  /// Whether the response has only a gRPC status, and no code of the server's own.
  let isPlainStatus: Bool

  init(_ error: APIError) {
    let own = (error.server?.code ?? "").uppercased()
    let generic = own.isEmpty || own == error.grpcStatus?.description || own == "PERMISSION_DENIED"
    code = generic ? (error.server?.metadata["reason"] ?? "").uppercased() : own
    message = (error.server?.message ?? "").uppercased()
    isPlainStatus = code.isEmpty && (error.grpcStatus != nil || !own.isEmpty)
  }

  /// Whether the code, or without one the message, contains one of the words.
  @inline(never)
  func mentions(_ words: String...) -> Bool {
    let text = code.isEmpty ? message : code
    for word in words where text.contains(word) { return true }
    return false
  }
}
