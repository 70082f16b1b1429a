public import NovaCore

/// An announcement that a list left out.
public struct SkippedAnnouncement: Sendable, Hashable {
  /// Its id; empty if it has none.
  public let id: String
  /// Why it was left out.
  public let reason: AnnouncementProblem

  /// Creates a report.
  public init(id: String, reason: AnnouncementProblem) {
    self.id = id
    self.reason = reason
  }
}

extension SkippedAnnouncement: CustomStringConvertible {
  /// `announcement pet-4: species is "DINOSAUR"; expected dog, cat, bird or other`
  public var description: String { "\(id.nameOfAnnouncement): \(reason)" }
}

/// An announcement was asked for, came, and is not what the contract says.
public struct AnnouncementError: NovaError, Hashable {
  /// The announcement's id as it came; empty if it has none.
  public let id: String
  /// What is wrong with it, the first thing found.
  public let problem: AnnouncementProblem

  /// Creates an error.
  public init(id: String, problem: AnnouncementProblem) {
    self.id = id
    self.problem = problem
  }
}

extension AnnouncementError {
  /// `announcement pet-4 cannot be shown: species is "DINOSAUR"; expected dog, cat, bird or other`
  public var description: String { "\(id.nameOfAnnouncement) cannot be shown: \(problem)" }
}

extension String {
  /// What an announcement with this id is called in messages.
  fileprivate var nameOfAnnouncement: String {
    isEmpty ? "an announcement without an id" : "announcement \(printable(to: 60))"
  }
}
