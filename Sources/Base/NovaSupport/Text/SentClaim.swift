/// The wording in error messages for whether a request was sent. It is defined once, so that it can be corrected.
///
/// An attempt that fails before it is sent does not know about earlier attempts. If one of those was sent, the wording
/// is corrected before the caller sees it.
package enum SentClaim {
  /// For an attempt that ended before any byte was sent.
  package static let nothing = "nothing was sent"
  /// The same, if something else was sent in the meantime, such as a token refresh.
  package static let nothingOfCall = "nothing of the call was sent"
  /// The same, as a point in time.
  package static let beforeItWasSent = "before it was sent"

  private static let corrections = [
    (nothing, "nothing more was sent"), (nothingOfCall, "nothing more of the call was sent"),
    (beforeItWasSent, "before it was sent again"),
  ]

  /// The message for a call after an earlier attempt was sent.
  package static func corrected(_ message: String) -> String {
    corrections.reduce(message) { $0.replacing($1.0, with: $1.1) }
  }
}
