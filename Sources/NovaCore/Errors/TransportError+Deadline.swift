extension TransportError {
  /// The call's deadline passed before the attempt was sent.
  static let deadlinePassed = TransportError(
    .totalTimeout, "the call's time was up \(SentClaim.beforeItWasSent)", requestMayHaveLeft: false)

  /// The call's deadline passed while it waited for something other than its response.
  ///
  /// - Parameter what: as in "while it waited for an access token".
  static func deadlinePassed(waitingFor what: String) -> TransportError {
    TransportError(
      .totalTimeout, "the call's time was up while it waited for \(what): \(SentClaim.nothingOfCall)",
      requestMayHaveLeft: false)
  }
}
