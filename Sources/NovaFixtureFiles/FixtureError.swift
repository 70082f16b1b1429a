public import NovaCore

/// Why fixtures could not be written, checked or compared. Nothing half-written is left behind.
public enum FixtureError: NovaError, Hashable {
  /// Options that contradict each other or are out of range.
  case options(String)
  /// There is something in the way that would be lost.
  case refused(String)
  /// The system, or a library, would not: no room, no permission.
  case failed(String)
  /// A directory that is no set of fixtures, or one that this version cannot read.
  case unreadable(String)
  /// The task was cancelled.
  case cancelled

  /// What happened, where, and what was expected.
  public var description: String {
    switch self {
    case .options(let text), .refused(let text), .failed(let text), .unreadable(let text): text
    case .cancelled: "it was cancelled"
    }
  }
}
