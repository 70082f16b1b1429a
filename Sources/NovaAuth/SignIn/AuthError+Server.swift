import NovaCore

// What the server's refusals mean. A code of the server's own (`EMAIL_TAKEN`) decides; without one, the words of its
// message do where the contract has one status for two things.
extension AuthError {
  /// The refusal of a login; nil where it is not for a person to mend.
  static func ofLogin(_ error: APIError) -> AuthError? {
    guard error.isOfService else { return nil }
    let said = Said(error)
    switch error.code {
    case .unauthorized: return AuthError(wrongCredentials, underlying: error)
    case .permissionDenied:
      if said.mentions("CONFIRM", "VERIF") { return AuthError(confirmationPending, underlying: error) }
      // Only what speaks the contract says that an account is locked: a 403 of some proxy says nothing about it.
      guard said.mentions("LOCK") || said.isPlainStatus else { return nil }
      return AuthError(accountLocked, underlying: error)
    default: return nil
    }
  }

  /// The refusal of a registration; nil where it is not for a person to mend.
  static func ofRegistration(_ error: APIError) -> AuthError? {
    guard error.isOfService else { return nil }
    let said = Said(error)
    switch error.code {
    case .conflict where error.grpcStatus != .aborted:
      // The username first: "there is a user with this e-mail address" must not be taken for it.
      if said.mentions("USERNAME", "USER_NAME", "USER NAME"), !said.mentions("MAIL") {
        return AuthError(usernameTaken, underlying: error)
      }
      return AuthError(said.mentions("MAIL") ? emailTaken : emailOrUsernameTaken, underlying: error)
    case .invalidArgument:
      if said.code.contains("EMAIL") { return AuthError(invalidEmail, underlying: error) }
      if said.code.contains("PASSWORD") { return AuthError(weakPassword, underlying: error) }
      if said.code.contains("USERNAME") { return AuthError(invalidUsername, underlying: error) }
      return nil
    default: return nil
    }
  }
}

/// What a server said, in capitals.
private struct Said {
  let code: String
  let message: String
  /// Whether the answer is gRPC's status and no code of the server's own says more.
  let isPlainStatus: Bool

  init(_ error: APIError) {
    let own = (error.server?.code ?? "").uppercased()
    let generic = own.isEmpty || own == error.grpcStatus?.description || own == "PERMISSION_DENIED"
    code = generic ? (error.server?.metadata["reason"] ?? "").uppercased() : own
    message = (error.server?.message ?? "").uppercased()
    isPlainStatus = code.isEmpty && (error.grpcStatus != nil || !own.isEmpty)
  }

  /// Whether the code, or without one the message, holds one of the words.
  func mentions(_ words: String...) -> Bool {
    let text = code.isEmpty ? message : code
    return words.contains { text.contains($0) }
  }
}
