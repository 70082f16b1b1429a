/// What errors say about whether a request left this machine, in one wording, so that it can be kept true.
///
/// Whoever fails before sending knows of one attempt only. Where an earlier attempt of the call was sent, the claim is
/// corrected before the caller reads it.
enum SentClaim {
  /// For an attempt that ended before a byte of it was sent.
  static let nothing = "nothing was sent"

  private static let corrections = [
    (nothing, "nothing more was sent"), ("before it was sent", "before it was sent again"),
  ]

  /// The message for a call of which an earlier attempt was sent.
  static func corrected(_ message: String) -> String {
    corrections.reduce(message) { $0.replacing($1.0, with: $1.1) }
  }
}
