import NovaCore

/// Which part of the events is recorded.
///
/// Whole sessions or users are included or left out, never single events. The steps of one visit are therefore recorded
/// together or not at all, and the ratios between them stay right.
public enum Sampling: Sendable, Hashable {
  /// All events.
  case all
  /// All events of this part of the sessions, 0...1.
  case sessions(Double)
  /// All events of this part of the users, 0...1: the same users on every device and in every session. Before a user
  /// signs in, the anonymous ID decides.
  case users(Double)

  /// Whether the events of a session are recorded. The same arguments always give the same result.
  func includes(session: String, user: String?, anonymousID: String) -> Bool {
    switch self {
    case .all: true
    case .sessions(let rate): Self.place(of: session) < rate
    case .users(let rate): Self.place(of: user ?? anonymousID) < rate
    }
  }

  /// A number in 0..<1 for a text, evenly distributed.
  static func place(of text: String) -> Double {
    // The hash alone differs too little between IDs that differ in one character.
    var generator = SeededGenerator(seed: FNV1a.hash(of: text))
    return Double(generator.next() >> 11) / Double(1 << 53)
  }
}
