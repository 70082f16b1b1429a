/// The wording in errors for whether a request left this machine, in one place so that it can be corrected.
///
/// An attempt that fails before it is sent has no information about earlier attempts. If one of those was sent, the
/// claim is corrected before the caller reads it.
package enum SentClaim {
  /// For an attempt that ended before a byte of it was sent.
  package static let nothing = "nothing was sent"
  /// The same where something else was sent meanwhile, such as the refresh of a token.
  package static let nothingOfCall = "nothing of the call was sent"
  /// The same as a moment.
  package static let beforeItWasSent = "before it was sent"

  private static let corrections = [
    (nothing, "nothing more was sent"), (nothingOfCall, "nothing more of the call was sent"),
    (beforeItWasSent, "before it was sent again"),
  ]

  /// The message for a call of which an earlier attempt was sent.
  package static func corrected(_ message: String) -> String {
    corrections.reduce(message) { $0.replacing($1.0, with: $1.1) }
  }
}
